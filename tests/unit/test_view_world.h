/*
 * What the tests of the views share: a request of "maya" at 15:04:49 on 24 November 2026, and a sandbox put
 * together by hand, piece by piece. Times are written as clock times of that day.
 */
#ifndef CASEBOOK_TESTS_VIEW_WORLD_H
#define CASEBOOK_TESTS_VIEW_WORLD_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/evidence.h"
#include "model/finding.h"
#include "model/timeline.h"
#include "web/hput.h"
#include "web/view.h"

#define MIB_BYTES ((int64_t)1048576)
#define GIB_BYTES (1024 * MIB_BYTES)
#define END ((const char *)NULL) /* of a list of arguments */
#define VIEW_MAX_EVENTS 1000
#define VIEW_MAX_METRICS 3000
#define VIEW_MAX_LINES 100
#define VIEW_MAX_EXECS 8
#define VIEW_MAX_FIELDS 6

struct view_world {
    struct conf conf;
    struct app app;
    struct arena arena;
    struct req rq;
    struct view_link link; /* no ticket, no window */
    HDF *hdf;
    struct evidence ev; /* points at what follows */
    struct event events[VIEW_MAX_EVENTS];
    struct metric metrics[VIEW_MAX_METRICS];
    struct log_line lines[VIEW_MAX_LINES];
    struct tag fields[VIEW_MAX_LINES][VIEW_MAX_FIELDS];
    struct execution execs[VIEW_MAX_EXECS];
    struct timeline tl; /* made by hand from execs, for the charts */
};

/* Empty, BasePath /casebook. Each test begins with it and ends with view_end. */
struct view_world *view_begin(void);
void view_end(struct view_world *w);
/* Throw away what was written so far. */
void view_fresh(struct view_world *w);

/* "13:48:12", "13:48:12.402", or "+1 13:48" for the next day (also "-9 …"). */
int64_t at(const char *clock);

/* An event with the id "eN"; N counts from 1. Further members are the caller's to set. */
struct event *add_event(struct view_world *w, enum event_type type, const char *clock,
                        const char *exec_id);
struct metric *add_sample(struct view_world *w, int64_t at_us, double cpu, int64_t mem,
                          int64_t disk);
/* A line of "logger" with its fields: name, value, …, END. */
struct log_line *add_line(struct view_world *w, const char *clock, const char *logger,
                          const char *message, ...);
/* "Sandbox created" as E2B's hosts write it, with the first deadline. */
void add_created(struct view_world *w, const char *clock, const char *deadline);
/* E2B's Get answers: running until, or paused at, `end`. */
void set_sandbox(struct view_world *w, enum sandbox_state state, const char *start,
                 const char *end);

/* tl with these executions: from, to ("" : open), …, END; ran, paused, start and end follow. */
void set_life(struct view_world *w, enum sandbox_state state, ...);

/* Charts.* anew, with this finding (NULL: none), of the whole life or as the window wants it. */
void chart_with(struct view_world *w, const struct finding *f, bool whole);
void fill(struct view_world *w); /* without a finding */
void window(struct view_world *w, const char *from, const char *to);
/* A sample of 10 %, 100 MiB and 1 GiB of disk every `step` seconds, ends included. */
void samples(struct view_world *w, const char *from, const char *to, int step);

/* The value of a name; "" when there is none. */
const char *got(const struct view_world *w, const char *name);
const char *gotf(const struct view_world *w, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* How many rows a list has. */
int rows(const struct view_world *w, const char *name);

#define want(w, name, value) want_at(w, name, value, __FILE__, __LINE__)
void want_at(const struct view_world *w, const char *name, const char *value,
             const char *file, int line);

#endif
