/*
 * The token in every form: a MAC over the user and the day, with a key that every responder and every host
 * with the same configuration derives alike. Good on its day (UTC) and on the next.
 */
#ifndef CASEBOOK_WEB_CSRF_H
#define CASEBOOK_WEB_CSRF_H

#include "sys/conf.h"
#include <stdbool.h>
#include <stdint.h>

#define CSRF_KEY_SIZE 32
#define CSRF_TOKEN_SIZE 65

/* From the secrets of the configuration; they cannot be told from it. */
void csrf_key(const struct conf *conf, unsigned char key[CSRF_KEY_SIZE]);

/* Returns buf. */
char *csrf_token(const unsigned char key[CSRF_KEY_SIZE], const char *user, int64_t now_us,
                 char buf[CSRF_TOKEN_SIZE]);

bool csrf_check(const unsigned char key[CSRF_KEY_SIZE], const char *user, int64_t now_us,
                const char *token);

#endif
