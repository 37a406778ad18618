# unit tests of src/upstream

# The parsers are pure: no curl, nothing of sys.
upstream_parse_ldadd = src/upstream/libupstream.a src/model/libmodel.a \
	src/base/libbase.a $(JANSSON_LIBS) $(NETTLE_LIBS) $(CMOCKA_LIBS)
upstream_parse_cflags = $(AM_CFLAGS) $(JANSSON_CFLAGS) $(CMOCKA_CFLAGS)

check_PROGRAMS += tests/unit/test_zendesk_query tests/unit/test_zendesk_parse \
	tests/unit/test_linear_parse
tests_unit_test_zendesk_query_SOURCES = tests/unit/test_zendesk_query.c
tests_unit_test_zendesk_query_CFLAGS = $(upstream_parse_cflags)
tests_unit_test_zendesk_query_LDADD = $(upstream_parse_ldadd)
tests_unit_test_zendesk_parse_SOURCES = tests/unit/test_zendesk_parse.c
tests_unit_test_zendesk_parse_CFLAGS = $(upstream_parse_cflags)
tests_unit_test_zendesk_parse_LDADD = $(upstream_parse_ldadd)
tests_unit_test_linear_parse_SOURCES = tests/unit/test_linear_parse.c
tests_unit_test_linear_parse_CFLAGS = $(upstream_parse_cflags)
tests_unit_test_linear_parse_LDADD = $(upstream_parse_ldadd)

check_PROGRAMS += tests/unit/test_e2b_parse tests/unit/test_e2b_lines
tests_unit_test_e2b_lines_SOURCES = tests/unit/test_e2b_lines.c
tests_unit_test_e2b_lines_CFLAGS = $(upstream_parse_cflags)
tests_unit_test_e2b_lines_LDADD = $(upstream_parse_ldadd)
tests_unit_test_e2b_parse_SOURCES = tests/unit/test_e2b_parse.c
tests_unit_test_e2b_parse_CFLAGS = $(upstream_parse_cflags)
tests_unit_test_e2b_parse_LDADD = $(upstream_parse_ldadd)

# With a server of their own, in threads of the test.
if HAVE_MICROHTTPD
upstream_http_ldadd = src/upstream/libupstream.a src/sys/libsys.a src/model/libmodel.a \
	src/base/libbase.a $(CURL_LIBS) $(JANSSON_LIBS) $(UUID_LIBS) $(NETTLE_LIBS) \
	$(MICROHTTPD_LIBS) $(CMOCKA_LIBS) -lpthread
upstream_http_cflags = $(AM_CFLAGS) $(JANSSON_CFLAGS) $(CURL_CFLAGS) $(MICROHTTPD_CFLAGS) \
	$(CMOCKA_CFLAGS)
upstream_http_server = tests/unit/test_e2b_server.c tests/unit/test_e2b_server.h

check_PROGRAMS += tests/unit/test_sys_http tests/unit/test_e2b_client \
	tests/unit/test_e2b_logs
tests_unit_test_sys_http_SOURCES = tests/unit/test_sys_http.c $(upstream_http_server)
tests_unit_test_sys_http_CFLAGS = $(upstream_http_cflags)
tests_unit_test_sys_http_LDADD = $(upstream_http_ldadd)
tests_unit_test_e2b_client_SOURCES = tests/unit/test_e2b_client.c $(upstream_http_server)
tests_unit_test_e2b_client_CFLAGS = $(upstream_http_cflags)
tests_unit_test_e2b_client_LDADD = $(upstream_http_ldadd)
tests_unit_test_e2b_logs_SOURCES = tests/unit/test_e2b_logs.c $(upstream_http_server)
tests_unit_test_e2b_logs_CFLAGS = $(upstream_http_cflags)
tests_unit_test_e2b_logs_LDADD = $(upstream_http_ldadd)
endif

check_PROGRAMS += tests/unit/test_zendesk_share
tests_unit_test_zendesk_share_SOURCES = tests/unit/test_zendesk_share.c
tests_unit_test_zendesk_share_CFLAGS = $(upstream_parse_cflags)
tests_unit_test_zendesk_share_LDADD = src/upstream/libupstream.a src/sys/libsys.a \
	src/model/libmodel.a src/base/libbase.a $(CURL_LIBS) $(JANSSON_LIBS) $(UUID_LIBS) \
	$(NETTLE_LIBS) $(CMOCKA_LIBS)
