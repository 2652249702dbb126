/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes calls of functions that are not operators, before the rest of a text. */
#define _POSIX_C_SOURCE 200809L

#include "extra_calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ARGUMENTS = 3 };

#define BLANKS " \t\n\v\f\r"

/* ---- functions ---- */

static bl_status sum_to(bl_context *ctx, const bl_array *const *array, bl_tensor **out)
{
    return bl_sum_to_shape(ctx, array[0], array[1]->rank, array[1]->extent, out);
}

/* Distance with norm 2, or the norm that the third argument gives. */
static bl_status dist(bl_context *ctx, const bl_array *const *array, bl_tensor **out)
{
    double norm = 2;
    const bl_array to = {&norm, BL_DTYPE_F64, 0, NULL, NULL, 0};

    if (array[2] && array[2]->rank != 0)
        return bl_error_set(BL_ERR_ARGUMENT, "the norm must be a number");
    if (array[2])
        TRY(bl_apply(ctx, BL_OP_COPY, &to, 1, &array[2], NULL));
    return bl_dist(ctx, array[0], array[1], norm, out);
}

static bl_status masked_select(bl_context *ctx, const bl_array *const *array,
                               bl_tensor **out)
{
    return bl_masked_select(ctx, array[0], array[1], out);
}

static bl_status masked_scatter(bl_context *ctx, const bl_array *const *array,
                                bl_tensor **out)
{
    return bl_masked_scatter(ctx, array[0], array[1], array[2], out);
}

static const struct row {
    const char *name;
    int32_t least, most;
    bl_status (*call)(bl_context *ctx, const bl_array *const *array, bl_tensor **out);
} rows[] = {
    {"dist", 2, 3, dist},
    {"masked_scatter", 3, 3, masked_scatter},
    {"masked_select", 2, 2, masked_select},
    {"sum_to", 2, 2, sum_to},
    {"sum_to_size", 2, 2, sum_to},
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

/* The last call, which has no other among its arguments; NULL: there is none. */
static char *find_call(char *text, const struct row **row)
{
    char *last = NULL;

    while (*text != '\0') {
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
    char *argument[MOST_ARGUMENTS]; /* where each begins; `close` ends the last */
    bl_tensor *value[MOST_ARGUMENTS];
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
        if (*at == ',' && depth == 1 && call->count++ < MOST_ARGUMENTS)
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

static bl_status compute_argument(struct evaluation *evaluation, struct call *call,
                                  int32_t k)
{
    char *const begin = call->argument[k];
    char *const end = k + 1 < call->count ? call->argument[k + 1] - 1 : call->close;
    const size_t from = (size_t)(begin - call->text);
    const char ended = *end;
    bl_tensor *out[BL_MAX_SLOTS] = {NULL};
    bl_expr_info info = {.size = sizeof info};
    bl_expr *expr = NULL;
    bl_status status;

    *end = '\0';
    status = evaluation_parse(evaluation, begin, from, &expr);
    *end = ended;
    if (status == BL_OK)
        status = bl_expr_query(expr, &info);
    if (status == BL_OK)
        status = evaluation_run(evaluation, expr, from, NULL, out);
    bl_expr_destroy(expr);
    for (int32_t o = 1; o < info.outputs; o++)
        bl_tensor_release(out[o]);
    call->value[k] = out[0];
    if (status == BL_OK && info.outputs != 1)
        status =
            refuse(evaluation,
                   bl_error_set(BL_ERR_FORMAT, "an argument is no statement"), from);
    return status;
}

static bl_status compute(struct evaluation *evaluation, struct call *call,
                         bl_tensor **out)
{
    const bl_array *array[MOST_ARGUMENTS] = {NULL};
    bl_status status;

    for (int32_t k = 0; k < call->count; k++) {
        TRY(compute_argument(evaluation, call, k));
        array[k] = bl_tensor_array(call->value[k]);
    }
    status = call->row->call(evaluation->ctx, array, out);
    return status == BL_OK
               ? BL_OK
               : refuse(evaluation, status, (size_t)(call->begin - call->text));
}

/* ---- their results ---- */

/* Names for results that no text has, shorter than any call. */
static const char *const names[] = {"_0", "_1", "_2", "_3", "_4", "_5", "_6", "_7",
                                    "_8", "_9", "_a", "_b", "_c", "_d", "_e", "_f"};

static bl_status add_name(struct evaluation *evaluation, const char *text,
                          bl_tensor *tensor)
{
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        bool is_used = text_has_word(text, names[k]);

        for (int32_t n = 0; n < evaluation->count; n++)
            is_used = is_used || strcmp(evaluation->name[n], names[k]) == 0;
        if (is_used || evaluation->count == BL_MAX_SLOTS)
            continue;
        evaluation->name[evaluation->count] = names[k];
        evaluation->tensor[evaluation->count++] = tensor;
        return BL_OK;
    }
    bl_tensor_release(tensor);
    return bl_error_set(BL_ERR_UNSUPPORTED, "more than %d calls of such functions",
                        (int)(sizeof names / sizeof names[0]));
}

bl_status extra_calls_replace(struct evaluation *evaluation, char *text)
{
    struct call call = {.text = text};

    while ((call.begin = find_call(text, &call.row)) != NULL) {
        bl_tensor *out = NULL;
        bl_status status = split(evaluation, &call);

        memset(call.value, 0, sizeof call.value);
        if (status == BL_OK)
            status = compute(evaluation, &call, &out);
        for (int32_t k = 0; k < MOST_ARGUMENTS; k++)
            bl_tensor_release(call.value[k]);
        TRY(status);
        TRY(add_name(evaluation, text, out));
        memset(call.begin, ' ', (size_t)(call.close + 1 - call.begin));
        memcpy(call.begin, evaluation->name[evaluation->count - 1], 2);
    }
    return BL_OK;
}
