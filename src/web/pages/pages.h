/* The handlers, one page a file. Each comment there tells URL, parameters, and what it shows. */
#ifndef CASEBOOK_WEB_PAGES_PAGES_H
#define CASEBOOK_WEB_PAGES_PAGES_H

#include "web/route.h"

route_handler page_lookup;           /* GET / */
route_handler page_ticket;           /* GET /tickets/:id */
route_handler page_ticket_sandboxes; /* GET /tickets/:id/sandboxes */
route_handler page_sandboxes;        /* GET /sandboxes */
route_handler page_sandbox; /* GET /sandboxes/:sid, /tickets/:id/sandboxes/:sid */
route_handler page_logs; /* GET …/:sid/logs: a fragment, or a whole page without JS */
route_handler page_investigation;  /* GET …/:sid/investigation: a fragment; ETag */
route_handler page_investigate;    /* POST …/:sid/investigations */
route_handler page_investigations; /* GET /investigations */
route_handler page_patterns;       /* GET /investigations/patterns */
route_handler page_finding;        /* GET /investigations/:n */
route_handler page_cancel;         /* POST /investigations/:n/cancel */
route_handler page_feedback;       /* POST /investigations/:n/feedback */
route_handler page_retry_note;     /* POST /investigations/:n/retry-note */
route_handler page_link;           /* POST /investigations/:n/link */
route_handler page_help;           /* GET /help */
route_handler page_hook_e2b;       /* POST /hooks/e2b: an event into the ledger */
route_handler page_healthz;        /* GET /healthz: the process answers */
route_handler page_readyz;         /* GET /readyz: MariaDB and schema are there */
route_handler page_metrics;        /* GET /metrics: Prometheus text */

#endif
