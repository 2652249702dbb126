/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes baselines, and drops the findings that one has.
 */
#define _POSIX_C_SOURCE 200809L

#include "baseline.h"

#include "lines.h"
#include "output.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS = 5, MOST_TEXT = 400 };

/* Append a place, whose key is taken, and freed on failure. */
static bl_status add_place(struct baseline *places, struct place place)
{
    if (place.key && places->count == places->room) {
        const size_t room = 2 * places->room + 64;
        struct place *const at = realloc(places->at, room * sizeof *at);

        if (!at) {
            free(place.key);
            place.key = NULL;
        } else {
            places->at = at;
            places->room = room;
        }
    }
    if (!place.key)
        return bl_error_set(BL_ERR_MEMORY, "no memory for a baseline");
    places->at[places->count++] = place;
    return BL_OK;
}

void baseline_free(struct baseline *places)
{
    for (size_t k = 0; k < places->count; k++)
        free(places->at[k].key);
    free(places->at);
    *places = (struct baseline){.count = 0};
}

static int compare_places(const void *left, const void *right)
{
    const struct place *const a = left, *const b = right;
    const int order = strcmp(a->key, b->key);

    return order ? order : (a->line > b->line) - (a->line < b->line);
}

static void sort_places(struct baseline *places)
{
    if (places->count > 0)
        qsort(places->at, places->count, sizeof *places->at, compare_places);
}

/* ---- places of findings ---- */

/*
 * Copy a text with single blanks, without those at its ends and without other control
 * characters, cut to `size` bytes.
 */
static void normalise(const char *text, char *to, size_t size)
{
    char *const start = to, *const end = to + size - 1;

    for (; *text != '\0' && to < end; text++)
        if (!isspace((unsigned char)*text))
            *to++ = iscntrl((unsigned char)*text) ? '?' : *text;
        else if (to > start && to[-1] != ' ')
            *to++ = ' ';
    while (to > start && to[-1] == ' ')
        to--;
    *to = '\0';
}

/* Read the text of a finding's line; "" where the file cannot be read or is shorter. */
static void read_source(const struct finding *finding, char text[MOST_TEXT])
{
    FILE *const file = finding->file[0] != '\0' ? fopen(finding->file, "r") : NULL;
    char *line = NULL;
    size_t room = 0;
    int64_t number = 0;

    text[0] = '\0';
    while (file && number < finding->line && getline(&line, &room, file) >= 0)
        if (++number == finding->line)
            normalise(line, text, MOST_TEXT);
    free(line);
    if (file)
        fclose(file);
    else if (finding->file[0] != '\0')
        fail("the baseline has line %" PRId64 " of %s without its text: %s",
             finding->line, finding->file, strerror(errno));
}

/* The key of a finding's place; NULL without memory. */
static char *key_of(const struct finding *finding)
{
    const char *const path = finding->file[0] != '\0' ? finding->file : finding->module;
    const char *const slash = strrchr(path, '/');
    char name[256], caller[256], operation[64], text[MOST_TEXT], *key;
    size_t size;

    normalise(slash ? slash + 1 : path, name, sizeof name);
    normalise(finding->caller, caller, sizeof caller);
    normalise(finding->function, operation, sizeof operation);
    read_source(finding, text);
    size = strlen(name) + strlen(caller) + strlen(operation) + strlen(text) + 32;
    key = malloc(size);
    if (key)
        snprintf(key, size, "%s\t%s\t%s\t%s\t%s", name, caller,
                 risk_names[finding->risk], operation, text);
    return key;
}

/* Find the places of all findings, sorted. Free them in any case. */
static bl_status find_places(const struct findings *findings, struct baseline *places)
{
    for (size_t k = 0; k < findings->count; k++)
        TRY(add_place(places, (struct place){.key = key_of(&findings->at[k]),
                                             .line = findings->at[k].line,
                                             .index = k}));
    sort_places(places);
    return BL_OK;
}

/* The end of the places that are the same as the one at `k`. */
static size_t end_of(const struct baseline *places, size_t k)
{
    size_t end = k;

    while (end < places->count && strcmp(places->at[end].key, places->at[k].key) == 0)
        end++;
    return end;
}

/* ---- writing ---- */

bl_status baseline_write(const struct findings *findings, const char *path)
{
    struct baseline places = {.count = 0};
    bl_status status = find_places(findings, &places);
    struct output output;

    if (status == BL_OK)
        status = output_open(path, &output);
    if (status == BL_OK) {
        fputs("# file, function, risk, operation, text, count: broadloom(1)\n",
              output.file);
        for (size_t k = 0, end; k < places.count; k = end) {
            end = end_of(&places, k);
            fprintf(output.file, "%s\t%zu\n", places.at[k].key, end - k);
        }
        status = output_close(&output, BL_OK);
    }
    baseline_free(&places);
    return status;
}

/* ---- reading ---- */

/* Add a line of a baseline, which is modified. */
static bl_status add_line(void *places, char *line, int64_t number)
{
    struct place place = {.count = 0};
    char *tab = NULL;
    int tabs = 0;

    (void)number;
    if (line[0] == '\0' || line[0] == '#')
        return BL_OK;
    for (char *at = line; (at = strchr(at, '\t')); at++, tabs++)
        tab = at;
    if (tabs != FIELDS)
        return bl_error_set(BL_ERR_FORMAT, "not a line of a baseline: %d tabs, not %d",
                            tabs, FIELDS);
    *tab = '\0';
    TRY(parse_integer("a count", tab + 1, 1, INT32_MAX, &place.count));
    place.key = strdup(line);
    return add_place(places, place);
}

bl_status baseline_read(struct baseline *places, const char *path)
{
    TRY(lines_read(path, add_line, places));
    sort_places(places);
    return BL_OK;
}

/* ---- comparing ---- */

/* Free the findings that are marked, and close the gaps. */
static void drop_known(struct findings *findings, const bool *is_known)
{
    size_t kept = 0;

    for (size_t k = 0; k < findings->count; k++)
        if (is_known[k])
            finding_drop(&findings->at[k]);
        else
            findings->at[kept++] = findings->at[k];
    findings->known = (int64_t)(findings->count - kept);
    findings->count = kept;
}

/* Mark the findings that the baseline has; returns how many of its places are gone. */
static int64_t mark_known(const struct baseline *found, const struct baseline *baseline,
                          bool *is_known)
{
    int64_t gone = 0;
    size_t k = 0;

    for (size_t i = 0; i < baseline->count; i++) {
        const struct place *const known = &baseline->at[i];
        int64_t left = known->count;

        while (k < found->count && strcmp(found->at[k].key, known->key) < 0)
            k++;
        for (;
             left > 0 && k < found->count && strcmp(found->at[k].key, known->key) == 0;
             k++, left--)
            is_known[found->at[k].index] = true;
        gone += left;
    }
    return gone;
}

bl_status baseline_apply(const struct baseline *baseline, struct findings *findings)
{
    struct baseline found = {.count = 0};
    bool *const is_known = calloc(findings->count + 1, sizeof *is_known);
    bl_status status = is_known
                           ? find_places(findings, &found)
                           : bl_error_set(BL_ERR_MEMORY, "no memory for a baseline");

    if (status == BL_OK) {
        findings->has_baseline = true;
        findings->gone = mark_known(&found, baseline, is_known);
        drop_known(findings, is_known);
    }
    free(is_known);
    baseline_free(&found);
    return status;
}
