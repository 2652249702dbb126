/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every kind of call that allocates, on matrices of 4 x 4.
 */
#include "fault.h"

#include <broadloom/expr.h>

static const int64_t square[2] = {4, 4}, by_rows[2] = {4, 1}, by_columns[2] = {1, 4};
static const int64_t many[2] = {300, 300}; /* too many to lie beside their handle */

static bl_array matrix(struct work *work, const int64_t *stride, int64_t offset)
{
    return (bl_array){.data = work->memory + offset,
                      .dtype = BL_DTYPE_F32,
                      .rank = 2,
                      .extent = square,
                      .stride = stride};
}

static bl_status do_add(struct work *work)
{
    const bl_array x = matrix(work, by_rows, 0);

    return bl_add(work->ctx, &x, &x, &work->result);
}

static bl_status do_cast(struct work *work)
{
    const bl_array x = matrix(work, by_rows, 0);

    return bl_cast(work->ctx, &x, BL_DTYPE_F64, &work->result);
}

static bl_status do_add_transposed(struct work *work)
{
    const bl_array x = matrix(work, by_rows, 0);
    const bl_array turned = matrix(work, by_columns, 0);

    return bl_add_out(work->ctx, &x, &x, &turned);
}

static bl_status do_copy_both(struct work *work)
{
    const bl_array x = matrix(work, by_rows, 1);
    const bl_array before = matrix(work, by_rows, 0);
    const bl_array after = matrix(work, by_rows, 2);

    return bl_sub_out(work->ctx, &x, &before, &after);
}

static bl_status do_plan(struct work *work)
{
    const bl_array x = matrix(work, by_rows, 0);
    const bl_array *const in[] = {&x, &x};

    return bl_plan_create(work->ctx, BL_OP_ADD, &x, 2, in, NULL, &work->plan);
}

static bl_status do_empty(struct work *work)
{
    return bl_tensor_empty(work->ctx, BL_DTYPE_I16, 2, many, &work->result);
}

static bl_status do_zeros(struct work *work)
{
    return bl_tensor_zeros(work->ctx, BL_DTYPE_C128, 2, square, &work->result);
}

static bl_status do_ones(struct work *work)
{
    return bl_tensor_ones(work->ctx, BL_DTYPE_BF16, 2, square, &work->result);
}

static bl_status do_full(struct work *work)
{
    return bl_tensor_full(work->ctx, BL_DTYPE_F32, 2, square, work->memory,
                          &work->result);
}

static bl_status do_arange(struct work *work)
{
    return bl_tensor_arange(work->ctx, BL_DTYPE_F64, 0, 10, 0.5, &work->result);
}

static bl_status do_rand(struct work *work)
{
    return bl_tensor_rand(work->ctx, BL_DTYPE_F32, 2, square, 1, &work->result);
}

static bl_status do_randn(struct work *work)
{
    return bl_tensor_randn(work->ctx, BL_DTYPE_F16, 2, square, 1, &work->result);
}

static bl_status do_wrap(struct work *work)
{
    const bl_array x = matrix(work, by_rows, 0);

    return bl_tensor_wrap(work->ctx, &x, NULL, NULL, &work->result);
}

static bl_status do_clone(struct work *work)
{
    const bl_array turned = matrix(work, by_columns, 0);

    return bl_tensor_clone(work->ctx, &turned, &work->result);
}

static bl_status do_transpose(struct work *work)
{
    return bl_tensor_transpose(work->tensor, 0, 1, &work->result);
}

static bl_status do_expand(struct work *work)
{
    static const int64_t extent[3] = {7, 4, 4};

    return bl_tensor_expand(work->tensor, 3, extent, &work->result);
}

/* A reshape of a transposed tensor, which has to copy. */
static bl_status do_reshape(struct work *work)
{
    static const int64_t extent[1] = {16};
    bl_tensor *turned = NULL;
    bl_status status = bl_tensor_transpose(work->tensor, 0, 1, &turned);

    if (status == BL_OK)
        status = bl_tensor_reshape(work->ctx, turned, 1, extent, &work->result);
    bl_tensor_release(turned);
    return status;
}

static bl_status do_contiguous(struct work *work)
{
    bl_tensor *turned = NULL;
    bl_status status = bl_tensor_transpose(work->tensor, 0, 1, &turned);

    if (status == BL_OK)
        status = bl_tensor_contiguous(work->ctx, turned, &work->result);
    bl_tensor_release(turned);
    return status;
}

/* User function r = a - b. */
static void differences(void *user, int64_t count, void *out, const void *const *in)
{
    const float *const a = in[0], *const b = in[1];
    float *const r = out;

    (void)user;
    for (int64_t i = 0; i < count; i++)
        r[i] = a[i] - b[i];
}

static bl_status do_map(struct work *work)
{
    const bl_array x = matrix(work, by_rows, 0);
    const bl_array turned = matrix(work, by_columns, 0);
    const bl_array *const in[] = {&x, &turned};

    return bl_map(work->ctx, differences, NULL, &x, 2, in, NULL);
}

static bl_status do_map_new(struct work *work)
{
    const bl_array x = matrix(work, by_rows, 0);
    const bl_array *const in[] = {&x, &x};

    return bl_map_new(work->ctx, differences, NULL, 2, in, BL_DTYPE_F32, NULL,
                      &work->result);
}

/* A mask of so many elements that the counts of its blocks do not fit on the stack. */
static bl_status do_select(struct work *work)
{
    static const int64_t most[] = {3 << 20}, still[] = {0};
    bool truth = false;
    const bl_array mask = {&truth, BL_DTYPE_BOOL, 1, most, still, 0};
    const bl_array x = {work->memory, BL_DTYPE_F32, 0, NULL, NULL, 0};

    return bl_masked_select(work->ctx, &x, &mask, &work->result);
}

static bl_status do_scatter(struct work *work)
{
    bool truth[16] = {true, false, true};
    const bl_array x = matrix(work, by_rows, 0);
    const bl_array mask = {truth, BL_DTYPE_BOOL, 2, square, NULL, 0};
    const bl_array turned = matrix(work, by_columns, 0);

    return bl_masked_scatter(work->ctx, &x, &mask, &turned, &work->result);
}

static bl_status do_scatter_inplace(struct work *work)
{
    bool truth[16] = {true, false, true};
    const bl_array x = matrix(work, by_rows, 0);
    const bl_array mask = {truth, BL_DTYPE_BOOL, 2, square, NULL, 0};

    return bl_masked_scatter_inplace(work->ctx, &x, &mask, &x);
}

/* ---- expressions ---- */

/* Parse, plan and execute: what bl_expr_run() remembers is no context's memory. */
static bl_status run_text(bl_context *ctx, const char *text, int32_t count,
                          const bl_array *const *outs, const bl_array *const *inputs)
{
    const void *const from[] = {inputs[0]->data, inputs[1]->data};
    void *to[3];
    bl_expr *expr = NULL;
    bl_expr_plan *plan = NULL;
    bl_status status = bl_expr_parse(ctx, text, 0, NULL, &expr);

    for (int32_t k = 0; k < count; k++)
        to[k] = outs[k]->data;
    if (status == BL_OK)
        status = bl_expr_plan_create(ctx, expr, outs, inputs, NULL, &plan);
    if (status == BL_OK)
        status = bl_expr_plan_execute(ctx, plan, to, from);
    bl_expr_plan_destroy(plan);
    bl_expr_destroy(expr);
    return status;
}

/* Parse an expression of x and y, and run it into two parts of the memory. */
static bl_status do_expression(struct work *work)
{
    static const char text[] = "d = x - y; e = d * d + x; f = e - max(e, 0, keepdim); "
                               "f / 2; sum(f, 1); exp(d) - e";
    const bl_array x = *bl_tensor_array(work->tensor), y = x;
    const bl_array first = matrix(work, by_rows, 0);
    static const int64_t row[] = {4};
    const bl_array second = {work->memory + 20, BL_DTYPE_F32, 1, row, NULL, 0};
    const bl_array third = matrix(work, by_columns, 32);
    const bl_array *const inputs[] = {&x, &y}, *const outs[] = {&first, &second,
                                                                &third};

    return run_text(work->ctx, text, 3, outs, inputs);
}

/* Swap the halves of the memory, by way of the workspace. */
static bl_status do_swap(struct work *work)
{
    const bl_array first = matrix(work, by_rows, 0), second = matrix(work, by_rows, 16);
    const bl_array *const inputs[] = {&first, &second};
    const bl_array *const outs[] = {&second, &first};

    return run_text(work->ctx, "a; b", 2, outs, inputs);
}

/* Build an expression, and compute a new tensor. */
static bl_status do_expression_new(struct work *work)
{
    const bl_array *const inputs[] = {bl_tensor_array(work->tensor)};
    bl_expr *expr = NULL;
    bl_status status = bl_expr_create(work->ctx, &expr);

    if (status != BL_OK)
        return status;
    bl_node node[2] = {bl_expr_input(expr, NULL), BL_NODE_NONE};
    node[1] = bl_expr_apply(expr, BL_OP_EXP, 1, node, NULL);
    bl_expr_output(expr, bl_expr_apply(expr, BL_OP_DIV, 2, node, NULL));
    status = bl_expr_run_new(work->ctx, expr, inputs, NULL, &work->result);
    bl_expr_destroy(expr);
    return status;
}

const struct fault_case fault_cases[] = {
    {"an expression with three outputs", do_expression, 12},
    {"an expression whose outputs are its inputs", do_swap, 8},
    {"a new result of an expression", do_expression_new, 4},
    {"a new result", do_add, 1},
    {"a cast", do_cast, 1},
    {"an operand that overlaps the result", do_add_transposed, 1},
    {"two operands that overlap the result", do_copy_both, 2},
    {"a plan", do_plan, 1},
    {"an empty tensor", do_empty, 2},
    {"zeros", do_zeros, 1},
    {"ones", do_ones, 1},
    {"a full tensor", do_full, 1},
    {"a range", do_arange, 1},
    {"uniform random numbers", do_rand, 1},
    {"normal random numbers", do_randn, 1},
    {"wrapped memory", do_wrap, 1},
    {"a clone", do_clone, 1},
    {"a transposed view", do_transpose, 1},
    {"an expanded view", do_expand, 1},
    {"a reshape that copies", do_reshape, 3},
    {"a contiguous copy", do_contiguous, 2},
    {"a function whose operand overlaps", do_map, 1},
    {"a function's new result", do_map_new, 1},
    {"elements that a mask selects", do_select, 2},
    {"elements scattered by a mask", do_scatter, 2},
    {"elements scattered into their source", do_scatter_inplace, 1},
};

const size_t fault_cases_count = sizeof fault_cases / sizeof fault_cases[0];
