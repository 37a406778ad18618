/*
 * The templates: every file of Web.Templates that ends in ".cs" is parsed at start, once, and rendered
 * many times. A file that cannot be parsed stops the start, with its name and line.
 *
 * WHICH FILE IS WHAT goes by its name:
 *
 *   macros.cs    macro definitions only. It is read in front of every other template, so that all of
 *                them may `call:` its macros and none includes it. When it grows, it does
 *                include!"macros_glyphs.cs" and so on: any number of macros_*.cs. Macros are defined
 *                nowhere else (a second definition of a name is a parse error).
 *   layout.cs    the frame: doctype, bar, strip, foot. It holds <?cs include!Page.Template ?> once,
 *                where the page goes: each page is parsed as this file with that page in it.
 *   _NAME.cs     a fragment: rendered without the frame, by resp_fragment(rq, rs, "_NAME.cs"). A page
 *                shows the same thing with <?cs include!"_NAME.cs" ?>, from the same data.
 *   NAME.cs      a page: rendered inside the frame, by resp_page(rq, rs, "NAME.cs", ...).
 *                error.cs must be there (respond.c renders it).
 *                Each page and fragment has its data for tests in tests/tpl/NAME.hdf (tests/tpl/_NAME.hdf):
 *                rich enough that every branch is shown; all of its values are poisoned in turn.
 *   static/      style sheets, scripts, pictures: served by nginx, not by us. Page.StaticVersion is
 *                a digest of them all: <?cs var:Page.Base ?>/static/casebook.css?v=<?cs
 *                var:Page.StaticVersion ?>
 *
 * WHAT A TEMPLATE MAY SAY (anything else is refused at start, with file and line; the reasons are
 * in the comment of tpl_lint.c):
 *
 *   commands   var if elif else /if each /each with /with loop /loop def /def call set
 *              include!"file.cs" include!Page.Template and <?cs # a comment ?>
 *              Not: include: alt: name: evar: uvar: escape: linclude: lvar:
 *   functions  ClearSilver's own subcount, name, first, last, len, string.slice, abs, max, min; and ours,
 *              whose results are escaped like any other value:
 *     url_escape(x)    percent-encoding for one part of a path, or one value of a query
 *     url_validate(x)  x when it is http://, https://, mailto:, or begins with '/', '#' or '?';
 *                      "#" otherwise. For every href, src and action that begins with a value other
 *                      than Page.Base, wherever the value came from (a test looks).
 *
 * Values are HTML-escaped by default in text and in quoted attributes; always quote attributes. There is
 * no unescaped output, hence no inline script; the Content-Security-Policy forbids inline scripts, <style>
 * and style="" too: use classes, and SVG presentation attributes. Data for scripts goes into data-*.
 *
 * Of numbers: template arithmetic is 32-bit; compare and compute in C. False are: missing, "" and "0".
 *
 * NAMES that are always there (respond.h resp_page and resp_fragment):
 *   Page.Title, Page.Nav (tickets, sandboxes, investigations or nothing), Page.Base (prefix of every link,
 *   "" or "/casebook"), Page.User, Page.Csrf (the value of a form's hidden field `csrf`),
 *   Page.RequestId, Page.Now.Iso and .Text, Page.StaticVersion, Page.Version.
 *   error.cs: Error.Status ("404"), Error.Title, Error.Text, and Error.CanRetry when the same address may
 *   work later: a link with href="" says "Try again". The number of the request is Page.RequestId.
 */
#ifndef CASEBOOK_WEB_TPL_H
#define CASEBOOK_WEB_TPL_H

#include "base/err.h"
#include "base/sbuf.h"
#include "web/cs.h"
#include <stddef.h>

struct tpl_set;

/* The longest page; a longer one is ERR_INTERNAL. */
#define TPL_MAX_PAGE ((size_t)8 << 20)

/* All templates of the folder. NULL with err (ERR_INPUT; names file and line) on any fault. */
struct tpl_set *tpl_load(const char *folder, struct err *err);
void tpl_free(struct tpl_set *set);

/* 12 hex digits that change with the content of static/. */
const char *tpl_static_version(const struct tpl_set *set);

/* The names of the pages and fragments, for tests: NULL when i is too large. */
const char *tpl_name(const struct tpl_set *set, size_t i);

/*
 * A new HDF with the escaping mode in it. Every HDF that is rendered comes from here. Free it with
 * hdf_destroy().
 */
HDF *tpl_hdf(void);

/*
 * Render a page or fragment with the data of hdf, appended to out (leading white space dropped).
 * ERR_INTERNAL when there is no such template, rendering fails, or out is full.
 */
int tpl_render(const struct tpl_set *set, const char *name, HDF *hdf, struct sbuf *out,
               struct err *err);

/* Frees a ClearSilver error and turns it into an err (ERR_INTERNAL). */
int tpl_err(struct err *err, NEOERR *ne);

/* Checks one template's text against the rules above; folder is where includes are looked for. */
int tpl_lint(const char *folder, const char *name, const char *text, struct err *err);

#endif
