/* The nouns of Zendesk (zendesk.md sections 3 and 4). Strings are cleaned text. */
#ifndef CASEBOOK_MODEL_TICKET_H
#define CASEBOOK_MODEL_TICKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct person {
    int64_t id;        /* -1: Zendesk itself */
    const char *name;  /* "deleted user" when not known */
    const char *email; /* "" when there is none */
    const char *role;  /* "end-user", "agent", "admin", "" */
    const char *time_zone;
    bool is_deleted, is_suspended;
};

struct ticket {
    int64_t id;
    const char *subject; /* "(no subject)" when empty */
    const char *
        status; /* Zendesk's word: new, open, pending, hold, solved, closed, or another */
    const char *excerpt; /* start of the description, one line */
    int64_t created_us, updated_us;
    const char *updated_stamp; /* the original updated_at, for safe_update */
    struct person requester;
    int64_t organization_id;         /* 0: none */
    const char *organization;        /* name; "" when none */
    const char *organization_domain; /* first domain; "" */
    const char *const *domains;
    size_t domain_count;
    int64_t comment_count; /* -1: not told */
    bool is_merged;        /* closed by being merged into another one */
};

struct comment {
    int64_t id;
    int64_t at_us;
    bool is_public;
    bool is_voice;
    bool is_flagged; /* metadata.flags is not empty: a doubtful sender */
    struct person author;
    const char *body;        /* plain text, newlines kept */
    const char *note_marker; /* metadata.custom.casebook_note; "" */
    size_t attachment_count;
    const char *const *attachment_names;
};

#endif
