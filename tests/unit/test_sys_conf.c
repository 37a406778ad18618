/* The configuration: what is read, and how each kind of mistake is told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sys/conf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/banned.h"

#define KEY "e2b_0123456789abcdef0123456789abcdef01234567"
#define MINIMUM                                                                          \
    "Database.Socket = /run/mysqld/mysqld.sock\n"                                        \
    "E2B.ApiKey = " KEY "\n"                                                             \
    "Zendesk.BaseUrl = https://acme.zendesk.com/\n"                                      \
    "Zendesk.ClientId = casebook\n"                                                      \
    "Zendesk.ClientSecret = zs-secret\n"                                                 \
    "Linear.ApiKey = lin_api_secret\n"                                                   \
    "Linear.Team = SUP\n"

static char folder[] = "/tmp/casebook-conf-XXXXXX";
static char path[64], value_path[64];
static struct err err;

static void put(const char *to, const char *bytes, size_t n)
{
    FILE *f = fopen(to, "w");

    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    fclose(f);
}

static struct conf *load_text(const char *text)
{
    put(path, text, strlen(text));
    err = (struct err)ERR_INIT;
    return conf_load(path, &err);
}

/* MINIMUM and these lines. */
static struct conf *load(const char *more)
{
    char text[8192];
    struct conf *c;

    snprintf(text, sizeof(text), "%s%s", MINIMUM, more);
    c = load_text(text);
    if (c == NULL)
        fail_msg("%s: %s", more, err.msg);
    return c;
}

static void refused_text(const char *text, const char *says)
{
    struct conf *c = load_text(text);

    if (c != NULL)
        fail_msg("accepted: %s", text);
    assert_int_equal(err.kind, ERR_INPUT);
    if (strncmp(err.msg, path, strlen(path)) != 0 || strstr(err.msg, says) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", err.msg, says);
}

static void refused(const char *more, const char *says)
{
    char text[8192];

    snprintf(text, sizeof(text), "%s%s", MINIMUM, more);
    refused_text(text, says);
}

static void the_minimum_has_its_defaults(void **state)
{
    struct conf *c = load("");

    (void)state;
    assert_string_equal(c->file, path);
    assert_string_equal(c->base_path, "/casebook");
    assert_string_equal(c->db.socket, "/run/mysqld/mysqld.sock");
    assert_string_equal(c->db.host, "");
    assert_string_equal(c->db.name, "casebook");
    assert_string_equal(c->db.password, "");
    assert_false(c->db.tls);
    assert_string_equal(c->e2b.base_url, "https://api.e2b.app");
    assert_string_equal(c->e2b.api_key, KEY);
    assert_string_equal(c->e2b.webhook_secret, "");
    assert_int_equal(c->e2b.metadata_key_count, 1);
    assert_string_equal(c->e2b.metadata_keys[0], "userId");
    assert_int_equal(c->e2b.logs_paging, LOGS_AUTO);
    assert_string_equal(c->zendesk.base_url, "https://acme.zendesk.com");
    assert_string_equal(c->zendesk.client_secret, "zs-secret");
    assert_string_equal(c->zendesk.oauth_token, "");
    assert_string_equal(c->linear.base_url, "https://api.linear.app/graphql");
    for (int i = 0; i < CLASS_COUNT; i++)
        assert_int_equal(c->linear.file_class[i], i != CLASS_UNDETERMINED);
    assert_int_equal(c->linear.min_confidence, CONFIDENCE_LOW);
    assert_int_equal(c->web.responders, 4);
    assert_int_equal(c->web.max_requests, 1000);
    assert_int_equal(c->web.deadline_ms, 25000);
    assert_string_equal(c->web.public_url, "");
    assert_int_equal(c->agent.workers, 2);
    assert_int_equal(c->agent.lease_s, 120);
    assert_int_equal(c->agent.max_attempts, 8);
    assert_int_equal(c->ledger_retain_days, 90);
    assert_string_equal(c->intake_token, "");
    assert_int_equal(c->log_level, LOG_INFO);
    conf_free(c);
}

static void every_form_of_hdf_is_read(void **state)
{
    struct conf *c = load("# a comment\n"
                          "BasePath =\n"
                          "Web {\n"
                          "  Responders = 7\n"
                          "  RequestDeadline = 3\n"
                          "}\n"
                          "E2B.MetadataKeys {\n"
                          "  2 = customer id\n"
                          "  0 = userEmail\n"
                          "}\n"
                          "Linear.FileClasses = crashed , out_of_memory\n"
                          "Linear.MinConfidence = medium\n"
                          "E2B.LogsPaging = offset\n"
                          "Log.Level = debug\n"
                          "Database.Password << END\n"
                          "pass = word {\n"
                          "END\n");

    (void)state;
    assert_string_equal(c->base_path, "");
    assert_int_equal(c->web.responders, 7);
    assert_int_equal(c->web.deadline_ms, 3000);
    assert_int_equal(c->e2b.metadata_key_count, 2);
    assert_string_equal(c->e2b.metadata_keys[0], "userEmail");
    assert_string_equal(c->e2b.metadata_keys[1], "customer id");
    assert_true(c->linear.file_class[CLASS_CRASHED] &&
                c->linear.file_class[CLASS_OUT_OF_MEMORY]);
    assert_false(c->linear.file_class[CLASS_TIMEOUT] ||
                 c->linear.file_class[CLASS_KILLED_EARLY]);
    assert_int_equal(c->linear.min_confidence, CONFIDENCE_MEDIUM);
    assert_int_equal(c->e2b.logs_paging, LOGS_OFFSET);
    assert_int_equal(c->log_level, LOG_DEBUG);
    assert_string_equal(c->db.password, "pass = word {\n");
    conf_free(c);
    c = load("Linear.FileClasses =\nBasePath = /support/casebook/\n");
    for (int i = 0; i < CLASS_COUNT; i++)
        assert_false(c->linear.file_class[i]);
    assert_string_equal(c->base_path, "/support/casebook");
    conf_free(c);
}

static void a_value_may_be_in_a_file(void **state)
{
    char more[256];
    struct conf *c;

    (void)state;
    put(value_path, "token-in-a-file\n", 16);
    snprintf(more, sizeof(more), "Intake.TokenFile = %s\nE2B.MetadataKeys.0File = %s\n",
             value_path, value_path);
    c = load(more);
    assert_string_equal(c->intake_token, "token-in-a-file");
    assert_string_equal(c->e2b.metadata_keys[0], "token-in-a-file");
    conf_free(c);

    snprintf(more, sizeof(more), "Linear.ApiKeyFile = %s\n", value_path);
    refused(more, "Linear.ApiKey and Linear.ApiKeyFile: only one");
    refused("Intake.TokenFile = /nowhere/at/all\n", "Intake.TokenFile: /nowhere/at/all");
    refused("Intake.TokenFile = relative\n",
            "Intake.TokenFile: expected the absolute path");
    refused("Intake.TokenFile = /tmp\n", "is not a file");
    put(value_path, "\n\n", 2);
    snprintf(more, sizeof(more), "Intake.TokenFile = %s\n", value_path);
    refused(more, "is empty");
    put(value_path, "se\0cret-value", 13);
    refused(more, "NUL");
    put(value_path, "two words", 9);
    refused(more, "Intake.TokenFile: expected a token");
    unlink(value_path);
}

static void unknown_keys_are_named(void **state)
{
    (void)state;
    refused("Web.Respnders = 4\n", "Web.Respnders: unknown key");
    refused("web.Responders = 4\n", "web.Responders: unknown key");
    refused("Nonsense = 1\n", "Nonsense: unknown key");
    refused("Extra {\n}\n", "Extra: unknown key");
    refused("Web.Responders.More = 1\n", "unknown key");
    refused("Web = 4\n", "Web: is a group of keys");
    refused("E2B.MetadataKeys.first = a\n", "E2B.MetadataKeys.first: expected");
    refused("E2B.MetadataKeys.16 = a\n", "E2B.MetadataKeys.16: expected");
    refused("E2B.MetadataKeys.1 = \n", "E2B.MetadataKeys.1: expected the name of a tag");
    refused("E2B.MetadataKeys.0 = a\nE2B.MetadataKeys.3 = a\n", "in the list twice");
    refused("E2B.MetadataKeys.0 = a\nE2B.MetadataKeys.00 = b\n", "given twice");
}

static void missing_ones_are_named(void **state)
{
    static const char *const required[] = {"E2B.ApiKey", "Zendesk.BaseUrl",
                                           "Linear.ApiKey", "Linear.Team"};

    (void)state;
    for (size_t i = 0; i < 4; i++) {
        char text[1024], says[64];
        char *line;

        snprintf(text, sizeof(text), "%s", MINIMUM);
        line = strstr(text, required[i]);
        line[0] = '#';
        snprintf(says, sizeof(says), "%s: is missing", required[i]);
        refused_text(text, says);
    }
    refused_text("", "E2B.ApiKey: is missing");
    refused("Linear.ApiKey =\n", "Linear.ApiKey: is missing");
    refused("Database.Host = db\n",
            "Database.Socket or Database.Host: expected one of them");
    refused("Database.Socket =\n",
            "Database.Socket or Database.Host: expected one of them");
}

static void values_out_of_range_say_what_is_expected(void **state)
{
    static const struct {
        const char *line, *says;
    } cases[] = {
        {"Web.Responders = 0",
         "Web.Responders: expected a whole number from 1 to 64, found \"0\""                           },
        {"Web.Responders = 65",                             "from 1 to 64"                             },
        {"Web.Responders = four",                           "found \"four\""                           },
        {"Web.Responders = 4 # a few",                      "a comment has to be on a line of its own" },
        {"Web.Responders = 99999999999999999999",           "Web.Responders"                           },
        {"Web.RequestDeadline = 2.5",                       "Web.RequestDeadline: expected seconds"    },
        {"Agent.LeaseSeconds = -1",                         "Agent.LeaseSeconds"                       },
        {"Ledger.RetainDays = 0",                           "Ledger.RetainDays"                        },
        {"BasePath = casebook",                             "BasePath: expected a path"                },
        {"BasePath = /a b",                                 "BasePath"                                 },
        {"BasePath = /a/../b",                              "BasePath"                                 },
        {"BasePath = /a//b",                                "BasePath"                                 },
        {"BasePath = /<x>",                                 "BasePath"                                 },
        {"E2B.BaseUrl = api.e2b.app",                       "E2B.BaseUrl: expected an http(s) address" },
        {"E2B.BaseUrl = https://api.e2b.app?x=1",           "E2B.BaseUrl"                              },
        {"E2B.BaseUrl = https://user:pw@api.e2b.app",       "E2B.BaseUrl"                              },
        {"Zendesk.BaseUrl = http://acme.zendesk.com",
         "Zendesk.BaseUrl: expected an https"                                                          },
        {"Linear.BaseUrl = http://localhost.evil.example/",
         "Linear.BaseUrl: expected an https"                                                           },
        {"E2B.LogsPaging = sometimes",                      "auto, cursor or offset"                   },
        {"Linear.Team = SUP-1 x",                           "Linear.Team"                              },
        {"Linear.FileClasses = crashed,oom",                "Linear.FileClasses: expected a comma list"},
        {"Linear.FileClasses = undetermined",               "Linear.FileClasses"                       },
        {"Linear.MinConfidence = sure",                     "low, medium or high"                      },
        {"Log.Level = loud",                                "error, warn, info or debug"               },
        {"Database.Tls = perhaps",                          "yes or no"                                },
        {"Database.Port = 70000",                           "Database.Port"                            },
        {"Database.Name = a;b",                             "Database.Name"                            },
        {"Web.Socket = web.sock",                           "Web.Socket: expected the absolute path"   },
        {"Web.Templates = here",                            "Web.Templates"                            },
        {"Web.PublicUrl = support.example",                 "Web.PublicUrl"                            },
        {"Zendesk.Email = nobody",                          "Zendesk.Email: expected an email address" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char line[256];

        snprintf(line, sizeof(line), "%s\n", cases[i].line);
        refused(line, cases[i].says);
    }
}

static void http_is_for_this_machine(void **state)
{
    struct conf *c = load("Linear.BaseUrl = http://127.0.0.1:8080/graphql\n"
                          "Zendesk.BaseUrl = http://localhost:9/zendesk/\n"
                          "E2B.BaseUrl = http://e2b.internal:3000\n");

    (void)state;
    assert_string_equal(c->zendesk.base_url, "http://localhost:9/zendesk");
    assert_string_equal(c->e2b.base_url, "http://e2b.internal:3000");
    conf_free(c);
}

static void tls_is_on_for_another_machine(void **state)
{
    struct conf *c = load("Database.Socket =\nDatabase.Host = db.example\n");

    (void)state;
    assert_true(c->db.tls);
    assert_int_equal(c->db.port, 3306);
    conf_free(c);
    c = load("Database.Socket =\nDatabase.Host = db.example\nDatabase.Tls = no\n");
    assert_false(c->db.tls);
    conf_free(c);
    c = load("Database.Socket =\nDatabase.Host = 127.0.0.1\n");
    assert_false(c->db.tls);
    conf_free(c);
}

static void zendesk_takes_one_credential(void **state)
{
    struct conf *c;

    (void)state;
    c = load("Zendesk.ClientId =\nZendesk.ClientSecret =\nZendesk.OAuthToken = tok\n");
    assert_string_equal(c->zendesk.oauth_token, "tok");
    conf_free(c);
    c = load("Zendesk.ClientId =\nZendesk.ClientSecret =\nZendesk.Email = a@b.c\n"
             "Zendesk.ApiToken = tok\n");
    assert_string_equal(c->zendesk.email, "a@b.c");
    conf_free(c);
    refused("Zendesk.OAuthToken = tok\n", "found more than one");
    refused("Zendesk.ClientId =\nZendesk.ClientSecret =\n", "found none");
    refused("Zendesk.ClientSecret =\n", "Zendesk.ClientSecret: is missing; it goes with");
    refused("Zendesk.ClientId =\nZendesk.ClientSecret =\nZendesk.ApiToken = t\n",
            "Zendesk.Email: is missing");
}

static void broken_files_are_told_with_the_line(void **state)
{
    char where[96];

    (void)state;
    snprintf(where, sizeof(where), "%s:8: ", path); /* MINIMUM has 7 lines */
    refused("Web {\n  Responders = 4\n", where);
    refused("}\nWeb.Responders = 4\n", where);
    refused("Intake.Token << END\nabc\n", where);
    refused("Web.Responders : Agent.Workers\n", where);
    refused("#include \"other.hdf\"\n", where);
    refused("a..b = 1\n", where);
    refused("Web { Responders = 4 }\n", where);
    refused("just words\n", where);
    assert_null(conf_load("/nowhere/casebook.hdf", &err));
    assert_non_null(strstr(err.msg, "/nowhere/casebook.hdf: cannot be opened"));
    assert_null(conf_load("/tmp", &err));
    assert_non_null(strstr(err.msg, "/tmp: is not a file"));
    put(path, "A = 1\0B = 2\n", 12);
    assert_null(conf_load(path, &err));
    assert_non_null(strstr(err.msg, "NUL"));
}

static void secrets_are_in_no_message(void **state)
{
    static const char *const lines[] = {
        "E2B.ApiKey = sekret two\n",
        "E2B.ApiKey sekret\n",
        "E2B.ApiKey.sekret..x = sekret\n",
        "Linear.ApiKey = sekret \x01\n",
        "Zendesk.ClientSecret = sekret sekret\n",
        "Intake.Token = sekret\xff\xff\n",
        "E2B.WebhookSecret = sekret sekret\n",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        char text[1024];

        snprintf(text, sizeof(text), "%s%s", MINIMUM, lines[i]);
        assert_null(load_text(text));
        if (strstr(err.msg, "sekret") != NULL && strstr(lines[i], ".sekret") == NULL)
            fail_msg("%s", err.msg);
    }
}

struct shown {
    char text[8192];
};

static void show(const char *name, const char *value, void *ctx)
{
    struct shown *s = ctx;
    size_t n = strlen(s->text);

    snprintf(s->text + n, sizeof(s->text) - n, "%s=%s\n", name, value);
}

static void what_is_shown_has_every_key_and_no_secret(void **state)
{
    struct shown s = {.text = ""};
    struct conf *c = load("Database.Password = db-secret\nE2B.MetadataKeys.1 = org\n"
                          "Web.RequestDeadline = 9\n");

    (void)state;
    conf_each(c, show, &s);
    assert_non_null(strstr(s.text, "BasePath=/casebook\nDatabase.Socket=/run/mysqld"));
    assert_non_null(strstr(s.text, "Database.Password=(set)\n"));
    assert_non_null(strstr(s.text, "E2B.ApiKey=(set)\n"));
    assert_non_null(strstr(s.text, "E2B.MetadataKeys.0=org\n"));
    assert_non_null(strstr(s.text, "E2B.WebhookSecret=(not set)\n"));
    assert_non_null(strstr(s.text, "Web.RequestDeadline=9\n"));
    assert_non_null(strstr(
        s.text, "Linear.FileClasses=out_of_memory,timeout,killed_early,crashed\n"));
    assert_non_null(strstr(s.text, "Log.Level=info\n"));
    assert_null(strstr(s.text, "-secret"));
    assert_null(strstr(s.text, KEY));
    assert_null(strstr(s.text, "lin_api_secret"));
    conf_free(c);
    conf_free(NULL);
}

static void the_environment_names_the_file(void **state)
{
    struct conf *c;

    (void)state;
    put(path, MINIMUM, strlen(MINIMUM));
    setenv("CASEBOOK_CONFIG", path, 1);
    c = conf_load(NULL, &err);
    assert_non_null(c);
    assert_string_equal(c->file, path);
    conf_free(c);
    unsetenv("CASEBOOK_CONFIG");
}

static int make_folder(void **state)
{
    (void)state;
    if (mkdtemp(folder) == NULL)
        return -1;
    snprintf(path, sizeof(path), "%s/casebook.hdf", folder);
    snprintf(value_path, sizeof(value_path), "%s/value", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_minimum_has_its_defaults),
        cmocka_unit_test(every_form_of_hdf_is_read),
        cmocka_unit_test(a_value_may_be_in_a_file),
        cmocka_unit_test(unknown_keys_are_named),
        cmocka_unit_test(missing_ones_are_named),
        cmocka_unit_test(values_out_of_range_say_what_is_expected),
        cmocka_unit_test(http_is_for_this_machine),
        cmocka_unit_test(tls_is_on_for_another_machine),
        cmocka_unit_test(zendesk_takes_one_credential),
        cmocka_unit_test(broken_files_are_told_with_the_line),
        cmocka_unit_test(secrets_are_in_no_message),
        cmocka_unit_test(what_is_shown_has_every_key_and_no_secret),
        cmocka_unit_test(the_environment_names_the_file),
    };

    return cmocka_run_group_tests_name("conf", tests, make_folder, remove_folder);
}
