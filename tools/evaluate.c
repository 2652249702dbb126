/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A stack machine over the library's operators.
 */
#include "evaluate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "value.h"

static bool same_shape(const bl_array *a, const bl_array *b)
{
    return a->rank == b->rank &&
           (a->rank == 0 ||
            memcmp(a->extent, b->extent, (size_t)a->rank * sizeof *a->extent) == 0);
}

/*
 * The input that the result may be written over: nobody else sees it, and it has the
 * result's dtype and shape, which is sure where the others have that shape or are 0-d.
 */
static struct value *find_reusable(bl_dtype result, int32_t count, struct value *in)
{
    for (int32_t k = 0; k < count; k++) {
        const bl_array *array = bl_tensor_array(in[k].tensor);
        bool fits = in[k].exclusive && array->dtype == result;

        for (int32_t other = 0; fits && other < count; other++) {
            const bl_array *second = bl_tensor_array(in[other].tensor);

            fits = second->rank == 0 || same_shape(array, second);
        }
        if (fits)
            return &in[k];
    }
    return NULL;
}

/*
 * The options of an operator.  An axis means something to two arrays; with numbers, and
 * for other counts of operands, PaddlePaddle's rules give way to the modern ones.
 */
static bl_options options_of(const struct evaluation *how, int32_t count,
                             bool has_number)
{
    bl_options options = BL_OPTIONS_DEFAULT;

    options.rules = how->rules;
    if (how->rules != &bl_rules_paddle)
        return options;
    if (count != 2 || has_number)
        options.rules = &bl_rules_modern;
    else
        options.axis = (int32_t)how->axis;
    return options;
}

/* An operator on arrays; its value takes the place of the first of them. */
static bl_status apply_arrays(const struct evaluation *how, bl_op op,
                              const bl_options *options, int32_t count,
                              struct value *in)
{
    const bl_array *array[BL_MAX_INPUTS];
    struct value result = {.exclusive = true};
    struct value *reused;
    bl_dtype dtype;

    for (int32_t k = 0; k < count; k++)
        array[k] = bl_tensor_array(in[k].tensor);
    TRY(bl_op_result_dtype(op, array[count - 1]->dtype, &dtype));
    reused = find_reusable(dtype, count, in);
    if (reused) {
        TRY(bl_apply(how->ctx, op, count, array, bl_tensor_array(reused->tensor),
                     options));
        result.tensor = bl_tensor_retain(reused->tensor);
    } else {
        TRY(bl_apply_new(how->ctx, op, count, array, &result.tensor, options));
    }
    for (int32_t k = 0; k < count; k++)
        value_clear(&in[k]);
    in[0] = result;
    return BL_OK;
}

static bl_status check_condition(const struct value *condition)
{
    if (!condition->tensor ||
        bl_tensor_array(condition->tensor)->dtype != BL_DTYPE_BOOL)
        return bl_error_set(
            BL_ERR_DTYPE, "the condition must be bool, got %s; compare, as in c != 0",
            condition->tensor ? bl_dtype_name(bl_tensor_array(condition->tensor)->dtype)
                              : "a number");
    return BL_OK;
}

static bl_status apply(const struct evaluation *how, const struct expr *expr,
                       const struct expr_step *step, struct value *in)
{
    const int32_t first = step->op == BL_OP_WHERE;
    bool has_number = false;
    struct value folded;
    bl_options options;
    bl_status status;
    char sign[64];

    if (value_fold(step->op, step->inputs, in, &folded, &status)) {
        if (status == BL_OK)
            in[0] = folded;
        return status;
    }
    snprintf(sign, sizeof sign, "%.*s", (int)(step->length < 60 ? step->length : 60),
             expr->text + step->at);
    if (first == 1)
        TRY(check_condition(&in[0]));
    for (int32_t k = first; k < step->inputs; k++)
        has_number = has_number || !in[k].tensor;
    TRY(value_unify(how->ctx, step->op, sign, step->inputs - first, in + first));
    options = options_of(how, step->inputs, has_number);
    return apply_arrays(how, step->op, &options, step->inputs, in);
}

/* One step on a stack of *depth values. */
static bl_status run_step(const struct evaluation *how, const struct expr *expr,
                          const struct expr_step *step, struct value *stack,
                          int32_t *depth)
{
    switch (step->kind) {
    case EXPR_INTEGER:
        stack[(*depth)++] =
            (struct value){.is_integer = true, .integer = step->integer};
        return BL_OK;
    case EXPR_REAL:
        stack[(*depth)++] = (struct value){.real = step->real};
        return BL_OK;
    case EXPR_VARIABLE:
        stack[(*depth)++] =
            (struct value){.tensor = bl_tensor_retain(how->variable[step->integer])};
        return BL_OK;
    case EXPR_CAST:
        return value_cast(how->ctx, &stack[*depth - 1], step->dtype);
    default:
        TRY(apply(how, expr, step, stack + *depth - step->inputs));
        *depth -= step->inputs - 1;
        return BL_OK;
    }
}

bl_status evaluate(const struct evaluation *how, const struct expr *expr,
                   bl_tensor **out, size_t *at)
{
    struct value *stack = calloc((size_t)expr->count + 1, sizeof *stack);
    bl_status status = BL_OK;
    int32_t depth = 0;

    *at = 0;
    if (!stack)
        return bl_error_set(BL_ERR_MEMORY, "no memory for the expression");
    for (int32_t k = 0; status == BL_OK && k < expr->count; k++) {
        *at = expr->step[k].at;
        status = run_step(how, expr, &expr->step[k], stack, &depth);
        if (how->done)
            how->done(how->user, k + 1);
    }
    if (status == BL_OK)
        status = value_settle(how->ctx, &stack[0]);
    if (status == BL_OK) {
        *out = stack[0].tensor;
        stack[0].tensor = NULL;
    }
    for (int32_t k = 0; k < expr->count; k++)
        value_clear(&stack[k]);
    free(stack);
    return status;
}
