/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whole expressions, from text: evaluated at once, or by plans.  The operands of an
 * expression are "a" to "h", the arguments of those names, and "out" to "out4".
 */
#include "fortran/procedures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The arguments, as an expression names them: operands, then results. */
static const char *const names[BLF_MAX_OPERANDS] = {
    "a", "b", "c", "d", "e", "f", "g", "h", "out", "out2", "out3", "out4"};
static const char *const *const results = names + BLF_INPUTS;

/* Which arguments an expression takes. */
struct slots {
    int inputs, outputs;
    int input[BLF_MAX_OPERANDS];   /* the argument of each input */
    int operand[BLF_MAX_OPERANDS]; /* of the call, that each argument is */
};

/* What a plan was made for. */
struct blf_plan {
    bl_expr_plan *plan;
    struct slots slots;
    struct blf_operand planned[BLF_MAX_OPERANDS];
};

static int find_name(const char *name)
{
    int k = 0;

    while (k < BLF_MAX_OPERANDS && strcmp(names[k], name) != 0)
        k++;
    return k;
}

static bl_status find_slots(struct blf_call *call, const bl_expr *expr,
                            struct slots *slots)
{
    bl_expr_info info = {.size = sizeof info};
    bl_status status;

    if (!expr)
        return blf_refuse(call, BL_ERR_ARGUMENT, "the expression was not created");
    status = bl_expr_query(expr, &info);
    if (status != BL_OK)
        return status;
    if (info.outputs > BLF_RESULTS)
        return blf_refuse(call, BL_ERR_UNSUPPORTED,
                          "the expression has %d results, of which %d can be taken",
                          (int)info.outputs, BLF_RESULTS);
    slots->inputs = info.inputs;
    slots->outputs = info.outputs;
    for (int k = 0; k < info.inputs; k++) {
        slots->input[k] = find_name(info.input[k]);
        if (slots->input[k] >= BLF_INPUTS + info.outputs)
            return blf_refuse(call, BL_ERR_ARGUMENT,
                              "%.40s is no operand: they are a to %s, and results",
                              info.input[k], names[BLF_INPUTS - 1]);
    }
    return BL_OK;
}

/*
 * Describe the arguments as operands of the call: inputs, then results, which may be
 * inputs, too.
 */
static bl_status open_all(struct blf_call *call, struct slots *slots,
                          const blf_actual *in, const blf_actual *out)
{
    unsigned int taken = 0;
    struct blf_operand *operand;
    bl_status status = BL_OK;

    for (int k = 0; status == BL_OK && k < slots->inputs; k++) {
        const int name = slots->input[k];

        taken |= 1U << name;
        slots->operand[name] = call->count;
        if (name < BLF_INPUTS)
            status = blf_open_mask(call, names[name], in[name], &operand);
    }
    for (int k = 0; status == BL_OK && k < slots->outputs; k++) {
        slots->operand[BLF_INPUTS + k] = call->count;
        status = blf_open_result(call, results[k], out[k], &operand);
        if (status == BL_OK)
            status = blf_check_logical(call, false, operand);
    }
    for (int k = 0; status == BL_OK && k < BLF_INPUTS; k++)
        if (in[k] && !(taken >> k & 1))
            status = blf_refuse(call, BL_ERR_ARGUMENT,
                                "%s is given, but the expression has no %s", names[k],
                                names[k]);
    for (int k = slots->outputs; status == BL_OK && k < BLF_RESULTS; k++)
        if (out[k])
            status =
                blf_refuse(call, BL_ERR_ARGUMENT,
                           "%s is given, but the expression has %d result%s",
                           results[k], slots->outputs, slots->outputs == 1 ? "" : "s");
    return status;
}

/* The arrays of inputs and of results. */
static const bl_array *input_of(const struct blf_call *call, const struct slots *slots,
                                int k)
{
    return &call->operand[slots->operand[slots->input[k]]].array;
}
static const bl_array *result_of(const struct blf_call *call, const struct slots *slots,
                                 int k)
{
    return &call->operand[slots->operand[BLF_INPUTS + k]].array;
}

static void list_arrays(const struct blf_call *call, const struct slots *slots,
                        const bl_array **in, const bl_array **out)
{
    for (int k = 0; k < slots->inputs; k++)
        in[k] = input_of(call, slots, k);
    for (int k = 0; k < slots->outputs; k++)
        out[k] = result_of(call, slots, k);
}

/* ---- text ---- */

void blf_expr_parse(blf_expr *expr, blf_actual text, int *stat, blf_actual errmsg,
                    const blf_context *ctx)
{
    struct blf_call call;
    bl_expr *made = NULL;
    struct slots slots;
    bl_status status;

    blf_begin(&call, "bl_expr_parse", (struct blf_end){stat, errmsg, ctx});
    call.is_expression = true;
    status = blf_parse(&call, text, &made);
    if (status == BL_OK)
        status = find_slots(&call, made, &slots);
    if (status == BL_OK) {
        bl_expr_destroy(expr->expr);
        expr->expr = made;
    } else {
        bl_expr_destroy(made);
    }
    blf_finish(&call, status);
}

void blf_expr_destroy(blf_expr *expr)
{
    bl_expr_destroy(expr->expr);
    expr->expr = NULL;
}

static bl_status run(struct blf_call *call, const blf_expr *expr, const blf_actual *in,
                     const blf_actual *out)
{
    const bl_array *inputs[BLF_MAX_OPERANDS], *outs[BLF_RESULTS];
    struct slots slots;
    bl_status status = find_slots(call, expr->expr, &slots);

    call->expr = expr->expr;

    if (status == BL_OK)
        status = open_all(call, &slots, in, out);
    if (status != BL_OK)
        return status;
    list_arrays(call, &slots, inputs, outs);
    return bl_expr_run(blf_context_of(call), expr->expr, outs, inputs, NULL);
}

void blf_expr_run(const blf_expr *expr, blf_actual out, BLF_EXPR_PARAMETERS, int *stat,
                  blf_actual errmsg, const blf_context *ctx)
{
    struct blf_call call;

    blf_begin(&call, "bl_expr_run", (struct blf_end){stat, errmsg, ctx});
    call.is_expression = true;
    blf_finish(&call, run(&call, expr, (const blf_actual[]){a, b, c, d, e, f, g, h},
                          (const blf_actual[]){out, out2, out3, out4}));
}

/* ---- plans ---- */

static bl_status plan(struct blf_call *call, const blf_expr *expr, const blf_actual *in,
                      const blf_actual *out, struct blf_plan *made)
{
    const bl_array *inputs[BLF_MAX_OPERANDS], *outs[BLF_RESULTS];
    bl_status status = find_slots(call, expr->expr, &made->slots);

    call->expr = expr->expr;

    if (status == BL_OK)
        status = open_all(call, &made->slots, in, out);
    if (status != BL_OK)
        return status;
    list_arrays(call, &made->slots, inputs, outs);
    memcpy(made->planned, call->operand, sizeof made->planned);
    return bl_expr_plan_create(blf_context_of(call), expr->expr, outs, inputs, NULL,
                               &made->plan);
}

void blf_expr_plan_create(blf_expr_plan *to, const blf_expr *expr, blf_actual out,
                          BLF_EXPR_PARAMETERS, int *stat, blf_actual errmsg,
                          const blf_context *ctx)
{
    struct blf_call call;
    struct blf_plan *const made = calloc(1, sizeof *made);
    bl_status status;

    blf_begin(&call, "bl_expr_plan_create", (struct blf_end){stat, errmsg, ctx});
    call.is_expression = true;
    status = made ? plan(&call, expr, (const blf_actual[]){a, b, c, d, e, f, g, h},
                         (const blf_actual[]){out, out2, out3, out4}, made)
                  : blf_refuse(&call, BL_ERR_MEMORY, "no memory for the plan");
    if (status == BL_OK) {
        blf_expr_plan_destroy(to);
        to->plan = made;
    } else {
        free(made);
    }
    blf_finish(&call, status);
}

void blf_expr_plan_destroy(blf_expr_plan *plan)
{
    if (plan->plan)
        bl_expr_plan_destroy(plan->plan->plan);
    free(plan->plan);
    plan->plan = NULL;
}

/* Whether an argument has the type, the shape and the strides of the planned one. */
static bool is_like(const struct blf_operand *given, const struct blf_operand *planned)
{
    bool equal = given->array.dtype == planned->array.dtype &&
                 given->array.rank == planned->array.rank;

    for (int32_t d = 0; equal && d < given->array.rank; d++)
        equal = given->extent[d] == planned->extent[d] &&
                (given->extent[d] == 1 || given->stride[d] == planned->stride[d]);
    return equal;
}

static bl_status execute(struct blf_call *call, const struct blf_plan *plan,
                         const blf_actual *in, const blf_actual *out)
{
    const void *from[BLF_MAX_OPERANDS];
    void *to[BLF_RESULTS];
    struct slots slots;
    bl_status status;

    if (!plan)
        return blf_refuse(call, BL_ERR_ARGUMENT, "the plan was not created");
    slots = plan->slots;
    status = open_all(call, &slots, in, out);
    if (status != BL_OK)
        return status;
    for (int k = 0; k < call->count; k++)
        if (!is_like(&call->operand[k], &plan->planned[k]))
            return blf_refuse(call, BL_ERR_ARGUMENT,
                              "%s is not like the one planned for",
                              call->operand[k].name);
    for (int k = 0; k < slots.inputs; k++)
        from[k] = input_of(call, &slots, k)->data;
    for (int k = 0; k < slots.outputs; k++)
        to[k] = result_of(call, &slots, k)->data;
    return bl_expr_plan_execute(blf_context_of(call), plan->plan, to, from);
}

void blf_expr_plan_execute(const blf_expr_plan *plan, blf_actual out,
                           BLF_EXPR_PARAMETERS, int *stat, blf_actual errmsg,
                           const blf_context *ctx)
{
    struct blf_call call;

    blf_begin(&call, "bl_expr_plan_execute", (struct blf_end){stat, errmsg, ctx});
    call.is_expression = true;
    blf_finish(&call,
               execute(&call, plan->plan, (const blf_actual[]){a, b, c, d, e, f, g, h},
                       (const blf_actual[]){out, out2, out3, out4}));
}
