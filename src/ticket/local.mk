noinst_LIBRARIES += src/ticket/libticket.a
src_ticket_libticket_a_SOURCES = \
	src/ticket/marks.c src/ticket/marks.h \
	src/ticket/phrase.c src/ticket/phrase.h \
	src/ticket/window.c src/ticket/window.h \
	src/ticket/zone.c src/ticket/zone.h \
	src/ticket/zone_iana.c src/ticket/zone_iana.h
src_ticket_libticket_a_CFLAGS = $(AM_CFLAGS) $(PCRE2_CFLAGS)
