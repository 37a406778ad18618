noinst_LIBRARIES += src/sys/libsys.a
src_sys_libsys_a_SOURCES = \
	src/sys/clock.c src/sys/clock.h \
	src/sys/conf.c src/sys/conf.h \
	src/sys/conf_file.c src/sys/conf_file.h \
	src/sys/conf_item.h src/sys/conf_table.c src/sys/conf_value.c \
	src/sys/http.c src/sys/http.h \
	src/sys/log.c src/sys/log.h \
	src/sys/prefork.c src/sys/prefork.h
src_sys_libsys_a_CPPFLAGS = $(AM_CPPFLAGS) $(CS_CFLAGS) $(CURL_CFLAGS)
