/* Renewing costs a write: while more than half of the lease is left, looking is enough. */
#include "agent/lease.h"

#include "base/ts.h"
#include "store/st_investigation.h"
#include "sys/clock.h"

#include "base/banned.h"

#define CALL_US (40 * TS_SEC)

int lease_hold(struct agent *ag, struct investigation *inv, struct err *err)
{
    int64_t lease_us = ag->conf->agent.lease_s * TS_SEC, now_us = clock_now_us();
    int rc;

    if (inv->lease_until_us - now_us > lease_us / 2) {
        rc = inv_is_held(ag->db, inv, err);
    } else {
        rc = inv_renew(ag->db, inv, now_us, lease_us, err);
        if (rc == 0)
            inv->lease_until_us = now_us + lease_us;
    }
    ag->lease_end_us = clock_mono_us() + inv->lease_until_us - now_us - lease_us / 10;
    return rc;
}

int64_t lease_deadline(const struct agent *ag)
{
    int64_t call_us = clock_mono_us() + CALL_US;

    return call_us < ag->lease_end_us ? call_us : ag->lease_end_us;
}
