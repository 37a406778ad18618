/* A responder: takes requests from the listening socket, one after the other. */
#ifndef CASEBOOK_WEB_FCGI_H
#define CASEBOOK_WEB_FCGI_H

#include "web/request.h"

/*
 * Serve until prefork_stop, or max_requests are served. fd is the listening socket, non-blocking. A signal
 * never cuts a request: TERM, HUP and INT are only looked at between two of them. Returns the exit status.
 */
int fcgi_run(struct app *app, int fd, int64_t max_requests);

#endif
