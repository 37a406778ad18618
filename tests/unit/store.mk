# The store's tests need a server: tests/store/run starts one and runs this program.
noinst_PROGRAMS += tests/store/test_store
tests_store_test_store_SOURCES = \
	tests/store/test_db.c \
	tests/store/test_ledger.c \
	tests/store/test_ledger_feed.c \
	tests/store/test_lists.c \
	tests/store/test_migrate.c \
	tests/store/test_queue.c \
	tests/store/test_stages.c \
	tests/store/world.c tests/store/world.h
tests_store_test_store_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS) $(JANSSON_CFLAGS)
tests_store_test_store_LDADD = \
	src/store/libstore.a src/sys/libsys.a src/model/libmodel.a src/base/libbase.a \
	$(CMOCKA_LIBS) $(MARIADB_LIBS) $(JANSSON_LIBS) $(NETTLE_LIBS) $(ZLIB_LIBS) -lm
EXTRA_DIST += tests/store/run tests/ledger tests/bench/harvest tests/bench/harvest.mjs
