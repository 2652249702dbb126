/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Findings: read from reports, merged by place, sorted by risk.
 */
#define _POSIX_C_SOURCE 200809L

#include "findings.h"

#include "json_read.h"
#include "kinds.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *const risk_names[RISKS] = {"value", "fallback", "shape", "keepdim", "none"};
const char *const risk_texts[RISKS] = {
    "Broadcasting gives other values where operands were paired as 1-D.",
    "Operands that do not broadcast are paired as 1-D, which is an error today.",
    "Broadcasting gives the same values in another shape.",
    "A reduction without keepdim drops the dimension today.",
    "Shapes differ, and the result is the same.",
};

/* ---- reading ---- */

/* A field of `struct finding`, and how its value is parsed. */
static const struct {
    const char *key;
    enum { TEXT, INTEGER, NUMBER, RISK, BITS } kind;
    size_t place;
} members[] = {
    {"class", RISK, offsetof(struct finding, risk)},
    {"function", TEXT, offsetof(struct finding, function)},
    {"file", TEXT, offsetof(struct finding, file)},
    {"line", INTEGER, offsetof(struct finding, line)},
    {"module", TEXT, offsetof(struct finding, module)},
    {"build_id", TEXT, offsetof(struct finding, build_id)},
    {"offset", INTEGER, offsetof(struct finding, offset)},
    {"count", INTEGER, offsetof(struct finding, count)},
    {"shapes", TEXT, offsetof(struct finding, shapes)},
    {"kinds", TEXT, offsetof(struct finding, kinds)},
    {"growth", NUMBER, offsetof(struct finding, growth)},
    {"expanded_dims", BITS, offsetof(struct finding, expanded_dims)},
};

enum { MEMBERS = sizeof members / sizeof members[0] };

static uint64_t read_bits(const char *text)
{
    uint64_t bits = 0;

    for (text += strcspn(text, "0123456789"); *text != '\0';
         text += strcspn(text, "0123456789")) {
        char *end;
        const unsigned long bit = strtoul(text, &end, 10);

        bits |= bit < 64 ? UINT64_C(1) << bit : 0;
        text = end;
    }
    return bits;
}

static bl_status read_risk(const char *text, enum risk *risk)
{
    for (int k = 0; k < RISKS; k++)
        if (strcmp(text, risk_names[k]) == 0) {
            *risk = (enum risk)k;
            return BL_OK;
        }
    return bl_error_set(BL_ERR_FORMAT, "unknown class '%s'", text);
}

static bl_status read_member(struct finding *finding, const struct json_member *member)
{
    for (int k = 0; k < MEMBERS; k++) {
        void *const place = (char *)finding + members[k].place;

        if (strcmp(member->key, members[k].key) != 0)
            continue;
        switch (members[k].kind) {
        case TEXT:
            free(*(char **)place);
            *(char **)place = strdup(member->text);
            return *(char **)place ? BL_OK : bl_error_set(BL_ERR_MEMORY, "no memory");
        case INTEGER:
            return parse_integer(member->key, member->text, 0, INT64_MAX, place);
        case NUMBER:
            *(double *)place = strtod(member->text, NULL);
            return BL_OK;
        case BITS:
            *(uint64_t *)place = read_bits(member->text);
            return BL_OK;
        case RISK:
            return read_risk(member->text, place);
        }
    }
    return BL_OK;
}

static void drop(struct finding *finding)
{
    for (int k = 0; k < MEMBERS; k++)
        if (members[k].kind == TEXT)
            free(*(char **)((char *)finding + members[k].place));
}

/* Set texts that a report omits to "". */
static bl_status complete(struct finding *finding)
{
    for (int k = 0; k < MEMBERS; k++) {
        char **const place = (char **)((char *)finding + members[k].place);

        if (members[k].kind == TEXT && !*place && !(*place = strdup("")))
            return bl_error_set(BL_ERR_MEMORY, "no memory");
    }
    return kinds_join(&finding->kinds, finding->shapes);
}

static bl_status read_line(char *line, struct finding *finding)
{
    struct json_reader reader;
    struct json_member member;
    bool found;

    TRY(json_read_open(&reader, line));
    for (;;) {
        TRY(json_read_next(&reader, &member, &found));
        if (!found)
            return complete(finding);
        TRY(read_member(finding, &member));
    }
}

static bl_status add_line(struct findings *findings, char *line)
{
    struct finding finding = {.risk = RISK_NONE};
    bl_status status;

    if (findings->count == findings->room) {
        const size_t room = 2 * findings->room + 16;
        struct finding *const at = realloc(findings->at, room * sizeof *at);

        if (!at)
            return bl_error_set(BL_ERR_MEMORY, "no memory for the report");
        findings->at = at;
        findings->room = room;
    }
    status = read_line(line, &finding);
    if (status == BL_OK)
        findings->at[findings->count++] = finding;
    else
        drop(&finding);
    return status;
}

bl_status findings_read(struct findings *findings, const char *path)
{
    FILE *const file = fopen(path, "r");
    bl_status status = BL_OK;
    char *line = NULL;
    size_t room = 0;
    int64_t number = 0;

    if (!file)
        return bl_error_set(BL_ERR_IO, "cannot read %s: %s", path, strerror(errno));
    while (status == BL_OK && getline(&line, &room, file) >= 0) {
        number++;
        if (line[strspn(line, " \t\r\n")] != '\0')
            status = add_line(findings, line);
    }
    if (status == BL_ERR_FORMAT || status == BL_ERR_ARGUMENT) {
        char text[256];

        snprintf(text, sizeof text, "%s", bl_error_message());
        status = bl_error_set(status, "%s:%" PRId64 ": %s", path, number, text);
    } else if (status == BL_OK && ferror(file))
        status = bl_error_set(BL_ERR_IO, "cannot read %s", path);
    free(line);
    fclose(file);
    return status;
}

void findings_free(struct findings *findings)
{
    for (size_t k = 0; k < findings->count; k++)
        drop(&findings->at[k]);
    free(findings->at);
    *findings = (struct findings){.count = 0};
}

/* ---- places ---- */

void finding_place(const struct finding *finding, char *text, size_t size)
{
    const char *const slash = strrchr(finding->module, '/');

    if (finding->file[0] != '\0')
        snprintf(text, size, "%s:%" PRId64, finding->file, finding->line);
    else if (finding->module[0] != '\0' && finding->offset > 0)
        snprintf(text, size, "%s+0x%" PRIx64, slash ? slash + 1 : finding->module,
                 finding->offset);
    else if (finding->module[0] != '\0')
        snprintf(text, size, "%s", slash ? slash + 1 : finding->module);
    else
        snprintf(text, size, "unknown place");
}

static int compare_numbers(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

/* Order by place, function and risk; where the file is known, addresses are ignored. */
static int compare_keys(const void *left, const void *right)
{
    const struct finding *const a = left, *const b = right;
    int order = compare_numbers(a->risk, b->risk);

    order = order ? order : strcmp(a->file, b->file);
    order = order ? order : compare_numbers(a->line, b->line);
    order = order ? order : strcmp(a->function, b->function);
    if (order != 0 || a->file[0] != '\0')
        return order;
    order = strcmp(a->module, b->module);
    order = order ? order : strcmp(a->build_id, b->build_id);
    return order ? order : compare_numbers(a->offset, b->offset);
}

/* Order as compare_keys() does, with ties broken, so that input order has no effect. */
static int compare_lines(const void *left, const void *right)
{
    const struct finding *const a = left, *const b = right;
    const int order = compare_keys(a, b);

    return order ? order : strcmp(a->shapes, b->shapes);
}

static int compare_risks(const void *left, const void *right)
{
    const struct finding *const a = left, *const b = right;
    int order = compare_numbers(a->risk, b->risk);

    order = order ? order : compare_numbers(b->count, a->count);
    return order ? order : compare_keys(a, b);
}

/* Merge `other`, a finding of the same place, into `finding`; it is freed. */
static bl_status join(struct finding *finding, struct finding *other)
{
    const bl_status status = kinds_join(&finding->kinds, other->kinds);

    finding->count += other->count;
    if (other->growth > finding->growth) {
        char *const shapes = finding->shapes;

        finding->shapes = other->shapes;
        finding->growth = other->growth;
        finding->expanded_dims = other->expanded_dims;
        other->shapes = shapes;
    }
    drop(other);
    return status;
}

bl_status findings_sort(struct findings *findings)
{
    bl_status status = BL_OK;
    size_t kept = 0;

    if (findings->count == 0)
        return BL_OK;
    qsort(findings->at, findings->count, sizeof *findings->at, compare_lines);
    for (size_t k = 1; k < findings->count; k++) {
        struct finding *const last = &findings->at[kept], *const next =
                                                              &findings->at[k];

        if (compare_keys(last, next) != 0)
            findings->at[++kept] = *next;
        else if (status == BL_OK)
            status = join(last, next);
        else
            drop(next);
    }
    findings->count = kept + 1;
    qsort(findings->at, findings->count, sizeof *findings->at, compare_risks);
    return status;
}

int64_t findings_count(const struct findings *findings, enum risk risk)
{
    int64_t count = 0;

    for (size_t k = 0; k < findings->count; k++)
        count += findings->at[k].risk == risk;
    return count;
}
