sqldir = $(pkgdatadir)/sql
dist_sql_DATA = $(wildcard $(top_srcdir)/sql/*.sql)
