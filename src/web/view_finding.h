/* A finding, and an investigation on its way, from model to HDF. */
#ifndef CASEBOOK_WEB_VIEW_FINDING_H
#define CASEBOOK_WEB_VIEW_FINDING_H

#include "model/finding.h"
#include "model/investigation.h"
#include "model/linear.h"
#include "model/note.h"
#include "store/st_finding.h"
#include "web/chart.h"
#include "web/view.h"

struct finding_seen { /* what else of the page can be linked to; all may be NULL */
    const enum chart_place *places; /* evidence_count of them (chart.h) */
    const char *whole_href;         /* of the page with the whole life in its charts */
    const char *log_href; /* a moment as RFC 3339 behind it: the raw logs there */
};

struct finding_view { /* everything a finding page knows; parts may be missing */
    const struct view_link *link;
    const struct investigation *inv; /* the one that made the finding */
    const struct finding *finding;
    const struct evidence *ev; /* for the letters of events; NULL: none at hand */
    const struct linear_decision *decision; /* NULL: none yet */
    const struct linear_issue *live;        /* the issue as Linear has it now; NULL */
    const struct source *live_src;          /* why not; NULL */
    const struct note *note;                /* NULL */
    const struct feedback *feedback;
    size_t feedback_count;
    const struct issue_correction *corrections;
    size_t correction_count;
    bool is_page; /* the finding's own page, not the sandbox page */
    struct finding_seen seen;
};

/*
 * Finding.*: .Id .Class .ClassWord .Confidence .Reason .Headline .Brief .FailedAt .InWindow
 * .Evidence.N.{Number,Time,Text,Href,HrefText} .RuledOut.N.{Word,Text} .Missing .Reply .Fix .Factors.N
 * .By .When .Took .Href .Signature .Token ; Linear.* ; Note.* ; Feedback.N ; Corrections.N ; Classes.N
 */
void view_finding(HDF *root, const struct finding_view *v);

/* Marks.N.Number: of the pieces of evidence that point at ref ("pid:685", "event:ID"). f: NULL, or it. */
void view_evidence_numbers(HDF *row, const struct finding *f, const char *ref);

/*
 * Run.*: .Id .Heading .Step .Elapsed .ElapsedSeconds .IsOpen .IsFailed .IsCanceled
 * .Steps.N.{State,Word,Detail,Took} .Failure .By .IsMine .Started .Waiting. d, f: of this investigation as far
 * as they are there; NULL.
 */
void view_run(HDF *root, const struct view_link *l, const struct investigation *inv,
              const struct linear_decision *d, const struct finding *f);
/* Note.*: of an investigation that still runs, so that its note can be read before it is posted. */
void view_note(HDF *root, const struct finding_view *v);

#endif
