/*
 * The words that name a customer: nothing that leaves for Linear may hold one. They are taken from the ticket as last
 * seen and from the sandbox's metadata.
 */
#ifndef CASEBOOK_AGENT_CUSTOMER_H
#define CASEBOOK_AGENT_CUSTOMER_H

#include "model/evidence.h"
#include "sys/conf.h"
#include <stddef.h>

struct arena;

#define CUSTOMER_MAX_WORDS 64

struct customer {
    const char *words[CUSTOMER_MAX_WORDS];
    size_t count;
};

/* A name of a person or company, or an address; also the longer parts of a name. */
void customer_add_name(struct customer *c, struct arena *a, const char *name);
/* The values under the configured keys, and others that are more than a plain word. */
void customer_add_metadata(struct customer *c, struct arena *a, const struct conf *conf,
                           const struct tag *tags, size_t n);

/* text without those words, each replaced by "[customer]"; c NULL: as it is. Whole words, without regard to case.
   *count grows by how many. In the arena. */
char *customer_hide(const struct customer *c, struct arena *a, const char *text,
                    size_t *count);

#endif
