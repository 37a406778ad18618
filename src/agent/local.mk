noinst_LIBRARIES += src/agent/libagent.a
src_agent_libagent_a_SOURCES = \
	src/agent/agent.h \
	src/agent/collect.c src/agent/collect.h \
	src/agent/compare.c src/agent/compare.h \
	src/agent/crew.c src/agent/crew.h \
	src/agent/customer.c src/agent/customer.h \
	src/agent/dedupe.c src/agent/dedupe.h \
	src/agent/harvest.c src/agent/harvest.h \
	src/agent/harvest_feed.c src/agent/harvest_feed.h \
	src/agent/issue_text.c src/agent/issue_text.h \
	src/agent/keep.c src/agent/keep.h \
	src/agent/lease.c src/agent/lease.h \
	src/agent/long_log.c src/agent/long_log.h \
	src/agent/note_send.c src/agent/note_send.h \
	src/agent/printed.c src/agent/printed.h \
	src/agent/publish.c src/agent/publish.h \
	src/agent/run.c src/agent/run.h
src_agent_libagent_a_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS) $(PCRE2_CFLAGS)

sbin_PROGRAMS += src/agent/casebook-agent
src_agent_casebook_agent_SOURCES = src/agent/main.c
src_agent_casebook_agent_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
src_agent_casebook_agent_LDADD = \
	src/agent/libagent.a src/outgoing/liboutgoing.a src/store/libstore.a src/upstream/libupstream_write.a \
	src/upstream/libupstream.a src/diag/libdiag.a src/sys/libsys.a src/model/libmodel.a \
	src/base/libbase.a $(MARIADB_LIBS) $(CURL_LIBS) $(JANSSON_LIBS) $(PCRE2_LIBS) \
	$(UUID_LIBS) $(NETTLE_LIBS) $(ZLIB_LIBS) $(CS_LIBS)
