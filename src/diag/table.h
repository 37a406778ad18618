/* The parts of the console pattern table; scan.c sees them as one list. */
#ifndef CASEBOOK_DIAG_TABLE_H
#define CASEBOOK_DIAG_TABLE_H

#include "diag/scan.h"

extern const struct scan_row table_memory[];
extern const size_t table_memory_count;
extern const struct scan_row table_error[];
extern const size_t table_error_count;
extern const struct scan_row table_install[];
extern const size_t table_install_count;
extern const struct scan_row table_loose[];
extern const size_t table_loose_count;
extern const struct scan_row table_locale[];
extern const size_t table_locale_count;
extern const struct scan_row table_trace[];
extern const size_t table_trace_count;

#endif
