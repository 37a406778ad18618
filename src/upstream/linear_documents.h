/*
 * The GraphQL documents that are sent to Linear, as text constants. Everything variable goes in
 * `variables`. tests/contract validates each one against Linear's schema. Private to upstream.
 */
#ifndef CASEBOOK_UPSTREAM_LINEAR_DOCUMENTS_H
#define CASEBOOK_UPSTREAM_LINEAR_DOCUMENTS_H

struct linear_document {
    const char *operation; /* the operationName */
    const char *text;
};

enum linear_document_id {
    LDOC_WHO_AM_I,
    LDOC_TEAM,
    LDOC_FIND_TOKEN,
    LDOC_FIND_LINK,
    LDOC_SEARCH,
    LDOC_READ_ISSUE,
    LDOC_PROBE_ISSUE,
    LDOC_ISSUE_LINKS,
    LDOC_READ_COMMENT,
    LDOC_ISSUE_STATES,
    LDOC_COUNT
};

const struct linear_document *linear_document(enum linear_document_id id);

/* The mutations stand in linear_write.c, in the archive that casebook-web does not link. */
enum linear_mutation_id {
    LMUT_CREATE_ISSUE,
    LMUT_LINK_ZENDESK,
    LMUT_LINK_URL,
    LMUT_PUT_LINK,
    LMUT_COMMENT,
    LMUT_COUNT
};

const struct linear_document *linear_mutation(enum linear_mutation_id id);

#endif
