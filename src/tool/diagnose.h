/*
 * `casebook diagnose FILE` and `casebook same A B` (design.md section 8): no network, no
 * database, no configuration.
 */
#ifndef CASEBOOK_TOOL_DIAGNOSE_H
#define CASEBOOK_TOOL_DIAGNOSE_H

/*
 * argv holds the files alone, without the name of the command. One JSON object on
 * stdout. Exit status 0; 2 and one line on stderr for a wrong count of files, one that
 * cannot be read, or (diagnose) one that is no case. `same` takes a file that is no case
 * for console text.
 */
int cmd_diagnose(int argc, char **argv);
int cmd_same(int argc, char **argv);

#endif
