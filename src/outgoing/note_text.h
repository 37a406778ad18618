/* The text of the internal note (ux.md section 11, last lines). Pure; masked and escaped. */
#ifndef CASEBOOK_OUTGOING_NOTE_TEXT_H
#define CASEBOOK_OUTGOING_NOTE_TEXT_H

#include "model/finding.h"
#include "model/investigation.h"
#include "model/linear.h"
#include "outgoing/mask.h"

/* In the place of the marker of a note that has none yet. */
#define NOTE_NO_MARKER "--------"

/*
 * What a person linked since the decision, or unlinked (identifier ""), is what a note tells from then on. Strings are
 * borrowed, but `why`, which is made in the arena.
 */
void note_correct(struct arena *a, const char *by, const struct linear_issue *linked,
                  struct linear_decision *d);

/* The page of an investigation for people elsewhere; "" without a public URL. In the arena. */
char *note_link(struct arena *a, const char *public_url, int64_t inv_id);

/*
 * HTML for `comment.html_body` under 60,000 bytes (zendesk.md 6.1): p, br, strong, code, a only; every
 * value escaped; `{{` made harmless. It is the same for each ticket of the investigation but for its last line, which
 * shows the first eight characters of the marker.
 */
char *note_html(struct arena *a, const struct mask *m, const struct finding *f,
                const struct investigation *inv, const struct linear_decision *d,
                const char *public_url, const char *marker, int64_t now_us);

#endif
