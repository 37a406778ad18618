# unit tests of src/agent
check_PROGRAMS += tests/unit/test_agent_text \
	tests/unit/test_agent_keep tests/unit/test_agent_keep_cases \
	tests/unit/test_agent_printed tests/unit/test_agent_publish \
	tests/unit/test_agent_compare tests/unit/test_agent_crew \
	tests/unit/test_agent_customer tests/unit/test_agent_note_send

agent_test_cflags = $(AM_CFLAGS) $(JANSSON_CFLAGS) $(CMOCKA_CFLAGS)
agent_test_libs = src/agent/libagent.a src/outgoing/liboutgoing.a src/store/libstore.a src/upstream/libupstream_write.a \
	src/upstream/libupstream.a src/diag/libdiag.a src/sys/libsys.a src/model/libmodel.a \
	src/base/libbase.a $(CMOCKA_LIBS) $(MARIADB_LIBS) $(CURL_LIBS) $(JANSSON_LIBS) \
	$(PCRE2_LIBS) $(UUID_LIBS) $(NETTLE_LIBS) $(ZLIB_LIBS) $(CS_LIBS)

tests_unit_test_agent_text_SOURCES = tests/unit/test_agent_text.c
tests_unit_test_agent_text_CFLAGS = $(agent_test_cflags)
tests_unit_test_agent_text_LDADD = src/agent/libagent.a src/outgoing/liboutgoing.a src/model/libmodel.a \
	src/base/libbase.a $(CMOCKA_LIBS) $(JANSSON_LIBS) $(PCRE2_LIBS) $(NETTLE_LIBS)
tests_unit_test_agent_printed_SOURCES = tests/unit/test_agent_printed.c
tests_unit_test_agent_printed_CFLAGS = $(agent_test_cflags)
tests_unit_test_agent_printed_LDADD = src/agent/libagent.a src/model/libmodel.a \
	src/base/libbase.a $(CMOCKA_LIBS) $(JANSSON_LIBS) $(NETTLE_LIBS)
tests_unit_test_agent_keep_SOURCES = tests/unit/test_agent_keep.c
tests_unit_test_agent_keep_CFLAGS = $(agent_test_cflags)
tests_unit_test_agent_keep_LDADD = src/agent/libagent.a src/outgoing/liboutgoing.a src/diag/libdiag.a \
	src/model/libmodel.a src/base/libbase.a $(CMOCKA_LIBS) $(JANSSON_LIBS) $(PCRE2_LIBS) \
	$(NETTLE_LIBS)
tests_unit_test_agent_keep_cases_SOURCES = tests/unit/test_agent_keep_cases.c
tests_unit_test_agent_keep_cases_CFLAGS = $(agent_test_cflags)
tests_unit_test_agent_keep_cases_LDADD = $(tests_unit_test_agent_keep_LDADD) -lm
tests_unit_test_agent_publish_SOURCES = tests/unit/test_agent_publish.c
tests_unit_test_agent_publish_CFLAGS = $(agent_test_cflags)
tests_unit_test_agent_publish_LDADD = $(agent_test_libs)
tests_unit_test_agent_compare_SOURCES = tests/unit/test_agent_compare.c
tests_unit_test_agent_compare_CFLAGS = $(agent_test_cflags)
tests_unit_test_agent_compare_LDADD = src/agent/libagent.a src/outgoing/liboutgoing.a src/diag/libdiag.a \
	src/model/libmodel.a src/base/libbase.a $(CMOCKA_LIBS) $(JANSSON_LIBS) $(PCRE2_LIBS) \
	$(NETTLE_LIBS)
tests_unit_test_agent_crew_SOURCES = tests/unit/test_agent_crew.c
tests_unit_test_agent_crew_CFLAGS = $(agent_test_cflags)
tests_unit_test_agent_crew_LDADD = src/agent/libagent.a $(CMOCKA_LIBS)
tests_unit_test_agent_customer_SOURCES = tests/unit/test_agent_customer.c
tests_unit_test_agent_customer_CFLAGS = $(agent_test_cflags)
tests_unit_test_agent_customer_LDADD = src/agent/libagent.a src/base/libbase.a \
	$(CMOCKA_LIBS) $(JANSSON_LIBS) $(NETTLE_LIBS)
tests_unit_test_agent_note_send_SOURCES = tests/unit/test_agent_note_send.c
tests_unit_test_agent_note_send_CFLAGS = $(agent_test_cflags)
tests_unit_test_agent_note_send_LDADD = $(agent_test_libs)
