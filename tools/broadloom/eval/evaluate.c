/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Evaluates expressions: a stack machine over the library's operators.
 */
#include <broadloom/compat.h>

#include "evaluate.h"

#include <stdlib.h>
#include <string.h>

#include "shape/extra_functions.h"

static bool same_shape(const bl_array *a, const bl_array *b)
{
    return a->rank == b->rank &&
           (a->rank == 0 ||
            memcmp(a->extent, b->extent, (size_t)a->rank * sizeof *a->extent) == 0);
}

/*
 * Find an input whose memory can hold the result: not shared, and of the result's dtype
 * and shape, which is certain where the other inputs have that shape or are 0-d.
 */
static struct value *find_reusable(bl_dtype result, int32_t count, struct value *in)
{
    for (int32_t k = 0; k < count; k++) {
        const bl_array *array = in[k].tensor ? bl_tensor_array(in[k].tensor) : NULL;
        bool fits = array && in[k].exclusive && array->dtype == result;

        for (int32_t other = 0; fits && other < count; other++) {
            const bl_array *second =
                in[other].tensor ? bl_tensor_array(in[other].tensor) : NULL;

            fits = !second || second->rank == 0 || same_shape(array, second);
        }
        if (fits)
            return &in[k];
    }
    return NULL;
}

/*
 * The options of an operator call.  An axis applies to two arrays; for scalars and for
 * other numbers of operands, the modern rules replace PaddlePaddle's.
 */
static bl_options options_of(const struct evaluation *how, int32_t count,
                             bool has_number)
{
    bl_options options = BL_OPTIONS_DEFAULT;

    options.rules = how->rules;
    if (how->rules != bl_rules_paddle())
        return options;
    if (count != 2 || has_number)
        options.rules = bl_rules_modern();
    else
        options.axis = (int32_t)how->axis;
    return options;
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

/* Map the function's arguments to the operator's inputs, constant scalars included. */
static bool arrange(const struct function *function, const struct value *argument,
                    struct value *input)
{
    bool has_array = false;

    for (int32_t k = 0; k < function->inputs; k++) {
        const bl_scalar *number;
        const int32_t from = function_input(function, k, &number);

        input[k] = number ? (struct value){.scalar = *number} : argument[from];
        has_array = has_array || input[k].tensor;
    }
    return has_array;
}

/*
 * The dtype of the result; BL_DTYPE_NONE where the call will report the error itself.
 */
static bl_status result_dtype(bl_op op, int32_t count, const struct value *input,
                              const bl_array *const *array, bl_dtype *result)
{
    const int32_t first = op == BL_OP_WHERE;
    bl_dtype common;

    TRY(bl_result_dtype(count - first, array + first, &common));
    for (int32_t k = first; k < count; k++)
        if (!input[k].tensor)
            TRY(value_check(&input[k], common));
    if (bl_op_result_dtype(op, common, result) != BL_OK)
        *result = BL_DTYPE_NONE;
    return BL_OK;
}

/* Apply an operator to inputs of which at least one is an array. */
static bl_status apply_arrays(const struct evaluation *how, bl_op op, int32_t count,
                              struct value *input, bl_tensor **out)
{
    const bl_array *array[BL_MAX_INPUTS];
    bl_array number[BL_MAX_INPUTS];
    bool has_number = false;
    struct value *reused;
    bl_options options;
    bl_dtype dtype;

    for (int32_t k = 0; k < count; k++) {
        array[k] = value_array(&input[k], &number[k]);
        has_number = has_number || !input[k].tensor;
    }
    TRY(result_dtype(op, count, input, array, &dtype));
    options = options_of(how, count, has_number);
    reused = find_reusable(dtype, count, input);
    if (!reused)
        return bl_apply_new(how->ctx, op, count, array, &options, out);
    TRY(bl_apply(how->ctx, op, bl_tensor_array(reused->tensor), count, array,
                 &options));
    *out = bl_tensor_retain(reused->tensor);
    return BL_OK;
}

/* Apply a function; its value replaces the first argument. */
static bl_status apply(const struct evaluation *how, const struct function *function,
                       struct value *argument)
{
    struct value input[BL_MAX_INPUTS], result = {.exclusive = true};
    const bool has_array = arrange(function, argument, input);

    if (function->op == BL_OP_WHERE)
        TRY(check_condition(&input[0]));
    if (has_array)
        TRY(apply_arrays(how, function->op, function->inputs, input, &result.tensor));
    else
        TRY(constant_fold(how->ctx, function->op, function->inputs, input, &result));
    for (int32_t k = 0; k < function->arguments; k++)
        value_clear(&argument[k]);
    argument[0] = result;
    return BL_OK;
}

/* Execute one step on a stack of *depth values. */
static bl_status run_step(const struct evaluation *how, const struct expr_step *step,
                          struct value *stack, int32_t *depth)
{
    struct value *const argument = stack + *depth - step->inputs;

    switch (step->kind) {
    case EXPR_INTEGER:
        stack[(*depth)++] = (struct value){.scalar = bl_scalar_i64(step->integer)};
        return BL_OK;
    case EXPR_REAL:
        stack[(*depth)++] = (struct value){.scalar = bl_scalar_f64(step->real)};
        return BL_OK;
    case EXPR_VARIABLE:
        stack[(*depth)++] =
            (struct value){.tensor = bl_tensor_retain(how->variable[step->integer])};
        return BL_OK;
    case EXPR_CAST:
        return value_cast(how->ctx, argument, step->dtype);
    case EXPR_APPLY:
        TRY(apply(how, &step->function, argument));
        break;
    default:
        if (is_extra_function(step, argument))
            TRY(extra_function_apply(how->ctx, step, argument));
        else
            TRY(apply(how, &step->function, argument));
    }
    *depth -= step->inputs - 1;
    return BL_OK;
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
        status = run_step(how, &expr->step[k], stack, &depth);
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
