# casebook-sim: the three services simulated, for the demo and the tests.
# It links nothing of the product.
noinst_PROGRAMS += tests/sim/casebook-sim

tests_sim_casebook_sim_SOURCES = \
	tests/sim/main.c \
	tests/sim/sim.h \
	tests/sim/http.c tests/sim/http.h \
	tests/sim/control.c tests/sim/control.h \
	tests/sim/record.c tests/sim/record.h \
	tests/sim/fault.c tests/sim/fault.h \
	tests/sim/text.c tests/sim/text.h \
	tests/sim/when.c tests/sim/when.h \
	tests/sim/world.c tests/sim/world.h \
	tests/sim/story.c tests/sim/story.h \
	tests/sim/samples.c tests/sim/samples.h \
	tests/sim/lines.c tests/sim/lines.h \
	tests/sim/e2b.c tests/sim/e2b.h \
	tests/sim/e2b_list.c \
	tests/sim/e2b_events.c \
	tests/sim/e2b_metrics.c \
	tests/sim/e2b_logs.c \
	tests/sim/zendesk.c tests/sim/zendesk.h \
	tests/sim/zd.h \
	tests/sim/zd_text.c \
	tests/sim/zd_world.c \
	tests/sim/zd_page.c \
	tests/sim/zd_read.c \
	tests/sim/zd_search.c \
	tests/sim/zd_write.c \
	tests/sim/graphql.c tests/sim/graphql.h \
	tests/sim/linear.c tests/sim/linear.h \
	tests/sim/lin.h \
	tests/sim/lin_types.c \
	tests/sim/lin_exec.c \
	tests/sim/lin_filter.c \
	tests/sim/lin_markdown.c \
	tests/sim/lin_world.c \
	tests/sim/lin_query.c \
	tests/sim/lin_write.c

tests_sim_casebook_sim_CFLAGS = $(AM_CFLAGS) $(MICROHTTPD_CFLAGS) $(JANSSON_CFLAGS)
tests_sim_casebook_sim_LDADD = $(MICROHTTPD_LIBS) $(JANSSON_LIBS) -lpthread -lm

EXTRA_DIST += tests/sim/README.md tests/sim/test tests/sim/world
