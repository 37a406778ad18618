noinst_LIBRARIES += src/store/libstore.a
src_store_libstore_a_SOURCES = \
	src/store/db.c src/store/db.h \
	src/store/migrate.c src/store/migrate.h \
	src/store/st_act.c \
	src/store/st_evidence.c src/store/st_evidence.h \
	src/store/st_finding.c src/store/st_finding.h \
	src/store/st_inv_list.c \
	src/store/st_inv_row.c src/store/st_inv_row.h \
	src/store/st_investigation.c src/store/st_investigation.h \
	src/store/st_issue.c src/store/st_issue.h \
	src/store/st_ledger.c src/store/st_ledger.h \
	src/store/st_ledger_feed.c \
	src/store/st_ledger_find.c \
	src/store/st_ledger_keep.c src/store/st_ledger_keep.h \
	src/store/st_ledger_list.c \
	src/store/st_ledger_record.c \
	src/store/st_ledger_row.c src/store/st_ledger_row.h \
	src/store/st_ledger_search.c src/store/st_ledger_search.h \
	src/store/st_note.c src/store/st_note.h \
	src/store/st_pattern.c src/store/st_pattern.h \
	src/store/st_stage.c \
	src/store/st_ticket.c src/store/st_ticket.h
src_store_libstore_a_CPPFLAGS = $(AM_CPPFLAGS) $(MARIADB_CFLAGS) $(ZLIB_CFLAGS)
