BASE_TEST_LIBS = src/base/libbase.a $(CMOCKA_LIBS) $(JANSSON_LIBS) $(NETTLE_LIBS)

check_PROGRAMS += tests/unit/test_base_core tests/unit/test_base_text \
	tests/unit/test_base_text_parts tests/unit/test_base_time tests/unit/test_base_jget
tests_unit_test_base_core_SOURCES = tests/unit/test_base_core.c
tests_unit_test_base_core_LDADD = $(BASE_TEST_LIBS)
tests_unit_test_base_text_SOURCES = tests/unit/test_base_text.c
tests_unit_test_base_text_LDADD = $(BASE_TEST_LIBS)
tests_unit_test_base_text_parts_SOURCES = tests/unit/test_base_text_parts.c
tests_unit_test_base_text_parts_LDADD = $(BASE_TEST_LIBS)
tests_unit_test_base_time_SOURCES = tests/unit/test_base_time.c
tests_unit_test_base_time_LDADD = $(BASE_TEST_LIBS)
tests_unit_test_base_jget_SOURCES = tests/unit/test_base_jget.c
tests_unit_test_base_jget_LDADD = $(BASE_TEST_LIBS)
