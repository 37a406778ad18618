/*
 * Every call to the three services, in the order of arrival.
 */
#ifndef SIM_RECORD_H
#define SIM_RECORD_H

#include "sim.h"

/* log_path NULL: none; otherwise each call is one JSON line there too. */
struct recorder *recorder_new(const char *log_path);
void recorder_free(struct recorder *r);

/* Keeps the call and returns its number, from 1. */
int64_t recorder_add(struct recorder *r, const struct request *rq);
void recorder_set_status(struct recorder *r, int64_t number, int status);
/* The order that was carried out on it. */
void recorder_set_fault(struct recorder *r, int64_t number, int64_t fault);

/* A new array of the calls with a number above since. */
json_t *recorder_calls(struct recorder *r, int64_t since);
void recorder_clear(struct recorder *r);

#endif
