#include "diag/wording.h"
#include "base/arena.h"
#include "base/text.h"
#include <ctype.h>
#include <string.h>

#include "base/banned.h"

/* "Cannot read property 'x' of undefined": V8 before Node 16.9. */
static const char *js_property(struct arena *a, const char *m)
{
    bool is_set = text_starts(m, "Cannot set property '");
    const char *name = strchr(m, '\''), *end;

    if (!is_set && !text_starts(m, "Cannot read property '"))
        return m;
    end = strchr(name + 1, '\'');
    if (!end || !text_starts(end, "' of "))
        return m;
    return arena_fmt(a, "Cannot %s properties of %s (%s '%.*s')", is_set ? "set" : "read",
                     end + 5, is_set ? "setting" : "reading", (int)(end - name - 1),
                     name + 1);
}

/* "Unexpected token < in JSON at position 0" and, from V8 11, "Unexpected token '<', "<!DOC"... is not valid JSON". */
static const char *js_json(struct arena *a, const char *m)
{
    const char *token = m + strlen("Unexpected token "), *end;

    if (!text_starts(m, "Unexpected token "))
        return m;
    if (*token == '\'' && strstr(token, "is not valid JSON"))
        end = strchr(++token, '\'');
    else
        end = strstr(token, " in JSON at position");
    return end ? arena_fmt(a, "Unexpected token '%.*s' in JSON", (int)(end - token),
                           token)
               : m;
}

/* "Class.method() missing 1 …": Python before 3.10 leaves the class out. */
static const char *python_call(const char *m)
{
    const char *open = strstr(m, "() "), *name = m;

    if (!open || !(text_starts(open, "() missing ") || text_starts(open, "() takes ") ||
                   text_starts(open, "() got ")))
        return m;
    for (const char *p = m; p < open; p++) {
        if (!isalnum((unsigned char)*p) && !strchr("._<>", *p))
            return m;
        if (*p == '.')
            name = p + 1;
    }
    return name;
}

/* libpq from 14 names server and port before the reason; older ones ask for the port in a line of its own. */
static const char *postgres(struct arena *a, const char *m)
{
    const char *server = strstr(m, "connection to server at "), *port, *reason;

    port = server ? strstr(server, ", port ") : NULL;
    reason = port ? strstr(port, " failed: ") : NULL;
    if (!reason)
        return m;
    return arena_fmt(a, "could not connect to server: %s; port %.*s", reason + 9,
                     (int)(reason - port - 7), port + 7);
}

/* "Could not find gem 'x (~> 2)' in rubygems repository …": the same gem wherever it was looked for. */
static const char *bundler(struct arena *a, const char *m)
{
    const char *end;

    if (!text_starts(m, "Could not find gem '"))
        return m;
    end = strchr(m + 20, '\'');
    return end ? arena_strn(a, m, (size_t)(end - m) + 1) : m;
}

/* "Failed to execute goal on project P: Could not resolve dependencies for project P: why": whose project it is, is not
   why. */
static const char *maven(struct arena *a, const char *m)
{
    static const char said[] = "Could not resolve dependencies for project ";
    const char *at = strstr(m, said), *why;

    why = at ? strstr(at + sizeof said - 1, ": ") : NULL;
    return why ? arena_fmt(a, "Could not resolve dependencies%s", why) : m;
}

/* "`x` not defined in `Main`": Julia before 1.11 leaves the module out, before 1.10 the quotes. */
static const char *julia(struct arena *a, const char *m)
{
    const char *end = *m == '`' ? strstr(m, "` not defined") : NULL;

    return end ? arena_fmt(a, "%.*s not defined", (int)(end - m - 1), m + 1) : m;
}

/* "`localhost`:`5432`": host and port, each quoted or both together. */
static const char *quoted_port(struct arena *a, const char *m)
{
    const char *at = strstr(m, "`:`");

    return at ? arena_fmt(a, "%.*s:%s", (int)(at - m), m, at + 3) : m;
}

const char *wording_of_now(struct arena *a, const char *message)
{
    const char *m = js_property(a, message);

    m = js_json(a, m);
    m = python_call(m);
    m = postgres(a, m);
    m = bundler(a, m);
    m = maven(a, m);
    m = julia(a, m);
    return quoted_port(a, m);
}
