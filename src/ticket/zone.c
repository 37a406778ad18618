/*
 * Summer time by three rules: Europe (from 01:00 UTC on the last Sunday of March to that of October), North
 * America (from the second Sunday of March to the first of November), and the south-east of Australia (from the
 * first Sunday of October to that of April). The hour of the change itself is not told apart.
 */
#include "ticket/zone.h"

#include "base/sbuf.h"
#include "base/text.h"
#include "base/ts.h"
#include <string.h>

#include "base/banned.h"

enum rule { RULE_NONE, RULE_EUROPE, RULE_AMERICA, RULE_AUSTRALIA };

struct zone {
    const char *name;
    int minutes; /* in winter */
    enum rule rule;
    bool is_city;
};

/* clang-format off */
static const struct zone zones[] = {
    {"UTC", 0, RULE_NONE, false}, {"GMT", 0, RULE_NONE, false}, {"Z", 0, RULE_NONE, false},
    {"BST", 60, RULE_NONE, false}, {"IST", 330, RULE_NONE, false}, {"JST", 540, RULE_NONE, false},
    {"CET", 60, RULE_NONE, false}, {"CEST", 120, RULE_NONE, false},
    {"EET", 120, RULE_NONE, false}, {"EEST", 180, RULE_NONE, false},
    {"EST", -300, RULE_NONE, false}, {"EDT", -240, RULE_NONE, false}, {"ET", -300, RULE_AMERICA, false},
    {"CST", -360, RULE_NONE, false}, {"CDT", -300, RULE_NONE, false}, {"CT", -360, RULE_AMERICA, false},
    {"MST", -420, RULE_NONE, false}, {"MDT", -360, RULE_NONE, false}, {"MT", -420, RULE_AMERICA, false},
    {"PST", -480, RULE_NONE, false}, {"PDT", -420, RULE_NONE, false}, {"PT", -480, RULE_AMERICA, false},
    {"AEST", 600, RULE_NONE, false}, {"AEDT", 660, RULE_NONE, false},
    {"London", 0, RULE_EUROPE, true}, {"Dublin", 0, RULE_EUROPE, true}, {"Lisbon", 0, RULE_EUROPE, true},
    {"UK", 0, RULE_EUROPE, true}, {"Berlin", 60, RULE_EUROPE, true}, {"Munich", 60, RULE_EUROPE, true},
    {"Hamburg", 60, RULE_EUROPE, true}, {"Paris", 60, RULE_EUROPE, true}, {"Madrid", 60, RULE_EUROPE, true},
    {"Barcelona", 60, RULE_EUROPE, true}, {"Rome", 60, RULE_EUROPE, true}, {"Milan", 60, RULE_EUROPE, true},
    {"Amsterdam", 60, RULE_EUROPE, true}, {"Brussels", 60, RULE_EUROPE, true}, {"Vienna", 60, RULE_EUROPE, true},
    {"Zurich", 60, RULE_EUROPE, true}, {"Geneva", 60, RULE_EUROPE, true}, {"Oslo", 60, RULE_EUROPE, true},
    {"Stockholm", 60, RULE_EUROPE, true}, {"Copenhagen", 60, RULE_EUROPE, true}, {"Prague", 60, RULE_EUROPE, true},
    {"Warsaw", 60, RULE_EUROPE, true}, {"Budapest", 60, RULE_EUROPE, true}, {"Helsinki", 120, RULE_EUROPE, true},
    {"Athens", 120, RULE_EUROPE, true}, {"Bucharest", 120, RULE_EUROPE, true}, {"Kyiv", 120, RULE_EUROPE, true},
    {"Istanbul", 180, RULE_NONE, true}, {"Dubai", 240, RULE_NONE, true}, {"Mumbai", 330, RULE_NONE, true},
    {"Delhi", 330, RULE_NONE, true}, {"Bangalore", 330, RULE_NONE, true}, {"India", 330, RULE_NONE, true},
    {"Singapore", 480, RULE_NONE, true}, {"Hong Kong", 480, RULE_NONE, true}, {"Beijing", 480, RULE_NONE, true},
    {"Shanghai", 480, RULE_NONE, true}, {"Taipei", 480, RULE_NONE, true}, {"Tokyo", 540, RULE_NONE, true},
    {"Osaka", 540, RULE_NONE, true}, {"Japan", 540, RULE_NONE, true}, {"Seoul", 540, RULE_NONE, true},
    {"Sydney", 600, RULE_AUSTRALIA, true}, {"Melbourne", 600, RULE_AUSTRALIA, true},
    {"New York", -300, RULE_AMERICA, true}, {"Boston", -300, RULE_AMERICA, true},
    {"Toronto", -300, RULE_AMERICA, true}, {"Chicago", -360, RULE_AMERICA, true},
    {"Austin", -360, RULE_AMERICA, true}, {"Denver", -420, RULE_AMERICA, true},
    {"San Francisco", -480, RULE_AMERICA, true}, {"Los Angeles", -480, RULE_AMERICA, true},
    {"Seattle", -480, RULE_AMERICA, true}, {"Vancouver", -480, RULE_AMERICA, true},
    {"Sao Paulo", -180, RULE_NONE, true}, {"S\xC3\xA3o Paulo", -180, RULE_NONE, true},
    {"Buenos Aires", -180, RULE_NONE, true},
};
/* clang-format on */
#define ZONE_COUNT (sizeof zones / sizeof zones[0])

static const struct zone *find(const char *name)
{
    for (size_t i = 0; i < ZONE_COUNT; i++)
        if (text_ieq(zones[i].name, name))
            return &zones[i];
    return NULL;
}

/* The day of the month of its n-th Sunday, n from 1; 0: the last one. */
static int sunday(int year, int month, int n)
{
    struct ts_civil first = {.year = year, .month = month, .day = 1};
    int day;

    ts_to_civil(ts_from_civil(&first), &first);
    day = 1 + (7 - first.weekday) % 7;
    if (n > 0)
        return day + (n - 1) * 7;
    return day + 28 <= 31 ? day + 28 : day + 21; /* March and October have 31 days */
}

static bool is_between(const struct ts_civil *c, int month_a, int day_a, int month_b,
                       int day_b)
{
    int now = c->month * 100 + c->day;

    return now >= month_a * 100 + day_a && now < month_b * 100 + day_b;
}

static bool is_summer(enum rule rule, int64_t local_us)
{
    struct ts_civil c;

    ts_to_civil(local_us, &c);
    switch (rule) {
    case RULE_EUROPE:
        return is_between(&c, 3, sunday(c.year, 3, 0), 10, sunday(c.year, 10, 0));
    case RULE_AMERICA:
        return is_between(&c, 3, sunday(c.year, 3, 2), 11, sunday(c.year, 11, 1));
    case RULE_AUSTRALIA:
        return !is_between(&c, 4, sunday(c.year, 4, 1), 10, sunday(c.year, 10, 1));
    case RULE_NONE:
        break;
    }
    return false;
}

int zone_offset(const char *name, int64_t local_us, int64_t *minutes)
{
    const struct zone *z = find(name);

    if (!z)
        return -1;
    *minutes = z->minutes + (is_summer(z->rule, local_us) ? 60 : 0);
    return 0;
}

void zone_pattern(struct sbuf *sb, bool cities)
{
    const char *sep = "";

    for (size_t length = 16; length > 0;
         length--) /* the longer name first: CEST before CET */
        for (size_t i = 0; i < ZONE_COUNT; i++) {
            if (zones[i].is_city != cities || strlen(zones[i].name) != length)
                continue;
            sbuf_adds(sb, sep);
            for (const char *p = zones[i].name; *p; p++)
                if (*p == ' ')
                    sbuf_adds(sb, "\\ "); /* the pattern is read with (?x) */
                else
                    sbuf_addch(sb, *p);
            sep = "|";
        }
}
