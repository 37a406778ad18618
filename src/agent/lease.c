/* A stage begins with a renewed lease; within one, looking is enough while more than half of it is left. */
#include "agent/lease.h"

#include "base/ts.h"
#include "store/st_investigation.h"
#include "sys/clock.h"

#include "base/banned.h"

#define CALL_US (40 * TS_SEC)

static int64_t lease_us(const struct agent *ag)
{
    return ag->conf->agent.lease_s * TS_SEC;
}

static void note_end(struct agent *ag, const struct investigation *inv, int64_t now_us)
{
    ag->lease_end_us = clock_mono_us() + inv->lease_until_us - now_us - lease_us(ag) / 10;
}

int lease_renew(struct agent *ag, struct investigation *inv, struct err *err)
{
    int64_t now_us = clock_now_us();

    if (inv_renew(ag->db, inv, now_us, lease_us(ag), err))
        return -1;
    inv->lease_until_us = now_us + lease_us(ag);
    note_end(ag, inv, now_us);
    return 0;
}

int lease_hold(struct agent *ag, struct investigation *inv, struct err *err)
{
    int64_t now_us = clock_now_us();

    if (inv->lease_until_us - now_us <= lease_us(ag) / 2)
        return lease_renew(ag, inv, err);
    note_end(ag, inv, now_us);
    return inv_is_held(ag->db, inv, err);
}

int64_t lease_deadline(const struct agent *ag)
{
    int64_t call_us = clock_mono_us() + CALL_US;

    return call_us < ag->lease_end_us ? call_us : ag->lease_end_us;
}
