/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Builder calls: what each makes and refuses, and that the first refusal is kept.
 */
#include <broadloom.h>
#include <broadloom/describe.h>
#include <broadloom/expr.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/same.h"
#include "harness/tap.h"

static float x[6] = {1, 2, 3, 4, 5, 6};

/* ---- refusals of builder calls ---- */

static bl_node given; /* an input that each expression has */

static bl_node apply(bl_expr *expr, bl_op op, int32_t count, bl_node node)
{
    const bl_node nodes[] = {given, node, node};

    return bl_expr_apply(expr, op, count, nodes, NULL);
}

static bl_node name_digit(bl_expr *expr)
{
    return bl_expr_input(expr, "2x");
}
static bl_node name_empty(bl_expr *expr)
{
    return bl_expr_input(expr, "");
}
static bl_node name_twice(bl_expr *expr)
{
    return bl_expr_input(expr, "a");
}
static bl_node name_long(bl_expr *expr)
{
    return bl_expr_input(
        expr, "a123456789012345678901234567890123456789012345678901234567890123");
}
static bl_node null_number(bl_expr *expr)
{
    return bl_expr_number(expr, NULL);
}
static bl_node odd_number(bl_expr *expr)
{
    const bl_scalar number = {BL_DTYPE_F32, {{0, 0}}};

    return bl_expr_number(expr, &number);
}
static bl_node no_operator(bl_expr *expr)
{
    return apply(expr, (bl_op)999, 2, given);
}
static bl_node one_of_two(bl_expr *expr)
{
    return apply(expr, BL_OP_ADD, 1, given);
}
static bl_node later_node(bl_expr *expr)
{
    return apply(expr, BL_OP_ADD, 2, 1);
}
static bl_node negative_node(bl_expr *expr)
{
    return apply(expr, BL_OP_ADD, 2, -7);
}
static bl_node refused_node(bl_expr *expr)
{
    return apply(expr, BL_OP_ADD, 2, BL_NODE_NONE);
}
static bl_node null_nodes(bl_expr *expr)
{
    return bl_expr_apply(expr, BL_OP_NEG, 1, NULL, NULL);
}
static bl_node with_options(bl_expr *expr, bl_op op, bl_options options)
{
    const bl_node nodes[] = {given, given};

    return bl_expr_apply(expr, op, 2, nodes, &options);
}
static bl_node odd_alpha(bl_expr *expr)
{
    const bl_scalar two = bl_scalar_i64(2);
    bl_options options = BL_OPTIONS_DEFAULT;

    options.alpha = &two;
    return with_options(expr, BL_OP_MUL, options);
}
static bl_node odd_dtype(bl_expr *expr)
{
    bl_options options = BL_OPTIONS_DEFAULT;

    options.dtype = (bl_dtype)99;
    return with_options(expr, BL_OP_MUL, options);
}
static bl_node no_size(bl_expr *expr)
{
    bl_options options = BL_OPTIONS_DEFAULT;

    options.size = 0;
    return with_options(expr, BL_OP_MUL, options);
}
static bl_node odd_fixed(bl_expr *expr)
{
    bl_options options = BL_OPTIONS_DEFAULT;

    options.fixed = 0xff;
    return with_options(expr, BL_OP_ADD, options);
}
static bl_node negative_growth(bl_expr *expr)
{
    bl_options options = BL_OPTIONS_DEFAULT;

    options.max_growth = -1;
    return with_options(expr, BL_OP_ADD, options);
}
static bl_node no_growth(bl_expr *expr)
{
    bl_options options = BL_OPTIONS_DEFAULT;

    options.max_growth = (double)NAN;
    return with_options(expr, BL_OP_ADD, options);
}
static bl_node cast_nowhere(bl_expr *expr)
{
    return bl_expr_cast(expr, given, BL_DTYPE_NONE);
}
static bl_node no_reduction(bl_expr *expr)
{
    return bl_expr_reduce(expr, (bl_reduction)77, given, 0, NULL, false, NULL);
}
static bl_node null_axes(bl_expr *expr)
{
    return bl_expr_reduce(expr, BL_REDUCTION_SUM, given, 1, NULL, false, NULL);
}
static bl_node many_axes(bl_expr *expr)
{
    return bl_expr_reduce(expr, BL_REDUCTION_SUM, given, 65, NULL, false, NULL);
}
static bl_node over_axes(bl_expr *expr, int32_t first, int32_t second)
{
    const int32_t axes[] = {first, second};

    return bl_expr_reduce(expr, BL_REDUCTION_SUM, given, 2, axes, false, NULL);
}
static bl_node axis_twice(bl_expr *expr)
{
    /* Of an array of 63 dimensions these two are one; of others they are not. */
    return over_axes(expr, 1, -62) == BL_NODE_NONE ? given : over_axes(expr, -1, -1);
}
static bl_node far_axis(bl_expr *expr)
{
    return over_axes(expr, 0, 64);
}
static bl_node negative_axis(bl_expr *expr)
{
    return over_axes(expr, INT32_MIN, 0);
}
static bl_node reduce(bl_expr *expr, bl_reduction op, double correction, bl_dtype dtype)
{
    bl_reduce_options options = BL_REDUCE_OPTIONS_DEFAULT;

    options.correction = correction;
    options.dtype = dtype;
    return bl_expr_reduce(expr, op, given, 0, NULL, false, &options);
}
static bl_node no_correction(bl_expr *expr)
{
    return reduce(expr, BL_REDUCTION_VAR, (double)NAN, BL_DTYPE_NONE);
}
static bl_node endless_correction(bl_expr *expr)
{
    return reduce(expr, BL_REDUCTION_STD, (double)INFINITY, BL_DTYPE_NONE);
}
static bl_node dtype_of_max(bl_expr *expr)
{
    return reduce(expr, BL_REDUCTION_MAX, 1, BL_DTYPE_F64);
}
static bl_node dtype_of_var(bl_expr *expr)
{
    return reduce(expr, BL_REDUCTION_VAR, 1, BL_DTYPE_F64);
}
static bl_node odd_mean(bl_expr *expr)
{
    return reduce(expr, BL_REDUCTION_MEAN, 1, BL_DTYPE_I32);
}
static bl_node output_nowhere(bl_expr *expr)
{
    bl_expr_output(expr, 5);
    return BL_NODE_NONE;
}
static bl_node many_inputs(bl_expr *expr)
{
    while (bl_expr_input(expr, NULL) != BL_NODE_NONE)
        continue;
    return BL_NODE_NONE;
}
static bl_node many_nodes(bl_expr *expr)
{
    while (bl_expr_cast(expr, given, BL_DTYPE_F32) != BL_NODE_NONE)
        continue;
    return BL_NODE_NONE;
}
static bl_node many_outputs(bl_expr *expr)
{
    for (int k = 0; k <= BL_MAX_SLOTS; k++)
        bl_expr_output(expr, given);
    return BL_NODE_NONE;
}

static const struct {
    bl_node (*call)(bl_expr *expr);
    bl_status status;
    bl_node at;
    const char *message;
} refusals[] = {
    {name_digit, BL_ERR_ARGUMENT, 1, "'2x' is no name"},
    {name_empty, BL_ERR_ARGUMENT, 1, "'' is no name"},
    {name_twice, BL_ERR_ARGUMENT, 1, "there is an input a"},
    {name_long, BL_ERR_ARGUMENT, 1, "is no name"},
    {null_number, BL_ERR_ARGUMENT, 1, "number is null"},
    {odd_number, BL_ERR_ARGUMENT, 1, "number: dtype"},
    {no_operator, BL_ERR_ARGUMENT, 1, "op: 999 is no operator"},
    {one_of_two, BL_ERR_ARGUMENT, 1, "add takes 2 inputs, not 1"},
    {later_node, BL_ERR_ARGUMENT, 1, "1 is no node, there are 1"},
    {negative_node, BL_ERR_ARGUMENT, 1, "-7 is no node"},
    {refused_node, BL_ERR_ARGUMENT, 1, "node 2 of 2 was refused"},
    {null_nodes, BL_ERR_ARGUMENT, 1, "nodes is null"},
    {odd_alpha, BL_ERR_ARGUMENT, 1, "mul takes no alpha"},
    {odd_dtype, BL_ERR_ARGUMENT, 1, "options"},
    {no_size, BL_ERR_ARGUMENT, 1, "options"},
    {odd_fixed, BL_ERR_ARGUMENT, 1, "options: fixed 0xff names more than 2 operands"},
    {negative_growth, BL_ERR_ARGUMENT, 1, "options: max_growth -1 is not a limit"},
    {no_growth, BL_ERR_ARGUMENT, 1, "options: max_growth nan is not a limit"},
    {axis_twice, BL_ERR_ARGUMENT, 2, "appears multiple times in the list of dims"},
    {far_axis, BL_ERR_ARGUMENT, 1, "but got 64"},
    {negative_axis, BL_ERR_ARGUMENT, 1, "but got -2147483648"},
    {no_correction, BL_ERR_ARGUMENT, 1, "options: correction nan is not finite"},
    {endless_correction, BL_ERR_ARGUMENT, 1, "options: correction inf is not finite"},
    {dtype_of_max, BL_ERR_DTYPE, 1, "max has a dtype of its own, not f64"},
    {dtype_of_var, BL_ERR_DTYPE, 1, "var has a dtype of its own, not f64"},
    {odd_mean, BL_ERR_DTYPE, 1, "could not infer output dtype"},
    {cast_nowhere, BL_ERR_ARGUMENT, 1, "dtype"},
    {no_reduction, BL_ERR_ARGUMENT, 1, "op: 77 is no reduction"},
    {null_axes, BL_ERR_ARGUMENT, 1, "axes is null"},
    {many_axes, BL_ERR_ARGUMENT, 1, "65 axes"},
    {output_nowhere, BL_ERR_ARGUMENT, 1, "5 is no node"},
    {many_inputs, BL_ERR_UNSUPPORTED, 64, "more than 64 inputs"},
    {many_nodes, BL_ERR_UNSUPPORTED, 1024, "more than 1024 nodes"},
    {many_outputs, BL_ERR_UNSUPPORTED, 1, "more than 64 outputs"},
};

static bool is_refused(size_t i)
{
    const bl_array *const inputs[] = {BL_VIEW(x, 6)};
    bl_expr_plan *plan = NULL;
    bl_expr *expr = NULL;
    bl_node at = -5;
    bool pass;

    must(bl_expr_create(NULL, &expr));
    given = bl_expr_input(expr, NULL);
    pass = bl_expr_status(expr, &at) == BL_OK && at == BL_NODE_NONE &&
           refusals[i].call(expr) == BL_NODE_NONE;
    /* Another refusal does not replace the first one, which plans have, too. */
    pass = pass && bl_expr_cast(expr, BL_NODE_NONE, BL_DTYPE_F32) == BL_NODE_NONE &&
           bl_expr_plan_create(NULL, expr, NULL, inputs, NULL, &plan) ==
               refusals[i].status &&
           plan == NULL && bl_expr_status(expr, &at) == refusals[i].status &&
           at == refusals[i].at && strstr(bl_error_message(), refusals[i].message);
    if (!pass)
        tap_note("at %d: %s", (int)at, bl_error_message());
    bl_expr_destroy(expr);
    return pass;
}

int main(void)
{
    tap_plan();
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++)
        tap_ok(is_refused(i), "%s", refusals[i].message);
    return tap_done();
}
