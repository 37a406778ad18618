/* The sandbox page, from evidence and timeline to HDF; also used by the page of a kept finding. */
#ifndef CASEBOOK_WEB_VIEW_SANDBOX_H
#define CASEBOOK_WEB_VIEW_SANDBOX_H

#include "model/evidence.h"
#include "model/finding.h"
#include "model/process.h"
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
};

/* Head.*: .Id .State.{Kind,Word} .Template .Ran .When; Messages.N.{Tone,Title,Text} */
void view_sandbox_head(HDF *root, const struct sandbox_view *v);
/* Facts.N.{Label,Value,Second,Rebuilt}, Tags.N.{Key,Value,IsMatch}, FactsFrom, AnyRebuilt */
void view_sandbox_facts(HDF *root, const struct sandbox_view *v);
/* Processes.N.* .Pid .Anchor .Command .IsLong .Started .Ran .End .Tone .Out ; ProcessCount, ProcessNote */
void view_sandbox_processes(HDF *root, const struct sandbox_view *v,
                            const struct process *p, size_t n);
/* Timeline.Rows.N.* : .Kind event|log|more .Mark .Anchor .Time.* .Offset .Bold .Text .Gap .GapKind
   .End .EndStruck .EndWhy ; Timeline.Count ; Timeline.FromLogs */
void view_timeline(HDF *root, const struct sandbox_view *v, const struct process *p,
                   size_t n, bool all_events, const char *all_href);
/* Logs.*: .Lines.N.{Number,Anchor,Time.*,Level,From,Message,Extra,IsPlatform,IsInWindow,IsMarked} */
void view_log_lines(HDF *at, const struct sandbox_view *v, const struct log_line *lines,
                    size_t n, int64_t first_number, const char *search);

#endif
