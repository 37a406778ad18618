/*
 * The workers of one host, in memory that they share: who reads a long log, and until when a service asked to
 * be left alone.
 *
 * While a worker reads a long log, a spare one works in its place: there are always as many as Agent.Workers
 * for the others. What a rate limit told one worker the others need not find out by asking.
 */
#ifndef CASEBOOK_AGENT_CREW_H
#define CASEBOOK_AGENT_CREW_H

#include "model/investigation.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct crew;

/* For so many workers and as many spare ones, to be shared by the processes that are forked after it. NULL
   when there is no memory: then each works by itself. All functions below take NULL. */
struct crew *crew_new(size_t workers);
void crew_free(struct crew *c);

/* This process is worker `index` from now on. */
void crew_enter(struct crew *c, size_t index);
/* Worker `index` is busy for long, or not any more. */
void crew_set_long(struct crew *c, size_t index, bool is_long);
/* May worker `index` take an investigation? A spare one only in the place of one that is busy for long. */
bool crew_may_work(const struct crew *c, size_t index);

/* Worker `index` found nothing more to do and ends; spare ones end after the last of them (--once). */
void crew_leave(struct crew *c, size_t index);
bool crew_is_done(const struct crew *c);

/* Work that starts from this state is not to be tried before (monotonic). */
void crew_set_quiet(struct crew *c, enum inv_state state, int64_t until_us);
int64_t crew_quiet_until(const struct crew *c, enum inv_state state);

#endif
