/* Prints every GraphQL document that Casebook sends, as JSON: [{"operation": …, "text": …}, …]. */
#include <jansson.h>
#include <stdio.h>

#include "upstream/linear_documents.h"

#include "base/banned.h"

static void add(json_t *all, const struct linear_document *d)
{
    json_array_append_new(
        all, json_pack("{s:s, s:s}", "operation", d->operation, "text", d->text));
}

int main(void)
{
    json_auto_t *all = json_array();

    for (int i = 0; i < LDOC_COUNT; i++)
        add(all, linear_document((enum linear_document_id)i));
    for (int i = 0; i < LMUT_COUNT; i++)
        add(all, linear_mutation((enum linear_mutation_id)i));
    return json_dumpf(all, stdout, JSON_INDENT(1));
}
