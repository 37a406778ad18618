bin_PROGRAMS += src/tool/casebook
src_tool_casebook_SOURCES = \
	src/tool/check_config.c \
	src/tool/diagnose.c src/tool/diagnose.h \
	src/tool/main.c \
	src/tool/tool.h \
	src/tool/upkeep.c
src_tool_casebook_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
src_tool_casebook_LDADD = \
	src/agent/libagent.a src/outgoing/liboutgoing.a src/store/libstore.a src/upstream/libupstream_write.a \
	src/upstream/libupstream.a src/diag/libdiag.a src/sys/libsys.a src/model/libmodel.a \
	src/base/libbase.a $(MARIADB_LIBS) $(CURL_LIBS) $(JANSSON_LIBS) $(PCRE2_LIBS) \
	$(UUID_LIBS) $(NETTLE_LIBS) $(ZLIB_LIBS) $(CS_LIBS) -lm
