# unit tests of the views in src/web; templates and their fixtures are read from the source tree
check_PROGRAMS += tests/unit/test_view_tpl tests/unit/test_chart tests/unit/test_view_chart \
	tests/unit/test_view_timeline \
	tests/unit/test_view_words tests/unit/test_view_finding tests/unit/test_view_page \
	tests/unit/test_view_sandbox tests/unit/test_view_ticket \
	tests/unit/test_search tests/unit/test_view_search

view_test_cppflags = $(src_web_libweb_a_CPPFLAGS) $(CMOCKA_CFLAGS)
view_test_libs = src/web/libweb.a src/ticket/libticket.a src/outgoing/liboutgoing.a src/store/libstore.a \
	src/upstream/libupstream.a src/sys/libsys.a src/model/libmodel.a src/base/libbase.a \
	$(CMOCKA_LIBS) $(CS_LIBS) $(MARIADB_LIBS) $(CURL_LIBS) $(JANSSON_LIBS) $(PCRE2_LIBS) \
	$(UUID_LIBS) $(NETTLE_LIBS) $(ZLIB_LIBS) -lm
view_test_world = tests/unit/test_view_world.c tests/unit/test_view_world.h

tests_unit_test_view_tpl_SOURCES = tests/unit/test_view_tpl.c
tests_unit_test_view_tpl_CPPFLAGS = $(view_test_cppflags)
tests_unit_test_view_tpl_LDADD = $(view_test_libs)

tests_unit_test_chart_SOURCES = tests/unit/test_chart.c $(view_test_world)
tests_unit_test_chart_CPPFLAGS = $(view_test_cppflags)
tests_unit_test_chart_LDADD = $(view_test_libs)

tests_unit_test_view_chart_SOURCES = tests/unit/test_view_chart.c $(view_test_world)
tests_unit_test_view_chart_CPPFLAGS = $(view_test_cppflags)
tests_unit_test_view_chart_LDADD = $(view_test_libs)

tests_unit_test_view_timeline_SOURCES = tests/unit/test_view_timeline.c $(view_test_world)
tests_unit_test_view_timeline_CPPFLAGS = $(view_test_cppflags)
tests_unit_test_view_timeline_LDADD = $(view_test_libs)

tests_unit_test_view_words_SOURCES = tests/unit/test_view_words.c $(view_test_world)
tests_unit_test_view_words_CPPFLAGS = $(view_test_cppflags)
tests_unit_test_view_words_LDADD = $(view_test_libs)

tests_unit_test_view_finding_SOURCES = tests/unit/test_view_finding.c $(view_test_world)
tests_unit_test_view_finding_CPPFLAGS = $(view_test_cppflags)
tests_unit_test_view_finding_LDADD = $(view_test_libs)

tests_unit_test_view_page_SOURCES = tests/unit/test_view_page.c $(view_test_world)
tests_unit_test_view_page_CPPFLAGS = $(view_test_cppflags)
tests_unit_test_view_page_LDADD = $(view_test_libs)

tests_unit_test_view_sandbox_SOURCES = tests/unit/test_view_sandbox.c $(view_test_world)
tests_unit_test_view_sandbox_CPPFLAGS = $(view_test_cppflags)
tests_unit_test_view_sandbox_LDADD = $(view_test_libs)

tests_unit_test_view_ticket_SOURCES = tests/unit/test_view_ticket.c $(view_test_world)
tests_unit_test_view_ticket_CPPFLAGS = $(view_test_cppflags)
tests_unit_test_view_ticket_LDADD = $(view_test_libs)

tests_unit_test_search_SOURCES = tests/unit/test_search.c $(view_test_world)
tests_unit_test_search_CPPFLAGS = $(view_test_cppflags)
tests_unit_test_search_LDADD = $(view_test_libs)

tests_unit_test_view_search_SOURCES = tests/unit/test_view_search.c $(view_test_world)
tests_unit_test_view_search_CPPFLAGS = $(view_test_cppflags)
tests_unit_test_view_search_LDADD = $(view_test_libs)

check_PROGRAMS += tests/unit/test_view_facts
tests_unit_test_view_facts_SOURCES = tests/unit/test_view_facts.c $(view_test_world)
tests_unit_test_view_facts_CPPFLAGS = $(view_test_cppflags)
tests_unit_test_view_facts_LDADD = $(view_test_libs)

check_PROGRAMS += tests/unit/test_view_log
tests_unit_test_view_log_SOURCES = tests/unit/test_view_log.c $(view_test_world)
tests_unit_test_view_log_CPPFLAGS = $(view_test_cppflags)
tests_unit_test_view_log_LDADD = $(view_test_libs)

check_PROGRAMS += tests/unit/test_view_patterns
tests_unit_test_view_patterns_SOURCES = tests/unit/test_view_patterns.c $(view_test_world)
tests_unit_test_view_patterns_CPPFLAGS = $(view_test_cppflags)
tests_unit_test_view_patterns_LDADD = $(view_test_libs)
