DIAG_TEST_LIBS = src/diag/libdiag.a src/model/libmodel.a src/base/libbase.a \
	$(CMOCKA_LIBS) $(JANSSON_LIBS) $(PCRE2_LIBS) $(NETTLE_LIBS) -lm

check_PROGRAMS += tests/unit/test_diag_rules tests/unit/test_diag_scan \
	tests/unit/test_diag_signature
tests_unit_test_diag_rules_SOURCES = tests/unit/test_diag_rules.c \
	tests/unit/test_diag_case.c tests/unit/test_diag_case.h
tests_unit_test_diag_rules_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests/unit
tests_unit_test_diag_rules_LDADD = $(DIAG_TEST_LIBS)
tests_unit_test_diag_scan_SOURCES = tests/unit/test_diag_scan.c
tests_unit_test_diag_scan_LDADD = $(DIAG_TEST_LIBS)
tests_unit_test_diag_signature_SOURCES = tests/unit/test_diag_signature.c
tests_unit_test_diag_signature_LDADD = $(DIAG_TEST_LIBS)
check_PROGRAMS += tests/unit/test_diag_tells
tests_unit_test_diag_tells_SOURCES = tests/unit/test_diag_tells.c
tests_unit_test_diag_tells_LDADD = $(DIAG_TEST_LIBS)
check_PROGRAMS += tests/unit/test_diag_command tests/unit/test_diag_console
tests_unit_test_diag_command_SOURCES = tests/unit/test_diag_command.c
tests_unit_test_diag_command_LDADD = $(DIAG_TEST_LIBS)
tests_unit_test_diag_console_SOURCES = tests/unit/test_diag_console.c \
	tests/unit/test_diag_case.c tests/unit/test_diag_case.h
tests_unit_test_diag_console_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests/unit
tests_unit_test_diag_console_LDADD = $(DIAG_TEST_LIBS)
