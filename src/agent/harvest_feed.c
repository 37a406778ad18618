/*
 * The team's events, newest first, by offset, into the ledger.
 *
 * The feed grows at its head while it is read, so offsets move: a page may repeat rows of the one before,
 * never leave out any. Should one leave some out all the same (a server that lags behind the one asked
 * before), the pages no longer overlap, and the place is read again from further up. Each page is
 * stored before the next is asked for, and what is left to read is in the database (st_ledger.h).
 *
 * Late events, behind newer ones (e2b.md 6.6): each harvest reads on for LEDGER_LATE_US and EXTRA_ROWS beyond
 * what it has; and some times a day all of the feed is looked through again, a few pages a harvest.
 */
#include "agent/harvest_feed.h"
#include "base/human.h"
#include "base/ts.h"
#include "store/st_ledger.h"
#include "sys/clock.h"
#include "sys/prefork.h"
#include "upstream/e2b_pages.h"

#include <string.h>

#include "base/banned.h"

#define PAGE E2B_PAGE_MAX
#define OVERLAP 5 /* rows of a page that the next one repeats */
#define OVERLAP_MAX 80
#define EXTRA_ROWS 100
#define STEPS_BACK_MAX 20
#define SHRINK_EVERY 8 /* pages; so many are read again after a kill */
#define CHECK_EVERY_US (6 * TS_HOUR)
#define CHECK_PAGES 5
#define PAGE_TIME_US (30 * TS_SEC)
#define TELL_EVERY_US (2 * TS_SEC)

static bool is_over(const struct feed *f)
{
    return prefork_stop || clock_mono_us() >= f->deadline_us;
}

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* ---- one page ---- */

struct rows { /* a page, until the next one is read */
    const struct event *events;
    size_t count;
    bool is_end;                  /* nothing comes after it */
    int64_t newest_us, oldest_us; /* TS_NONE: no readable row */
};

static void measure(struct rows *r)
{
    r->newest_us = r->oldest_us = TS_NONE;
    for (size_t i = 0; i < r->count; i++) {
        int64_t at_us = r->events[i].at_us;

        if (r->newest_us == TS_NONE || at_us > r->newest_us)
            r->newest_us = at_us;
        if (r->oldest_us == TS_NONE || at_us < r->oldest_us)
            r->oldest_us = at_us;
    }
}

static int64_t page_deadline(const struct feed *f)
{
    int64_t us = clock_mono_us() + PAGE_TIME_US;

    return us < f->deadline_us ? us : f->deadline_us;
}

static void tell_unreadable(struct feed *f, const struct source *src)
{
    if (src->err.kind != ERR_NONE && f->tell != NULL)
        f->tell(arena_fmt(&f->page_arena, "events left out: %s", src->err.msg));
}

static int read_rows(struct feed *f, int64_t offset, int limit, struct rows *r,
                     struct err *err)
{
    struct e2b_feed_page op;
    struct http_call *calls[] = {&op.call};

    arena_reset(&f->page_arena);
    e2b_feed_page_init(&op, f->e2b, &f->page_arena, offset, limit);
    http_run(f->e2b->http, calls, 1, page_deadline(f));
    f->is_unsupported = op.src.state == SOURCE_UNSUPPORTED;
    *r = (struct rows){
        .events = op.events, .count = op.count, .is_end = op.rows < (size_t)limit};
    measure(r);
    e2b_feed_page_release(&op);
    if (op.src.state == SOURCE_OK) {
        tell_unreadable(f, &op.src);
        f->pages++;
        return 0;
    }
    *err = op.src.err;
    return -1;
}

/* What pruning would remove at once is not stored. */
static int store_rows(struct feed *f, const struct rows *r, struct err *err)
{
    struct event *wanted = arena_array(&f->page_arena, r->count, sizeof(*wanted));
    size_t n = 0, added;

    for (size_t i = 0; i < r->count; i++)
        if (r->events[i].at_us >= f->floor_us)
            wanted[n++] = r->events[i];
    if (ledger_put_events(f->db, wanted, n, LEDGER_FEED, f->now_us, &added, err))
        return -1;
    f->events += (int64_t)r->count;
    f->added += (int64_t)added;
    return 0;
}

/* ---- how far it is ---- */

static void add_rest(struct feed *f, struct sbuf *line, int64_t took_us)
{
    int64_t done = f->offset - f->first_offset, left = f->length - f->offset;
    char duration[HUMAN_SIZE];

    if (f->length == 0 || done <= 0)
        return;
    if (left <= 0)
        sbuf_adds(line, ", nearly done");
    else
        sbuf_addf(line, ", about %s left",
                  human_duration((int64_t)((double)took_us / (double)done * (double)left),
                                 duration));
}

static void tell_progress(struct feed *f, int64_t oldest_us)
{
    int64_t now_us = clock_mono_us(), took_us = now_us - f->began_us;
    char pages[HUMAN_SIZE], events[HUMAN_SIZE], added[HUMAN_SIZE], rate[HUMAN_SIZE],
        back[TS_ISO_SIZE];
    struct sbuf line;

    if (!f->is_backfill || f->tell == NULL || now_us - f->told_us < TELL_EVERY_US)
        return;
    f->told_us = now_us;
    sbuf_init(&line, 512);
    sbuf_addf(
        &line, "%s pages, %s events (%s new), %s a second, back to %s",
        human_count(f->pages, pages), human_count(f->events, events),
        human_count(f->added, added),
        human_count(took_us > 0 ? (f->events - f->first_event) * TS_SEC / took_us : 0,
                    rate),
        ts_iso(oldest_us, back));
    add_rest(f, &line, took_us);
    f->tell(line.s);
    sbuf_release(&line);
}

/* ---- looking for a place ---- */

/* Is there an event at this offset, and is it later than us? */
static int is_later_at(struct feed *f, int64_t offset, int64_t us, bool *is_later,
                       struct err *err)
{
    struct rows r;

    if (read_rows(f, offset, 1, &r, err))
        return -1;
    *is_later = r.newest_us != TS_NONE && r.newest_us > us;
    return 0;
}

/*
 * The largest offset, give or take a page, at which events are later than us; *offset is where to begin to
 * look. Growing meanwhile, the feed only makes the answer safer: it is too small.
 */
static int find_place(struct feed *f, int64_t us, int64_t *offset, struct err *err)
{
    int64_t low = *offset, high, step = PAGE;
    bool is_later = true;

    if (low > 0 && is_later_at(f, low, us, &is_later, err))
        return -1;
    if (!is_later)
        low = 0;
    for (;;) {
        high = low + step;
        if (is_later_at(f, high, us, &is_later, err))
            return -1;
        if (!is_later)
            break;
        low = high;
        step *= 2;
    }
    while (high - low > PAGE) {
        int64_t mid = low + (high - low) / 2;

        if (is_later_at(f, mid, us, &is_later, err))
            return -1;
        if (is_later)
            low = mid;
        else
            high = mid;
    }
    *offset = low;
    return 0;
}

/* ---- going down the feed ---- */

struct descent {
    int64_t offset;         /* of the next page */
    char tail[OVERLAP][65]; /* ids of the last rows of the page before */
    size_t tail_count;
    int64_t tail_us; /* the oldest of that page; TS_NONE: there is none before */
    int overlap;
    int steps_back;
    int64_t doubted;     /* the deepest offset at which rows were left out */
    int64_t rows_beyond; /* in a row, older than where it may end */
};

static bool holds_tail(const struct descent *d, const struct rows *r)
{
    for (size_t i = 0; i < r->count; i++)
        for (size_t k = 0; k < d->tail_count; k++)
            if (strcmp(r->events[i].id, d->tail[k]) == 0)
                return true;
    return false;
}

/* Does this page leave rows out after the one before? Not when it lies wholly above its end. */
static bool leaves_out(const struct descent *d, const struct rows *r)
{
    return d->offset > 0 && d->tail_us != TS_NONE && r->count > 0 &&
           r->newest_us <= d->tail_us && !holds_tail(d, r) &&
           d->steps_back < STEPS_BACK_MAX;
}

static void keep_tail(struct descent *d, const struct rows *r)
{
    size_t n = r->count < OVERLAP ? r->count : OVERLAP;

    d->tail_count = 0;
    for (size_t i = r->count - n; i < r->count; i++) {
        size_t len = strlen(r->events[i].id);

        if (len >= sizeof(d->tail[0]))
            continue;
        memcpy(d->tail[d->tail_count++], r->events[i].id, len + 1);
    }
    d->tail_us = r->oldest_us;
}

/* Read and store the next page. *is_usable false: it left rows out, the place is tried again. */
static int next_page(struct feed *f, struct descent *d, struct rows *r, bool *is_usable,
                     struct err *err)
{
    if (read_rows(f, d->offset, PAGE, r, err))
        return -1;
    *is_usable = !leaves_out(d, r);
    if (!*is_usable) {
        d->steps_back++;
        d->doubted = later(d->doubted, d->offset);
        d->overlap = d->overlap * 2 < OVERLAP_MAX ? d->overlap * 2 : OVERLAP_MAX;
        d->offset = d->offset > PAGE ? d->offset - PAGE : 0;
        return 0;
    }
    if (store_rows(f, r, err))
        return -1;
    if (d->offset > d->doubted)
        d->steps_back = 0;
    keep_tail(d, r);
    d->offset += PAGE - d->overlap;
    f->offset = d->offset;
    tell_progress(f, r->oldest_us);
    return 0;
}

/* Has the descent come to where it may end? */
static bool is_down(struct descent *d, const struct rows *r, int64_t from_us)
{
    if (r->is_end)
        return true;
    for (size_t i = 0; i < r->count; i++)
        d->rows_beyond = r->events[i].at_us < from_us ? d->rows_beyond + 1 : 0;
    return d->rows_beyond >= EXTRA_ROWS;
}

/*
 * Read on in a gap until it is closed, pages_max are read (0: any number), or the time is up.
 */
static int work_on(struct feed *f, struct ledger_gap *gap, struct descent *d,
                   int64_t pages_max, struct err *err)
{
    int64_t from_us =
        gap->from_us == TS_NONE ? f->floor_us : later(gap->from_us, f->floor_us);
    struct rows r;
    bool is_usable;

    for (int64_t n = 1; !is_over(f); n++) {
        int64_t offset = d->offset;

        if (next_page(f, d, &r, &is_usable, err))
            return -1;
        if (!is_usable)
            continue;
        if (is_down(d, &r, from_us))
            return ledger_gap_close(f->db, gap, f->now_us, err);
        gap->skip = offset;
        if (r.newest_us != TS_NONE && r.newest_us < gap->to_us)
            gap->to_us = r.newest_us;
        if (pages_max > 0 && n >= pages_max)
            break;
        if (n % SHRINK_EVERY == 0 && ledger_gap_shrink(f->db, gap, err))
            return -1;
    }
    return ledger_gap_shrink(f->db, gap, err);
}

/* From the newest event back to what was read before. */
static int read_head(struct feed *f, struct err *err)
{
    struct descent d = {.offset = 0, .tail_us = TS_NONE, .overlap = OVERLAP};
    struct ledger_gap gap = {.kind = GAP_NEW, .to_us = INT64_MAX};
    int64_t newest_us;
    struct rows r;
    bool is_usable;

    if (ledger_feed_from(f->db, &gap.from_us, err) ||
        next_page(f, &d, &r, &is_usable, err))
        return -1;
    if (r.newest_us == TS_NONE)
        return 0;
    newest_us = r.newest_us < f->now_us ? r.newest_us : f->now_us;
    if (gap.from_us == TS_NONE)
        gap.kind = GAP_BACK;
    if (is_down(&d, &r, later(gap.from_us, f->floor_us)))
        return ledger_feed_read(f->db, newest_us, err);
    gap.to_us = r.newest_us;
    if (ledger_feed_left(f->db, newest_us, &gap, err))
        return -1;
    return gap.kind == GAP_NEW ? work_on(f, &gap, &d, 0, err) : 0;
}

/* ---- what is left ---- */

/* The length is only for telling how much is left: a failure here is none. */
static void measure_feed(struct feed *f, int64_t from_offset)
{
    struct err ignored = ERR_INIT;

    f->first_offset = f->offset = f->length = from_offset;
    if (!f->is_backfill || find_place(f, f->floor_us, &f->length, &ignored))
        f->length = 0;
    f->began_us = clock_mono_us();
    f->first_event = f->events;
}

static int go_on_with(struct feed *f, struct ledger_gap *gap, struct err *err)
{
    struct descent d = {.offset = gap->skip, .tail_us = TS_NONE, .overlap = OVERLAP};
    int rc;

    if (gap->to_us != INT64_MAX) {
        if (find_place(f, gap->to_us, &d.offset, err))
            return -1;
        d.tail_us = gap->to_us;
    }
    if (gap->kind == GAP_BACK)
        measure_feed(f, d.offset);
    rc = work_on(f, gap, &d, gap->kind == GAP_CHECK ? CHECK_PAGES : 0, err);
    f->length = 0;
    return rc;
}

/*
 * The next gap, for this harvest alone. Another one that is at it is let go on; only a backfill, which somebody
 * is looking at, waits for it.
 */
static int take_gap(struct feed *f, struct ledger_gap *gap, bool *has, struct err *err)
{
    bool is_busy = true, is_told = false;

    while (is_busy && !is_over(f)) {
        if (ledger_gap_take(f->db, gap, has, &is_busy, err))
            return -1;
        if (!is_busy || !f->is_backfill)
            break;
        if (!is_told && f->tell != NULL)
            f->tell("another harvest is reading; this one waits for it");
        is_told = true;
    }
    *has = *has && !is_busy;
    return 0;
}

static int work_on_gaps(struct feed *f, struct err *err)
{
    struct ledger_gap gap;
    bool has = true;

    while (has && !is_over(f)) {
        int rc;

        if (take_gap(f, &gap, &has, err))
            return -1;
        if (!has)
            return 0;
        rc = go_on_with(f, &gap, err);
        ledger_gap_release(f->db, &gap);
        if (rc || gap.kind == GAP_CHECK)
            return rc;
    }
    return 0;
}

/* Is it time to look for events that came late? */
static int begin_check(struct feed *f, struct err *err)
{
    int64_t whole_us;
    struct ledger_gap gap;

    if (ledger_feed_whole(f->db, &whole_us, err))
        return -1;
    if (whole_us == TS_NONE || f->now_us - whole_us < CHECK_EVERY_US)
        return 0;
    return ledger_feed_all(f->db, GAP_CHECK, &gap, err);
}

static int harvest(struct feed *f, struct err *err)
{
    struct ledger_gap gap;

    if (read_head(f, err))
        return -1;
    if (f->is_backfill ? ledger_feed_all(f->db, GAP_BACK, &gap, err)
                       : begin_check(f, err))
        return -1;
    if (work_on_gaps(f, err))
        return -1;
    /* a backfill takes long: what has come since */
    return f->is_backfill && !is_over(f) && read_head(f, err) ? -1 : 0;
}

int feed_harvest(struct feed *f, struct err *err)
{
    int rc;

    f->began_us = f->told_us = clock_mono_us();
    arena_init(&f->page_arena);
    rc = harvest(f, err);
    arena_release(&f->page_arena);
    if (rc && (f->is_unsupported || (err->kind == ERR_TIMEOUT && is_over(f)))) {
        *err = (struct err)ERR_INIT;
        rc = 0;
    }
    return rc;
}
