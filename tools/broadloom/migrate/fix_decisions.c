/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads files of decisions.
 */
#define _POSIX_C_SOURCE 200809L

#include "fix_decisions.h"

#include "lines.h"
#include "tokenize.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void decisions_free(struct decisions *decisions)
{
    for (size_t k = 0; k < decisions->count; k++) {
        free(decisions->at[k].file);
        free(decisions->at[k].operation);
    }
    free(decisions->at);
    *decisions = (struct decisions){.count = 0};
}

static bl_status add_decision(struct decisions *decisions, struct decision decision)
{
    if (decisions->count == decisions->room) {
        const size_t room = 2 * decisions->room + 64;
        struct decision *const at = realloc(decisions->at, room * sizeof *at);

        if (!at)
            return bl_error_set(BL_ERR_MEMORY, "no memory for decisions");
        decisions->at = at;
        decisions->room = room;
    }
    decision.file = strdup(decision.file);
    decision.operation = strdup(decision.operation);
    decisions->at[decisions->count++] = decision;
    return decision.file && decision.operation
               ? BL_OK
               : bl_error_set(BL_ERR_MEMORY, "no memory for decisions");
}

static bl_status read_choice(const char *text, enum fix_choice *choice)
{
    for (int k = 0; k < FIX_CHOICES; k++)
        if (strcmp(text, fix_choice_names[k]) == 0) {
            *choice = (enum fix_choice)k;
            return BL_OK;
        }
    return bl_error_set(
        BL_ERR_FORMAT,
        "unknown decision '%s': there are as-it-was, broadcast and leave", text);
}

/* Add a line, which is modified. */
static bl_status add_line(void *decisions, char *line, int64_t number)
{
    enum { WORDS = 3 };
    char *word[WORDS + 1], *colon;
    struct decision decision = {.number = number};
    int count;

    if (line[strspn(line, " \t")] == '#')
        return BL_OK;
    TRY(tokenize_line(line, WORDS + 1, word, &count));
    if (count == 0)
        return BL_OK;
    colon = strrchr(word[0], ':');
    if (count < 2 || !colon || colon == word[0])
        return bl_error_set(BL_ERR_FORMAT, "not FILE:LINE [OPERATION] DECISION");
    *colon = '\0';
    TRY(parse_integer("a line", colon + 1, 1, INT32_MAX, &decision.line));
    TRY(read_choice(word[count - 1], &decision.choice));
    decision.file = word[0];
    decision.operation = count == WORDS ? word[1] : "";
    return add_decision(decisions, decision);
}

bl_status decisions_read(struct decisions *decisions, const char *path)
{
    return lines_read(path, add_line, decisions);
}

/* Whether a path is the end of another, from a slash on. */
static bool ends_path(const char *path, const char *end)
{
    const size_t length = strlen(path), last = strlen(end);

    return length >= last && strcmp(path + length - last, end) == 0 &&
           (length == last || path[length - last - 1] == '/');
}

enum fix_choice decisions_find(struct decisions *decisions,
                               const struct finding *finding, enum fix_choice otherwise)
{
    for (size_t k = 0; k < decisions->count; k++) {
        struct decision *const decision = &decisions->at[k];

        if (decision->line != finding->line ||
            !ends_path(finding->file, decision->file) ||
            (decision->operation[0] != '\0' &&
             strcmp(decision->operation, finding->function) != 0))
            continue;
        decision->is_used = true;
        otherwise = decision->choice;
    }
    return otherwise;
}

bl_status decisions_check(const struct decisions *decisions, const char *path)
{
    for (size_t k = 0; k < decisions->count; k++) {
        const struct decision *const decision = &decisions->at[k];

        if (!decision->is_used)
            return bl_error_set(BL_ERR_ARGUMENT,
                                "%s:%" PRId64 ": the report has no %s%s%s:%" PRId64,
                                path, decision->number, decision->operation,
                                decision->operation[0] != '\0' ? " at " : "",
                                decision->file, decision->line);
    }
    return BL_OK;
}
