# The reads. The calls that write live in an archive of their own, which casebook-web does not link.
noinst_LIBRARIES += src/upstream/libupstream.a src/upstream/libupstream_write.a

src_upstream_libupstream_a_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
src_upstream_libupstream_a_SOURCES = \
	src/upstream/e2b.h \
	src/upstream/e2b_client.c \
	src/upstream/e2b_crowd.c src/upstream/e2b_crowd.h \
	src/upstream/e2b_events.c \
	src/upstream/e2b_lines.c src/upstream/e2b_lines.h \
	src/upstream/e2b_list.c \
	src/upstream/e2b_logs.c src/upstream/e2b_logs_end.c \
	src/upstream/e2b_logs_private.h \
	src/upstream/e2b_pages.c src/upstream/e2b_pages.h \
	src/upstream/e2b_parse.c src/upstream/e2b_parse.h \
	src/upstream/e2b_place.c src/upstream/e2b_place.h \
	src/upstream/e2b_private.h \
	src/upstream/e2b_query.c \
	src/upstream/e2b_results.c \
	src/upstream/linear.h \
	src/upstream/linear_client.c \
	src/upstream/linear_documents.c src/upstream/linear_documents.h \
	src/upstream/linear_parse.c src/upstream/linear_parse.h \
	src/upstream/linear_request.c src/upstream/linear_request.h \
	src/upstream/zendesk.h \
	src/upstream/zendesk_client.c \
	src/upstream/zendesk_error.c \
	src/upstream/zendesk_parse.c src/upstream/zendesk_parse.h \
	src/upstream/zendesk_query.c src/upstream/zendesk_query.h \
	src/upstream/zendesk_share.c \
	src/upstream/zendesk_request.c src/upstream/zendesk_request.h

src_upstream_libupstream_write_a_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
src_upstream_libupstream_write_a_SOURCES = \
	src/upstream/linear_write.c src/upstream/linear_write.h \
	src/upstream/zendesk_write.c src/upstream/zendesk_write.h

# The contract tests run these clients.
include tests/contract/local.mk
