/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The calls of stack.c that are not operators on plain operands: reductions, masks,
 * user functions, overlap, plans.
 */
#include <broadloom/compat.h>
#include <broadloom/expr.h>

#include <math.h>
#include <stdlib.h>

#include "reference/ref.h"
#include "stack.h"

static struct layout_operand a, b, mask, result;
static const bl_array *const both[] = {&a.array, &b.array};
static bl_tensor *made;

static bl_status gone(bl_status status)
{
    if (status == BL_OK)
        bl_tensor_release(made);
    return status;
}

static void drop(void)
{
    free(a.memory);
    free(b.memory);
    free(mask.memory);
    free(result.memory);
}

static void make(bl_dtype dtype, enum layout first, enum layout second)
{
    stack_make(&a, dtype, first);
    stack_make(&b, dtype, second);
    stack_make(&mask, BL_DTYPE_BOOL, second);
    stack_make(&result, dtype, ROWS);
}

/* ---- reductions ---- */

static bl_reduction reduction;
static int32_t axis; /* -1: all */
static double power;

static bl_status fold(void)
{
    return gone(bl_reduce_new(stack_ctx, reduction, &a.array, axis < 0 ? 0 : 1, &axis,
                              false, NULL, &made));
}

static bl_status measure_distance(void)
{
    return gone(bl_dist(stack_ctx, &a.array, &b.array, power, &made));
}

static void reductions(void)
{
    static const double powers[] = {0, 1, 2, 2.5, INFINITY};

    painted_begin("reductions");
    for (int32_t dtype = 1; dtype < REF_DTYPES_END; dtype++)
        for (int l = ROWS; l <= EVERY_THIRD && stack_is_tried(dtype); l++) {
            make((bl_dtype)dtype, (enum layout)l, ROWS);
            for (reduction = 1; bl_reduction_name(reduction) != NULL; reduction++)
                for (axis = -1; axis < 2; axis++)
                    (void)painted_call(
                        fold, "%s of %s, %s, axis %d", bl_reduction_name(reduction),
                        bl_dtype_name((bl_dtype)dtype), layout_names[l], (int)axis);
            for (size_t p = 0; p < sizeof powers / sizeof powers[0]; p++) {
                power = powers[p];
                (void)painted_call(measure_distance, "dist of %s, %s, %g",
                                   bl_dtype_name((bl_dtype)dtype), layout_names[l],
                                   power);
            }
            drop();
        }
    painted_end();
}

/* ---- masks and functions ---- */

static bl_status select_some(void)
{
    return gone(bl_masked_select(stack_ctx, &a.array, &mask.array, &made));
}

static bl_status scatter_new(void)
{
    return gone(bl_masked_scatter(stack_ctx, &a.array, &mask.array, &b.array, &made));
}

static bl_status scatter_own(void)
{
    return bl_masked_scatter_inplace(stack_ctx, &result.array, &mask.array, &b.array);
}

static void copy_rows(void *user, int64_t count, void *out, const void *const *in)
{
    (void)user, (void)count, (void)out, (void)in;
}

static bl_status map_rows(void)
{
    return bl_map(stack_ctx, copy_rows, NULL, &result.array, 2, both, NULL);
}

static bl_status map_f64(void)
{
    bl_map_options options = BL_MAP_OPTIONS_DEFAULT;

    options.dtype = BL_DTYPE_F64;
    return gone(
        bl_map_new(stack_ctx, copy_rows, NULL, 2, both, BL_DTYPE_F64, &options, &made));
}

static const struct {
    const char *what;
    bl_status (*call)(void);
} calls[] = {
    {"masked_select", select_some},
    {"masked_scatter", scatter_new},
    {"masked_scatter, in place", scatter_own},
    {"map", map_rows},
    {"map in f64", map_f64},
};

static void masks_and_functions(void)
{
    painted_begin("masks and functions of a program");
    for (int32_t dtype = 1; dtype < REF_DTYPES_END; dtype++)
        for (int l = 0; l < LAYOUTS && stack_is_tried(dtype); l++) {
            make((bl_dtype)dtype, (enum layout)l, ROWS);
            for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
                (void)painted_call(calls[i].call, "%s of %s, %s", calls[i].what,
                                   bl_dtype_name((bl_dtype)dtype), layout_names[l]);
            drop();
        }
    painted_end();
}

/* ---- overlapping operands, pairing in 1-D, plans ---- */

static bl_overlap overlap;
static const bl_rules *rules;

/* Add into an operand, transposed. */
static bl_status add_turned(void)
{
    const int64_t extent[] = {stack_rows, stack_rows};
    const int64_t across[] = {stack_columns, 1}, along[] = {1, stack_columns};
    bl_array to = result.array, from = result.array;
    const bl_array *const in[] = {&to, &from};
    bl_options options = BL_OPTIONS_DEFAULT;
    bl_status status;

    to.extent = from.extent = extent;
    to.stride = across;
    from.stride = along;
    options.rules = rules;
    status = bl_context_set_overlap(stack_ctx, overlap);
    return status != BL_OK ? status
                           : bl_apply(stack_ctx, BL_OP_ADD, &to, 2, in, &options);
}

/* Add operands of equal numel in another shape, which do not step evenly. */
static bl_status add_flat(void)
{
    const int64_t extent[] = {stack_columns, stack_rows};
    const int64_t stride[] = {2 * stack_rows, 1};
    bl_array other = b.array;
    const bl_array *const in[] = {&a.array, &other};
    bl_options options = BL_OPTIONS_DEFAULT;

    other.extent = extent;
    other.stride = stride;
    options.rules = bl_rules_legacy();
    return bl_apply(stack_ctx, BL_OP_ADD, &result.array, 2, in, &options);
}

static bl_status run_plan(void)
{
    const void *const data[] = {a.array.data, b.array.data};
    bl_plan *plan;
    bl_status status = bl_plan_create(stack_ctx, BL_OP_POW, NULL, 2, both, NULL, &plan);

    if (status != BL_OK)
        return status;
    status = bl_plan_execute(stack_ctx, plan, result.array.data, data);
    for (int32_t part = 0; status == BL_OK && part < 3; part++)
        status = bl_plan_execute_part(NULL, plan, part, 3, result.array.data, data);
    bl_plan_destroy(plan);
    return status;
}

static void overlaps_and_plans(void)
{
    static const bl_overlap ways[] = {BL_OVERLAP_COPY, BL_OVERLAP_SEQUENTIAL,
                                      BL_OVERLAP_REFUSE, BL_OVERLAP_RULES};

    painted_begin("overlap, flat pairing, plans");
    for (int32_t dtype = 2; dtype < REF_DTYPES_END; dtype++) {
        const char *const name = bl_dtype_name((bl_dtype)dtype);

        make((bl_dtype)dtype, COLUMNS, EVERY_THIRD);
        for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
            overlap = ways[i];
            rules = i % 2 ? bl_rules_legacy() : bl_rules_modern();
            (void)painted_call(add_turned, "overlap %d of %s", (int)overlap, name);
        }
        (void)painted_call(add_flat, "flat pairing of %s", name);
        (void)painted_call(run_plan, "a plan of %s and its parts", name);
        drop();
    }
    painted_end();
}

/* ---- expressions ---- */

static const char *expression;

static bl_status parse_and_run(void)
{
    const bl_array *const inputs[] = {&a.array, &b.array, &mask.array};
    const bl_array *const outs[] = {&result.array, &result.array};
    bl_expr *expr = NULL;
    bl_status status = bl_expr_parse(stack_ctx, expression, 0, NULL, &expr);

    if (status == BL_OK)
        status = bl_expr_run(stack_ctx, expr, outs, inputs, NULL);
    bl_expr_destroy(expr);
    return status;
}

static bl_status parse_and_make(void)
{
    const bl_array *const inputs[] = {&a.array, &b.array, &mask.array};
    bl_tensor *several[2] = {NULL};
    bl_expr *expr = NULL;
    bl_status status = bl_expr_parse(stack_ctx, expression, 0, NULL, &expr);

    if (status == BL_OK)
        status = bl_expr_run_new(stack_ctx, expr, inputs, NULL, several);
    bl_expr_destroy(expr);
    bl_tensor_release(several[0]);
    bl_tensor_release(several[1]);
    return status;
}

static void expressions(void)
{
    static const char *const texts[] = {
        "a + b; b - a",
        "where(c, a * b + a, b) - max(a, 0, keepdim)",
        "((((((((((((((((((((((((a + b))))))))))))))))))))))))) * (b - sum(a) + 2)",
        "a // b + a % b",
        "exp(a - b) / (a + 1) + c",
        "a +"};

    painted_begin("expressions");
    for (int32_t dtype = 1; dtype < REF_DTYPES_END; dtype++)
        for (size_t t = 0; t < sizeof texts / sizeof texts[0]; t++) {
            if (!stack_is_tried(dtype))
                continue;
            make((bl_dtype)dtype, COLUMNS, EVERY_THIRD);
            expression = texts[t];
            (void)painted_call(parse_and_run, "%s of %s", expression,
                               bl_dtype_name((bl_dtype)dtype));
            (void)painted_call(parse_and_make, "%s of %s into tensors", expression,
                               bl_dtype_name((bl_dtype)dtype));
            drop();
        }
    painted_end();
}

void stack_other_calls(void)
{
    expressions();
    reductions();
    masks_and_functions();
    overlaps_and_plans();
    stack_kept_calls();
}
