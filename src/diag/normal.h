/* A message without its variable parts (corpus, "Signatures"). */
#ifndef CASEBOOK_DIAG_NORMAL_H
#define CASEBOOK_DIAG_NORMAL_H

struct arena;

/*
 * Numbers, identifiers, addresses, URLs, files, times become '#', <url>, <host>, <file>;
 * names, codes, error numbers, ports and the two sides of a version conflict stay. At
 * most NORMAL_MAX bytes.
 */
#define NORMAL_MAX 320
const char *normal_message(struct arena *a, const char *text);

/*
 * A file's or script's name without generated parts: "tmpab12cd.py" -> "#.py",
 * "gen_0193.py" -> "gen_#.py", "index-DfG3k2.js" -> "index-#.js".
 */
const char *normal_file(struct arena *a, const char *name);

#endif
