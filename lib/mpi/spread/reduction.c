/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Plans reductions over ranks: the whole call is checked on every rank alike, then its
 * rounds, and where results are finished.
 */
#include "mpi/spread/reduction.h"

#include <broadloom/context.h>

#include <inttypes.h>
#include <math.h>
#include <string.h>

static bool is_reduced(const struct bli_reduction *plan, int32_t d)
{
    return plan->reduced >> d & 1;
}

/* ---- arguments ---- */

static bl_status read_axes(const struct bli_reduction_query *query, uint64_t *reduced)
{
    const int32_t rank = query->from->rank;

    *reduced = rank == BL_MAX_RANK ? UINT64_MAX : (UINT64_C(1) << rank) - 1;
    if (query->axes_count == 0)
        return BL_OK;
    if (query->axes_count < 0 || !query->axes)
        return bl_error_set(BL_ERR_ARGUMENT, "axes_count is %" PRId32 "%s",
                            query->axes_count, query->axes ? "" : ", and axes is null");
    *reduced = 0;
    for (int32_t i = 0; i < query->axes_count; i++) {
        const int32_t d = query->axes[i] < 0 ? query->axes[i] + rank : query->axes[i];

        if (d < 0 || d >= rank)
            return bl_error_set(BL_ERR_ARGUMENT,
                                "axis %" PRId32 " is out of range for rank %" PRId32,
                                query->axes[i], rank);
        if (*reduced >> d & 1)
            return bl_error_set(BL_ERR_ARGUMENT, "axis %" PRId32 " is named twice", d);
        *reduced |= UINT64_C(1) << d;
    }
    return BL_OK;
}

static bool is_variance(bl_reduction op)
{
    return op == BL_REDUCTION_VAR || op == BL_REDUCTION_STD;
}

/* Check operation, dtype and options as libbroadloom does, and find the dtype. */
static bl_status check_call(const struct bli_reduction_query *query,
                            struct bli_reduction *plan)
{
    const bl_reduce_options *const options = &plan->options;
    bl_reduce_pieces *pieces;

    plan->to = options->dtype;
    if (plan->to == BL_DTYPE_NONE)
        BL_TRY(bl_reduction_result_dtype(query->op, query->dtype, &plan->to));
    if (!is_variance(query->op)) {
        BL_TRY(bl_reduce_pieces_create(query->ctx, query->op, query->dtype, 0, NULL,
                                       options, &pieces));
        bl_reduce_pieces_destroy(pieces);
    } else if (options->dtype != BL_DTYPE_NONE)
        return bl_error_set(BL_ERR_DTYPE, "%s has a dtype of its own, not %s",
                            bl_reduction_name(query->op),
                            bl_dtype_name(options->dtype));
    else if (!isfinite(options->correction))
        return bl_error_set(BL_ERR_ARGUMENT, "options: correction %g is not finite",
                            options->correction);
    return BL_OK;
}

/* Count the elements of a result; max and min have none of nothing. */
static bl_status count_elements(struct bli_reduction *plan)
{
    plan->count = 1;
    for (int32_t d = 0; d < plan->from->rank; d++)
        if (is_reduced(plan, d) &&
            __builtin_mul_overflow(plan->count, plan->from->extent[d], &plan->count))
            return bl_error_set(BL_ERR_OVERFLOW, "a result has too many elements");
    if (plan->count == 0 &&
        (plan->op == BL_REDUCTION_MAX || plan->op == BL_REDUCTION_MIN))
        return bl_error_set(BL_ERR_ARGUMENT, "%s of no elements",
                            bl_reduction_name(plan->op));
    return BL_OK;
}

/* ---- rounds ---- */

/* What is combined in a round: the bytes of partial results, whether order matters. */
static bl_status probe(const struct bli_reduction *plan, struct bli_round *round,
                       int64_t *partial_size)
{
    const int64_t eight = 8;
    const bl_range first = {0, 1}, block = {0, 1024};
    bl_reduce_pieces *pieces;

    BL_TRY(bl_reduce_pieces_create(plan->ctx, round->op, round->dtype, 1, &eight,
                                   &round->options, &pieces));
    const size_t none = bl_reduce_pieces_size_of(pieces, 0, NULL) + sizeof first;

    /* Of eight results: lanes are 64 bytes each. */
    round->is_free = bl_reduce_pieces_size_of(pieces, 1, &first) - none < 512;
    *partial_size = (int64_t)(bl_reduce_pieces_size_of(pieces, 1, &block) - none) / 8;
    bl_reduce_pieces_destroy(pieces);
    return BL_OK;
}

static bl_dtype mean_dtype(bl_dtype dtype)
{
    bl_dtype real = dtype;

    /* Of a complex dtype the variance is real. */
    if (bl_reduction_result_dtype(BL_REDUCTION_VAR, dtype, &real) != BL_OK)
        return BL_DTYPE_F64;
    return real == dtype ? BL_DTYPE_F64 : BL_DTYPE_C128;
}

/* Describe what each round combines. */
static void describe_rounds(struct bli_reduction *plan, struct bli_spread *result)
{
    struct bli_round *const last = &plan->round[1];

    plan->rounds = 1;
    plan->round[0] = (struct bli_round){.op = plan->op,
                                        .dtype = plan->dtype,
                                        .options = plan->options,
                                        .to = plan->to,
                                        .result = result};
    if (!is_variance(plan->op))
        return;
    *last = (struct bli_round){.op = BL_REDUCTION_SUM,
                               .dtype = BL_DTYPE_F64,
                               .options = BL_REDUCE_OPTIONS_DEFAULT,
                               .to = plan->to,
                               .result = result};
    plan->rounds = 2;
    plan->round[0].op = BL_REDUCTION_MEAN;
    plan->round[0].to = plan->round[0].options.dtype = mean_dtype(plan->dtype);
    plan->round[0].result = NULL;
}

static void find_group(struct bli_reduction *plan)
{
    plan->group = 1;
    for (int32_t d = 0; d < plan->from->rank; d++)
        for (int32_t a = 0; is_reduced(plan, d) && a < plan->from->grid.axes; a++)
            if (plan->from->dim[a] == d) {
                plan->group_axis[plan->group_axes++] = a;
                plan->group *= plan->from->grid.extent[a];
            }
}

/* Find the way, and plan each round. */
static bl_status plan_rounds(struct bli_reduction *plan)
{
    int64_t partial_size = 8;
    struct bli_ways_query ways = {plan->from, plan->reduced,
                                  (int64_t)bl_dtype_size(plan->dtype), 8, false};

    for (int32_t i = 0; i < plan->rounds; i++) {
        BL_TRY(probe(plan, &plan->round[i], &partial_size));
        plan->round[i].partial_size = partial_size;
    }
    ways.partial_size = partial_size;
    ways.is_free = plan->round[plan->rounds - 1].is_free;
    BL_TRY(bli_ways_find(&ways, &plan->ways));
    plan->cut = plan->ways.cut;
    plan->inner = plan->ways.inner;
    plan->input = bli_spread_retain(plan->ways.way == BLI_WAY_MOVE ? plan->ways.moved
                                                                   : plan->from);
    if (plan->rounds == 2 &&
        (plan->ways.way == BLI_WAY_HERE || plan->ways.way == BLI_WAY_MOVE)) {
        /* All of each result is on one rank, which reads it twice. */
        plan->rounds = 1;
        plan->round[0].op = plan->op;
        plan->round[0].options = plan->options;
        plan->round[0].to = plan->to;
        plan->round[0].result = plan->round[1].result;
        plan->round[1].result = NULL;
    }
    for (int32_t i = 0; i < plan->rounds; i++) {
        BL_TRY(bli_reduction_place_finished(plan, &plan->round[i], partial_size));
        if (!plan->round[i].result)
            BL_TRY(bli_reduction_follow(plan, plan->from, &plan->round[i].result));
    }
    return BL_OK;
}

static bl_status make(const struct bli_reduction_query *query,
                      struct bli_reduction *plan)
{
    struct bli_spread *result;

    BL_TRY(check_call(query, plan));
    BL_TRY(read_axes(query, &plan->reduced));
    BL_TRY(count_elements(plan));
    find_group(plan);
    BL_TRY(bli_reduction_place_result(query, plan, &result));
    describe_rounds(plan, result);
    return plan_rounds(plan);
}

bl_status bli_reduction_make(const struct bli_reduction_query *query,
                             struct bli_reduction *out)
{
    const bl_reduce_options *const options = query->options;
    struct bli_reduction plan = {.ctx = query->ctx,
                                 .op = query->op,
                                 .options = BL_REDUCE_OPTIONS_DEFAULT,
                                 .dtype = query->dtype};
    bl_status status;

    if (options && options->size < sizeof plan.options)
        return bl_error_set(BL_ERR_ARGUMENT, "options: size is %zu, not %zu",
                            options->size, sizeof plan.options);
    if (options)
        plan.options = *options;
    plan.from = bli_spread_retain(query->from);
    status = make(query, &plan);
    if (status == BL_OK)
        *out = plan;
    else
        bli_reduction_free(&plan);
    return status;
}

void bli_reduction_free(struct bli_reduction *plan)
{
    bli_spread_release(plan->from);
    bli_spread_release(plan->input);
    bli_spread_release(plan->given);
    bli_spread_release(plan->ways.moved);
    for (int32_t i = 0; i < 2; i++) {
        bli_spread_release(plan->round[i].finished);
        bli_spread_release(plan->round[i].result);
    }
}
