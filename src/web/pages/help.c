/*
 * GET /help - every class, factor, state and number in plain words. It tells nothing of anybody, and works while
 * everything else is down.
 */
#include "web/pages/pages.h"

#include "base/banned.h"

int page_help(struct req *rq, struct resp *rs, struct err *err)
{
    (void)err;
    resp_page(rq, rs, "help.cs", "Help", "");
    return 0;
}
