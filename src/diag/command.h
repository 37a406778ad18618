/*
 * Commands as customers write them: the bare command, what it runs, what kind of work it
 * is, and how a sentence or a signature names it. Pure; results are in the arena, belong
 * to the argument, or are constant.
 */
#ifndef CASEBOOK_DIAG_COMMAND_H
#define CASEBOOK_DIAG_COMMAND_H

#include <stdbool.h>
#include <stdint.h>

struct arena;

/* What kind of work a command is. */
enum proc_role {
    ROLE_WORK,   /* a job that is expected to end */
    ROLE_SERVER, /* runs until it is stopped; still up is not unfinished work (corpus 10) */
    ROLE_CHECK,  /* tests, linters: failing now and then is part of the work */
    ROLE_PROBE,  /* looks, or clears up: its success proves nothing about the work */
    ROLE_KILLER, /* sends signals */
};

/* Without the shell around it and its quotes. */
const char *command_bare(struct arena *a, const char *command);
/* The program: "python3", "ffmpeg", "report.sh"; "" for an empty command. */
const char *command_program(struct arena *a, const char *bare);
/*
 * The program as signatures name it: with the script that an interpreter runs, or the task
 * that a task runner runs, without generated parts: "python3 train.py", "npm run build".
 */
const char *command_label(struct arena *a, const char *bare);
/* "The script train.py", "The installation": begins a sentence. */
const char *command_subject(struct arena *a, const char *bare);
enum proc_role command_role(const char *bare);
/* Past "cd x &&", "X=1", "sudo", "timeout 30", "npx" and the like. */
const char *command_past_lead(const char *s);
/* Nothing but installing packages: its failure is a failed install. */
bool command_is_install(const char *bare);
/* The limit that the command sets for itself by "timeout N", microseconds; 0: none. */
int64_t command_own_limit_us(const char *bare);

#endif
