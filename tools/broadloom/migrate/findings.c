/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Findings, as they are read from the lines of reports, one after the other.
 */
#define _POSIX_C_SOURCE 200809L

#include "findings.h"

#include "json_read.h"
#include "kinds.h"
#include "lines.h"
#include "reads.h"

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
    {"caller", TEXT, offsetof(struct finding, caller)},
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
    {"compared", INTEGER, offsetof(struct finding, shadow.compared)},
    {"unequal", INTEGER, offsetof(struct finding, shadow.unequal)},
    {"elements", INTEGER, offsetof(struct finding, shadow.elements)},
    {"differ", INTEGER, offsetof(struct finding, shadow.differ)},
    {"not_finite", INTEGER, offsetof(struct finding, shadow.not_finite)},
    {"max_abs", NUMBER, offsetof(struct finding, shadow.max_abs)},
    {"max_rel", NUMBER, offsetof(struct finding, shadow.max_rel)},
    {"max_ulp", INTEGER, offsetof(struct finding, shadow.max_ulp)},
    {"spread", INTEGER, offsetof(struct finding, shadow.spread)},
    {"forgotten", INTEGER, offsetof(struct finding, shadow.forgotten)},
    {"reads", TEXT, offsetof(struct finding, shadow.reads)},
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

void finding_drop(struct finding *finding)
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
    TRY(reads_sort(&finding->shadow.reads));
    TRY(kinds_sort(&finding->kinds));
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

/*
 * Make room for one more.  Merging frees most of it where places recur, so that memory
 * grows with the places, not with the lines: at least half of the room is then free,
 * for which the next merging is due.
 */
static bl_status make_room(struct findings *findings)
{
    enum { LEAST = 1024 };

    if (findings->count < findings->room)
        return BL_OK;
    TRY(findings_merge(findings));
    if (findings->count < findings->room / 2)
        return BL_OK;

    const size_t room = findings->room > 0 ? 2 * findings->room : LEAST;
    struct finding *const at = realloc(findings->at, room * sizeof *at);

    if (!at)
        return bl_error_set(BL_ERR_MEMORY, "no memory for the report");
    findings->at = at;
    findings->room = room;
    return BL_OK;
}

static bl_status add_line(void *to, char *line, int64_t number)
{
    struct findings *const findings = to;
    struct finding finding = {.risk = RISK_NONE};
    bl_status status;

    (void)number;
    if (line[strspn(line, " \t\r")] == '\0')
        return BL_OK;
    TRY(make_room(findings));
    status = read_line(line, &finding);
    if (status == BL_OK)
        findings->at[findings->count++] = finding;
    else
        finding_drop(&finding);
    return status;
}

bl_status findings_read_stream(struct findings *findings, const char *path, FILE *file)
{
    return lines_read_stream(path, file, add_line, findings);
}

bl_status findings_read(struct findings *findings, const char *path)
{
    if (strcmp(path, "-") == 0)
        return findings_read_stream(findings, "standard input", stdin);
    return lines_read(path, add_line, findings);
}

void findings_free(struct findings *findings)
{
    for (size_t k = 0; k < findings->count; k++)
        finding_drop(&findings->at[k]);
    free(findings->at);
    *findings = (struct findings){.count = 0};
}
