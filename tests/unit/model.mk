MODEL_TEST_LIBS = src/model/libmodel.a src/base/libbase.a \
	$(CMOCKA_LIBS) $(JANSSON_LIBS) $(NETTLE_LIBS)

check_PROGRAMS += tests/unit/test_model_sandbox tests/unit/test_model_evidence \
	tests/unit/test_model_timeline tests/unit/test_model_words
tests_unit_test_model_sandbox_SOURCES = tests/unit/test_model_sandbox.c
tests_unit_test_model_sandbox_LDADD = $(MODEL_TEST_LIBS)
tests_unit_test_model_evidence_SOURCES = tests/unit/test_model_evidence.c
tests_unit_test_model_evidence_LDADD = $(MODEL_TEST_LIBS)
tests_unit_test_model_timeline_SOURCES = tests/unit/test_model_timeline.c
tests_unit_test_model_timeline_LDADD = $(MODEL_TEST_LIBS)
tests_unit_test_model_words_SOURCES = tests/unit/test_model_words.c
tests_unit_test_model_words_LDADD = $(MODEL_TEST_LIBS)

check_PROGRAMS += tests/unit/test_model_overlap
tests_unit_test_model_overlap_SOURCES = tests/unit/test_model_overlap.c
tests_unit_test_model_overlap_LDADD = $(MODEL_TEST_LIBS)

check_PROGRAMS += tests/unit/test_model_metric tests/unit/test_model_record
tests_unit_test_model_metric_SOURCES = tests/unit/test_model_metric.c
tests_unit_test_model_metric_LDADD = $(MODEL_TEST_LIBS)
tests_unit_test_model_record_SOURCES = tests/unit/test_model_record.c
tests_unit_test_model_record_LDADD = $(MODEL_TEST_LIBS)

check_PROGRAMS += tests/unit/test_pitfalls
tests_unit_test_pitfalls_SOURCES = tests/unit/test_pitfalls.c
tests_unit_test_pitfalls_LDADD = $(MODEL_TEST_LIBS)
