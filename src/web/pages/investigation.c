/*
 * GET …/:sid/investigation - the investigation panel alone, an HTML fragment for polling. Its ETag changes with
 * the state only, so that a poll that brings nothing new is a 304.
 */
#include "base/text.h"
#include "web/pages/known.h"
#include "web/pages/pages.h"
#include <inttypes.h>

#include "base/banned.h"

int page_investigation(struct req *rq, struct resp *rs, struct err *err)
{
    const char *sid = req_param(rq, "sid");
    struct context ctx;
    struct known *k = arena_alloc(rq->arena, sizeof *k);
    HDF *hdf;

    if (context_init(&ctx, rq, !text_is_empty(req_param(rq, "id")), err))
        return -1;
    if (!text_is_sandbox_id(sid))
        return err_set(err, ERR_NOTFOUND, "no sandbox id");
    known_load(k, rq, sid, ctx.link.ticket_id);
    if (!k->has_latest)
        return err_set(err, ERR_NOTFOUND, "no investigation of this sandbox");
    hdf = resp_fragment(rq, rs, "_investigation.cs");
    hput_i64(hdf, "Act.Ticket", ctx.link.ticket_id);
    hput_bool(hdf, "IsPoll", true);
    known_show(k, hdf, &ctx.link, NULL, NULL, false);
    rs->etag =
        arena_fmt(rq->arena, "\"%" PRId64 "-%d-%d-%d\"", k->latest.id,
                  (int)k->latest.state, k->latest.attempt, k->latest.started_us > 0);
    return 0;
}
