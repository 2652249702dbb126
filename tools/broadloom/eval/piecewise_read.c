/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides whether an expression is computed in pieces, and how it is cut. */
#define _POSIX_C_SOURCE 200809L

#include "piecewise.h"

#include <stdlib.h>
#include <string.h>

#define BLANKS " \t\n\v\f\r"
#define WORD                                                                           \
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"                            \
    "0123456789"

/*
 * Parts of the limit: a piece, with what is computed of it, and what is known of the
 * results so far. The rest is for the program and the results.
 */
enum { PIECE_PART = 8, STATE_PART = 4 };

/* Most bytes of a piece: larger ones are no faster. */
#define PIECE_MOST (INT64_C(64) << 20)

/* ---- the call ---- */

/* The reduction whose name is the word at `text`. */
static bl_reduction reduction_at(const char *text)
{
    const size_t length = strspn(text, WORD);
    char name[32];

    if (length == 0 || length >= sizeof name)
        return BL_REDUCTION_NONE;
    memcpy(name, text, length);
    name[length] = '\0';
    return bl_reduction_find(name);
}

/* Whether a reduction is called anywhere in the text. */
static bool has_reduction(const char *text)
{
    while (*text != '\0') {
        const size_t length = strspn(text, WORD);
        const char *const next = text + length + strspn(text + length, BLANKS);

        if (*next == '(' && reduction_at(text) != BL_REDUCTION_NONE)
            return true;
        text += length > 0 ? length : 1;
    }
    return false;
}

/* The end of an argument: the comma behind it, or the closing parenthesis. */
static char *argument_end(char *at)
{
    for (int depth = 0; *at != '\0'; at++) {
        if (depth == 0 && (*at == ',' || *at == ')'))
            return at;
        depth += (*at == '(') - (*at == ')');
    }
    return at;
}

static bool has_axis(const struct piecewise *job, int32_t axis)
{
    for (int32_t k = 0; k < job->axes_count; k++)
        if (job->axes[k] == axis)
            return true;
    return false;
}

/* Read an axis or "keepdim"; false where it is something else. */
static bool read_option(struct piecewise *job, const char *word)
{
    char *end;
    const long axis = strtol(word, &end, 10);
    const long rank = job->rank;

    word += strspn(word, BLANKS);
    if (strncmp(word, "keepdim", 7) == 0 && word[7 + strspn(word + 7, BLANKS)] == '\0')
        return job->keepdim = true;
    if (end == word || end[strspn(end, BLANKS)] != '\0' || axis < -rank ||
        axis >= rank || has_axis(job, (int32_t)(axis < 0 ? axis + rank : axis)))
        return false;
    job->axes[job->axes_count++] = (int32_t)(axis < 0 ? axis + rank : axis);
    return true;
}

/* Plan the operand, and find out its dtype and shape; false where it has none. */
static bool read_operand(struct piecewise *job, const char *text, int64_t *workspace)
{
    struct evaluation *const evaluation = job->evaluation;
    const bl_array *inputs[BL_MAX_SLOTS];
    bl_expr_info info = {.size = sizeof info};
    bl_expr_plan_info plan_info = {.size = sizeof plan_info};
    const char *const name = text + strspn(text, BLANKS);
    const size_t length = strspn(name, WORD);
    bl_expr_plan *plan = NULL;
    bl_array array;
    bool found;

    for (int32_t k = 0; k < evaluation->count; k++) {
        inputs[k] = bl_tensor_array(evaluation->tensor[k]);
        if (length == strlen(evaluation->name[k]) &&
            memcmp(name, evaluation->name[k], length) == 0 &&
            name[length + strspn(name + length, BLANKS)] == '\0')
            job->input = k;
    }
    found = bl_expr_parse(evaluation->ctx, text, evaluation->count, evaluation->name,
                          &job->operand) == BL_OK &&
            bl_expr_query(job->operand, &info) == BL_OK && info.outputs == 1 &&
            bl_expr_plan_create(evaluation->ctx, job->operand, NULL, inputs,
                                &evaluation->options, &plan) == BL_OK &&
            bl_expr_plan_query(plan, &plan_info) == BL_OK &&
            bl_expr_plan_output(plan, 0, &array) == BL_OK &&
            bl_reduction_result_dtype(job->op, array.dtype, &job->to) == BL_OK;
    if (found) {
        job->dtype = array.dtype;
        job->rank = array.rank;
        memcpy(job->extent, array.extent, (size_t)array.rank * sizeof *job->extent);
        *workspace = plan_info.workspace;
    }
    bl_expr_plan_destroy(plan);
    return found;
}

/*
 * Read "reduction(operand, axis, ..., keepdim)", which ends where the text does. The
 * text is modified.
 */
static bool read_call(struct piecewise *job, char *text, int64_t *workspace)
{
    char *at, *end;

    text += strspn(text, BLANKS);
    job->op = reduction_at(text);
    at = text + strspn(text, WORD);
    at += strspn(at, BLANKS);
    if (job->op == BL_REDUCTION_NONE || *at != '(')
        return false;
    end = argument_end(++at);
    for (bool is_operand = true;; is_operand = false) {
        const char was = *end;

        *end = '\0';
        if (was == '\0' ||
            (is_operand ? has_reduction(at) || !read_operand(job, at, workspace)
                        : !read_option(job, at)))
            return false;
        at = end + 1;
        if (was == ')')
            return at[strspn(at, BLANKS)] == '\0';
        end = argument_end(at);
    }
}

/* Whether the library computes the reduction of pieces: one that is a single pass. */
static bool is_of_pieces(const struct piecewise *job)
{
    bl_reduce_pieces *pieces = NULL;
    const bl_status status = bl_reduce_pieces_create(
        job->evaluation->ctx, job->op, job->dtype, 0, NULL, NULL, &pieces);

    bl_reduce_pieces_destroy(pieces);
    return status == BL_OK;
}

/* ---- the cut ---- */

/* Elements of the operand, all but those along an axis; -1: all. */
static int64_t numel_without(const struct piecewise *job, int32_t axis)
{
    int64_t numel = 1;

    for (int32_t d = 0; d < job->rank; d++)
        numel *= d == axis ? 1 : job->extent[d];
    return numel;
}

/* The axis along which an array goes through memory most slowly. */
static int32_t slowest_axis(const bl_array *array)
{
    int32_t slowest = -1;

    for (int32_t d = 0; d < array->rank; d++)
        if (array->extent[d] > 1 &&
            (slowest < 0 ||
             (array->stride && array->stride[d] > array->stride[slowest])))
            slowest = d;
    return slowest;
}

/*
 * Choose the axes along which the operand is cut: pieces are elements that follow each
 * other, so that the first reduced axis is cut, and the first other one where its
 * results are too many. One of them has to be the slowest axis of every large input, as
 * otherwise each piece would take all of its pages.
 */
static bool choose_axes(struct piecewise *job, int32_t *slowest)
{
    *slowest = job->cut = job->strip = -1;
    for (int32_t d = job->rank - 1; d >= 0; d--)
        if (job->extent[d] > 1)
            *(has_axis(job, d) ? &job->cut : &job->strip) = d;
    for (int32_t k = 0; k < job->evaluation->count; k++) {
        const bl_array *const array = bl_tensor_array(job->evaluation->tensor[k]);
        const int32_t axis = slowest_axis(array) + job->rank - array->rank;

        if (bl_tensor_numel(job->evaluation->tensor[k]) != numel_without(job, -1))
            continue;
        if (*slowest >= 0 && axis != *slowest)
            return false;
        *slowest = axis;
    }
    return job->cut >= 0 && *slowest >= 0 &&
           (*slowest == job->cut || *slowest == job->strip);
}

static int64_t clamp(int64_t value, int64_t most)
{
    return value < 1 ? 1 : value < most ? value : most;
}

/* Choose the steps, for pieces of about `elements` and `results` results at once. */
static void choose_steps(struct piecewise *job, int32_t slowest, int64_t elements,
                         int64_t results)
{
    const int64_t all = numel_without(job, -1);
    const int64_t length = job->strip < 0 ? 1 : job->extent[job->strip];
    int64_t outer = 1, unit;

    for (int32_t d = 0; d < job->rank; d++)
        outer *= has_axis(job, d) ? 1 : job->extent[d];
    job->strip_step = clamp(results / (outer / length), length);
    if (slowest == job->strip)
        job->strip_step = clamp(elements / (all / length), job->strip_step);
    unit = numel_without(job, job->cut) / length * job->strip_step;
    job->cut_step = clamp(elements / unit, job->extent[job->cut]);
    /* Whole blocks of the tree. */
    if (job->cut_step > 1024 && job->cut_step < job->extent[job->cut])
        job->cut_step -= job->cut_step % 1024;
}

/* Bytes in memory of one element of the operand, with what it is computed from. */
static double element_bytes(const struct piecewise *job, int64_t workspace)
{
    const struct evaluation *const evaluation = job->evaluation;
    const int64_t all = numel_without(job, -1);
    double bytes = job->input < 0 ? (double)bl_dtype_size(job->dtype) +
                                        (double)workspace / (double)all
                                  : 0;

    for (int32_t k = 0; k < evaluation->count; k++)
        if (bl_tensor_numel(evaluation->tensor[k]) == all)
            bytes += (double)bl_dtype_size(bl_tensor_dtype(evaluation->tensor[k]));
    return bytes;
}

bool piecewise_read(struct piecewise *job, struct evaluation *evaluation,
                    const bool *is_mapped, const char *text, int64_t limit)
{
    char *const copy = strdup(text);
    const int64_t piece = limit / PIECE_PART;
    int64_t workspace = 0;
    int32_t slowest;
    double bytes;
    bool found;

    *job = (struct piecewise){
        .evaluation = evaluation, .is_mapped = is_mapped, .input = -1};
    found = copy && read_call(job, copy, &workspace);
    free(copy);
    if (!found || job->rank == 0 || numel_without(job, -1) == 0 || !is_of_pieces(job))
        return false;
    if (job->axes_count == 0)
        while (job->axes_count < job->rank) {
            job->axes[job->axes_count] = job->axes_count;
            job->axes_count++;
        }
    bytes = element_bytes(job, workspace);
    if (bytes * (double)numel_without(job, -1) <= (double)limit ||
        !choose_axes(job, &slowest))
        return false;
    choose_steps(job, slowest,
                 (int64_t)((double)(piece < PIECE_MOST ? piece : PIECE_MOST) / bytes),
                 limit / STATE_PART / 1024);
    return true;
}

void piecewise_free(struct piecewise *job)
{
    bl_expr_destroy(job->operand);
}
