noinst_PROGRAMS += tests/bench/scan_lines
tests_bench_scan_lines_SOURCES = tests/bench/scan_lines.c
tests_bench_scan_lines_LDADD = src/diag/libdiag.a src/model/libmodel.a src/base/libbase.a \
	$(JANSSON_LIBS) $(PCRE2_LIBS) $(NETTLE_LIBS) -lm
EXTRA_DIST += tests/bench/scan
