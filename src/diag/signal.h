/* Signals by name and in words. */
#ifndef CASEBOOK_DIAG_SIGNAL_H
#define CASEBOOK_DIAG_SIGNAL_H

/* 9 for "SIGKILL", "KILL", "killed"; 0 when it is none. Case is ignored. */
int signal_number(const char *name);
/* "aborted", "segmentation fault": as shells print it; "" for a number without a name. */
const char *signal_name(int number);
/* "killed", "bus error": for people; "" for a number without a name. */
const char *signal_words(int number);

#endif
