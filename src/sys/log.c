/*
 * The log: one line an event, written to stderr with one write so that lines of several processes
 * do not mix. systemd, cron or the operator's redirection decides where it ends up.
 */
#include "sys/log.h"
#include "base/sbuf.h"
#include "base/text.h"
#include "base/ts.h"
#include "sys/clock.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/banned.h"

#define LINE_MAX_BYTES ((size_t)8192)
#define VALUE_MAX_BYTES ((size_t)1024)

static struct {
    char program[32];
    enum log_severity at_least;
    char key[16];
    char value[128];
} state = {.program = "casebook", .at_least = LOG_INFO};

static const char *const severity_names[] = {
    [LOG_ERROR] = "error",
    [LOG_WARN] = "warn",
    [LOG_INFO] = "info",
    [LOG_DEBUG] = "debug",
};

static void keep(char *to, size_t size, const char *from)
{
    snprintf(to, size, "%s", from);
}

void log_init(const char *program, enum log_severity at_least)
{
    keep(state.program, sizeof(state.program), program);
    state.at_least = at_least;
}

int log_severity_parse(const char *name, enum log_severity *out)
{
    for (size_t i = 0; i < sizeof(severity_names) / sizeof(severity_names[0]); i++)
        if (strcmp(name, severity_names[i]) == 0) {
            *out = (enum log_severity)i;
            return 0;
        }
    return -1;
}

void log_context(const char *key, const char *value)
{
    keep(state.key, sizeof(state.key), key ? key : "");
    keep(state.value, sizeof(state.value), value ? value : "");
}

static bool is_plain(const char *s)
{
    if (*s == '\0')
        return false;
    for (; *s != '\0'; s++) {
        unsigned char c = (unsigned char)*s;

        if (c <= ' ' || c >= 0x7f || c == '"' || c == '\\' || c == '=')
            return false;
    }
    return true;
}

/* One byte of a quoted value. High bytes stay only in valid UTF-8 that holds no C1 control. */
static void add_byte(struct sbuf *sb, unsigned char c, bool keep_high)
{
    if (c == '"' || c == '\\')
        sbuf_addf(sb, "\\%c", c);
    else if (c == '\n')
        sbuf_adds(sb, "\\n");
    else if (c == '\t')
        sbuf_adds(sb, "\\t");
    else if (c < ' ' || c == 0x7f || (c >= 0x80 && !keep_high))
        sbuf_addf(sb, "\\x%02x", c);
    else
        sbuf_addch(sb, (char)c);
}

static bool has_c1_control(const char *s, size_t n)
{
    for (size_t i = 0; i + 1 < n; i++)
        if ((unsigned char)s[i] == 0xc2 && (unsigned char)s[i + 1] < 0xa0)
            return true;
    return false;
}

/* The longest beginning of at most max bytes that does not cut a character. */
static size_t cut_at(const char *s, size_t n, size_t max)
{
    if (n <= max)
        return n;
    n = max;
    while (n > 0 && ((unsigned char)s[n] & 0xc0) == 0x80)
        n--;
    return n;
}

static void add_value(struct sbuf *sb, const char *value)
{
    size_t all, n;
    bool keep_high;

    if (value == NULL)
        value = "";
    all = strlen(value);
    if (all <= VALUE_MAX_BYTES && is_plain(value)) {
        sbuf_adds(sb, value);
        return;
    }
    n = cut_at(value, all, VALUE_MAX_BYTES);
    keep_high = text_is_utf8(value, n) && !has_c1_control(value, n);
    sbuf_addch(sb, '"');
    for (size_t i = 0; i < n; i++)
        add_byte(sb, (unsigned char)value[i], keep_high);
    sbuf_adds(sb, n < all ? "[cut]\"" : "\"");
}

static void add_pair(struct sbuf *sb, const char *name, const char *value)
{
    sbuf_addf(sb, " %s=", name);
    add_value(sb, value);
}

static void begin_line(struct sbuf *sb, enum log_severity level, const char *msg)
{
    char stamp[TS_ISO_SIZE];

    sbuf_init(sb, LINE_MAX_BYTES);
    sbuf_addf(sb, "ts=%s level=%s prog=%s pid=%ld", ts_iso_ms(clock_now_us(), stamp),
              severity_names[level], state.program, (long)getpid());
    if (state.key[0] != '\0')
        add_pair(sb, state.key, state.value);
    add_pair(sb, "msg", msg);
}

static void end_line(struct sbuf *sb)
{
    const char *at;
    size_t left;

    /* The last byte is kept for the newline: a line that is too long stays one line. */
    if (sbuf_addch(sb, '\n') != 0)
        sb->s[sb->len - 1] = '\n';
    at = sb->s;
    left = sb->len;
    while (left > 0) {
        ssize_t n = write(STDERR_FILENO, at, left);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break; /* there is nowhere to tell that the log cannot be written */
        at += n;
        left -= (size_t)n;
    }
    sbuf_release(sb);
}

void log_event(enum log_severity level, const char *msg, ...)
{
    struct sbuf sb;
    const char *name;
    va_list ap;

    if (level > state.at_least)
        return;
    begin_line(&sb, level, msg);
    va_start(ap, msg);
    while ((name = va_arg(ap, const char *)) != NULL)
        add_pair(&sb, name, va_arg(ap, const char *));
    va_end(ap);
    end_line(&sb);
}

void log_err(enum log_severity level, const char *what, const struct err *e)
{
    struct sbuf sb;

    if (level > state.at_least)
        return;
    begin_line(&sb, level, what);
    add_pair(&sb, "kind", err_kind_name(e->kind));
    if (e->http_status != 0)
        sbuf_addf(&sb, " status=%d", e->http_status);
    add_pair(&sb, "error", e->msg);
    end_line(&sb);
}
