/* What Casebook's own store knows of one sandbox: investigations, finding, decision, note, sayings. */
#ifndef CASEBOOK_WEB_PAGES_KNOWN_H
#define CASEBOOK_WEB_PAGES_KNOWN_H

#include "store/st_investigation.h"
#include "web/pages/context.h"
#include "web/pages/live.h"
#include "web/view_finding.h"

struct known {
    bool is_failed;  /* the store did not answer */
    bool has_latest; /* any investigation */
    struct investigation latest;
    bool has_finding;
    struct investigation inv; /* the one with the finding */
    struct finding finding;
    bool has_decision;
    struct linear_decision decision;
    int64_t ticket_id;  /* of the page: 0 stands for the investigation's own */
    struct note *notes; /* one for each ticket */
    size_t note_count;
    struct act *acts;
    size_t act_count;
    struct feedback *feedback;
    size_t feedback_count;
    struct issue_correction *corrections;
    size_t correction_count;
    struct live live;
};

/* Everything about this sandbox's newest finding and newest investigation, told for a ticket (0: none). */
void known_load(struct known *k, struct req *rq, const char *sandbox_id,
                int64_t ticket_id);
/* Everything about one investigation. ERR_NOTFOUND when there is none with this number. */
int known_load_one(struct known *k, struct req *rq, int64_t inv_id, struct err *err);
/* Adds the issue's live state to calls[n] when there is an issue; returns the new n. */
size_t known_calls(struct known *k, struct req *rq, struct http_call **calls, size_t n);
/* Run.* for an unfinished or unsuccessful newest one, Finding.* for the finding. seen: NULL, nothing of it. */
void known_show(struct known *k, HDF *hdf, const struct view_link *link,
                const struct evidence *ev, const struct finding_seen *seen, bool is_page);
void known_release(struct known *k);

#endif
