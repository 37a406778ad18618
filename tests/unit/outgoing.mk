# unit tests of src/outgoing; the note's text is tested beside the issue's, in test_agent_text
check_PROGRAMS += tests/unit/test_outgoing_mask
tests_unit_test_outgoing_mask_SOURCES = tests/unit/test_outgoing_mask.c
tests_unit_test_outgoing_mask_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_outgoing_mask_LDADD = src/outgoing/liboutgoing.a src/base/libbase.a $(CMOCKA_LIBS) \
	$(JANSSON_LIBS) $(PCRE2_LIBS) $(NETTLE_LIBS)
