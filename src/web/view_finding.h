/* A finding, and an investigation on its way, from model to HDF. */
#ifndef CASEBOOK_WEB_VIEW_FINDING_H
#define CASEBOOK_WEB_VIEW_FINDING_H

#include "model/finding.h"
#include "model/investigation.h"
#include "model/linear.h"
#include "model/note.h"
#include "store/st_finding.h"
#include "store/st_investigation.h"
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
    int64_t ticket_id;       /* that it is told for; 0: the investigation's own */
    const struct note *note; /* of that ticket; NULL: none was asked for, or not yet */
    const char *
        preview; /* HTML: the note that would be posted, where none is prepared; NULL: not known */
    const struct note *notes; /* of all tickets */
    size_t note_count;
    const struct feedback *feedback;
    size_t feedback_count;
    const struct issue_correction *corrections;
    size_t correction_count;
    const struct act *acts;
    size_t act_count;
    bool is_page; /* the finding's own page, not the sandbox page */
    struct finding_seen seen;
};

/*
 * Finding.*: .Id .Class .ClassWord .Confidence .Reason .Headline .Brief .FailedAt .InWindow
 * .Evidence.N.{Number,Time,Text,Href,HrefText} .Others.N.{Word,Standing,Text} .IsOpen .Missing .Reply .Fix .Factors.N
 * .By .When .Took .Href .Signature .Token ; Linear.* ; Note.* ; OtherNotes.N.{Ticket,Title} ; Feedback.N ;
 * Corrections.N ; Acts.N.{By,Text,When} ; Classes.N
 */
void view_finding(HDF *root, const struct finding_view *v);

/* Marks.N.Number: of the pieces of evidence that point at ref ("pid:685", "event:ID"). f: NULL, or it. */
void view_evidence_numbers(HDF *row, const struct finding *f, const char *ref);

/* What a note looks like without its markup; the exact HTML is in the database and in Zendesk. In the arena. */
char *view_note_text(struct arena *a, const char *html);

/* Run.Note: the text that is about to be posted; NULL or "": not known yet. */
void view_run_note(HDF *root, const struct view_link *l, const char *html);

/*
 * Run.*: .Id .Heading .Step .Elapsed .ElapsedSeconds .IsOpen .IsFailed .IsCanceled
 * .Steps.N.{State,Word,Detail,Took} .Failure .By .IsMine .Started .Waiting. d, f: of this investigation as far
 * as they are there; NULL.
 */
void view_run(HDF *root, const struct view_link *l, const struct investigation *inv,
              const struct linear_decision *d, const struct finding *f);

#endif
