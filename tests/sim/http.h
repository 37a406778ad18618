/*
 * The HTTP side: libmicrohttpd, one thread per connection, so that a slow
 * answer holds nobody else up.
 */
#ifndef SIM_HTTP_H
#define SIM_HTTP_H

#include "sim.h"

struct MHD_Daemon;

/* Listen on 127.0.0.1; port 0 takes any. Dies when it cannot. */
struct MHD_Daemon *http_start(struct sim *sim, uint16_t port);
uint16_t http_port(struct MHD_Daemon *daemon);

/* Ends ordered waits, lets running calls finish, closes all connections. */
void http_stop(struct sim *sim, struct MHD_Daemon *daemon);

#endif
