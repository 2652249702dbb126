/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes what a shadow run found at a place: in the table, and as an object of JSON,
 * which is a property of the result in SARIF.
 */
#include "shadow_write.h"

#include "reads.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool findings_have_shadows(const struct findings *findings)
{
    for (size_t k = 0; k < findings->count; k++)
        if (findings->at[k].shadow.compared > 0)
            return true;
    return false;
}

/* How elements left the library, in words. */
static const char *verb_of(const struct read *read)
{
    return strcmp(read->how, "data") == 0   ? "address taken"
           : strcmp(read->how, "item") == 0 ? "read"
                                            : "saved";
}

static void print_reads(const struct shadow *shadow, FILE *file)
{
    const char *at = shadow->reads;
    char place[READ_SIZE];
    struct read read;

    while (reads_next(&at, &read)) {
        reads_place(&read, place, sizeof place);
        fprintf(file, "%17s  %s at %s, %" PRId64 " %s\n", "", verb_of(&read), place,
                read.count, read.count == 1 ? "time" : "times");
    }
    if (reads_has_more(shadow->reads))
        fprintf(file, "%17s  and at other places\n", "");
}

void shadow_print(const struct finding *finding, FILE *file)
{
    const struct shadow *const shadow = &finding->shadow;

    if (shadow->compared == 0) {
        if (finding->risk == RISK_VALUE)
            fprintf(file, "%17s  not computed both ways\n", "");
        return;
    }
    fprintf(file,
            "%17s  both ways: %" PRId64 " of %" PRId64 " elements differ, in %" PRId64
            " of %" PRId64 " %s\n",
            "", shadow->differ, shadow->elements, shadow->unequal, shadow->compared,
            shadow->compared == 1 ? "call" : "calls");
    if (shadow->differ == 0)
        return;
    fprintf(file, "%17s  by at most %.6g, relatively %.3g, %" PRId64 " ULP", "",
            shadow->max_abs, shadow->max_rel, shadow->max_ulp);
    if (shadow->not_finite > 0)
        fprintf(file, "; %" PRId64 " not finite", shadow->not_finite);
    fprintf(file, "\n%17s  %" PRId64 " more %s computed from them\n", "",
            shadow->spread, shadow->spread == 1 ? "result was" : "results were");
    print_reads(shadow, file);
    if (shadow->forgotten > 0)
        fprintf(file, "%17s  %" PRId64 " results were followed no longer\n", "",
                shadow->forgotten);
}

static void write_read(struct json *json, const struct read *read)
{
    const char *const colon = strrchr(read->place, ':');
    char place[READ_SIZE];

    reads_place(read, place, sizeof place);
    json_open(json, NULL, '{');
    json_string(json, "how", read->how);
    json_string(json, "place", place);
    if (colon && strspn(colon + 1, "0123456789") == strlen(colon + 1)) {
        snprintf(place, sizeof place, "%.*s", (int)(colon - read->place), read->place);
        json_string(json, "file", place);
        json_integer(json, "line", strtoll(colon + 1, NULL, 10));
    }
    json_integer(json, "count", read->count);
    json_close(json, '}');
}

void shadow_write_json(struct json *json, const struct finding *finding)
{
    const struct shadow *const shadow = &finding->shadow;
    const char *at = shadow->reads;
    struct read read;

    if (shadow->compared == 0)
        return;
    json_open(json, "shadow", '{');
    json_integer(json, "compared", shadow->compared);
    json_integer(json, "unequal", shadow->unequal);
    json_integer(json, "elements", shadow->elements);
    json_integer(json, "differ", shadow->differ);
    json_integer(json, "not_finite", shadow->not_finite);
    json_real(json, "max_abs", shadow->max_abs);
    json_real(json, "max_rel", shadow->max_rel);
    json_integer(json, "max_ulp", shadow->max_ulp);
    json_integer(json, "spread", shadow->spread);
    json_integer(json, "forgotten", shadow->forgotten);
    json_open(json, "reads", '[');
    while (reads_next(&at, &read))
        write_read(json, &read);
    json_close(json, ']');
    json_boolean(json, "more_reads", reads_has_more(shadow->reads));
    json_close(json, '}');
}
