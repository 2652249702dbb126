/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Plans of calls over ranks: the planner says what moves, and a plan of libbroadloom
 * computes this rank's part from what it has and what has arrived.
 */
#include <stdlib.h>

#include "mpi/entry/plan.h"

_Static_assert(sizeof(bl_mpi_dim) == sizeof(struct bli_dim) &&
                   offsetof(bl_mpi_dim, border) == offsetof(struct bli_dim, border),
               "the planner's dims are the program's");

/* ---- arguments ---- */

static bl_status read_operands(struct bli_draft *draft, int32_t count,
                               struct bli_ballot *ballot)
{
    bl_layout layout;

    if (count < 1 || count > BL_MAX_INPUTS)
        return bl_error_set(BL_ERR_ARGUMENT, "count is %d, not 1 to %d", (int)count,
                            BL_MAX_INPUTS);
    for (int32_t k = 0; k < count; k++) {
        const bl_mpi_operand *const in = &draft->in[k];
        struct bli_spread_operand *const operand = &draft->operand[k];

        if (!in->tensor == !in->array)
            return bl_error_set(BL_ERR_ARGUMENT, "in[%d] is %s", (int)k,
                                in->tensor ? "a tensor and an array" : "null");
        if (in->array)
            BL_TRY(bl_array_layout(in->array, &layout));
        if (in->tensor && in->tensor->grid != draft->plan->grid)
            return bl_error_set(BL_ERR_ARGUMENT, "in[%d] is over another grid", (int)k);
        if (in->tensor) {
            operand->spread = in->tensor->spread;
            operand->array = (bl_array){.dtype = in->tensor->dtype,
                                        .rank = in->tensor->spread->rank,
                                        .extent = in->tensor->spread->extent};
            bli_ballot_spread(ballot, operand->spread);
        } else {
            operand->array = *in->array;
            operand->array.data = NULL;
            operand->array.stride = NULL;
            operand->array.flags &= BL_ARRAY_SCALAR;
        }
        bli_ballot_shape(ballot, operand->array.dtype, operand->array.rank,
                         operand->array.extent);
    }
    return BL_OK;
}

enum bli_may_move bli_mpi_may_move(int32_t move)
{
    return move == BL_MPI_MOVE_NONE    ? BLI_MOVE_NONE
           : move == BL_MPI_MOVE_SMALL ? BLI_MOVE_SMALL
                                       : BLI_MOVE_AUTO;
}

bl_status bli_mpi_read_limits(const char *name, const bl_mpi_options *given,
                              bl_mpi_options *known, struct bli_ballot *ballot)
{
    BL_TRY(bli_mpi_read_options(name, given, known, sizeof *known));
    if (known->reserved != 0)
        return bl_error_set(BL_ERR_UNSUPPORTED, "%s.reserved is not 0", name);
    if (known->move < BL_MPI_MOVE_AUTO || known->move > BL_MPI_MOVE_NONE)
        return bl_error_set(BL_ERR_ARGUMENT, "%s.move is %d", name, (int)known->move);
    if (known->small_bytes < 0 || known->most_bytes < 0 || known->most_memory < 0)
        return bl_error_set(BL_ERR_ARGUMENT, "a limit of %s is negative", name);
    if (!ballot)
        return BL_OK;
    bli_ballot_number(ballot, known->small_bytes);
    bli_ballot_number(ballot, known->most_bytes);
    bli_ballot_number(ballot, known->most_memory);
    bli_ballot_number(ballot, known->move);
    return BL_OK;
}

static bl_status read_options(struct bli_draft *draft, const bl_mpi_options *given,
                              struct bli_ballot *ballot)
{
    struct bli_spread_options *const options = &draft->options;
    const bl_mpi_tensor *const out = draft->out;
    bl_mpi_options known;

    BL_TRY(bli_mpi_read_limits("options", given, &known, ballot));
    bli_ballot_options(ballot, known.call);
    options->ctx = draft->ctx;
    options->call = known.call;
    options->move = bli_mpi_may_move(known.move);
    options->small_bytes = known.small_bytes;
    options->most_bytes = known.most_bytes;
    options->most_memory = known.most_memory;
    options->warns = draft->plan->grid->link && draft->plan->grid->link->self == 0;
    options->address = draft->address;
    if (out) {
        options->out = out->spread;
        options->out_dtype = out->dtype;
        options->in_place = draft->in[0].tensor == out;
    } else if (known.dims) {
        /* The result's rank, and so their number, is known to the planner alone. */
        options->dims = (const struct bli_dim *)(const void *)known.dims;
    }
    return BL_OK;
}

/* ---- the plan ---- */

static bool is_exact(bl_dtype dtype)
{
    return dtype != BL_DTYPE_F16 && dtype != BL_DTYPE_BF16 && dtype != BL_DTYPE_F32 &&
           dtype != BL_DTYPE_F64 && dtype != BL_DTYPE_C64 && dtype != BL_DTYPE_C128;
}

/* Whether divisors may be refused that arrive from other ranks. */
static bool has_values(const struct bli_spread_call *call)
{
    const bool divides = call->op == BL_OP_FLOOR_DIVIDE ||
                         call->op == BL_OP_TRUNC_DIVIDE ||
                         call->op == BL_OP_REMAINDER || call->op == BL_OP_FMOD;

    return divides && (!call->is_local[1] || call->is_linear[1]) &&
           is_exact(call->operand[0].array.dtype) &&
           is_exact(call->operand[1].array.dtype);
}

bool bli_mpi_is_sequential(const bl_context *ctx, const bl_options *call)
{
    const bl_overlap policy = bl_context_overlap(ctx);
    const bl_rules *const rules =
        call && call->rules ? call->rules : bl_context_rules(ctx);

    return policy == BL_OVERLAP_SEQUENTIAL || (policy == BL_OVERLAP_RULES && rules &&
                                               (rules->flags & BL_RULES_SEQUENTIAL));
}

/* Refuse sequential results over operands that may overlap across ranks. */
static bl_status check_order(const struct bli_draft *draft)
{
    if (!draft->out || !bli_mpi_is_sequential(draft->ctx, draft->options.call))
        return BL_OK;
    for (int32_t k = 0; k < draft->plan->call.count; k++) {
        const bl_mpi_tensor *const in = draft->in[k].tensor;

        if (in && in != draft->out &&
            bl_tensor_shares_storage(in->block, draft->out->block))
            return bl_error_set(BL_ERR_UNSUPPORTED,
                                "in[%d] shares memory with the result: sequential "
                                "results are not computed over ranks",
                                (int)k);
    }
    return BL_OK;
}

static bl_status build(struct bli_draft *draft, bl_op op, int32_t count,
                       const bl_mpi_options *options, struct bli_ballot *ballot)
{
    bl_mpi_plan *const plan = draft->plan;
    if (!draft->in)
        return bli_mpi_null("in");
    if (draft->out && draft->out->grid != plan->grid)
        return bl_error_set(BL_ERR_ARGUMENT, "out is over another grid");
    BL_TRY(read_operands(draft, count, ballot));
    BL_TRY(read_options(draft, options, ballot));
    BL_TRY(
        bli_spread_call_make(op, count, draft->operand, &draft->options, &plan->call));
    bli_ballot_number(ballot, plan->call.dtype);
    bli_ballot_spread(ballot, plan->call.result);
    if (!plan->grid->link)
        return BL_OK;
    BL_TRY(check_order(draft));
    plan->has_values = has_values(&plan->call);
    return bli_mpi_plan_part(draft);
}

bl_status bli_mpi_plan_build(const void *address, bl_mpi_grid *grid, bl_context *ctx,
                             bl_op op, const bl_mpi_tensor *out, int32_t count,
                             const bl_mpi_operand *in, const bl_mpi_options *options,
                             struct bli_ballot *ballot, bl_mpi_plan **plan)
{
    struct bli_draft *const draft = calloc(1, sizeof *draft);
    bl_mpi_plan *const made = calloc(1, sizeof *made);
    bl_op_info info = {.size = sizeof info};
    bl_status status;

    if (!draft || !made) {
        free(draft);
        free(made);
        return bl_error_set(BL_ERR_MEMORY, "no memory for a plan");
    }
    made->grid = bl_mpi_grid_retain(grid);
    draft->plan = made;
    draft->ctx = bli_mpi_context(ctx, grid);
    draft->out = out;
    draft->in = in;
    draft->address = address;
    bli_ballot_number(ballot, op);
    bli_ballot_number(ballot, out != NULL);
    status = bl_op_query(op, &info);
    if (status == BL_OK) {
        bli_ballot_text(ballot, "%s", info.name);
        status = build(draft, op, count, options, ballot);
    }
    free(draft);
    if (status == BL_OK)
        *plan = made;
    else
        bl_mpi_plan_destroy(made);
    return status;
}

void bl_mpi_plan_destroy(bl_mpi_plan *plan)
{
    if (!plan)
        return;
    for (int32_t k = 0; k < BL_MAX_INPUTS; k++) {
        bli_lines_free(&plan->lines[k]);
        bl_tensor_release(plan->ordered[k]);
    }
    for (int32_t s = 0; s < plan->sections; s++)
        if (plan->section[s].owns_plan)
            bl_plan_destroy(plan->section[s].plan);
    free(plan->section);
    bl_tensor_release(plan->workspace);
    bli_spread_call_free(&plan->call);
    bl_mpi_grid_release(plan->grid);
    free(plan);
}
