/*
 * Writing to HDF. Failures (out of memory, an empty name) end the process: view code has no error
 * branches. Names come from code only, values may be anything.
 */
#ifndef CASEBOOK_WEB_HPUT_H
#define CASEBOOK_WEB_HPUT_H

#include "web/cs.h"
#include <stdbool.h>
#include <stdint.h>

void hput_str(HDF *at, const char *name, const char *value); /* NULL: "" */
void hput_fmt(HDF *at, const char *name, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void hput_i64(HDF *at, const char *name, int64_t value);
void hput_bool(HDF *at, const char *name, bool value); /* "1" or nothing */
/* X.Iso and X.Text (with `text`), so that a template writes <time datetime>. TS_NONE: nothing. */
void hput_time(HDF *at, const char *name, int64_t us, const char *text);
/* The node NAME.I under `at`, made when missing; set names relative to it. */
HDF *hput_row(HDF *at, const char *name, int index);
HDF *hput_node(HDF *at, const char *name);

#endif
