/* The table of factors: name and advice of each. */
#include "diag/factor.h"

#include "base/banned.h"

const struct factor_info factor_table[] = {
    {FACTOR_DISK_FULL,           "disk_full",
     "Delete what is not needed, write less, or use a template with a larger disk."                    },
    {FACTOR_CPU_PEGGED,          "cpu_pegged",
     "The processor was fully busy; check for an endless loop, or give it more cores."                 },
    {FACTOR_NETWORK_BLOCKED,     "network_blocked",
     "Check whether the sandbox may reach that address (internet access, deny lists)."                 },
    {FACTOR_MISSING_PACKAGE,     "missing_package",
     "Install the missing package in the template, or before the program starts."                      },
    {FACTOR_INSTALL_FAILED,      "install_failed",
     "Install the packages in the template, where a failure shows before customers meet "
     "it."                                                                                             },
    {FACTOR_PERMISSION_DENIED,   "permission_denied",
     "Write to a folder that the sandbox user owns, or change the owner in the "
     "template."                                                                                       },
    {FACTOR_ORPHANED_PROCESSES,  "orphaned_processes",
     "Stop what was left from before the resume, or use another port, before starting "
     "again."                                                                                          },
    {FACTOR_TOO_MANY_OPEN_FILES, "too_many_open_files",
     "Close files after use or open fewer at once; or raise the limit."                                },
    {FACTOR_SEGFAULT,            "segfault",
     "A native module is damaged or does not fit; update or rebuild it."                               },
    {FACTOR_GPU_UNAVAILABLE,     "gpu_unavailable",
     "Run on the processor: sandboxes have no graphics card."                                          },
    {FACTOR_KERNEL_RESTARTED,    "kernel_restarted",
     "The variables of the notebook are gone; its cells have to be run again from the "
     "top."                                                                                            },
    {FACTOR_SYNTAX_ERROR,        "syntax_error",        "Correct the code at the place that is named." },
    {FACTOR_TIMEOUT_SHORTENED,   "timeout_shortened",
     "Give the timeout with each connect: a reconnect without one sets the default."                   },
    {FACTOR_TIMEOUT_EXTENDED,    "timeout_extended",
     "Extend the timeout again while the work goes on, or set it long enough at the "
     "start."                                                                                          },
    {FACTOR_STARTED_BY_RESUME,   "started_by_resume",
     "After a resume, check what is still running from before, and that its connections "
     "are open."                                                                                       },
    {FACTOR_PORT_IN_USE,         "port_in_use",         "Stop what holds the port, or use another one."},
};
const size_t factor_count = sizeof(factor_table) / sizeof(factor_table[0]);
