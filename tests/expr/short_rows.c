/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Short rows with a row and a column: kernels and programs take them where they are,
 * several at a time, also where a thread's range begins or ends within a row, and where
 * the result is written over an operand.
 */
#include <broadloom.h>
#include <broadloom/expr.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expr/contexts.h"
#include "expr/explained.h"
#include "harness/same.h"
#include "harness/tap.h"
#include "reference/ref.h"

enum { INPUTS = 3, RANK = 3, MOST_BYTES = 3 << 20, MOST_BOX = 8192 };

static const struct {
    const char *text;
    bl_dtype dtype;
    int64_t extent[RANK];
    const char *axes[INPUTS]; /* '1' where the input has an extent of 1 */
} rows[] = {
    {"(a - b) * c", BL_DTYPE_F64, {1, 3001, 50}, {"1aa", "11a", "1a1"}},
    {"(a - b) * c", BL_DTYPE_F32, {1, 20003, 16}, {"1aa", "11a", "1a1"}},
    {"(a - b) * c", BL_DTYPE_F32, {1, 20011, 7}, {"1aa", "11a", "1a1"}},
    {"a * b + c", BL_DTYPE_F32, {1, 5003, 13}, {"1aa", "11a", "11a"}},
    {"(a - b) * c", BL_DTYPE_F32, {1, 2003, 200}, {"1aa", "11a", "1a1"}},
    {"((a - b) * c + b) * a - c", BL_DTYPE_F64, {1, 9001, 32}, {"1aa", "11a", "1a1"}},
    {"(a * b + c) * a - b", BL_DTYPE_F64, {1, 7001, 40}, {"1aa", "11a", "1a1"}},
    {"maximum(a + b, 0.0)", BL_DTYPE_F16, {1, 513, 1030}, {"1aa", "11a", "1a1"}},
    {"maximum(a + b, c)", BL_DTYPE_F16, {1, 4001, 70}, {"1aa", "11a", "1a1"}},
    {"(a - b) * c", BL_DTYPE_F32, {5, 400, 170}, {"aaa", "1a1", "11a"}},
    {"(a + b) * c - b", BL_DTYPE_I32, {7, 300, 100}, {"aaa", "a1a", "aa1"}},
    {"where(a > b, a * c, b)", BL_DTYPE_F32, {1, 9001, 37}, {"1aa", "1a1", "11a"}},
    {"(a - b) / b * c + c", BL_DTYPE_F32, {1, 1501, 256}, {"1aa", "1a1", "11a"}},
    {"(a - b) / b * c + c", BL_DTYPE_F64, {1, 801, 277}, {"1aa", "1a1", "11a"}},
    {"(a * b + b * c) / c", BL_DTYPE_F32, {9, 200, 110}, {"1aa", "1a1", "a1a"}},
    {"exp((a - b) / b) * c", BL_DTYPE_F32, {1, 3001, 21}, {"1aa", "1a1", "11a"}},
    {"a - max((a - b) * c, 2, keepdim)",
     BL_DTYPE_F32,
     {1, 3001, 30},
     {"1aa", "11a", "1a1"}},
    {"(a - b) / std(a * a, 2, keepdim)",
     BL_DTYPE_F32,
     {1, 901, 300},
     {"1aa", "11a", "1a1"}},
    {"a * sum(sin(a * b), 1, keepdim)",
     BL_DTYPE_F32,
     {1, 300, 1300},
     {"1aa", "11a", "1a1"}},
    {"a * f32(sum(a > b, 2, keepdim))",
     BL_DTYPE_F32,
     {3, 700, 50},
     {"aaa", "a1a", "1a1"}},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

static char *memory[INPUTS], *result[2];

static void fill(bl_dtype dtype)
{
    const size_t size = ref_size(dtype), period = 61;

    for (int k = 0; k < INPUTS; k++) {
        for (size_t i = 0; i < period; i++) {
            const double value = (double)((i * 37 + (size_t)k * 11) % period) - 20;

            ref_convert(BL_DTYPE_F64, &value, dtype, memory[k] + i * size);
        }
        repeat(memory[k], MOST_BYTES, period * size);
    }
}

static bl_expr_plan *plan_of(bl_context *ctx, size_t t, uint32_t flags)
{
    static const char *const names[] = {"a", "b", "c"};
    bl_expr_options options = BL_EXPR_OPTIONS_DEFAULT;
    const bl_array *inputs[INPUTS];
    int64_t extent[INPUTS][RANK];
    bl_array array[INPUTS];
    bl_expr_plan *plan = NULL;
    bl_expr *expr = NULL;

    for (int k = 0; k < INPUTS; k++) {
        for (int d = 0; d < RANK; d++)
            extent[k][d] = rows[t].axes[k][d] == '1' ? 1 : rows[t].extent[d];
        array[k] = (bl_array){memory[k], rows[t].dtype, RANK, extent[k], NULL, 0};
        inputs[k] = &array[k];
    }
    options.flags = flags;
    must(bl_expr_parse(ctx, rows[t].text, INPUTS, names, &expr));
    must(bl_expr_plan_create(ctx, expr, NULL, inputs, &options, &plan));
    bl_expr_destroy(expr);
    return plan;
}

/* Whether boxes, which have buffers, are a few KiB of elements. */
static bool has_small_boxes(const bl_expr_plan *plan)
{
    char text[EXPLAINED];
    const char *at;

    explained_by(plan, text);
    at = strstr(text, "boxes of ");
    return !at || atol(at + strlen("boxes of ")) <= MOST_BOX;
}

/* Whether the results are those of calls, into other memory and over input a. */
static bool agrees(bl_context *ctx, size_t t)
{
    const size_t bytes = (size_t)(rows[t].extent[0] * rows[t].extent[1]) *
                         (size_t)rows[t].extent[2] * ref_size(rows[t].dtype);
    const void *data[INPUTS];
    bool same;

    for (int i = 0; i < 2; i++) {
        bl_expr_plan *const plan =
            plan_of(ctx, t, i == 0 ? BL_EXPR_FUSED : BL_EXPR_UNFUSED);
        void *const out[] = {result[i]};

        for (int k = 0; k < INPUTS; k++)
            data[k] = memory[k];
        memset(result[i], 0x55, MOST_BYTES);
        must(bl_expr_plan_execute(ctx, plan, out, data));
        if (!has_small_boxes(plan)) {
            tap_note("a box is a whole array");
            bl_expr_plan_destroy(plan);
            return false;
        }
        bl_expr_plan_destroy(plan);
    }
    same = memcmp(result[0], result[1], MOST_BYTES) == 0;

    bl_expr_plan *const plan = plan_of(ctx, t, BL_EXPR_FUSED);
    void *const over[] = {result[0]};

    memcpy(result[0], memory[0], bytes);
    data[0] = result[0];
    must(bl_expr_plan_execute(ctx, plan, over, data));
    bl_expr_plan_destroy(plan);
    return same && memcmp(result[0], result[1], MOST_BYTES) == 0;
}

int main(void)
{
    bl_context *context[CONTEXTS];

    tap_plan();
    make_contexts(context);
    for (int k = 0; k < INPUTS; k++)
        memory[k] = malloc(MOST_BYTES);
    for (int i = 0; i < 2; i++)
        result[i] = malloc(MOST_BYTES);
    for (size_t t = 0; t < ROWS; t++) {
        bool pass = true;

        fill(rows[t].dtype);
        for (int c = 0; pass && c < CONTEXTS; c++) {
            pass = agrees(context[c], t);
            if (!pass)
                tap_note("context %d", c);
        }
        tap_ok(pass, "%s, %d rows of %d %s", rows[t].text, (int)rows[t].extent[1],
               (int)rows[t].extent[2], bl_dtype_name(rows[t].dtype));
    }
    for (int k = 0; k < INPUTS; k++)
        free(memory[k]);
    for (int i = 0; i < 2; i++)
        free(result[i]);
    destroy_contexts(context);
    return tap_done();
}
