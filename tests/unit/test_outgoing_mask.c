/* Masking: what must go, what must stay, and texts made to break it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/text.h"
#include "outgoing/mask.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

static struct mask *mask;
static struct arena arena = ARENA_INIT;

static int set_up(void **state)
{
    (void)state;
    mask = mask_new();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    mask_free(mask);
    arena_release(&arena);
    return 0;
}

struct pair {
    const char *in, *out;
};

/* The keys are put together from two parts, so that no scanner takes this file for a leak. */
static const struct pair masked[] = {
    {"run eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl now",                          "run [token] now"                    },
    {"cut eyJhbGciOiJIUzI1NiJ9",                                                           "cut [token]"                        },
    {"sent Bearer abcDEF1234567890 ok",                                                    "sent Bearer [token] ok"             },
    {"sent Basic dXNlcjpwYXNzd29yZA== ok",                                                 "sent Basic [token] ok"              },
    {"Authorization: Bearer abc.def-123",                                                  "Authorization: [secret]"            },
    {"> authorization: token 0123456789abcdef",                                            "> authorization: [secret]"          },
    {"curl -H \"Authorization: Digest a, b\" http://h/",
     "curl -H \"Authorization: [secret]"                                                                                        },
    {"Cookie: a=1; sid=xyz; theme=dark",                                                   "Cookie: [secret]"                   },
    {"{\"Cookie\":\"sid=xyz\",\"n\":1}",                                                   "{\"Cookie\":[secret],\"n\":1}"      },
    {"db postgres://app:hunter2@db.local/x",                                               "db postgres://[password]@db.local/x"},
    {"db postgres://app:hun/t@er2@db.local/x",                                             "db postgres://[password]@db.local/x"},
    {"db redis://:hunter2@cache:6379/0",                                                   "db redis://[password]@cache:6379/0" },
    {"git https://0123456789abcdef0123@github.com/a/b",
     "git https://[password]@github.com/a/b"                                                                                    },
    {"get https://s3/x?X-Amz-Signature=abc123&n=1",
     "get https://s3/x?X-Amz-Signature=[key]&n=1"                                                                               },
    {"get https://h/x?n=1&token=abc#y",                                                    "get https://h/x?n=1&token=[key]"    },
    {"https://hooks.slack.com/services/T0/B0/xyz",
     "https://hooks.slack.com/services/[key]"                                                                                   },
    {"id AKIA"
     "IOSFODNN7EXAMPLE",                                                              "id [key]"                           },
    {"AIza"
     "SyA1234567890abcdefghijklmnopqrstuv!",                                          "[key]!"                             },
    {"sk-"
     "ant-api03-abcdefghij_klmnop",                                                   "[key]"                              },
    {"OPENAI=sk-"
     "proj-0123456789abcdefABCDEF",                                                   "OPENAI=[key]"                       },
    {"sk_"
     "live_0123456789abcdef",                                                         "[key]"                              },
    {"ghp_"
     "0123456789abcdefghijABCDEFGHIJ012345.",                                         "[key]."                             },
    {"github_"
     "pat_11ABCDEFG0_abcdefgh",                                                       "[key]"                              },
    {"glpat-"
     "abcdefgh12345678",                                                              "[key]"                              },
    {"xoxb-"
     "123456789-abcdef",                                                              "[key]"                              },
    {"hf_"
     "abcdefghijklmnopqrstuvwxyz",                                                    "[key]"                              },
    {"npm_"
     "0123456789abcdefghijklmnopqrstuvwxyz",                                          "[key]"                              },
    {"pypi-"
     "AgEIcHlwaS5vcmcCJDAwMDAw",                                                      "[key]"                              },
    {"lin_"
     "api_abcdEFGH1234",                                                              "[key]"                              },
    {"e2b_"
     "0123456789abcdef0123456789abcdef01234567",                                      "[key]"                              },
    {"e2b_"
     "demo0000000000000000000000000000000000",                                        "[key]"                              },
    {"SG."
     "abcdefghijklmnop.qrstuvwxyz012345",                                             "[key]"                              },
    {"gsk_"
     "abcdefghijklmnopqrstuvwx",                                                      "[key]"                              },
    {"PuTTY-User-Key-File-3: ssh-ed25519\nPrivate-Lines: 1\nAAAA\nPrivate-MAC: 0a1b\nend",
     "[private key]\nend"                                                                                                       },
    {"AGE-SECRET-"
     "KEY-1QQPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",                                        "[private key]"                      },
    {"shpat_"
     "0123456789abcdef0123456789abcdef",                                              "[key]"                              },
    {"sq0atp-"
     "0123456789abcdefABCDEF",                                                        "[key]"                              },
    {"key-"
     "0123456789abcdef0123456789abcdef",                                              "[key]"                              },
    {"0123456789abcdef0123456789abcdef"
     "-us12",                                                                         "[key]"                              },
    {"MTIzNDU2Nzg5MDEyMzQ1Njc4"
     ".Gabcde.0123456789abcdefghijklmnopqrs",                                         "[key]"                              },
    {"doo_v1_"
     "0123456789abcdef",                                                              "[key]"                              },
    {"HRKU-"
     "0123456789abcdef01",                                                            "[key]"                              },
    {"nfp_"
     "0123456789abcdefghij",                                                          "[key]"                              },
    {"sbp_"
     "0123456789abcdef01234567",                                                      "[key]"                              },
    {"pscale_tkn_"
     "0123456789abcdef",                                                              "[key]"                              },
    {"abc8Q~"
     "0123456789abcdefghijklmnopqrstuvw",                                             "[key]"                              },
    {"hvs."
     "0123456789abcdefghijkl",                                                        "[key]"                              },
    {"dp.pt."
     "0123456789abcdefghijkl",                                                        "[key]"                              },
    {"pul-"
     "0123456789abcdef0123456789abcdef01234567",                                      "[key]"                              },
    {"rubygems_"
     "0123456789abcdef0123456789abcdef0123456789abcdef",                              "[key]"                              },
    {"PMAK-"
     "0123456789abcdef01234567-0123",                                                 "[key]"                              },
    {"ATATT"
     "3xFfGF0123456789abcdef",                                                        "[key]"                              },
    {"glsa_"
     "0123456789abcdefghijkl_12345678",                                               "[key]"                              },
    {"sntrys_"
     "eyJpYXQiOjE3MDAwMDAwMDB9",                                                      "[key]"                              },
    {"NRAK-"
     "0123456789ABCDEFGH",                                                            "[key]"                              },
    {"dapi"
     "0123456789abcdef0123456789abcdef",                                              "[key]"                              },
    {"lsv2_pt_"
     "0123456789abcdef01234567_0123",                                                 "[key]"                              },
    {"pcsk_"
     "0123456789abcdefghijkl",                                                        "[key]"                              },
    {"tvly-"
     "0123456789abcdefgh",                                                            "[key]"                              },
    {"ntn_"
     "0123456789abcdefghijkl",                                                        "[key]"                              },
    {"figd_"
     "0123456789abcdefghijkl",                                                        "[key]"                              },
    {"key: 0f3aC9d8e7b6a5f4e3d2c1b0",                                                      "key: [secret]"                      },
    {"\"salt\": \"Zm9vYmFyMTIzNDU2Nzg5MA==\"",                                             "\"salt\": \"[secret]\""             },
    {"cache_sid=s3cr3ts3cr3ts3cr3ts3cr3t",                                                 "cache_sid=[secret]"                 },
    {"password=hunter2 next",                                                              "password=[secret] next"             },
    {"PGPASSWORD='two words' psql",                                                        "PGPASSWORD=[secret] psql"           },
    {"db_password: hunter2,more;end",                                                      "db_password: [secret]"              },
    {"\"password\": \"say \\\"it\\\" now\", \"n\": 2",
     "\"password\": [secret], \"n\": 2"                                                                                         },
    {"{\\\"password\\\":\\\"hunter2\\\",\\\"n\\\":2}",
     "{\\\"password\\\":[secret],\\\"n\\\":2}"                                                                                  },
    {"password=\"cut in the midd",                                                         "password=[secret]"                  },
    {"os.environ['API_KEY'] = 'abc'",                                                      "os.environ['API_KEY'] = [secret]"   },
    {"apiKey: abcdef",                                                                     "apiKey: [secret]"                   },
    {"{secretKey => 'abc'}",                                                               "{secretKey => [secret]}"            },
    {"AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG",                                        "AWS_SECRET_ACCESS_KEY=[secret]"     },
    {"AccountName=x;AccountKey=abc/def==;",                                                "AccountName=x;AccountKey=[secret]"  },
    {"\"secrets\": [\"abc\", \"def\"]",                                                    "\"secrets\": [secret]"              },
    {"token=abcdef",                                                                       "token=[secret]"                     },
    {"accessToken: 'abc def'",                                                             "accessToken: [secret]"              },
    {"access_token: 3f9aC0",                                                               "access_token: [secret]"             },
    {"session_id=81f3ac",                                                                  "session_id=[secret]"                },
    {"Sentry DSN: https9f3a",                                                              "Sentry DSN: [secret]"               },
    {"pwd: hunter2",                                                                       "pwd: [secret]"                      },
    {"SIGNING_KEY=abcdef99",                                                               "SIGNING_KEY=[secret]"               },
    {"MY_APP_KEY=abcdef99",                                                                "MY_APP_KEY=[secret]"                },
    {"<db:password type=\"x\">hunter2</db:password>",
     "<db:password type=\"x\">[secret]</db:password>"                                                                           },
    {"tool --password hunter2 --verbose",                                                  "tool --password [secret] --verbose" },
    {"tool --api-key=abc --auth-token \"x y\" z",
     "tool --api-key=[secret] --auth-token [secret] z"                                                                          },
    {"curl -u ann:hunter2 http://h",                                                       "curl -u [secret] http://h"          },
    {"mysql -h db -phunter2 shop",                                                         "mysql -h db -p[secret] shop"        },
    {"sshpass -p hunter2 ssh h",                                                           "sshpass -p [secret] ssh h"          },
    {"from ann+qa@example.co.uk, sent",                                                    "from [email], sent"                 },
    {"<j\xC3\xB6rg.m\xC3\xBCller@b\xC3\xBC"
     "cher.example>",                                                                 "<[email]>"                          },
    {"peer 203.0.113.7:8080 closed",                                                       "peer [ip]:8080 closed"              },
    {"peer 203.0.113.7.",                                                                  "peer [ip]."                         },
    {"http://203.0.113.7/x",                                                               "http://[ip]/x"                      },
    {"::ffff:203.0.113.7",                                                                 "::ffff:[ip]"                        },
    {"at 2001:db8::1 and fe80::1%eth0",                                                    "at [ip] and [ip]%eth0"              },
    {"2001:0db8:0000:0000:0000:ff00:0042:8329,",                                           "[ip],"                              },
    {"net 2001:db8::/32",                                                                  "net [ip]/32"                        },
};

static void secrets_are_masked(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof masked / sizeof masked[0]; i++) {
        size_t count = 0;

        assert_string_equal(mask_text(mask, &arena, masked[i].in, &count), masked[i].out);
        assert_true(count > 0);
    }
}

/* Masking twice changes nothing more: a mark is no secret. */
static void marks_stay(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof masked / sizeof masked[0]; i++)
        assert_string_equal(mask_text(mask, &arena, masked[i].out, NULL), masked[i].out);
}

static const char *const kept[] = {
    "",
    "Python 3.11.4, node v18.19.0, version 1.2.3.4 of it, foo==1.2.3.4",
    "10.2.0 and 1.2.3 and 1.2.3.4.5 and 999.1.1.1 and 1.2.3.256",
    "the token expired before the request",
    "SyntaxError: Unexpected token } in JSON at position 4",
    "Unexpected token: <",
    "invalid token: please log in again",
    "the session: closed by peer",
    "max_tokens: 100, max_tokens=4096, token_count: 1234, completion_tokens: 17",
    "tokenizer: bert-base-uncased",
    "author: Jane, compass: north, passed: 300, bypass=yes",
    "auth=true token: null",
    "PWD=/home/user/app OLDPWD=/tmp pwd: ./x",
    "basic authentication failed; Basic functions follow; bearer certificates",
    "/usr/local/lib/python3.11/site-packages/session/token.py:12",
    "mkdir -p /tmp/jobs/a && docker run -p 8080:80 -u 1000:1000 x",
    "tool --max-tokens 100 --token-limit 5",
    "commit 4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "9f8e7d6c-5b4a-4938-8271-605f4e3d2c1b",
    "i7q2m0xk4v9d1c8b3zt5e",
    "cbk3b9c51e07d2a4f6018ce77aa",
    "12:34:56 14:02:58.214 2026-11-24T14:02:58Z +01:00",
    "a[1::2] std::vector<int> foo42::bar ::1",
    "left-pad@1.3.0 numpy@1.26.4 user@host",
    "http://localhost:8080/x?page=2&q=a",
    "http://localhost:8080/@user",
    "hf_transfer and hf_hub_download, npm_config_cache",
    "Process exited with exit code 137",
    "key: value; primary key (id)",
    ("key: /usr/local/lib/python3.11/site-packages, seed: 42, nonce: "
     "12345678901234567890123"),
    "sort key: created_at_desc_and_then_by_name",
    "e2b_code_interpreter",
};

static void other_texts_stay(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++) {
        size_t count = 0;

        assert_string_equal(mask_text(mask, &arena, kept[i], &count), kept[i]);
        assert_int_equal(count, 0);
    }
}

static void count_adds_up(void **state)
{
    size_t count = 3;

    (void)state;
    assert_string_equal(
        mask_text(mask, &arena, "a@b.example c@d.example 203.0.113.7", &count),
        "[email] [email] [ip]");
    assert_int_equal(count, 6);
}

#define BEGIN                                                                            \
    "-----BEGIN RSA PRIVATE "                                                            \
    "KEY-----"
#define END                                                                              \
    "-----END RSA PRIVATE "                                                              \
    "KEY-----"

static void private_key_goes_whole(void **state)
{
    (void)state;
    assert_string_equal(
        mask_text(mask, &arena, "a\n" BEGIN "\nMIIEow\nIBAAKC\n" END "\nb", NULL),
        "a\n[private key]\nb");
    /* its end, or its start, is not in the text */
    assert_string_equal(mask_text(mask, &arena, "a\n" BEGIN "\nMIIEow\nIBAAKC", NULL),
                        "a\n[private key]");
    assert_string_equal(mask_text(mask, &arena, "MIIEow\nIBAAKC\n" END "\nb", NULL),
                        "[private key]\nb");
    /* two of them: what lies between stays */
    assert_string_equal(
        mask_text(mask, &arena, BEGIN "x" END " mid " BEGIN "y" END, NULL),
        "[private key] mid [private key]");
}

/* No part of a secret may be left, whatever stands around it. */
static void no_part_is_left(void **state)
{
    static const char *const around[][2] = {
        {"password=\"",            "\""       },
        {"password='",             "'"        },
        {"password: ",             "\n"       },
        {"\"token\":\"",           "\"}"      },
        {"--password ",            " -v"      },
        {"db://u:",                "@h/"      },
        {"TOKEN=",                 ""         },
        {"<secret>",               "</secret>"},
        {"Authorization: Bearer ", ""         },
        {"{\\\"secret\\\":\\\"",   "\\\"}"    },
    };
    static const char secret[] = "Zq7,X;y&W{v}U(t)S/r+P.o_N-m%L$k*J!h";

    (void)state;
    for (size_t i = 0; i < sizeof around / sizeof around[0]; i++) {
        char *in = arena_fmt(&arena, "before %s%s%s", around[i][0], secret, around[i][1]);
        char *out = mask_text(mask, &arena, in, NULL);

        for (size_t k = 0; secret[k + 3]; k++) {
            char part[5] = {secret[k], secret[k + 1], secret[k + 2], secret[k + 3], 0};

            if (strstr(out, part))
                fail_msg("\"%s\" is left in \"%s\"", part, out);
        }
        assert_non_null(strstr(out, "before "));
    }
}

static char *repeated(const char *unit, size_t bytes)
{
    size_t n = strlen(unit);
    char *s = arena_alloc(&arena, bytes + n + 1);

    for (size_t at = 0; at < bytes; at += n)
        memcpy(s + at, unit, n);
    s[bytes] = '\0';
    return s;
}

/* Each is 256 KiB made to make some form look again and again. */
static void hostile_texts_come_back(void **state)
{
    static const char *const units[] = {
        "a",
        "a@",
        "a.b@c.d.",
        "password",
        "password=",
        "password=\"x",
        "\\\"",
        "eyJ",
        "a://b:",
        "a://",
        "1.1.1.",
        "1:1:",
        "::",
        "f::",
        "Bearer ",
        "bearer aaaaaaa",
        "-----BEGIN PRIVATE KEY-----",
        "-----BEGIN ",
        "mysql ",
        "mysql -",
        "<password ",
        "token:",
        "token\t\t\t",
        "session ",
        "sk-",
        "?key=",
        "cookie",
        "a_KEY=",
        "A_KEY=\"",
        "--a-a-a-",
        "-u a",
        "secret\\\\\\\\",
        "\xC3\xA9@",
        "[\"",
        "secrets=[",
    };

    (void)state;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        struct arena a = ARENA_INIT;
        char *in = repeated(units[i], 256u << 10);
        char *out = mask_text(mask, &a, in, NULL);

        assert_true(text_is_utf8(out, strlen(out)));
        arena_release(&a);
        arena_reset(&arena);
    }
}

/* An ordinary long log is not withheld, and a secret in its middle is found. */
static void long_log_is_checked(void **state)
{
    char *log = repeated("14:02:58 GET /items/17 200 in 12 ms, user agent curl/8.1\n",
                         250u << 10);
    char *out;

    (void)state;
    memcpy(log + (100u << 10), " password=hunter2 ", 18);
    out = mask_text(mask, &arena, log, NULL);
    assert_non_null(strstr(out, " password=[secret] "));
    assert_null(strstr(out, "hunter2"));
    assert_non_null(strstr(out + (200u << 10), "GET /items/17"));
    arena_reset(&arena);
}

/* Over the bound: cut, and not through the middle of a key. */
static void over_long_text_is_cut_before_a_word(void **state)
{
    size_t bound = 256u << 10;
    char *in = arena_alloc(&arena, bound + 100), *out;

    (void)state;
    memset(in, 'x', bound + 50);
    memcpy(in + bound - 12,
           " ghp_"
           "0123456789abcdef0123456789",
           31);
    out = mask_text(mask, &arena, in, NULL);
    assert_true(strlen(out) <= bound);
    assert_null(strstr(out, "ghp_"));
    arena_reset(&arena);
}

static void bad_utf8_is_no_danger(void **state)
{
    char *out =
        mask_text(mask, &arena, "a\xFFz password=\xC3 \xF0\x9F ann@example.org", NULL);

    (void)state;
    assert_true(text_is_utf8(out, strlen(out)));
    assert_non_null(strstr(out, "[secret]"));
    assert_non_null(strstr(out, "[email]"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(secrets_are_masked),
        cmocka_unit_test(marks_stay),
        cmocka_unit_test(other_texts_stay),
        cmocka_unit_test(count_adds_up),
        cmocka_unit_test(private_key_goes_whole),
        cmocka_unit_test(no_part_is_left),
        cmocka_unit_test(hostile_texts_come_back),
        cmocka_unit_test(long_log_is_checked),
        cmocka_unit_test(over_long_text_is_cut_before_a_word),
        cmocka_unit_test(bad_utf8_is_no_danger),
    };

    return cmocka_run_group_tests_name("agent: mask", tests, set_up, tear_down);
}
