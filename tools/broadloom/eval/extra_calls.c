/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds calls of functions that are not operators, before the rest of a text. */
#define _POSIX_C_SOURCE 200809L

#include "extra_calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLANKS " \t\n\v\f\r"

/* ---- functions ---- */

static const struct row {
    const char *name;
    int32_t least, most;
    enum extra_function function;
} rows[] = {
    {"dist", 2, 3, EXTRA_DIST},
    {"masked_scatter", 3, 3, EXTRA_MASKED_SCATTER},
    {"masked_select", 2, 2, EXTRA_MASKED_SELECT},
    {"sum_to", 2, 2, EXTRA_SUM_TO},
    {"sum_to_size", 2, 2, EXTRA_SUM_TO},
};

/* ---- words ---- */

static size_t word_length(const char *text)
{
    return strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
                        "0123456789");
}

bool text_has_word(const char *text, const char *name)
{
    while (*text != '\0') {
        const size_t length = word_length(text);

        if (length == strlen(name) && memcmp(text, name, length) == 0)
            return true;
        text += length > 0 ? length : 1;
    }
    return false;
}

/* The function whose name and "(" are at `text`; NULL: none. */
static const struct row *find_row(const char *text, size_t length)
{
    const char *const next = text + length + strspn(text + length, BLANKS);

    for (size_t k = 0; *next == '(' && k < sizeof rows / sizeof rows[0]; k++)
        if (strlen(rows[k].name) == length && memcmp(rows[k].name, text, length) == 0)
            return &rows[k];
    return NULL;
}

/*
 * The last call of the first statement that has one: it has no other among its
 * arguments, and none is in what precedes its statement.  NULL: there is no call.
 */
static char *find_call(char *text, const struct row **row)
{
    char *last = NULL;

    while (*text != '\0' && (*text != ';' || !last)) {
        const size_t length = word_length(text);
        const struct row *const found = find_row(text, length);

        if (found) {
            last = text;
            *row = found;
        }
        text += length > 0 ? length : 1;
    }
    return last;
}

bool extra_calls_are_in(const char *text)
{
    const struct row *row;
    char *const copy = strdup(text);
    const bool found = copy && find_call(copy, &row);

    free(copy);
    return found;
}

/* ---- one call ---- */

struct call {
    char *text;  /* the whole */
    char *begin; /* of the call */
    const struct row *row;
    char *close; /* its parenthesis */
    int32_t count;
    char *argument[EXTRA_ARGUMENTS]; /* where each begins; `close` ends the last */
};

static bl_status refuse(struct evaluation *evaluation, bl_status status, size_t place)
{
    evaluation->has_place = true;
    evaluation->place = place;
    return status;
}

/* Refuse a call with another number of arguments than its function takes. */
static bl_status refuse_count(struct evaluation *evaluation, const struct call *call)
{
    const struct row *const row = call->row;
    char most[16] = "";

    if (row->most > row->least)
        snprintf(most, sizeof most, " or %d", (int)row->most);
    return refuse(evaluation,
                  bl_error_set(BL_ERR_ARGUMENT, "%s takes %d%s arguments, got %d",
                               row->name, (int)row->least, most, (int)call->count),
                  (size_t)(call->begin - call->text));
}

/* Find the arguments of a call. */
static bl_status split(struct evaluation *evaluation, struct call *call)
{
    char *at = strchr(call->begin, '(');
    int32_t depth = 0;

    call->argument[0] = at + 1;
    call->count = 1;
    for (; *at != '\0'; at++) {
        depth += (*at == '(') - (*at == ')');
        if (depth == 0)
            break;
        if (*at == ',' && depth == 1 && call->count++ < EXTRA_ARGUMENTS)
            call->argument[call->count - 1] = at + 1;
    }
    call->close = at;
    if (call->count == 1 && call->argument[0] + strspn(call->argument[0], BLANKS) == at)
        call->count = 0;
    if (*at == '\0')
        return refuse(evaluation,
                      bl_error_set(BL_ERR_FORMAT,
                                   "the expression ends where ',' or ')' should stand"),
                      (size_t)(at - call->text));
    if (call->count < call->row->least || call->count > call->row->most)
        return refuse_count(evaluation, call);
    return BL_OK;
}

/* Whether a statement begins with "name =". */
static bool is_named(const char *text)
{
    size_t length;

    text += strspn(text, BLANKS);
    length = word_length(text);
    text += length + strspn(text + length, BLANKS);
    return length > 0 && text[0] == '=' && text[1] != '=';
}

/*
 * Cut a copy of the whole text down to argument k, in parentheses, and the named
 * statements before the call's.  The rest is blank: places are those of the whole text.
 */
static void isolate(const struct call *call, int32_t k, char *copy)
{
    char *const call_at = copy + (call->begin - call->text);
    char *const begin = copy + (call->argument[k] - call->text) - 1;
    const char *const end =
        k + 1 < call->count ? call->argument[k + 1] - 1 : call->close;
    char *at = copy;

    for (size_t length; (length = strcspn(at, ";")) < (size_t)(call_at - at);
         at += length + 1)
        if (!is_named(at))
            memset(at, ' ', length + 1);
    memset(at, ' ', (size_t)(begin - at));
    *begin = '(';
    memcpy(copy + (end - call->text), ")", 2);
}

static bl_status compute_argument(struct evaluation *evaluation,
                                  const struct extra_backend *backend,
                                  const struct call *call, int32_t k)
{
    char *const copy = strdup(call->text);
    bl_expr *expr = NULL;
    bl_status status;

    if (!copy)
        return bl_error_set(BL_ERR_MEMORY, "no memory for a text");
    isolate(call, k, copy);
    status = evaluation_parse(evaluation, copy, &expr);
    free(copy);
    if (status == BL_OK)
        status = backend->compute(backend->user, expr, k);
    bl_expr_destroy(expr);
    return status;
}

/* ---- their results ---- */

/* Names for results that no text has, shorter than any call. */
static const char *const names[] = {"_0", "_1", "_2", "_3", "_4", "_5", "_6", "_7",
                                    "_8", "_9", "_a", "_b", "_c", "_d", "_e", "_f"};

/* A name that is free. */
static bl_status find_name(const struct evaluation *evaluation, const char *text,
                           const char **name)
{
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        bool is_used = text_has_word(text, names[k]);

        for (int32_t n = 0; n < evaluation->count; n++)
            is_used = is_used || strcmp(evaluation->name[n], names[k]) == 0;
        if (is_used || evaluation->count == BL_MAX_SLOTS)
            continue;
        *name = names[k];
        return BL_OK;
    }
    return bl_error_set(BL_ERR_UNSUPPORTED, "more than %d calls of such functions",
                        (int)(sizeof names / sizeof names[0]));
}

static bl_status compute(struct evaluation *evaluation,
                         const struct extra_backend *backend, struct call *call)
{
    const char *name = NULL;
    bl_status status;

    TRY(split(evaluation, call));
    TRY(find_name(evaluation, call->text, &name));
    for (int32_t k = 0; k < call->count; k++)
        TRY(compute_argument(evaluation, backend, call, k));
    status = backend->call(backend->user, call->row->function, call->count,
                           evaluation->count);
    if (status != BL_OK)
        return refuse(evaluation, status, (size_t)(call->begin - call->text));
    evaluation->name[evaluation->count++] = name;
    return BL_OK;
}

bl_status extra_calls_replace(struct evaluation *evaluation,
                              const struct extra_backend *backend, char *text)
{
    struct call call = {.text = text};

    while ((call.begin = find_call(text, &call.row)) != NULL) {
        TRY(compute(evaluation, backend, &call));
        memset(call.begin, ' ', (size_t)(call.close + 1 - call.begin));
        memcpy(call.begin, evaluation->name[evaluation->count - 1], 2);
    }
    return BL_OK;
}
