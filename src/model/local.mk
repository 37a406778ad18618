noinst_LIBRARIES += src/model/libmodel.a
src_model_libmodel_a_SOURCES = \
	src/model/evidence.h src/model/evidence_json.c \
	src/model/finding.c src/model/finding.h src/model/finding_json.c \
	src/model/investigation.c src/model/investigation.h \
	src/model/jsonio.c src/model/jsonio.h \
	src/model/linear.h src/model/linear_json.c \
	src/model/log_json.c \
	src/model/metric_merge.c src/model/metric_merge.h \
	src/model/metric_plan.c src/model/metric_plan.h \
	src/model/note.c src/model/note.h \
	src/model/overlap.c \
	src/model/process.c src/model/process.h \
	src/model/sandbox.c src/model/sandbox.h src/model/sandbox_json.c \
	src/model/source.h \
	src/model/ticket.h \
	src/model/timeline.c src/model/timeline.h \
	src/model/timeline_deadline.c \
	src/model/timeline_draft.h \
	src/model/timeline_end.c \
	src/model/timeline_facts.c \
	src/model/timeline_record.c \
	src/model/timeline_start.c
