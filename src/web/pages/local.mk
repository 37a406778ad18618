src_web_libweb_a_SOURCES += \
	src/web/chart.c src/web/chart.h src/web/chart_ends.c src/web/chart_marks.c src/web/chart_zoom.c src/web/chart_numbers.c \
	src/web/chart_series.c src/web/chart_series.h \
	src/web/near.c src/web/near.h \
	src/web/search.c src/web/search.h src/web/search_hits.c \
	src/web/search_private.h src/web/search_rows.c \
	src/web/view.c src/web/view.h \
	src/web/view_facts.c \
	src/web/view_finding.c src/web/view_finding.h \
	src/web/log_fold.c src/web/log_fold.h \
	src/web/view_log.c src/web/view_log.h \
	src/web/view_patterns.c src/web/view_patterns.h \
	src/web/view_run.c \
	src/web/view_sandbox.c src/web/view_sandbox.h \
	src/web/view_search.c src/web/view_search.h \
	src/web/view_ticket.c src/web/view_ticket.h \
	src/web/view_timeline.c \
	src/web/view_timeline_words.c src/web/view_timeline_words.h \
	src/web/pages/actions.c \
	src/web/pages/context.c src/web/pages/context.h \
	src/web/pages/exits.c src/web/pages/exits.h \
	src/web/pages/finding.c \
	src/web/pages/help.c \
	src/web/pages/hooks.c \
	src/web/pages/investigation.c \
	src/web/pages/investigations.c \
	src/web/pages/known.c src/web/pages/known.h \
	src/web/pages/live.c src/web/pages/live.h \
	src/web/pages/log_around.c src/web/pages/log_around.h \
	src/web/pages/log_foot.c src/web/pages/log_foot.h \
	src/web/pages/logs.c src/web/pages/logs.h \
	src/web/pages/lookup.c \
	src/web/pages/patterns.c \
	src/web/pages/record.c src/web/pages/record.h \
	src/web/pages/samples.c src/web/pages/samples.h \
	src/web/pages/sandbox.c \
	src/web/pages/sandboxes.c \
	src/web/pages/ticket.c
