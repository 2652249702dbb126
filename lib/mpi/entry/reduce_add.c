/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * This rank's elements of a reduction: as rectangular pieces, in logical order.
 */
#include <math.h>
#include <string.h>

#include "mpi/entry/reduce.h"

/* Elements that are added to one reduction in pieces. */
struct addition {
    const struct bli_effort *effort;
    bl_reduce_pieces *pieces;
    int64_t results; /* of the share */
    struct bli_box box;
    int64_t at; /* the number of the next element */
};

static bool is_reduced(const struct bli_reduction *plan, int32_t d)
{
    return plan->reduced >> d & 1;
}

static int32_t list_axes(const struct bli_reduction *plan, int32_t axes[BL_MAX_RANK])
{
    int32_t count = 0;

    for (int32_t d = 0; d < plan->input->rank; d++)
        if (is_reduced(plan, d))
            axes[count++] = d;
    return count;
}

/* An array over a layout that outlives the call. */
static bl_array array_of(const struct bli_block *block)
{
    return bl_layout_array(&block->layout, block->dtype, block->base);
}

/* ---- squares ---- */

/* The means of the results in a box, repeated along reduced dimensions. */
static void means_of(const struct addition *addition, struct bli_block *means)
{
    const struct bli_reduction *const plan = addition->effort->plan;
    struct bli_box box = addition->box;

    for (int32_t d = 0; d < plan->input->rank; d++)
        if (is_reduced(plan, d)) {
            box.begin[d] = 0;
            box.end[d] = 1;
        }
    bli_block_part(addition->effort->means, &box, means);
    for (int32_t d = 0; d < plan->input->rank; d++)
        if (is_reduced(plan, d)) {
            means->layout.stride[d] = 0;
            means->layout.extent[d] = addition->box.end[d] - addition->box.begin[d];
        }
}

static bl_status apply(bl_context *ctx, bl_op op, const bl_array *to, const bl_array *a,
                       const bl_array *b)
{
    const bl_options options = {.size = sizeof options,
                                .rules = bl_rules_modern(),
                                .axis = BL_AXIS_LAST,
                                .max_growth = 1e300};

    return bl_apply(ctx, op, to, 2, (const bl_array *[]){a, b}, &options);
}

/* Real numbers from complex ones: real or imaginary parts. */
static bl_array part_of(const bl_array *complex, int64_t stride[BL_MAX_RANK],
                        bool is_imaginary)
{
    bl_array part = *complex;

    for (int32_t d = 0; d < complex->rank; d++)
        stride[d] = 2 * complex->stride[d];
    part.data = (double *)complex->data + is_imaginary;
    part.dtype = BL_DTYPE_F64;
    part.stride = stride;
    return part;
}

/* |x - m|^2 of elements in `work`, which are widened already; the squares are real. */
static bl_status square(bl_context *ctx, const bl_array *work, const bl_array *means,
                        int64_t stride[BL_MAX_RANK], bl_array *squares)
{
    BL_TRY(apply(ctx, BL_OP_SUB, work, work, means));
    *squares = *work;
    if (work->dtype == BL_DTYPE_F64)
        return apply(ctx, BL_OP_MUL, work, work, work);

    int64_t other[BL_MAX_RANK];
    const bl_array re = part_of(work, stride, false), im = part_of(work, other, true);

    *squares = re;
    BL_TRY(apply(ctx, BL_OP_MUL, &re, &re, &re));
    BL_TRY(apply(ctx, BL_OP_MUL, &im, &im, &im));
    return apply(ctx, BL_OP_ADD, &re, &re, &im);
}

/* Add the squares of distances from the means. */
static bl_status add_squares(const struct addition *addition,
                             const struct bli_block *part, int32_t axes_count,
                             const int32_t *axes)
{
    bl_context *const ctx = addition->effort->ctx;
    const bl_array in = array_of(part);
    int64_t stride[BL_MAX_RANK];
    struct bli_block means;
    bl_array of_means, squares;
    bl_tensor *work;
    bl_status status;

    means_of(addition, &means);
    of_means = array_of(&means);
    BL_TRY(bl_tensor_empty(ctx, means.dtype, in.rank, in.extent, &work));
    status = bli_mpi_copy(ctx, bl_tensor_array(work), &in);
    if (status == BL_OK)
        status = square(ctx, bl_tensor_array(work), &of_means, stride, &squares);
    if (status == BL_OK)
        status = bl_reduce_pieces_add(ctx, addition->pieces, addition->at, &squares,
                                      axes_count, axes);
    bl_tensor_release(work);
    return status;
}

/* ---- pieces ---- */

/* Add the elements of the box, and count them. */
static bl_status add_box(struct addition *addition)
{
    const struct bli_effort *const effort = addition->effort;
    int32_t axes[BL_MAX_RANK];
    const int32_t axes_count = list_axes(effort->plan, axes);
    struct bli_block part;
    bl_status status;

    bli_block_part(effort->input, &addition->box, &part);
    if (effort->means)
        status = add_squares(addition, &part, axes_count, axes);
    else {
        const bl_array in = array_of(&part);

        status = bl_reduce_pieces_add(effort->ctx, addition->pieces, addition->at, &in,
                                      axes_count, axes);
    }
    addition->at += bli_box_count(part.layout.rank, &part.box) / addition->results;
    return status;
}

/* Add indices of dimension d; where squares are computed, some at once. */
static bl_status add_indices(struct addition *addition, int32_t d, int64_t begin,
                             int64_t end, int64_t inner)
{
    const int64_t each = inner * addition->results;
    const int64_t step = !addition->effort->means ? end - begin
                         : each < BLI_SQUARES     ? BLI_SQUARES / each
                                                  : 1;

    for (int64_t i = begin; i < end; i += step) {
        addition->box.begin[d] = i;
        addition->box.end[d] = i + step < end ? i + step : end;
        BL_TRY(add_box(addition));
    }
    return BL_OK;
}

/*
 * Add elements of a range, counted in reduced dimensions from d on: in rectangular
 * boxes, of which all dimensions before d are one index.
 */
static bl_status add_range(struct addition *addition, int32_t d, bl_range range)
{
    const struct bli_effort *const effort = addition->effort;
    const struct bli_box whole = effort->input->box;
    const int32_t rank = effort->plan->input->rank;
    int64_t inner = 1;

    while (d < rank && !is_reduced(effort->plan, d))
        d++;
    if (d == rank)
        return range.begin < range.end ? add_box(addition) : BL_OK;
    for (int32_t e = d + 1; e < rank; e++)
        if (is_reduced(effort->plan, e))
            inner *= effort->plan->input->extent[e];
    const bl_range full = {(range.begin + inner - 1) / inner, range.end / inner};

    if (full.begin > full.end || full.begin * inner != range.begin) {
        const int64_t index = range.begin / inner, next = (index + 1) * inner;
        const int64_t end = range.end < next ? range.end : next;

        addition->box.begin[d] = index;
        addition->box.end[d] = index + 1;
        BL_TRY(add_range(addition, d + 1,
                         (bl_range){range.begin - index * inner, end - index * inner}));
    }
    if (full.begin < full.end) {
        for (int32_t e = d + 1; e < rank; e++) {
            if (!is_reduced(effort->plan, e))
                continue;
            addition->box.begin[e] = whole.begin[e];
            addition->box.end[e] = whole.end[e];
        }
        BL_TRY(add_indices(addition, d, full.begin, full.end, inner));
    }
    if (full.begin <= full.end && full.end * inner < range.end) {
        addition->box.begin[d] = full.end;
        addition->box.end[d] = full.end + 1;
        BL_TRY(add_range(addition, d + 1, (bl_range){0, range.end - full.end * inner}));
    }
    return BL_OK;
}

bl_status bli_effort_add(const struct bli_effort *effort, int32_t share,
                         bl_reduce_pieces *pieces, bl_range range)
{
    const struct bli_reduction *const plan = effort->plan;
    struct addition addition = {.effort = effort, .pieces = pieces, .at = range.begin};
    struct bli_box results;

    if (range.begin >= range.end)
        return BL_OK;
    addition.results =
        bli_reduction_share(plan, effort->round, effort->grid->link->self,
                            effort->shares > 1 ? share : -1, &results);
    addition.box = effort->input->box;
    for (int32_t d = 0; d < plan->input->rank; d++)
        if (!is_reduced(plan, d)) {
            addition.box.begin[d] = results.begin[d];
            addition.box.end[d] = results.end[d];
        }
    return effort->round->is_free ? add_box(&addition) : add_range(&addition, 0, range);
}

/* ---- results ---- */

bl_status bli_effort_reduce(const struct bli_effort *effort)
{
    const struct bli_reduction *const plan = effort->plan;
    int32_t axes[BL_MAX_RANK];
    const int32_t axes_count = list_axes(plan, axes);
    const bl_array in = array_of(effort->input), out = array_of(&effort->finished);

    if (bl_layout_numel(&effort->finished.layout) == 0)
        return BL_OK;
    return bl_reduce(effort->ctx, effort->round->op, &out, &in, axes_count, axes, true,
                     &effort->round->options);
}

/* Variances from sums of squares: as the library's reductions end. */
static void divide(const struct bli_effort *effort, double *sums, int64_t count)
{
    const bool is_root = effort->plan->op == BL_REDUCTION_STD;

    for (int64_t i = 0; i < count; i++) {
        const double value =
            is_root ? sqrt(sums[i] / effort->divisor) : sums[i] / effort->divisor;

        sums[i] = isnan(value) ? (double)NAN : value;
    }
}

bl_status bli_effort_finish(const struct bli_effort *effort,
                            const bl_reduce_pieces *pieces)
{
    const struct bli_reduction *const plan = effort->plan;
    const bl_array out = array_of(&effort->finished);
    bl_array results = {.data = out.data, .dtype = out.dtype};
    int64_t extent[BL_MAX_RANK], count;
    bl_tensor *sums;
    bl_status status;

    for (int32_t d = 0; d < plan->input->rank; d++)
        if (!is_reduced(plan, d))
            extent[results.rank++] = out.extent[d];
    results.extent = extent;
    if (!effort->means)
        return bl_reduce_pieces_finish(effort->ctx, &results, pieces, plan->count);
    BL_TRY(bl_tensor_empty(effort->ctx, BL_DTYPE_F64, results.rank, extent, &sums));
    count = bl_tensor_numel(sums);
    status = bl_reduce_pieces_finish(effort->ctx, bl_tensor_array(sums), pieces,
                                     plan->count);
    if (status == BL_OK) {
        divide(effort, bl_tensor_mutable_data(sums), count);
        status = bli_mpi_copy(effort->ctx, &results, bl_tensor_array(sums));
    }
    bl_tensor_release(sums);
    return status;
}
