/*
 * The three charts on one time axis (ux.md section 8): from samples and timeline to numbers that a template
 * draws as SVG. x in percent of the width (two decimals), y in pixels; the series as a path in a nested
 * viewBox of 10000 units. Pure.
 */
#ifndef CASEBOOK_WEB_CHART_H
#define CASEBOOK_WEB_CHART_H

#include "model/evidence.h"
#include "model/finding.h"
#include "model/timeline.h"
#include "web/hput.h"

struct arena;

enum chart_place { CHART_NOWHERE, CHART_POINT, CHART_RAIL };

struct chart_input {
    struct arena *arena;
    const struct evidence *ev;
    const struct timeline *tl;
    const struct finding *finding;  /* NULL: none */
    int64_t win_from_us, win_to_us; /* TS_NONE: no window */
    int64_t now_us;
    bool whole_life; /* asked for; else a long life is cut to the window +- 30 min */
    const char *whole_life_href;  /* for the link that offers it */
    size_t run;                   /* 1 …: only that execution; 0: all */
    const char *const *run_hrefs; /* of the first executions, for links; NULL: none */
    size_t run_href_count;
    const char
        *zoom; /* "window", "failure", "5m", "15m", "1h"; NULL, "" and others: none */
    const char *zoom_href; /* begins the links that offer these; NULL: none are offered */
    /* out, may be NULL: which pieces of evidence got their number into a plot or onto the rail */
    enum chart_place *places; /* evidence_count of them */
};

/*
 * Fills Charts.*: .Kind "ok", "few", "none" and .Text; .Cut, .WholeHref, .IsZoomed,
 * .Runs.N.{Text,Href,IsShown}, .Zooms.N.{Text,Href,IsShown};
 * .From.*, .To.*;
 * .Ticks.N.{X,Text,Anchor,Minor}; .Events.N.{Letter,X,Dx}; .Failed.{X,Text};
 * .Window.{X,W,Text,Before,After}; .Pauses.N.{X,W}; .Gaps.N.{X,W,Mid,Text};
 * .Execs.N.{X,W}; .Ends.N.{X,Title,IsInForce}; .Moves.N.{X1,X2,IsRight,IsCut};
 * .Marks.N.{X,Number,Dx}, evidence that is no sample;
 * .Plots.N.{Name,Title,Height,Mid,Peak,PeakNote,Sentence,Line,Area,Limit.{Y,Text},Kill.{Y,Text},
 * Y.N.{Y,Text},Dots.N.{X,Y},Cols.N.{X,Title},Marks.N.{X,Y,Number,NumberX,NumberY,Leader}}; .Samples; .Step;
 * .FirstShown: how many samples of the table lie before the axis;
 * .IsMaxima and .Maxima, the sentence that says of which values; .RowsCut;
 * .Rows.N.{Time,Of,Cpu,Mem,Cache,Disk} or .Rows.N.Words for gaps and pauses.
 */
void chart_fill(HDF *root, const struct chart_input *in);

/* "A" … "Z", "AA", "AB" … of the event with this index. buf of 8 bytes. */
char *chart_letter(size_t index, char buf[8]);

/* memTotal - min(memTotal/8, 128 MiB): where processes are killed (e2b.md 4). */
int64_t chart_kill_line(int64_t mem_total);

#endif
