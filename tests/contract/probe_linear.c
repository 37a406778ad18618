/* The commands of upstream_probe that go to Linear. */
#include "probe.h"

#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "upstream/linear_write.h"

#include "base/banned.h"

static json_t *issue(const struct linear_issue *i)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:b}", "id", probe_text(i->id),
                     "identifier", probe_text(i->identifier), "title",
                     probe_text(i->title), "state", probe_text(i->state_type), "team",
                     probe_text(i->team_id), "duplicate_of", probe_text(i->duplicate_of),
                     "archived", i->is_archived, "trashed", i->is_trashed);
}

static json_t *issues(const struct linear_issues *list)
{
    json_t *out = json_array();

    for (size_t i = 0; i < list->count; i++)
        json_array_append_new(out, issue(&list->items[i]));
    return out;
}

static json_t *one_result(int rc, const struct linear_issue *i, const struct err *err)
{
    json_t *out = probe_result(rc, err);

    json_object_set_new(out, "issue", rc == 0 ? issue(i) : json_null());
    return out;
}

static json_t *run_whoami(struct probe *p, const char *const *argv)
{
    const char *name = NULL, *org = NULL;
    struct err err = ERR_INIT;
    json_t *out;

    (void)argv;
    out = probe_result(
        linear_whoami(&p->linear, p->arena, &name, &org, probe_deadline(p), &err), &err);
    json_object_set_new(out, "name", probe_text(name));
    json_object_set_new(out, "org", probe_text(org));
    return out;
}

static json_t *run_team(struct probe *p, const char *const *argv)
{
    struct err err = ERR_INIT;
    json_t *out;

    (void)argv;
    out = probe_result(linear_team(&p->linear, p->arena, probe_deadline(p), &err), &err);
    json_object_set_new(out, "team_id", json_string(p->linear.team_id));
    json_object_set_new(out, "org_id", json_string(p->linear.org_id));
    return out;
}

static json_t *run_find(struct probe *p, const char *const *argv)
{
    struct linear_wanted wanted = {.token = argv[0]};
    struct linear_known known;
    struct err err = ERR_INIT;
    json_t *out = probe_result(
        linear_find_known(&p->linear, p->arena, &wanted, probe_deadline(p), &known, &err),
        &err);

    json_object_set_new(out, "issues", issues(&known.with_token));
    return out;
}

/* PERSON RECORD LINK TOKEN, each may be "" */
static json_t *run_known(struct probe *p, const char *const *argv)
{
    struct linear_wanted wanted = {
        .by_person = argv[0], .on_record = argv[1], .link = argv[2], .token = argv[3]};
    struct linear_known known;
    struct err err = ERR_INIT;
    int rc =
        linear_find_known(&p->linear, p->arena, &wanted, probe_deadline(p), &known, &err);
    json_t *out = probe_result(rc, &err);

    json_object_set_new(out, "by_person", issue(&known.by_person));
    json_object_set_new(out, "on_record", issue(&known.on_record));
    json_object_set_new(out, "with_link", issues(&known.with_link));
    json_object_set_new(out, "with_token", issues(&known.with_token));
    return out;
}

static json_t *run_search(struct probe *p, const char *const *argv)
{
    struct linear_issues found = {.count = 0};
    struct err err = ERR_INIT;
    json_t *out = probe_result(
        linear_search(&p->linear, p->arena, argv[0], probe_deadline(p), &found, &err),
        &err);

    json_object_set_new(out, "issues", issues(&found));
    return out;
}

static json_t *run_read(struct probe *p, const char *const *argv)
{
    struct linear_issue i;
    struct err err = ERR_INIT;
    int rc = linear_read(&p->linear, p->arena, argv[0], probe_deadline(p), &i, &err);

    return one_result(rc, &i, &err);
}

static json_t *run_probe(struct probe *p, const char *const *argv)
{
    struct linear_issue i;
    struct err err = ERR_INIT;
    int rc = linear_probe(&p->linear, p->arena, argv[0], probe_deadline(p), &i, &err);

    return one_result(rc, &i, &err);
}

static json_t *run_create(struct probe *p, const char *const *argv)
{
    struct linear_issue i;
    struct err err = ERR_INIT;
    int rc = linear_create(&p->linear, p->arena, argv[0], argv[1], argv[2],
                           probe_deadline(p), &i, &err);

    return one_result(rc, &i, &err);
}

static json_t *run_link(struct probe *p, const char *const *argv)
{
    struct err err = ERR_INIT;

    return probe_result(linear_link_ticket(&p->linear, p->arena, argv[0], "",
                                           probe_i64(argv[1]), argv[2], probe_deadline(p),
                                           &err),
                        &err);
}

static json_t *run_put_link(struct probe *p, const char *const *argv)
{
    struct err err = ERR_INIT;

    return probe_result(linear_put_link(&p->linear, p->arena, argv[0], argv[1], argv[2],
                                        probe_deadline(p), &err),
                        &err);
}

static json_t *run_comment(struct probe *p, const char *const *argv)
{
    struct err err = ERR_INIT;

    return probe_result(linear_comment(&p->linear, p->arena, argv[0], argv[1], argv[2],
                                       probe_deadline(p), &err),
                        &err);
}

static json_t *run_states(struct probe *p, const char *const *argv)
{
    struct linear_states op;
    struct http_call *calls[] = {&op.call};
    size_t n = 0;
    json_t *out;

    while (argv[n][0])
        n++;
    linear_states_init(&op, &p->linear, p->arena, argv, n);
    http_run(p->http, calls, 1, probe_deadline(p));
    out = json_pack("{s:o, s:o}", "src", probe_source(&op.src), "issues",
                    issues(&op.found));
    linear_states_release(&op);
    return out;
}

const struct probe_command probe_linear[] = {
    {"whoami",        run_whoami  },
    {"team",          run_team    },
    {"find-token",    run_find    },
    {"search-issues", run_search  },
    {"read",          run_read    },
    {"probe",         run_probe   },
    {"create",        run_create  },
    {"link",          run_link    },
    {"find-known",    run_known   },
    {"put-link",      run_put_link},
    {"comment",       run_comment },
    {"states",        run_states  },
    {NULL,            NULL        },
};
