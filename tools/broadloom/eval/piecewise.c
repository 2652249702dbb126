/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes a reduction in pieces, and gives their pages back. */
#define _DEFAULT_SOURCE

#include "piecewise.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* A range of the operand: along the strip's axis, and along the cut one. */
struct piece {
    bl_range strip, cut;
};

/* The part of an input that a piece of the operand is computed from. */
static bl_status take_input(const struct piecewise *job, int32_t k,
                            const struct piece *piece, bl_tensor **out)
{
    bl_tensor *const tensor = job->evaluation->tensor[k];
    const bl_array *const array = bl_tensor_array(tensor);
    const int32_t shift = job->rank - array->rank;
    const int32_t axes[] = {job->strip, job->cut};
    const bl_range range[] = {piece->strip, piece->cut};
    bl_tensor *part = bl_tensor_retain(tensor);

    for (int32_t i = 0; i < 2; i++) {
        const int32_t axis = axes[i] - shift;
        bl_tensor *narrow = NULL;
        bl_status status;

        if (axes[i] < 0 || axis < 0 || array->extent[axis] == 1)
            continue;
        status = bl_tensor_narrow(part, axis, range[i].begin,
                                  range[i].end - range[i].begin, &narrow);
        bl_tensor_release(part);
        TRY(status);
        part = narrow;
    }
    *out = part;
    return BL_OK;
}

/* Compute a piece of the operand. */
static bl_status compute(const struct piecewise *job, const struct piece *piece,
                         bl_tensor **out)
{
    struct evaluation *const evaluation = job->evaluation;
    bl_tensor *part[BL_MAX_SLOTS];
    const bl_array *inputs[BL_MAX_SLOTS];
    bl_status status = BL_OK;
    int32_t count = 0;

    if (job->input >= 0)
        return take_input(job, job->input, piece, out);
    for (; status == BL_OK && count < evaluation->count; count++) {
        part[count] = NULL;
        status = take_input(job, count, piece, &part[count]);
        if (status == BL_OK)
            inputs[count] = bl_tensor_array(part[count]);
    }
    if (status == BL_OK)
        status = bl_expr_run_new(evaluation->ctx, job->operand, inputs,
                                 &evaluation->options, out);
    while (count-- > 0)
        bl_tensor_release(part[count]);
    return status;
}

/* Give back the pages of mapped files, which are read again where they are needed. */
static void drop_pages(const struct piecewise *job)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);

    for (int32_t k = 0; k < job->evaluation->count; k++) {
        const bl_tensor *const tensor = job->evaluation->tensor[k];
        const uintptr_t data = (uintptr_t)bl_tensor_data(tensor);
        const size_t bytes = (size_t)bl_tensor_numel(tensor) *
                             (size_t)bl_dtype_size(bl_tensor_dtype(tensor));

        if (job->is_mapped[k] && bytes > 0)
            (void)madvise((void *)(data & ~(page - 1)), bytes + (data & (page - 1)),
                          MADV_DONTNEED);
    }
}

/* Reduce a strip, piece by piece, to its part of the result. */
static bl_status reduce_strip(const struct piecewise *job, bl_reduce_pieces *pieces,
                              struct piece *piece, int64_t *steps)
{
    const int64_t length = job->extent[job->cut];
    int64_t unit = 1;

    for (int32_t k = 0; k < job->axes_count; k++)
        if (job->axes[k] != job->cut)
            unit *= job->extent[job->axes[k]];
    for (int64_t at = 0; at < length; at = piece->cut.end) {
        const int64_t rest = length - at;
        bl_tensor *value = NULL;
        bl_status status;

        piece->cut.begin = at;
        piece->cut.end = at + (rest < job->cut_step ? rest : job->cut_step);
        status = compute(job, piece, &value);
        if (status == BL_OK)
            status = bl_reduce_pieces_add(job->evaluation->ctx, pieces, at * unit,
                                          bl_tensor_array(value), job->axes_count,
                                          job->axes);
        bl_tensor_release(value);
        TRY(status);
        drop_pages(job);
        progress_update(job->evaluation->progress, ++*steps);
    }
    return BL_OK;
}

/* The axis of the result, without reduced ones, that an axis of the operand is. */
static int32_t result_axis(const struct piecewise *job, int32_t axis)
{
    int32_t before = 0;

    for (int32_t k = 0; k < job->axes_count; k++)
        before += job->axes[k] < axis;
    return axis - before;
}

/* Compute the part of the result, of `rank` dimensions, that a strip is. */
static bl_status compute_strip(const struct piecewise *job, bl_tensor *result,
                               struct piece *piece, int64_t *steps)
{
    bl_context *const ctx = job->evaluation->ctx;
    bl_tensor *part = NULL;
    bl_reduce_pieces *pieces = NULL;
    bl_status status = BL_OK;

    if (job->strip >= 0)
        status =
            bl_tensor_narrow(result, result_axis(job, job->strip), piece->strip.begin,
                             piece->strip.end - piece->strip.begin, &part);
    else
        part = bl_tensor_retain(result);
    if (status == BL_OK)
        status = bl_reduce_pieces_create(ctx, job->op, job->dtype,
                                         bl_tensor_array(part)->rank,
                                         bl_tensor_array(part)->extent, NULL, &pieces);
    if (status == BL_OK)
        status = reduce_strip(job, pieces, piece, steps);
    if (status == BL_OK)
        status = bl_reduce_pieces_finish(ctx, bl_tensor_array(part), pieces,
                                         bl_reduce_pieces_count(pieces));
    bl_reduce_pieces_destroy(pieces);
    bl_tensor_release(part);
    return status;
}

/* Whether an axis is reduced. */
static bool is_reduced(const struct piecewise *job, int32_t axis)
{
    for (int32_t k = 0; k < job->axes_count; k++)
        if (job->axes[k] == axis)
            return true;
    return false;
}

/* Replace a result by one that has the reduced axes, with extent 1. */
static bl_status keep_axes(const struct piecewise *job, bl_tensor **result)
{
    for (int32_t d = 0; d < job->rank; d++) {
        bl_tensor *kept = NULL;

        if (!is_reduced(job, d))
            continue;
        TRY(bl_tensor_unsqueeze(*result, d, &kept));
        bl_tensor_release(*result);
        *result = kept;
    }
    return BL_OK;
}

static int64_t steps_of(int64_t length, int64_t step)
{
    return length / step + (length % step > 0);
}

bl_status piecewise_run(struct piecewise *job, bl_tensor **out)
{
    const int64_t length = job->strip < 0 ? 1 : job->extent[job->strip];
    int64_t extent[BL_MAX_RANK], steps = 0;
    bl_tensor *result = NULL;
    bl_status status = BL_OK;
    int32_t rank = 0;

    for (int32_t d = 0; d < job->rank; d++)
        if (!is_reduced(job, d))
            extent[rank++] = job->extent[d];
    TRY(bl_tensor_empty(job->evaluation->ctx, job->to, rank, extent, &result));
    job->evaluation->progress =
        progress_start(steps_of(length, job->strip_step) *
                       steps_of(job->extent[job->cut], job->cut_step));
    for (int64_t at = 0; status == BL_OK && at < length; at += job->strip_step) {
        const int64_t rest = length - at, step = job->strip_step;
        struct piece piece = {.strip = {at, at + (rest < step ? rest : step)}};

        status = compute_strip(job, result, &piece, &steps);
    }
    progress_finish(job->evaluation->progress);
    job->evaluation->progress = NULL;
    if (status == BL_OK && job->keepdim)
        status = keep_axes(job, &result);
    if (status == BL_OK)
        *out = result;
    else
        bl_tensor_release(result);
    return status;
}
