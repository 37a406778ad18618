# unit tests of src/ticket, and of the process table that a ticket's sandbox shows
check_PROGRAMS += tests/unit/test_ticket_phrase tests/unit/test_ticket_window \
	tests/unit/test_ticket_marks tests/unit/test_process

ticket_test_cflags = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
ticket_test_libs = src/ticket/libticket.a src/base/libbase.a $(CMOCKA_LIBS) \
	$(JANSSON_LIBS) $(PCRE2_LIBS) $(NETTLE_LIBS)

tests_unit_test_ticket_phrase_SOURCES = tests/unit/test_ticket_phrase.c
tests_unit_test_ticket_phrase_CFLAGS = $(ticket_test_cflags)
tests_unit_test_ticket_phrase_LDADD = $(ticket_test_libs)
tests_unit_test_ticket_window_SOURCES = tests/unit/test_ticket_window.c
tests_unit_test_ticket_window_CFLAGS = $(ticket_test_cflags)
tests_unit_test_ticket_window_LDADD = $(ticket_test_libs)
tests_unit_test_ticket_marks_SOURCES = tests/unit/test_ticket_marks.c
tests_unit_test_ticket_marks_CFLAGS = $(ticket_test_cflags)
tests_unit_test_ticket_marks_LDADD = $(ticket_test_libs)
tests_unit_test_process_SOURCES = tests/unit/test_process.c
tests_unit_test_process_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_process_LDADD = src/model/libmodel.a src/base/libbase.a $(CMOCKA_LIBS) \
	$(JANSSON_LIBS) $(NETTLE_LIBS)
