/*
 * Where a read of logs stands, and which lines at that place were taken already (e2b.md 5.3).
 *
 * Cursors are milliseconds, timestamps finer: the place is the millisecond of the last line taken,
 * together with the identities of the lines taken in it. They form a multiset: two truly identical
 * lines at one instant are two lines. "Last" is the newest line going forward, the oldest going
 * backward. Pure.
 */
#ifndef CASEBOOK_UPSTREAM_E2B_PLACE_H
#define CASEBOOK_UPSTREAM_E2B_PLACE_H

#include "model/sandbox.h"

struct arena;

enum e2b_place_mode {
    PLACE_CURSOR = 'c', /* v2, `cursor`, forward */
    PLACE_BACK = 'b',   /* v2, `cursor`, backward */
    PLACE_TIME = 't',   /* v1, `start` in milliseconds */
    PLACE_OFFSET = 'o', /* v1, `start` as a line offset */
};

struct e2b_place_id {
    uint64_t id;
    int ns;       /* within the millisecond */
    bool is_seen; /* came again in the page being read */
};

struct e2b_place {
    enum e2b_place_mode mode;
    int64_t offset;            /* PLACE_OFFSET: lines taken so far */
    int64_t ms;                /* of the last line taken; before any: where to begin */
    int64_t page_ms;           /* ms when the page began */
    size_t total;              /* lines taken at ms */
    int ns;                    /* of the last of them */
    size_t ns_total;           /* of them taken at exactly ns */
    struct e2b_place_id *held; /* those of the taken ones whose identity is known */
    size_t held_count, held_cap;
    /*
     * From a text that could not name all: at ms everything before edge_ns was taken, and at edge_ns
     * so many whose identity is not known. -1: all are held.
     */
    int edge_ns;
    size_t unnamed;
    size_t unnamed_left; /* of them, not yet seen in this page */
};

/* ms: where to begin; PLACE_BACK: 0 is the newest line. */
void e2b_place_start(struct e2b_place *p, enum e2b_place_mode mode, int64_t ms);

/* A page read from p->ms follows, in the order of e2b_lines_sort(), or in the reverse of it. */
void e2b_place_begin_page(struct e2b_place *p);

/* By time: is this line new? Then it counts as taken. A line without a time never is. */
bool e2b_place_take(struct arena *a, struct e2b_place *p, const struct log_line *l);

/* By offset: the line counts as taken, new or not. */
void e2b_place_note(struct arena *a, struct e2b_place *p, const struct log_line *l);

/* By offset: may this first line of a page have been taken before? */
bool e2b_place_is_repeat(const struct e2b_place *p, const struct log_line *l);

/* Nothing of this millisecond is left, or can be had: go on behind it. */
void e2b_place_step(struct e2b_place *p);

/*
 * As text of digits, letters and dots, at most E2B_PLACE_TEXT_MAX bytes, and back. Identities that do not
 * fit become a moment and a number. decode: 0, or -1 when malformed.
 */
#define E2B_PLACE_TEXT_MAX 200
char *e2b_place_encode(struct arena *a, const struct e2b_place *p);
int e2b_place_decode(struct arena *a, const char *text, struct e2b_place *out);

/*
 * 48 bits over timestamp text, level, message and fields (in any order). The result of a process is
 * left out: only one of the two routes tells it.
 */
uint64_t e2b_line_identity(const struct log_line *l);

#endif
