# unit tests of src/web; templates and their fixtures are read from the source tree
check_PROGRAMS += tests/unit/test_web_request tests/unit/test_web_respond \
	tests/unit/test_web_route tests/unit/test_web_tpl

web_test_cppflags = $(src_web_libweb_a_CPPFLAGS) $(CMOCKA_CFLAGS)
web_test_libs = src/web/libweb.a src/sys/libsys.a src/model/libmodel.a src/base/libbase.a \
	$(CMOCKA_LIBS) $(CS_LIBS) $(JANSSON_LIBS) $(NETTLE_LIBS) $(UUID_LIBS) -lm

tests_unit_test_web_request_SOURCES = tests/unit/test_web_request.c tests/unit/web_world.c \
	tests/unit/web_world.h
tests_unit_test_web_request_CPPFLAGS = $(web_test_cppflags)
tests_unit_test_web_request_LDADD = $(web_test_libs)

tests_unit_test_web_respond_SOURCES = tests/unit/test_web_respond.c tests/unit/web_world.c \
	tests/unit/web_world.h
tests_unit_test_web_respond_CPPFLAGS = $(web_test_cppflags)
tests_unit_test_web_respond_LDADD = $(web_test_libs)

tests_unit_test_web_route_SOURCES = tests/unit/test_web_route.c tests/unit/web_world.c \
	tests/unit/web_world.h
tests_unit_test_web_route_CPPFLAGS = $(web_test_cppflags)
tests_unit_test_web_route_LDADD = $(web_test_libs)

tests_unit_test_web_tpl_SOURCES = tests/unit/test_web_tpl.c tests/unit/web_world.c \
	tests/unit/web_world.h
tests_unit_test_web_tpl_CPPFLAGS = $(web_test_cppflags)
tests_unit_test_web_tpl_LDADD = $(web_test_libs)

EXTRA_DIST += tests/tpl tests/web
