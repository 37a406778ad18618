/* The text of a ticket search (zendesk.md 2.3, 2.5). Pure; private to upstream. */
#ifndef CASEBOOK_UPSTREAM_ZENDESK_QUERY_H
#define CASEBOOK_UPSTREAM_ZENDESK_QUERY_H

struct arena;

struct zendesk_query {
    const char *
        text; /* for the `query` parameter, not yet encoded; NULL: nothing to search for */
    const char *email; /* the address that is looked for; NULL: a search by words */
};

/*
 * From what the user typed; at most 200 bytes of it are used.
 *
 * One word that is an address: `type:ticket requester:ADDRESS`. Otherwise `type:ticket` and the pieces
 * between blanks: bare when of letters, digits and `_` only, else between double quotes, so that no
 * piece can be a keyword of Zendesk's. A text that is in double quotes as a whole stays one phrase.
 */
void zendesk_query_build(struct arena *a, const char *typed, struct zendesk_query *out);

#endif
