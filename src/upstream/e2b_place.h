/*
 * Where a read of logs stands, and which lines at that place were taken already (e2b.md 5.3).
 *
 * Cursors are milliseconds, timestamps finer: the place is the millisecond of the newest line taken,
 * together with the identities of the lines taken in it. They form a multiset: two truly identical
 * lines at one instant are two lines. Pure.
 */
#ifndef CASEBOOK_UPSTREAM_E2B_PLACE_H
#define CASEBOOK_UPSTREAM_E2B_PLACE_H

#include "model/sandbox.h"

struct arena;

enum e2b_place_mode {
    PLACE_CURSOR = 'c', /* v2, `cursor` */
    PLACE_TIME = 't',   /* v1, `start` in milliseconds */
    PLACE_OFFSET = 'o', /* v1, `start` as a line offset */
};

struct e2b_place_id {
    uint64_t id;
    bool is_seen; /* came again in the page being read */
};

struct e2b_place {
    enum e2b_place_mode mode;
    int64_t offset;            /* PLACE_OFFSET: lines taken so far */
    int64_t ms;                /* of the newest line taken; before any: where to begin */
    int64_t page_ms;           /* ms when the page began */
    struct e2b_place_id *held; /* taken lines at ms */
    size_t held_count, held_cap;
    size_t unnamed;      /* taken at ms too, but only their number is known */
    size_t unnamed_left; /* of them, not yet seen in this page */
};

void e2b_place_start(struct e2b_place *p, enum e2b_place_mode mode, int64_t ms);

/* A page read from p->ms follows, in the service's order. */
void e2b_place_begin_page(struct e2b_place *p);

/* By time: is this line new? Then it counts as taken. A line without a time never is. */
bool e2b_place_take(struct arena *a, struct e2b_place *p, const struct log_line *l);

/* By offset: the line counts as taken, new or not. */
void e2b_place_note(struct arena *a, struct e2b_place *p, const struct log_line *l);

/* By offset: may this first line of a page have been taken before? */
bool e2b_place_is_repeat(const struct e2b_place *p, const struct log_line *l);

/* More lines in one millisecond than a page holds: go on behind it. */
void e2b_place_step(struct e2b_place *p);

/*
 * As text of digits, letters and dots, at most E2B_PLACE_TEXT_MAX bytes, and back. Identities that do not
 * fit become a number. decode: 0, or -1 when malformed.
 */
#define E2B_PLACE_TEXT_MAX 200
char *e2b_place_encode(struct arena *a, const struct e2b_place *p);
int e2b_place_decode(struct arena *a, const char *text, struct e2b_place *out);

/* 48 bits over timestamp text, level, message and fields (in any order). */
uint64_t e2b_line_identity(const struct log_line *l);

/* The millisecond of a line, floored. */
int64_t e2b_line_ms(const struct log_line *l);

#endif
