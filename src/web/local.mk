# The pages. Everything but main.c is in an archive, so that tests can link it. The table of routes and the
# responder's loop need every handler; the linker leaves them out where they are not used.
noinst_LIBRARIES += src/web/libweb.a
src_web_libweb_a_SOURCES = \
	src/web/cs.h \
	src/web/csrf.c src/web/csrf.h \
	src/web/fcgi.c src/web/fcgi.h \
	src/web/form.c src/web/form.h \
	src/web/hput.c src/web/hput.h \
	src/web/listen.c src/web/listen.h \
	src/web/pages/health.c src/web/pages/pages.h \
	src/web/request.c src/web/request.h \
	src/web/respond.c src/web/respond.h \
	src/web/respond_error.c \
	src/web/route.c src/web/route.h \
	src/web/routes.c \
	src/web/stats.c src/web/stats.h \
	src/web/tpl.c src/web/tpl.h \
	src/web/tpl_func.c src/web/tpl_func.h \
	src/web/tpl_lint.c
src_web_libweb_a_CPPFLAGS = $(AM_CPPFLAGS) $(CS_CFLAGS) $(JANSSON_CFLAGS) $(CURL_CFLAGS)

# Views, charts and handlers are listed there: src_web_libweb_a_SOURCES += ...
include src/web/pages/local.mk

sbin_PROGRAMS += src/web/casebook-web
src_web_casebook_web_SOURCES = src/web/main.c
src_web_casebook_web_CPPFLAGS = $(src_web_libweb_a_CPPFLAGS)
# Reads only: libupstream_write.a is not among them.
src_web_casebook_web_LDADD = \
	src/web/libweb.a src/ticket/libticket.a src/outgoing/liboutgoing.a src/store/libstore.a \
	src/upstream/libupstream.a \
	src/diag/libdiag.a src/sys/libsys.a src/model/libmodel.a src/base/libbase.a \
	$(FCGI_LIBS) $(CS_LIBS) $(MARIADB_LIBS) $(CURL_LIBS) $(JANSSON_LIBS) $(PCRE2_LIBS) \
	$(UUID_LIBS) $(NETTLE_LIBS) $(ZLIB_LIBS) -lm
