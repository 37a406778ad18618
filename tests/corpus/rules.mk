noinst_PROGRAMS += tests/corpus/dump_rules
tests_corpus_dump_rules_SOURCES = tests/corpus/dump_rules.c
tests_corpus_dump_rules_LDADD = src/diag/libdiag.a src/model/libmodel.a src/base/libbase.a \
	$(JANSSON_LIBS) $(PCRE2_LIBS) $(NETTLE_LIBS) -lm
EXTRA_DIST += docs/diagnosis.md
