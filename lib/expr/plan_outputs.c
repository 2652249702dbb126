/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Plans the outputs of an expression: which call writes each of them, and the copy from
 * the workspace to it that an overlap makes necessary.
 */
#include "expr/plan.h"

#include "exec/bind/bind.h"
#include "shape/broadcast.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Refuse an array as output `k`: the error gets the node that it is of. */
static bl_status refuse(struct bli_expr_making *making, bl_status status, int32_t k)
{
    const bl_node node = making->plan->expr->output[k];

    making->is_named = true;
    (void)bli_error_call(status, making->function, "output %d, %A", k, "out",
                         making->outs[k]);
    return bli_fault_position(status, node,
                              bli_expr_node(making->plan->expr, node)->position);
}

/* Check the array that is given for output `k`, whose node has this value. */
static bl_status check_array(const struct bli_expr_value *value, const bl_array *array)
{
    char has[BLI_SHAPE_TEXT], gives[BLI_SHAPE_TEXT];

    BL_TRY(bli_array_check(array, "out", false));
    if (bli_array_is_unaligned(array))
        return bli_error_argument(
            "out", "out: a plan takes no elements that are not aligned to %d bytes",
            (int)bli_dtypes[array->dtype].align);
    if (array->flags & (BL_ARRAY_READ_ONLY | BL_ARRAY_SCALAR))
        return bli_error_argument("out", "out is %s",
                                  array->flags & BL_ARRAY_SCALAR ? "a scalar"
                                                                 : "read-only");
    if (array->rank != value->rank ||
        (value->rank > 0 && memcmp(array->extent, value->extent,
                                   (size_t)value->rank * sizeof *array->extent) != 0))
        return bli_fault_shape(
            bl_error_set(BL_ERR_SHAPE, "out has shape %s, the result %s",
                         bli_shape_text(has, array->rank, array->extent),
                         bli_shape_text(gives, value->rank, value->extent)),
            "out", (bl_shape){array->rank, array->extent},
            (bl_shape){value->rank, value->extent});
    if (array->dtype != value->plain && !bl_can_cast(value->plain, array->dtype))
        return bli_fault_dtypes(
            bl_error_set(BL_ERR_DTYPE,
                         "result type %s can't be cast to the desired output type %s",
                         bli_dtypes[value->plain].torch,
                         bli_dtypes[array->dtype].torch),
            "out", array->dtype, value->plain);
    return BL_OK;
}

/* Keep what output `k`'s array looks like: that given, or a compact one. */
static bl_status take_array(struct bli_expr_making *making, int32_t k,
                            const struct bli_expr_value *value)
{
    bl_expr_plan *const plan = making->plan;
    const bl_array *const given = making->outs ? making->outs[k] : NULL;
    bl_array *const array = &plan->out[k].array;
    int64_t *const stride =
        plan->extent + ((size_t)plan->expr->inputs * 2 + (size_t)k) * BL_MAX_RANK;

    *array = (bl_array){NULL, value->plain, value->rank, value->extent, NULL, 0};
    if (!given)
        return BL_OK;

    const bl_status status = check_array(value, given);

    if (status != BL_OK)
        return refuse(making, status, k);
    array->dtype = given->dtype;
    array->flags = given->flags;
    for (int32_t d = 0; given->stride && d < given->rank; d++)
        stride[d] = given->stride[d];
    array->stride = given->stride ? stride : NULL;
    return BL_OK;
}

/* Whether an array's elements lie as those of a compact one. */
static bool is_compact(const bl_array *array)
{
    int64_t step[BL_MAX_RANK], next = bli_dtypes[array->dtype].size;

    if (!array->stride)
        return true;
    bli_array_steps(array, step);
    for (int32_t d = array->rank - 1; d >= 0; d--) {
        if (array->extent[d] == 1)
            continue;
        if (step[d] != next)
            return false;
        next *= array->extent[d];
    }
    return true;
}

void bli_expr_copy_problem(struct bli_problem *problem, const bl_context *ctx,
                           const struct bli_expr_out *out)
{
    const bl_array *const array = &out->array;
    const bl_pairing pairing = {BL_PAIRING_BROADCAST, 0};
    const bl_array compact = {NULL, array->dtype, array->rank, array->extent, NULL, 0};

    *problem = (struct bli_problem){.op = BL_OP_COPY,
                                    .inputs = 1,
                                    .isa = bli_isa_pick(ctx->isa),
                                    .caches = bli_team_caches(&ctx->team),
                                    .dtype = {array->dtype, array->dtype},
                                    .common = array->dtype,
                                    .rank = array->rank,
                                    .extent = array->extent};
    problem->operand[0] = bli_array_operand(array, pairing);
    problem->operand[1] = bli_array_operand(&compact, pairing);
}

static bl_status plan_copy(const struct bli_expr_making *making,
                           struct bli_expr_out *out)
{
    struct bli_problem problem;

    bli_expr_copy_problem(&problem, making->ctx, out);
    return bli_plan_keep(&out->copy, &making->plan->allocator, &problem);
}

bl_status bli_expr_plan_copies(struct bli_expr_making *making)
{
    for (int32_t k = 0; k < making->plan->outputs; k++)
        if (!making->plan->out[k].copy && !making->plan->out[k].is_direct)
            BL_TRY(plan_copy(making, &making->plan->out[k]));
    return BL_OK;
}

/* Plan the call of an output's value into its array, which is not compact. */
BLI_OWN_FRAME static bl_status plan_direct(const struct bli_expr_making *making,
                                           struct bli_expr_step *step,
                                           const bl_array *array)
{
    struct bli_expr_call made;
    struct bli_resolved resolved;
    const struct bli_call *call;

    BL_TRY(bli_expr_call_make(&made, making->plan, step->value, false, &call));
    BL_TRY(bli_resolve(&resolved, making->ctx, call, false));
    resolved.problem.operand[0] =
        bli_array_operand(array, (bl_pairing){BL_PAIRING_BROADCAST, 0});
    return bli_plan_keep_outline(&step->direct, &making->plan->allocator,
                                 &resolved.problem);
}

/* Whether output `k`'s value is read by a call, also by the copy to another output. */
static bool is_read(const bl_expr_plan *plan, int32_t k, int32_t v)
{
    bool is_read = plan->value[v].last >= 0;

    for (int32_t j = k + 1; j < plan->outputs; j++)
        is_read =
            is_read || bli_expr_node(plan->expr, plan->expr->output[j])->same == v;
    return is_read;
}

/*
 * Choose the value that output `k` is: that of its node, or a copy where that is an
 * input or a number, is converted, is another output already, or is read by other calls
 * that take it to be compact.
 */
static bl_status choose_value(struct bli_expr_making *making, int32_t k)
{
    bl_expr_plan *const plan = making->plan;
    const bl_node node = plan->expr->output[k];
    const int32_t own = bli_expr_node(plan->expr, node)->same;
    struct bli_expr_out *const out = &plan->out[k];
    const bl_array *const array = &out->array;
    const struct bli_expr_value *const value = &plan->value[own];
    int32_t *const operand = plan->list + plan->expr->listed + k;

    out->value = own;
    if (value->step < 0 || value->output >= 0 || value->dtype != array->dtype ||
        (!is_compact(array) && is_read(plan, k, own))) {
        out->value = plan->nodes + k;
        *operand = own;
        plan->value[out->value].dtype = array->dtype;
        BL_TRY(bli_expr_add_step(making, out->value, node, 1, operand));
    }
    plan->value[out->value].output = k;
    return BL_OK;
}

static bl_status plan_output(struct bli_expr_making *making, int32_t k)
{
    bl_expr_plan *const plan = making->plan;
    const int32_t own = bli_expr_node(plan->expr, plan->expr->output[k])->same;
    struct bli_expr_out *const out = &plan->out[k];
    struct bli_expr_step *step;
    bl_status status;

    BL_TRY(take_array(making, k, &plan->value[own]));
    BL_TRY(choose_value(making, k));
    bli_expr_span(&out->array, &out->begin, &out->end);
    out->is_compact = is_compact(&out->array);
    step = &plan->step[plan->value[out->value].step];
    status = out->is_compact ? BL_OK : plan_copy(making, out);
    if (status == BL_OK && step->plan && !out->is_compact)
        status = plan_direct(making, step, &out->array);
    if (status == BL_OK && !step->direct)
        step->direct = step->plan;
    return status == BL_OK || !making->outs ? status : refuse(making, status, k);
}

bl_status bli_expr_plan_outputs(struct bli_expr_making *making)
{
    for (int32_t k = 0; k < making->plan->outputs; k++)
        BL_TRY(plan_output(making, k));
    return BL_OK;
}
