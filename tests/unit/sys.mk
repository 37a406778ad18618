# unit tests of src/sys
sys_test_cppflags = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
sys_test_libs = src/sys/libsys.a src/model/libmodel.a src/base/libbase.a \
	$(CMOCKA_LIBS) $(CS_LIBS) $(CURL_LIBS) $(JANSSON_LIBS) $(NETTLE_LIBS) -lm

check_PROGRAMS += tests/unit/test_sys_conf
tests_unit_test_sys_conf_SOURCES = tests/unit/test_sys_conf.c
tests_unit_test_sys_conf_CPPFLAGS = $(sys_test_cppflags)
tests_unit_test_sys_conf_LDADD = $(sys_test_libs)

check_PROGRAMS += tests/unit/test_sys_log
tests_unit_test_sys_log_SOURCES = tests/unit/test_sys_log.c
tests_unit_test_sys_log_CPPFLAGS = $(sys_test_cppflags)
tests_unit_test_sys_log_LDADD = $(sys_test_libs)

check_PROGRAMS += tests/unit/test_sys_prefork
tests_unit_test_sys_prefork_SOURCES = tests/unit/test_sys_prefork.c
tests_unit_test_sys_prefork_CPPFLAGS = $(sys_test_cppflags)
tests_unit_test_sys_prefork_LDADD = $(sys_test_libs)
