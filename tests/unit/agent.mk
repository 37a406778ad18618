# unit tests of src/agent
check_PROGRAMS += tests/unit/test_agent_mask tests/unit/test_agent_text \
	tests/unit/test_agent_keep tests/unit/test_agent_keep_cases \
	tests/unit/test_agent_printed tests/unit/test_agent_publish

agent_test_cflags = $(AM_CFLAGS) $(JANSSON_CFLAGS) $(CMOCKA_CFLAGS)
agent_test_libs = src/agent/libagent.a src/store/libstore.a src/upstream/libupstream_write.a \
	src/upstream/libupstream.a src/diag/libdiag.a src/sys/libsys.a src/model/libmodel.a \
	src/base/libbase.a $(CMOCKA_LIBS) $(MARIADB_LIBS) $(CURL_LIBS) $(JANSSON_LIBS) \
	$(PCRE2_LIBS) $(UUID_LIBS) $(NETTLE_LIBS) $(ZLIB_LIBS) $(CS_LIBS)

tests_unit_test_agent_mask_SOURCES = tests/unit/test_agent_mask.c
tests_unit_test_agent_mask_CFLAGS = $(agent_test_cflags)
tests_unit_test_agent_mask_LDADD = src/agent/libagent.a src/base/libbase.a $(CMOCKA_LIBS) \
	$(JANSSON_LIBS) $(PCRE2_LIBS) $(NETTLE_LIBS)
tests_unit_test_agent_text_SOURCES = tests/unit/test_agent_text.c
tests_unit_test_agent_text_CFLAGS = $(agent_test_cflags)
tests_unit_test_agent_text_LDADD = src/agent/libagent.a src/model/libmodel.a \
	src/base/libbase.a $(CMOCKA_LIBS) $(JANSSON_LIBS) $(PCRE2_LIBS) $(NETTLE_LIBS)
tests_unit_test_agent_printed_SOURCES = tests/unit/test_agent_printed.c
tests_unit_test_agent_printed_CFLAGS = $(agent_test_cflags)
tests_unit_test_agent_printed_LDADD = src/agent/libagent.a src/model/libmodel.a \
	src/base/libbase.a $(CMOCKA_LIBS) $(JANSSON_LIBS) $(NETTLE_LIBS)
tests_unit_test_agent_keep_SOURCES = tests/unit/test_agent_keep.c
tests_unit_test_agent_keep_CFLAGS = $(agent_test_cflags)
tests_unit_test_agent_keep_LDADD = src/agent/libagent.a src/diag/libdiag.a \
	src/model/libmodel.a src/base/libbase.a $(CMOCKA_LIBS) $(JANSSON_LIBS) $(PCRE2_LIBS) \
	$(NETTLE_LIBS)
tests_unit_test_agent_keep_cases_SOURCES = tests/unit/test_agent_keep_cases.c
tests_unit_test_agent_keep_cases_CFLAGS = $(agent_test_cflags)
tests_unit_test_agent_keep_cases_LDADD = $(tests_unit_test_agent_keep_LDADD) -lm
tests_unit_test_agent_publish_SOURCES = tests/unit/test_agent_publish.c
tests_unit_test_agent_publish_CFLAGS = $(agent_test_cflags)
tests_unit_test_agent_publish_LDADD = $(agent_test_libs)
