/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls of operators, and their plans.
 */
#include "mpi/entry/plan.h"

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
