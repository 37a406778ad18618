# Programs of the contract tests: node drives them, so they are no check_PROGRAMS.
noinst_PROGRAMS += tests/contract/dump_documents tests/contract/upstream_probe

contract_ldadd = src/upstream/libupstream_write.a src/upstream/libupstream.a src/sys/libsys.a \
	src/model/libmodel.a src/base/libbase.a $(CURL_LIBS) $(JANSSON_LIBS) $(NETTLE_LIBS)

tests_contract_dump_documents_SOURCES = tests/contract/dump_documents.c
tests_contract_dump_documents_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
tests_contract_dump_documents_LDADD = $(contract_ldadd)

tests_contract_upstream_probe_SOURCES = \
	tests/contract/probe.h \
	tests/contract/probe_e2b.c \
	tests/contract/probe_linear.c \
	tests/contract/probe_zendesk.c \
	tests/contract/upstream_probe.c
tests_contract_upstream_probe_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS) $(CURL_CFLAGS)
tests_contract_upstream_probe_LDADD = $(contract_ldadd)

EXTRA_DIST += tests/contract/harness.mjs tests/contract/e2b.test.mjs \
	tests/contract/graphql.test.mjs tests/contract/linear.test.mjs \
	tests/contract/sim.test.mjs tests/contract/zendesk.test.mjs tests/contract/world/small.json
