noinst_LIBRARIES += src/diag/libdiag.a
src_diag_libdiag_a_SOURCES = \
	src/diag/automaton.c src/diag/automaton.h \
	src/diag/command.c src/diag/command.h src/diag/command_role.c \
	src/diag/console.c src/diag/console.h \
	src/diag/diag.c src/diag/diag.h \
	src/diag/evidence.c \
	src/diag/explain.c src/diag/explain.h \
	src/diag/factor.c src/diag/factor.h \
	src/diag/facts.c src/diag/facts.h \
	src/diag/failure.c src/diag/failure.h \
	src/diag/lastwords.c src/diag/lastwords.h \
	src/diag/limits.h \
	src/diag/normal.c src/diag/normal.h \
	src/diag/other.c src/diag/possible.c \
	src/diag/prefix.c src/diag/prefix.h \
	src/diag/proc.c \
	src/diag/rule_ending.c src/diag/rule_failure.c \
	src/diag/rules.c src/diag/rules.h \
	src/diag/scan.c src/diag/scan.h \
	src/diag/signal.c src/diag/signal.h \
	src/diag/signature.c src/diag/signature.h \
	src/diag/similar.c \
	src/diag/story.c src/diag/story.h \
	src/diag/table.h src/diag/table_error.c src/diag/table_install.c \
	src/diag/table_locale.c src/diag/table_loose.c \
	src/diag/table_memory.c src/diag/table_trace.c \
	src/diag/told_size.c src/diag/told_size.h \
	src/diag/tells.c \
	src/diag/trace.c src/diag/trace.h \
	src/diag/trace_names.c src/diag/trace_names.h \
	src/diag/usable.c src/diag/usable.h \
	src/diag/word_kind.c src/diag/word_kind.h \
	src/diag/wording.c src/diag/wording.h src/diag/words.c
