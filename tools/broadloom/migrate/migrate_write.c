/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes findings as a table and as JSON.
 */
#define _POSIX_C_SOURCE 200809L

#include "suggestions.h"
#include "findings.h"
#include "json.h"
#include "shadow_write.h"
#include "utf8.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { PLACE_SIZE = 1024, WIDEST = 48 };

/* The place of a finding, in one line. */
static void place_of(const struct finding *finding, char place[PLACE_SIZE])
{
    finding_place(finding, place, PLACE_SIZE);
    utf8_show(place, false);
}

/* Width of the column of places. */
static int width_of(const struct findings *findings)
{
    size_t width = strlen("place");
    char place[PLACE_SIZE];

    for (size_t k = 0; k < findings->count; k++) {
        place_of(&findings->at[k], place);
        if (strlen(place) > width)
            width = strlen(place);
    }
    return width < WIDEST ? (int)width : WIDEST;
}

/* Print ", 4 times as large: dimension 1 grows". */
static void print_growth(const struct finding *finding, FILE *file)
{
    const char *between = "";

    if (finding->risk != RISK_VALUE || finding->expanded_dims == 0)
        return;
    fprintf(file, ", %g times as large by dimension ", finding->growth);
    for (int d = 0; d < 64; d++)
        if (finding->expanded_dims >> d & 1) {
            fprintf(file, "%s%d", between, d);
            between = ", ";
        }
}

/* Print what to write instead of calls of one kind. */
static void print_suggestion(const struct finding *finding,
                             const struct suggestion *suggestion, FILE *file)
{
    if (suggestion->keep[0] != '\0')
        fprintf(file, "%17s  as it was: %s\n", "", suggestion->keep);
    if (suggestion->broadcast[0] != '\0')
        fprintf(file, "%17s  %s %s\n", "",
                finding->risk == RISK_KEEPDIM ? "as today: " : "broadcast:",
                suggestion->broadcast);
}

/* Where calls have several shapes, print how many, and the suggestions that differ. */
static void print_kinds(const struct finding *finding, FILE *file)
{
    const int count = kinds_count(finding->kinds);
    const char *at = finding->kinds;
    char shapes[KIND_SIZE];
    struct suggestion suggestion;

    if (count < 2)
        return;
    fprintf(file, "%17s  the worst of %d kinds of calls%s\n", "", count,
            kinds_has_more(finding->kinds) ? " or more" : "");
    while (suggestion_next(finding, &at, shapes, &suggestion)) {
        fprintf(file, "%17s  also %s\n", "", shapes);
        print_suggestion(finding, &suggestion, file);
    }
}

static void print_row(const struct finding *finding, int width, bool has_shadows,
                      FILE *file)
{
    char place[PLACE_SIZE];
    struct suggestion suggestion;

    place_of(finding, place);
    suggestion_find(finding, &suggestion);
    fprintf(file, "%-8s %8" PRId64 "  %-*s  %s%s%s", risk_names[finding->risk],
            finding->count, width, place, finding->function,
            finding->shapes[0] != '\0' ? " " : "", finding->shapes);
    print_growth(finding, file);
    fputc('\n', file);
    if (has_shadows)
        shadow_print(finding, file);
    print_suggestion(finding, &suggestion, file);
    print_kinds(finding, file);
}

/* Print what a baseline left out. */
static void print_baseline(const struct findings *findings, FILE *file)
{
    if (findings->has_baseline)
        fprintf(file,
                "not listed: %" PRId64 " of the baseline, which has %" PRId64
                " that %s not found\n",
                findings->known, findings->gone, findings->gone == 1 ? "was" : "were");
}

static void print_all(const struct findings *findings, FILE *file)
{
    const int width = width_of(findings);
    const bool has_shadows = findings_have_shadows(findings);
    const char *between = " ";

    if (findings->count == 0) {
        fprintf(file, "nothing%s was found that broadcasting changes\n",
                findings->has_baseline ? " new" : "");
        print_baseline(findings, file);
        return;
    }
    fprintf(file, "%-8s %8s  %-*s  call\n", "risk", "calls", width, "place");
    for (size_t k = 0; k < findings->count; k++)
        print_row(&findings->at[k], width, has_shadows, file);
    fprintf(file, "\n%zu %s:", findings->count,
            findings->count == 1 ? "finding" : "findings");
    for (int risk = 0; risk < RISKS; risk++) {
        const int64_t count = findings_count(findings, (enum risk)risk);

        if (count > 0) {
            fprintf(file, "%s%" PRId64 " %s", between, count, risk_names[risk]);
            between = ", ";
        }
    }
    fputc('\n', file);
    print_baseline(findings, file);
}

void findings_print(const struct findings *findings, FILE *file)
{
    char *text = NULL;
    size_t size = 0;
    FILE *const memory = open_memstream(&text, &size);

    if (memory) {
        print_all(findings, memory);
        fclose(memory);
    }
    if (text) {
        utf8_show(text, true);
        fputs(text, file);
    }
    free(text);
}

/* ---- JSON ---- */

static void write_place(struct json *json, const struct finding *finding)
{
    if (finding->file[0] != '\0') {
        json_string(json, "file", finding->file);
        json_integer(json, "line", finding->line);
    }
    if (finding->module[0] != '\0') {
        json_string(json, "module", finding->module);
        json_string(json, "build_id", finding->build_id);
        json_integer(json, "offset", finding->offset);
    }
}

/* Write the kinds of calls, each with its suggestion. */
static void write_kinds(struct json *json, const struct finding *finding)
{
    const char *at = finding->kinds;
    struct finding kind = *finding;
    char shapes[KIND_SIZE];
    struct suggestion suggestion;

    kind.shapes = shapes;
    json_open(json, "kinds", '[');
    while (kinds_next(&at, shapes)) {
        suggestion_find(&kind, &suggestion);
        json_open(json, NULL, '{');
        json_string(json, "shapes", shapes);
        json_string(json, "as_it_was", suggestion.keep);
        json_string(json, "broadcast", suggestion.broadcast);
        json_close(json, '}');
    }
    json_close(json, ']');
    json_boolean(json, "more_kinds", kinds_has_more(finding->kinds));
}

static void write_row(struct json *json, const struct finding *finding)
{
    struct suggestion suggestion;

    suggestion_find(finding, &suggestion);
    json_open(json, NULL, '{');
    json_string(json, "risk", risk_names[finding->risk]);
    write_place(json, finding);
    json_string(json, "function", finding->function);
    json_string(json, "caller", finding->caller);
    json_integer(json, "count", finding->count);
    json_string(json, "shapes", finding->shapes);
    json_number(json, "growth", finding->growth);
    json_open(json, "expanded_dims", '[');
    for (int d = 0; d < 64; d++)
        if (finding->expanded_dims >> d & 1)
            json_integer(json, NULL, d);
    json_close(json, ']');
    json_string(json, "as_it_was", suggestion.keep);
    json_string(json, "broadcast", suggestion.broadcast);
    write_kinds(json, finding);
    shadow_write_json(json, finding);
    json_close(json, '}');
}

void findings_write_json(const struct findings *findings, FILE *file)
{
    struct json json = {.file = file};

    json_open(&json, NULL, '{');
    json_open(&json, "findings", '[');
    for (size_t k = 0; k < findings->count; k++)
        write_row(&json, &findings->at[k]);
    json_close(&json, ']');
    json_open(&json, "totals", '{');
    for (int risk = 0; risk < RISKS; risk++)
        json_integer(&json, risk_names[risk],
                     findings_count(findings, (enum risk)risk));
    json_close(&json, '}');
    if (findings->has_baseline) {
        json_open(&json, "baseline", '{');
        json_integer(&json, "known", findings->known);
        json_integer(&json, "gone", findings->gone);
        json_close(&json, '}');
    }
    json_close(&json, '}');
    fputc('\n', file);
}
