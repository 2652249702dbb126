/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Implements functions of expressions that are not element-wise operators.
 */
#include "extra_functions.h"

#include <inttypes.h>
#include <string.h>

bool is_extra_function(const struct expr_step *step, const struct value *argument)
{
    if (step->kind != EXPR_REDUCE || step->function.op == BL_OP_NONE)
        return true;
    return argument[0].tensor && !argument[1].tensor;
}

/* ---- functions other than reductions ---- */

static bl_status sum_to(bl_context *ctx, const struct value *argument,
                        const bl_array *const *array, bl_tensor **out)
{
    (void)argument;
    return bl_sum_to_shape(ctx, array[0], array[1]->rank, array[1]->extent, out);
}

/* Distance with norm 2, or the norm that the third argument gives. */
static bl_status dist(bl_context *ctx, const struct value *argument,
                      const bl_array *const *array, bl_tensor **out)
{
    double norm = 2;
    int64_t integer;

    if (array[2] && argument[2].tensor)
        return bl_error_set(BL_ERR_ARGUMENT, "the norm must be a number");
    if (array[2])
        norm = value_integer(&argument[2], &integer) ? (double)integer
                                                     : argument[2].scalar.value.f64;
    return bl_dist(ctx, array[0], array[1], norm, out);
}

static bl_status masked_select(bl_context *ctx, const struct value *argument,
                               const bl_array *const *array, bl_tensor **out)
{
    (void)argument;
    return bl_masked_select(ctx, array[0], array[1], out);
}

static bl_status masked_scatter(bl_context *ctx, const struct value *argument,
                                const bl_array *const *array, bl_tensor **out)
{
    (void)argument;
    return bl_masked_scatter(ctx, array[0], array[1], array[2], out);
}

enum { MOST_ARGUMENTS = 3 };

/* Function type: `array` ends with NULL after the arguments. */
struct extra_function {
    const char *name;
    int32_t least, most;
    bl_status (*call)(bl_context *ctx, const struct value *argument,
                      const bl_array *const *array, bl_tensor **out);
};

static const struct extra_function rows[] = {
    {"dist", 2, 3, dist},
    {"masked_scatter", 3, 3, masked_scatter},
    {"masked_select", 2, 2, masked_select},
    {"sum_to", 2, 2, sum_to},
    {"sum_to_size", 2, 2, sum_to},
};

const struct extra_function *extra_function_find(const char *name, int32_t count)
{
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++)
        if (strcmp(rows[k].name, name) == 0 && count >= rows[k].least &&
            count <= rows[k].most)
            return &rows[k];
    return NULL;
}

static bl_status call_row(bl_context *ctx, const struct expr_step *step,
                          const struct value *argument, bl_tensor **out)
{
    const bl_array *array[MOST_ARGUMENTS] = {NULL};
    bl_array number[MOST_ARGUMENTS];

    for (int32_t k = 0; k < step->inputs; k++)
        array[k] = value_array(&argument[k], &number[k]);
    return step->extra->call(ctx, argument, array, out);
}

/* ---- reductions ---- */

/* Read the arguments after the array as axes. */
static bl_status read_axes(const struct expr_step *step, const struct value *argument,
                           int32_t *count, int32_t axis[BL_MAX_RANK])
{
    *count = step->inputs - 1;
    if (*count > BL_MAX_RANK)
        return bl_error_set(BL_ERR_ARGUMENT, "more than %d dimensions", BL_MAX_RANK);
    for (int32_t k = 0; k < *count; k++) {
        int64_t integer;

        if (!value_integer(&argument[1 + k], &integer) || integer < INT32_MIN ||
            integer > INT32_MAX)
            return bl_error_set(BL_ERR_ARGUMENT,
                                "%s takes an array and the numbers of its dimensions",
                                bl_reduction_name(step->reduction));
        axis[k] = (int32_t)integer;
    }
    return BL_OK;
}

static bl_status call_reduction(bl_context *ctx, const struct expr_step *step,
                                const struct value *argument, bl_tensor **out)
{
    int32_t axis[BL_MAX_RANK], count = 0;

    TRY(read_axes(step, argument, &count, axis));
    return bl_reduce_new(ctx, step->reduction, bl_tensor_array(argument[0].tensor),
                         count, axis, step->keepdim, NULL, out);
}

bl_status extra_function_apply(bl_context *ctx, const struct expr_step *step,
                               struct value *argument)
{
    struct value result = {.exclusive = true};

    TRY(value_settle(ctx, &argument[0]));
    if (step->kind == EXPR_REDUCE)
        TRY(call_reduction(ctx, step, argument, &result.tensor));
    else
        TRY(call_row(ctx, step, argument, &result.tensor));
    for (int32_t k = 0; k < step->inputs; k++)
        value_clear(&argument[k]);
    argument[0] = result;
    return BL_OK;
}
