/* Every address of Casebook (design.md section 4). The first row that fits is taken. */
#include "web/pages/pages.h"

#include "base/banned.h"

#define PAGE R_USER
#define QUIET (R_USER | R_NODB)
#define STORED (R_USER | R_DB)
#define ACTION (R_USER | R_FORM | R_CSRF | R_DB)

const struct route routes[] = {
    {METHOD_GET,  "/",                                          page_lookup,           PAGE,   0                },
    {METHOD_GET,  "/tickets/:id",                               page_ticket,           PAGE,   0                },
    {METHOD_GET,  "/tickets/:id/sandboxes",                     page_ticket_sandboxes, PAGE,   0                },
    {METHOD_GET,  "/tickets/:id/sandboxes/:sid",                page_sandbox,          PAGE,   0                },
    {METHOD_GET,  "/tickets/:id/sandboxes/:sid/logs",           page_logs,             PAGE,   0                },
    {METHOD_GET,  "/tickets/:id/sandboxes/:sid/investigation",  page_investigation,    STORED,
     0                                                                                                          },
    {METHOD_POST, "/tickets/:id/sandboxes/:sid/investigations", page_investigate,      ACTION,
     0                                                                                                          },
    {METHOD_GET,  "/sandboxes",                                 page_sandboxes,        PAGE,   0                },
    {METHOD_GET,  "/sandboxes/:sid",                            page_sandbox,          PAGE,   0                },
    {METHOD_GET,  "/sandboxes/:sid/logs",                       page_logs,             PAGE,   0                },
    {METHOD_GET,  "/sandboxes/:sid/investigation",              page_investigation,    STORED, 0                },
    {METHOD_POST, "/sandboxes/:sid/investigations",             page_investigate,      ACTION, 0                },
    {METHOD_GET,  "/investigations",                            page_investigations,   STORED, 0                },
    {METHOD_GET,  "/investigations/patterns",                   page_patterns,         STORED, 0                },
    {METHOD_GET,  "/investigations/:n",                         page_finding,          STORED, 0                },
    {METHOD_POST, "/investigations/:n/cancel",                  page_cancel,           ACTION, 0                },
    {METHOD_POST, "/investigations/:n/feedback",                page_feedback,         ACTION, 0                },
    {METHOD_POST, "/investigations/:n/retry-note",              page_retry_note,       ACTION, 0                },
    {METHOD_POST, "/investigations/:n/link",                    page_link,             ACTION, 0                },
    {METHOD_GET,  "/help",                                      page_help,             QUIET,  0                },
    {METHOD_POST, "/hooks/e2b",                                 page_hook_e2b,         R_RAW,  (size_t)256 << 10},
    {METHOD_GET,  "/healthz",                                   page_healthz,          R_NODB, 0                },
    {METHOD_GET,  "/readyz",                                    page_readyz,           0,      0                },
    {METHOD_GET,  "/metrics",                                   page_metrics,          0,      0                },
};

const size_t route_count = sizeof(routes) / sizeof(routes[0]);
