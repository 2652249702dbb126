/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls of operators: plan, vote, move, and compute this rank's part.
 */
#include <string.h>

#include "mpi/entry/plan.h"

/* The address of what this rank's call takes of operand k. */
static const void *operand_address(const bl_mpi_plan *plan, int32_t k, const void *data)
{
    struct bli_block part = plan->part[k];

    if (plan->assembled[k].base)
        return plan->assembled[k].base;
    part.base = (void *)(uintptr_t)data;
    return bli_block_data(&part);
}

static bl_status check(const bl_mpi_plan *plan, bl_context *ctx, void *out,
                       const void *const *data)
{
    return plan->local ? bl_plan_check(ctx, plan->local, out, data) : BL_OK;
}

/* Move operand k, this rank's part of which is at `data`. */
static bl_status move(const bl_mpi_plan *plan, bl_context *ctx, int32_t k,
                      const void *data)
{
    struct bli_link *const link = plan->grid->link;
    struct bli_block own = plan->own[k], ordered;

    own.base = (void *)(uintptr_t)data;
    if (!plan->call.is_linear[k])
        return plan->call.is_local[k]
                   ? BL_OK
                   : bli_mpi_transfer(link, ctx, &plan->call.move[k], plan->call.window,
                                      &own, &plan->assembled[k], plan->buffers);
    if (plan->ordered[k]) {
        bli_block_compact(&ordered, own.dtype, own.layout.rank, &own.box,
                          bl_tensor_mutable_data(plan->ordered[k]));
        bli_block_copy(ctx, &ordered, &own);
        own = ordered;
    }
    return bli_mpi_lines(link, &plan->call.lines[k], bli_block_data(&own),
                         plan->assembled[k].base, &plan->lines[k]);
}

bl_status bli_mpi_plan_run(const bl_mpi_plan *plan, bl_context *ctx,
                           const struct bli_ballot *ballot, bl_status status, void *out,
                           const void *const *data)
{
    bl_mpi_grid *const grid = plan->grid;
    const void *address[BL_MAX_INPUTS] = {NULL};

    ctx = bli_mpi_context(ctx, grid);
    for (int32_t k = 0; status == BL_OK && k < plan->call.count; k++)
        address[k] = operand_address(plan, k, data[k]);
    if (status == BL_OK && !plan->has_values)
        status = check(plan, ctx, out, address);
    BL_TRY(bli_mpi_agree(grid, ballot, status));
    for (int32_t k = 0; k < plan->call.count; k++)
        BL_TRY(move(plan, ctx, k, data[k]));
    if (plan->has_values)
        BL_TRY(bli_mpi_agree(grid, ballot, check(plan, ctx, out, address)));
    return plan->local ? bl_plan_execute(ctx, plan->local, out, address) : BL_OK;
}

/* The grid of a call; NULL: no operand says one. */
static bl_mpi_grid *find_grid(const bl_mpi_tensor *out, int32_t count,
                              const bl_mpi_operand *in)
{
    if (out)
        return out->grid;
    for (int32_t k = 0; in && k < count && k < BL_MAX_INPUTS; k++)
        if (in[k].tensor)
            return in[k].tensor->grid;
    return NULL;
}

/* Begin a call of operands, over the grid that is found. */
static bl_status begin(bl_mpi_grid **grid, struct bli_ballot *ballot,
                       const char *function, const bl_mpi_tensor *out, int32_t count,
                       const bl_mpi_operand *in)
{
    *grid = find_grid(out, count, in);
    if (!*grid)
        return bl_error_set(BL_ERR_ARGUMENT, "no operand is a tensor over ranks");
    return bli_mpi_begin(*grid, ballot, function);
}

/* Vote on a plan that was built and execute it over the program's tensors. */
static bl_status apply(bl_mpi_grid *grid, bl_context *ctx, bl_mpi_plan *plan,
                       const struct bli_ballot *ballot, bl_status status,
                       const bl_mpi_tensor *out, const bl_mpi_operand *in)
{
    const void *data[BL_MAX_INPUTS];
    void *result = NULL;

    if (status == BL_OK && !grid->link)
        status = bl_error_set(BL_ERR_UNSUPPORTED, "the grid is only described");
    if (status != BL_OK)
        return bli_mpi_agree(grid, ballot, status);
    for (int32_t k = 0; k < plan->call.count; k++)
        data[k] =
            in[k].tensor ? bl_tensor_data(in[k].tensor->block) : in[k].array->data;
    result = bl_tensor_mutable_data(out->block);
    if (!result && bl_tensor_numel(out->block) > 0)
        status = bl_error_set(BL_ERR_ARGUMENT, "out is read-only");
    return bli_mpi_plan_run(plan, ctx, ballot, status, result, data);
}

bl_status bl_mpi_apply(bl_context *ctx, bl_op op, const bl_mpi_tensor *out,
                       int32_t count, const bl_mpi_operand *in,
                       const bl_mpi_options *options)
{
    struct bli_ballot ballot;
    bl_mpi_plan *plan = NULL;
    bl_mpi_grid *grid;
    bl_status status;

    BL_TRY(begin(&grid, &ballot, __func__, out, count, in));
    status = out ? bli_mpi_plan_build(__builtin_return_address(0), grid, ctx, op, out,
                                      count, in, options, &ballot, &plan)
                 : bli_mpi_null("out");
    status = apply(grid, ctx, plan, &ballot, status, out, in);
    bl_mpi_plan_destroy(plan);
    return status;
}

bl_status bl_mpi_apply_new(bl_context *ctx, bl_op op, int32_t count,
                           const bl_mpi_operand *in, const bl_mpi_options *options,
                           bl_mpi_tensor **out)
{
    struct bli_ballot ballot;
    bl_mpi_plan *plan = NULL;
    bl_mpi_tensor *made = NULL;
    bl_mpi_grid *grid;
    bl_status status;

    BL_TRY(begin(&grid, &ballot, __func__, NULL, count, in));
    status = out ? bli_mpi_plan_build(__builtin_return_address(0), grid, ctx, op, NULL,
                                      count, in, options, &ballot, &plan)
                 : bli_mpi_null("out");
    if (status == BL_OK)
        status = bli_mpi_tensor_new(grid, ctx, bli_spread_retain(plan->call.result),
                                    plan->call.dtype, &made);
    status = apply(grid, ctx, plan, &ballot, status, made, in);
    bl_mpi_plan_destroy(plan);
    if (status == BL_OK)
        *out = made;
    else
        bl_mpi_tensor_release(made);
    return status;
}

/* ---- plans ---- */

bl_status bl_mpi_plan_create(bl_context *ctx, bl_op op, const bl_mpi_tensor *out,
                             int32_t count, const bl_mpi_operand *in,
                             const bl_mpi_options *options, bl_mpi_plan **plan)
{
    struct bli_ballot ballot;
    bl_mpi_plan *made = NULL;
    bl_mpi_grid *grid;
    bl_status status;

    BL_TRY(begin(&grid, &ballot, __func__, out, count, in));
    status = plan ? bli_mpi_plan_build(__builtin_return_address(0), grid, ctx, op, out,
                                       count, in, options, &ballot, &made)
                  : bli_mpi_null("plan");
    status = bli_mpi_agree(grid, &ballot, status);
    if (status == BL_OK) {
        made->number = grid->plans++;
        *plan = made;
    } else
        bl_mpi_plan_destroy(made);
    return status;
}

bl_status bl_mpi_plan_execute(bl_context *ctx, const bl_mpi_plan *plan, void *out,
                              const void *const *data)
{
    struct bli_ballot ballot;

    if (!plan)
        return bli_mpi_null("plan");
    BL_TRY(bli_mpi_begin(plan->grid, &ballot, __func__));
    if (!plan->grid->link)
        return bl_error_set(BL_ERR_UNSUPPORTED, "the grid is only described");
    bli_ballot_number(&ballot, plan->number);
    bli_ballot_text(&ballot, "plan %d", (int)plan->number);
    return bli_mpi_plan_run(plan, ctx, &ballot, data ? BL_OK : bli_mpi_null("data"),
                            out, data);
}
