/*
 * The table of settings (design.md section 3), in the order in which they are shown.
 */
#include "sys/conf_item.h"

#include "base/banned.h"

#ifndef CASEBOOK_TEMPLATES
#define CASEBOOK_TEMPLATES "/usr/share/casebook/cs-templates"
#endif
#define SOCKET_PATH_MAX 107 /* sun_path */
#define AT(member) offsetof(struct conf, member)
#define NUMBER "a whole number"

/* clang-format off */
const struct conf_item conf_items[] = {
    {"BasePath", conf_set_base_path, conf_show_text, AT(base_path),
     "/casebook", 0, 200, CONF_EMPTY_OK, "a path like /casebook, or nothing for /"},
    {"Database.Socket", conf_set_path, conf_show_text, AT(db.socket),
     NULL, 0, SOCKET_PATH_MAX, 0, "the absolute path of a socket, at most 107 bytes"},
    {"Database.Host", conf_set_word, conf_show_text, AT(db.host),
     NULL, 1, 255, 0, "a host name"},
    {"Database.Port", conf_set_number, conf_show_number, AT(db.port),
     "3306", 1, 65535, 0, NUMBER},
    {"Database.Tls", conf_set_yes_no, conf_show_yes_no, AT(db.tls),
     NULL, 0, 0, 0, "yes or no"},
    {"Database.Name", conf_set_identifier, conf_show_text, AT(db.name),
     "casebook", 1, 64, 0, "a database name (letters, digits, _ and -)"},
    {"Database.User", conf_set_word, conf_show_text, AT(db.user),
     "casebook", 1, 128, 0, "a user name"},
    {"Database.Password", conf_set_password, conf_show_text, AT(db.password),
     NULL, 0, 1024, CONF_SECRET | CONF_EMPTY_OK, "text of at most 1024 bytes"},
    {"E2B.BaseUrl", conf_set_url, conf_show_text, AT(e2b.base_url),
     "https://api.e2b.app", 0, 500, 0, "an http(s) address without query"},
    {"E2B.ApiKey", conf_set_word, conf_show_text, AT(e2b.api_key),
     NULL, 8, 512, CONF_SECRET | CONF_REQUIRED,
     "a key of 8 to 512 characters without blanks"},
    {"E2B.LogsPaging", conf_set_paging, conf_show_paging, AT(e2b.logs_paging),
     "auto", 0, 0, 0, "auto, cursor or offset"},
    {"E2B.WebhookSecret", conf_set_word, conf_show_text, AT(e2b.webhook_secret),
     NULL, 8, 512, CONF_SECRET, "a secret of 8 to 512 characters without blanks"},
    {"Zendesk.BaseUrl", conf_set_https_url, conf_show_text, AT(zendesk.base_url),
     NULL, 0, 500, CONF_REQUIRED,
     "an https address like https://acme.zendesk.com (http only for this machine)"},
    {"Zendesk.ClientId", conf_set_word, conf_show_text, AT(zendesk.client_id),
     NULL, 1, 255, 0, "an OAuth client's identifier without blanks"},
    {"Zendesk.ClientSecret", conf_set_word, conf_show_text, AT(zendesk.client_secret),
     NULL, 1, 1024, CONF_SECRET, "an OAuth client's secret without blanks"},
    {"Zendesk.OAuthToken", conf_set_word, conf_show_text, AT(zendesk.oauth_token),
     NULL, 1, 2000, CONF_SECRET, "an OAuth access token without blanks"},
    {"Zendesk.Email", conf_set_email, conf_show_text, AT(zendesk.email),
     NULL, 3, 255, 0, "an email address"},
    {"Zendesk.ApiToken", conf_set_word, conf_show_text, AT(zendesk.api_token),
     NULL, 1, 1024, CONF_SECRET, "an API token without blanks"},
    {"Linear.BaseUrl", conf_set_https_url, conf_show_text, AT(linear.base_url),
     "https://api.linear.app/graphql", 0, 500, 0,
     "an https address (http only for this machine)"},
    {"Linear.ApiKey", conf_set_word, conf_show_text, AT(linear.api_key),
     NULL, 8, 512, CONF_SECRET | CONF_REQUIRED,
     "a key of 8 to 512 characters without blanks"},
    {"Linear.Team", conf_set_identifier, conf_show_text, AT(linear.team),
     NULL, 1, 32, CONF_REQUIRED, "a team key like SUP"},
    {"Linear.FileClasses", conf_set_classes, conf_show_classes, AT(linear.file_class),
     "out_of_memory,timeout,killed_early,crashed", 0, 0, CONF_EMPTY_OK,
     "a comma list of out_of_memory, timeout, killed_early, crashed"},
    {"Linear.MinConfidence", conf_set_confidence, conf_show_confidence,
     AT(linear.min_confidence), "low", 0, 0, 0, "low, medium or high"},
    {"Linear.CommentOccurrences", conf_set_yes_no, conf_show_yes_no,
     AT(linear.comment_occurrences), "no", 0, 0, 0, "yes or no"},
    {"Web.Socket", conf_set_path, conf_show_text, AT(web.socket),
     "/run/casebook/web.sock", 0, SOCKET_PATH_MAX, 0,
     "the absolute path of a socket, at most 107 bytes"},
    {"Web.Responders", conf_set_number, conf_show_number, AT(web.responders),
     "4", 1, 64, 0, NUMBER},
    {"Web.MaxRequests", conf_set_number, conf_show_number, AT(web.max_requests),
     "1000", 1, 1000000, 0, NUMBER},
    {"Web.RequestDeadline", conf_set_number, conf_show_number, AT(web.deadline_ms),
     "25", 1, 300, CONF_SECONDS_TO_MS, "seconds, a whole number"},
    {"Web.Templates", conf_set_path, conf_show_text, AT(web.templates),
     CASEBOOK_TEMPLATES, 0, 1000, 0, "the absolute path of the folder of templates"},
    {"Web.PublicUrl", conf_set_url, conf_show_text, AT(web.public_url),
     NULL, 0, 500, 0, "the http(s) address under which people reach Casebook"},
    {"Agent.Workers", conf_set_number, conf_show_number, AT(agent.workers),
     "2", 1, 32, 0, NUMBER},
    {"Agent.Lock", conf_set_path, conf_show_text, AT(agent.lock),
     "/run/casebook/agent.lock", 0, 1000, 0, "the absolute path of a lock file"},
    {"Agent.LeaseSeconds", conf_set_number, conf_show_number, AT(agent.lease_s),
     "120", 1, 3600, 0, "seconds, a whole number"},
    {"Agent.MaxAttempts", conf_set_number, conf_show_number, AT(agent.max_attempts),
     "8", 1, 100, 0, NUMBER},
    {"Agent.MaxAgeHours", conf_set_number, conf_show_number, AT(agent.max_age_h),
     "24", 1, 720, 0, "hours, a whole number"},
    {"Ledger.RetainDays", conf_set_number, conf_show_number, AT(ledger_retain_days),
     "90", 1, 3650, 0, NUMBER},
    {"Intake.Token", conf_set_word, conf_show_text, AT(intake_token),
     NULL, 8, 512, CONF_SECRET, "a token of 8 to 512 characters without blanks"},
    {"Log.Level", conf_set_severity, conf_show_severity, AT(log_level),
     "info", 0, 0, 0, "error, warn, info or debug"},
};
/* clang-format on */

const size_t conf_item_count = sizeof(conf_items) / sizeof(conf_items[0]);
