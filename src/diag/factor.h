/* Circumstances beside the class (corpus, "Factors"), as bits while reading, as names
   outside. */
#ifndef CASEBOOK_DIAG_FACTOR_H
#define CASEBOOK_DIAG_FACTOR_H

#include <stddef.h>

enum factor {
    FACTOR_DISK_FULL = 1 << 0,
    FACTOR_CPU_PEGGED = 1 << 1,
    FACTOR_NETWORK_BLOCKED = 1 << 2,
    FACTOR_MISSING_PACKAGE = 1 << 3,
    FACTOR_INSTALL_FAILED = 1 << 4,
    FACTOR_PERMISSION_DENIED = 1 << 5,
    FACTOR_ORPHANED_PROCESSES = 1 << 6,
    FACTOR_TOO_MANY_OPEN_FILES = 1 << 7,
    FACTOR_SEGFAULT = 1 << 8,
    FACTOR_GPU_UNAVAILABLE = 1 << 9,
    FACTOR_KERNEL_RESTARTED = 1 << 10,
    FACTOR_SYNTAX_ERROR = 1 << 11,
    /* ours */
    FACTOR_TIMEOUT_SHORTENED = 1 << 12,
    FACTOR_TIMEOUT_EXTENDED = 1 << 13,
    FACTOR_STARTED_BY_RESUME = 1 << 14,
    FACTOR_PORT_IN_USE = 1 << 15,
};
#define FACTOR_BITS 16

struct factor_info {
    enum factor bit;
    const char *name;   /* "disk_full" */
    const char *advice; /* what would fix it, one sentence; "" for none */
};
extern const struct factor_info factor_table[];
extern const size_t factor_count;

#endif
