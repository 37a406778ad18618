/* Words, order and origin of E2B's nouns. Their JSON is sandbox_json.c and log_json.c. */
#include "model/sandbox.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

#include "base/banned.h"

static const struct {
    const char *text;
    enum event_type type;
} event_types[] = {
    {"sandbox.lifecycle.created",      EVENT_CREATED     },
    {"sandbox.lifecycle.resumed",      EVENT_RESUMED     },
    {"sandbox.lifecycle.updated",      EVENT_UPDATED     },
    {"sandbox.lifecycle.checkpointed", EVENT_CHECKPOINTED},
    {"sandbox.lifecycle.paused",       EVENT_PAUSED      },
    {"sandbox.lifecycle.killed",       EVENT_KILLED      },
};

enum event_type event_type_from_text(const char *text)
{
    for (size_t i = 0; text && i < sizeof(event_types) / sizeof(event_types[0]); i++) {
        if (strcmp(text, event_types[i].text) == 0)
            return event_types[i].type;
    }
    return EVENT_OTHER;
}

static const struct {
    const char *text;
    enum log_level level;
} log_levels[] = {
    {"debug",    LOG_LEVEL_DEBUG},
    {"info",     LOG_LEVEL_INFO },
    {"warn",     LOG_LEVEL_WARN },
    {"error",    LOG_LEVEL_ERROR},
    {"warning",  LOG_LEVEL_WARN },
    {"trace",    LOG_LEVEL_DEBUG},
    {"fatal",    LOG_LEVEL_ERROR},
    {"panic",    LOG_LEVEL_ERROR},
    {"critical", LOG_LEVEL_ERROR},
};

enum log_level log_level_from_text(const char *text)
{
    for (size_t i = 0; i < sizeof(log_levels) / sizeof(log_levels[0]); i++) {
        if (text_ieq(text, log_levels[i].text))
            return log_levels[i].level;
    }
    return LOG_LEVEL_NONE;
}

const char *log_level_name(enum log_level level)
{
    for (size_t i = 0; i < sizeof(log_levels) / sizeof(log_levels[0]); i++) {
        if (log_levels[i].level == level)
            return log_levels[i].text;
    }
    return "";
}

const char *tag_get(const struct tag *tags, size_t n, const char *key, const char *dflt)
{
    for (size_t i = 0; i < n; i++) {
        if (strcmp(tags[i].key, key) == 0)
            return tags[i].value;
    }
    return dflt;
}

/* The fixed wording of e2b.md 5.4 (a), for stores that do not give the field `service`. */
static const char *const platform_messages[] = {
    "Started creating sandbox",
    "Started resuming sandbox",
    "Sandbox created",
    "Memory usage threshold exceeded",
    "CPU usage threshold exceeded",
    "Sandbox healthcheck started failing",
    "Sandbox healthcheck recovered",
    "Checkpointing sandbox",
    "Pausing sandbox",
    "Killing sandbox",
    "Control sandbox healthcheck was successful",
    "Control sandbox healthcheck was unsuccessful",
    "Sandbox stopped",
    "Sandbox killed",
};

const char *log_line_printed(const struct log_line *l)
{
    const char *type = tag_get(l->fields, l->field_count, "event_type", "");
    const char *data = tag_get(l->fields, l->field_count, "data", "");

    return (strcmp(type, "stdout") == 0 || strcmp(type, "stderr") == 0) &&
                   !text_is_empty(data)
               ? data
               : NULL;
}

bool log_line_is_platform(const struct log_line *l)
{
    const char *service = tag_get(l->fields, l->field_count, "service", NULL);

    if (!service)
        service = tag_get(l->fields, l->field_count, "logger", NULL);
    if (service)
        return strcmp(service, "orchestration-api") == 0 ||
               strcmp(service, "orchestrator") == 0;
    for (size_t i = 0; i < sizeof(platform_messages) / sizeof(platform_messages[0]);
         i++) {
        if (strcmp(l->message, platform_messages[i]) == 0)
            return true;
    }
    return false;
}

static int by_id_then_time(const void *va, const void *vb)
{
    const struct event *a = va, *b = vb;
    int order = strcmp(a->id, b->id);

    if (order)
        return order;
    return (a->at_us > b->at_us) - (a->at_us < b->at_us);
}

static int by_time_then_id(const void *va, const void *vb)
{
    const struct event *a = va, *b = vb;

    if (a->at_us != b->at_us)
        return a->at_us < b->at_us ? -1 : 1;
    return strcmp(a->id, b->id);
}

size_t events_sort_unique(struct event *events, size_t n)
{
    size_t kept = 0;

    if (n == 0)
        return 0;
    qsort(events, n, sizeof(*events), by_id_then_time);
    for (size_t i = 0; i < n; i++) {
        if (kept > 0 && strcmp(events[kept - 1].id, events[i].id) == 0)
            continue;
        events[kept++] = events[i];
    }
    qsort(events, kept, sizeof(*events), by_time_then_id);
    return kept;
}
