/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Plans element-wise calls over ranks: the whole call is checked and its rules are
 * asked once, on every rank alike; then each operand has a move.
 */
#include "mpi/spread/call.h"

#include <broadloom/base.h>
#include <broadloom/context.h>
#include <broadloom/plan.h>
#include <broadloom/rules.h>
#include <broadloom/warnings.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/spread/choose.h"
#include "mpi/spread/limits.h"

/* A call while it is planned. */
struct draft {
    const struct bli_spread_operand *operand;
    const struct bli_spread_options *options;
    const struct bli_grid *grid;
    const struct bli_spread *out; /* NULL: a new result */
    struct bli_spread_call *plan;
    int32_t rank; /* of the result */
    int64_t extent[BL_MAX_RANK];
};

/* ---- the whole call ---- */

static bool is_scalar(const struct bli_spread_operand *operand)
{
    return (operand->array.flags & BL_ARRAY_SCALAR) != 0;
}

/* Ask the library to plan the whole call, without data: what it refuses is refused. */
static bl_status check_whole(struct draft *draft)
{
    struct bli_spread_call *const plan = draft->plan;
    const bl_array *in[BL_MAX_INPUTS] = {NULL};
    bl_plan_info info = {.size = sizeof info};
    bl_array out = {.dtype = draft->options->out_dtype};
    bl_plan *whole;

    for (int32_t k = 0; k < plan->count && k < BL_MAX_INPUTS; k++)
        in[k] = &draft->operand[k].array;
    if (draft->out) {
        out.rank = draft->out->rank;
        out.extent = draft->out->extent;
    }
    /* Warnings are raised with the address of the program's call: warn.c. */
    bl_warnings_suppress_begin();
    bl_status status = bl_plan_create(draft->options->ctx, plan->op,
                                      draft->options->in_place ? in[0]
                                      : draft->out             ? &out
                                                               : NULL,
                                      plan->count, in, draft->options->call, &whole);

    bl_warnings_suppress_end();
    if (status != BL_OK)
        return status;
    status = bl_plan_query(whole, &info);
    if (status == BL_OK) {
        plan->dtype = info.dtype;
        draft->rank = info.rank;
        for (int32_t d = 0; d < info.rank; d++)
            draft->extent[d] = info.extent[d];
    }
    bl_plan_destroy(whole);
    return status;
}

static bool has_shape(const bl_array *array, int32_t rank, const int64_t *extent)
{
    return array->rank == rank &&
           (rank == 0 ||
            memcmp(array->extent, extent, (size_t)rank * sizeof *extent) == 0);
}

/* Ask the rules how operand k is paired; scalars are with every element. */
static bl_status find_shifts(struct draft *draft)
{
    const bl_options *const call = draft->options->call;
    struct bli_spread_call *const plan = draft->plan;
    bl_rules_operand operand[BL_MAX_INPUTS + 1];
    bl_shape result = {draft->rank, draft->extent};
    bl_rules_query query = {.size = sizeof query,
                            .op = plan->op,
                            .axis = call ? call->axis : BL_AXIS_LAST,
                            .operand = operand,
                            .is_call = true};
    const bl_rules *rules = call ? call->rules : NULL;
    bl_rules_answer answer;
    int32_t first = 0;

    if (draft->options->in_place) {
        query.mode = BL_MODE_IN_PLACE;
    } else if (draft->out && plan->op == BL_OP_COPY) {
        query.mode = BL_MODE_IN_PLACE;
        operand[query.count++] = (bl_rules_operand){result, BL_ROLE_PAIRED, NULL};
        first = 1;
    } else if (draft->out) {
        query.mode = BL_MODE_OUT;
        query.result = &result;
    }
    for (int32_t k = 0; k < plan->count; k++) {
        const bl_array *const array = &draft->operand[k].array;
        const bool is_mask = k == 0 && plan->op == BL_OP_WHERE;

        if (!is_scalar(&draft->operand[k]))
            operand[query.count++] =
                (bl_rules_operand){{array->rank, array->extent},
                                   is_mask ? BL_ROLE_MASK : BL_ROLE_PAIRED,
                                   NULL};
    }
    if (query.count == 0)
        return BL_OK;
    if (!rules)
        rules = bl_context_rules(draft->options->ctx);
    BL_TRY(bl_rules_resolve(rules, &query, &answer));
    plan->is_changed = answer.events > 0;
    BL_TRY(bli_call_warn(draft->options, rules, &query, &answer));
    for (int32_t k = 0, o = first; k < plan->count; k++) {
        if (is_scalar(&draft->operand[k]))
            continue;
        /* Of one shape, both orders are the same. */
        plan->is_linear[k] =
            answer.pairing[o].kind == BL_PAIRING_LINEAR &&
            !has_shape(&draft->operand[k].array, draft->rank, draft->extent);
        plan->move[k].shift = plan->is_linear[k] ? 0 : answer.pairing[o].shift;
        o++;
    }
    return BL_OK;
}

/* ---- operands ---- */

/* All operands are over one grid; find it. */
static bl_status find_grid(struct draft *draft)
{
    const bl_options *const call = draft->options->call;
    struct bli_spread_call *const plan = draft->plan;

    draft->grid = draft->out ? &draft->out->grid : NULL;
    for (int32_t k = 0; k < plan->count; k++) {
        const struct bli_spread *const spread = draft->operand[k].spread;
        const bl_array *const array = &draft->operand[k].array;
        char letter[2];

        if (!spread)
            continue;
        if (!draft->grid)
            draft->grid = &spread->grid;
        if (!bli_grid_is_equal(draft->grid, &spread->grid))
            return bl_error_set(BL_ERR_ARGUMENT,
                                "%s is over another grid of ranks than the others",
                                bli_call_name(call, plan->op, k, letter));
        if (!bli_spread_has_shape(spread, array->rank, array->extent))
            return bl_error_set(BL_ERR_ARGUMENT,
                                "%s is spread with another shape than its own",
                                bli_call_name(call, plan->op, k, letter));
    }
    if (!draft->grid)
        return bl_error_set(BL_ERR_ARGUMENT, "no operand is spread over ranks");
    return BL_OK;
}

/* Keep the operands' spreads; an array that all ranks have gets one that is whole. */
static bl_status keep_operands(struct draft *draft)
{
    struct bli_spread_call *const plan = draft->plan;

    for (int32_t k = 0; k < plan->count; k++) {
        const struct bli_spread_operand *const operand = &draft->operand[k];
        const bl_array *const array = &operand->array;
        int64_t numel, bytes;

        if (operand->spread)
            plan->from[k] = bli_spread_retain(operand->spread);
        else
            BL_TRY(bli_spread_make(draft->grid, array->rank, array->extent, NULL,
                                   BLI_EVERY_RANK, &plan->from[k]));
        plan->operand[k] = *operand;
        plan->operand[k].spread = operand->spread ? plan->from[k] : NULL;
        plan->operand[k].array.extent = plan->from[k]->extent;
        plan->operand[k].array.stride = NULL;
        plan->operand[k].array.data = NULL;
        plan->move[k].from = plan->from[k];
        plan->move[k].size = (int64_t)bl_dtype_size(array->dtype);
        BL_TRY(bl_shape_numel(array->rank, array->extent, &numel));
        if (__builtin_mul_overflow(numel, plan->move[k].size, &bytes) ||
            __builtin_mul_overflow(bytes, (int64_t)draft->grid->ranks, &bytes))
            return bl_error_set(BL_ERR_OVERFLOW,
                                "the bytes of operand %d on %d ranks do not fit in 64 "
                                "bits",
                                (int)k + 1, (int)draft->grid->ranks);
    }
    return BL_OK;
}

/* Find where the result lies: where it is, as told, or as chosen. */
static bl_status place_result(struct draft *draft)
{
    struct bli_spread_call *const plan = draft->plan;

    plan->follows = -1;
    if (draft->out) {
        plan->result = bli_spread_retain(draft->out);
        return BL_OK;
    }
    if (draft->options->dims)
        return bli_spread_make(draft->grid, draft->rank, draft->extent,
                               draft->options->dims, BLI_EVERY_RANK, &plan->result);
    return bli_choose_result(plan, draft->rank, draft->extent);
}

/*
 * Operand k moves by linear order to where the result lies.  All ranks' totals are
 * kept, since to count one rank's takes as long as its move.
 */
static bl_status move_by_lines(struct bli_spread_call *plan, int32_t k)
{
    const int32_t ranks = plan->result->grid.ranks;

    plan->linear[k] = malloc((size_t)ranks * sizeof *plan->linear[k]);
    if (!plan->linear[k])
        return bl_error_set(BL_ERR_MEMORY, "no memory for the totals of %d ranks",
                            (int)ranks);
    plan->lines[k] = bli_lines_make(plan->from[k], plan->result, plan->move[k].size);
    plan->move[k].from = plan->result;
    BL_TRY(bli_lines_traffic(&plan->lines[k], plan->linear[k]));
    for (int32_t r = 0; r < ranks; r++)
        plan->is_local[k] = plan->is_local[k] && plan->linear[k][r].sent == 0;
    return BL_OK;
}

static bl_status make(struct draft *draft)
{
    struct bli_spread_call *const plan = draft->plan;

    if (draft->options->in_place && !draft->out)
        return bl_error_set(BL_ERR_ARGUMENT,
                            "the result is not spread: each rank would write its own");
    BL_TRY(check_whole(draft));
    BL_TRY(find_grid(draft));
    BL_TRY(find_shifts(draft));
    BL_TRY(keep_operands(draft));
    BL_TRY(place_result(draft));
    for (int32_t k = 0; k < plan->count; k++) {
        plan->move[k].to = plan->result;
        plan->is_local[k] = plan->is_linear[k] || bli_move_is_local(&plan->move[k]);
        if (plan->is_linear[k])
            BL_TRY(move_by_lines(plan, k));
        else if (!plan->is_local[k])
            BL_TRY(bli_stage_make(&plan->move[k], &plan->stage[k]));
    }
    plan->is_direct =
        plan->op == BL_OP_COPY && !plan->is_linear[0] && !plan->is_local[0] &&
        plan->operand[0].array.dtype == plan->dtype &&
        bli_spread_has_shape(plan->result, plan->from[0]->rank, plan->from[0]->extent);
    return bli_call_check_limits(plan, draft->options);
}

bl_status bli_spread_call_make(bl_op op, int32_t count,
                               const struct bli_spread_operand *operands,
                               const struct bli_spread_options *options,
                               struct bli_spread_call *out)
{
    static const struct bli_spread_options defaults;
    struct bli_spread_call plan = {.op = op, .count = count};
    struct draft draft = {.operand = operands, .plan = &plan};

    draft.options = options ? options : &defaults;
    draft.out =
        draft.options->in_place && count > 0 ? operands[0].spread : draft.options->out;
    plan.window = draft.options->window > 0 ? draft.options->window : BLI_WINDOW;

    const bl_status status = make(&draft);

    if (status == BL_OK)
        *out = plan;
    else
        bli_spread_call_free(&plan);
    return status;
}

void bli_spread_call_free(struct bli_spread_call *plan)
{
    for (int32_t k = 0; k < BL_MAX_INPUTS; k++) {
        bli_spread_release(plan->from[k]);
        bli_stage_free(plan->stage[k]);
        free(plan->linear[k]);
    }
    bli_spread_release(plan->result);
}
