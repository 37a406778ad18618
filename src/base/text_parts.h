/*
 * Text of a terminal, as a page can show it: what was bold or in a colour is told from the rest, what nobody could
 * see is named, and the sequences that moved a cursor or set a title are gone. Pure.
 */
#ifndef CASEBOOK_BASE_TEXT_PARTS_H
#define CASEBOOK_BASE_TEXT_PARTS_H

#include <stdbool.h>
#include <stddef.h>

struct arena;

struct text_part {
    size_t from, n; /* bytes of the text */
    bool is_bold;
    bool is_mark; /* the name of a character, not the text's own words */
};

struct text_parts {
    char *text; /* all parts, one behind the other */
    size_t n;
    struct text_part *parts;
    size_t count; /* 0: the text is empty */
};

/* Is there anything in it that text_clean would take out or replace, beside the CR of a CR LF? */
bool text_has_controls(const char *s, size_t n);

/*
 * The n bytes at s; NUL bytes may be among them.
 *
 * Control characters but newline and tab (CR LF becomes LF) are named: C0 and DEL by the control pictures U+2400
 * to U+2421, others like "⟨RLO⟩" or "⟨U+2061⟩". A byte that is no UTF-8 becomes U+FFFD. ECMA-48's SGR makes
 * bold: 1 until 22, and a colour of the letters (30 to 38, 90 to 97) until 39; 0 ends both. All other escape sequences are
 * dropped. A string (OSC, DCS, SOS, PM, APC) goes up to its terminator, the next ESC, or, where it has none, the end
 * of its line. Line breaks at the end are left out.
 *
 * At most cap bytes, cut at a character, with text_clean's mark " [cut]" on top; at most max_parts (1 or more) parts:
 * what does not fit any more is in the last one, which is then neither bold nor a mark. Linear in n. The
 * strings live in the arena.
 */
void text_parts(struct arena *a, const char *s, size_t n, size_t cap, size_t max_parts,
                struct text_parts *out);

#endif
