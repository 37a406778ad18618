csdir = $(pkgdatadir)/cs-templates
dist_cs_DATA = $(wildcard $(top_srcdir)/cs-templates/*.cs)
csstaticdir = $(csdir)/static
dist_csstatic_DATA = $(wildcard $(top_srcdir)/cs-templates/static/*)
