/* The sandbox page, from evidence and timeline to HDF; also used by the page of a kept finding. */
#ifndef CASEBOOK_WEB_VIEW_SANDBOX_H
#define CASEBOOK_WEB_VIEW_SANDBOX_H

#include "model/evidence.h"
#include "model/finding.h"
#include "model/process.h"
#include "web/near.h"
#include "web/view.h"

struct sandbox_view {
    const struct view_link *link;
    const char *sandbox_id;
    const struct evidence *ev;
    struct timeline tl;
    const struct finding *finding; /* NULL: none */
    const char *
        matched_value; /* the identifier of the ticket, to be marked in the metadata; "" */
    int64_t now_us;    /* of the evidence when it is a kept one */
    bool is_kept;      /* evidence from the store, not read now */
    const struct sandbox_record *record; /* Casebook's own; NULL: none, or not used */
    size_t
        forgotten_events; /* so many are known from the record only: E2B dropped them */
};

/* Page.Script.N: the scripts of a page that shows a sandbox. */
void view_sandbox_scripts(HDF *root);
/* Head.*: .Id .State.{Kind,Word} .Template .Ran .When; Messages.N.{Tone,Title,Text}; KeptUntil */
void view_sandbox_head(HDF *root, const struct sandbox_view *v);
/* Head.Near.{Text,Title,Newer,Older}: how many more there are of this customer; nothing when it is not known. */
void view_sandbox_near(HDF *root, const struct view_link *link, const struct near *near);
/*
 * Facts.N.{Label,Value,Mono,Second,State,IsRebuilt,Origin}, Facts.N.Fold.{Title,Rows.K.{Time,Text,Origin}};
 * Tags.N.{Key,Value,IsMatch}, TagsKnown, TagsOrigin; FactsFrom, AnyRebuilt, RebuiltNote. An Origin is where a
 * rebuilt value comes from: "from its killed event of 14:15:06".
 */
void view_sandbox_facts(HDF *root, const struct sandbox_view *v);
/* Where a fact was read, in words; "" for E2B's answer of now. In the arena. */
char *view_origin(struct arena *a, const struct fact_source *s, int64_t now_us);
/* How a run ended: "by its timeout", "by a request", "paused by its timeout"; "" while it goes on. */
const char *view_run_end(struct arena *a, const struct timeline *t,
                         const struct execution *x);
/* What a kill reason of E2B means: "by a request"; NULL for one that is not known here. */
const char *view_kill_words(const char *reason, bool *tells_time);
/* Processes.N.* .Pid .Anchor .Command .IsLong .Started .Ran .End .Tone .Out ; ProcessCount, ProcessNote */
void view_sandbox_processes(HDF *root, const struct sandbox_view *v,
                            const struct process *p, size_t n);
/* Timeline.Rows.N.* : .Kind event|log|more .Mark .Anchor .Time.* .Offset .Bold .Text .Gap .GapKind
   .End .EndStruck .EndWhy ; Timeline.IsCut, .Margin (what it is made from), .Empty (why it is). Starts,
   ends and moves of the expiry that no event tells are rows without a letter. */
void view_timeline(HDF *root, const struct sandbox_view *v, const struct process *p,
                   size_t n, bool all_events, const char *all_href);

#endif
