/* The text of the internal note (ux.md section 11, last lines). Pure; masked and escaped. */
#ifndef CASEBOOK_AGENT_NOTE_TEXT_H
#define CASEBOOK_AGENT_NOTE_TEXT_H

#include "agent/mask.h"
#include "model/finding.h"
#include "model/investigation.h"
#include "model/linear.h"

/*
 * HTML for `comment.html_body` under 60,000 bytes (zendesk.md 6.1): p, br, strong, code, a only; every
 * value escaped; `{{` made harmless. link: of the finding's page, "" when there is none to give. The last
 * line shows the first eight characters of the marker.
 */
char *note_html(struct arena *a, const struct mask *m, const struct finding *f,
                const struct investigation *inv, const struct linear_decision *d,
                const char *link, const char *marker, int64_t now_us);

#endif
