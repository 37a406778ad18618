/* The names of the states of a note. */
#include "model/note.h"

#include <stddef.h>
#include <string.h>

#include "base/banned.h"

static const char *const state_names[NOTE_STATE_COUNT] = {
    [NOTE_NONE] = "none",       [NOTE_PREPARED] = "prepared", [NOTE_POSTED] = "posted",
    [NOTE_UNKNOWN] = "unknown", [NOTE_FAILED] = "failed",     [NOTE_CLOSED] = "closed",
    [NOTE_GONE] = "gone",
};

const char *note_state_name(enum note_state s)
{
    return (unsigned)s < NOTE_STATE_COUNT ? state_names[s] : "";
}

int note_state_parse(const char *name, enum note_state *out)
{
    for (int s = 0; name && s < NOTE_STATE_COUNT; s++) {
        if (strcmp(state_names[s], name) == 0) {
            *out = (enum note_state)s;
            return 0;
        }
    }
    return -1;
}
