/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fused reductions of squares, whose results have the shape of rows: they lie along the
 * axis that is left, beside operands and over them, with the bits of calls.
 */
#include <broadloom.h>
#include <broadloom/expr.h>

#include <string.h>

#include "expr/contexts.h"
#include "harness/same.h"
#include "harness/tap.h"

enum { MOST = 257 };

static const struct {
    const char *text;
    bool is_row; /* the result: also written over b, which all rows read */
} cases[] = {
    {"a - mean(a, 1) + b * 0", false},
    {"exp(a - sum(a, 1)) * max(a, 1) + b * 0", false},
    {"a - sum(a * (abs(b) + 1), 1)", false},
    {"a - max(a * (abs(b) + 1), 1)", false},
    {"sum(exp(a) * b, 1)", true},
    {"max(a + b, 1)", true},
    {"std(a - b, 1)", true},
    {"sum(exp(a) * b, 0)", true},
    {"max(a - b, 0)", true},
    {"sum(a > b, 0) * b", true},
};
enum { CASES = sizeof cases / sizeof cases[0] };

static const int64_t sizes[] = {40, 100, MOST};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

static float square[MOST * MOST], row[MOST], result[2][MOST * MOST];

static void fill(void)
{
    for (int i = 0; i < MOST * MOST; i++)
        square[i] = (float)(i % 13) / 4;
    for (int i = 0; i < MOST; i++)
        row[i] = (float)(i % 7) + 1;
}

/* Run a text over a square and a row; true: it was planned with a fusion. */
static bool run(bl_context *ctx, size_t t, int64_t size, uint32_t flags, float *to)
{
    const int64_t extent[] = {size, size};
    const bl_array a = {square, BL_DTYPE_F32, 2, extent, NULL, 0};
    const bl_array b = {row, BL_DTYPE_F32, 1, extent, NULL, 0};
    const bl_array out = {to, BL_DTYPE_F32, cases[t].is_row ? 1 : 2, extent, NULL, 0};
    const bl_array *const inputs[] = {&a, &b}, *const outs[] = {&out};
    bl_expr_options options = BL_EXPR_OPTIONS_DEFAULT;
    bl_expr_plan_info info = {.size = sizeof info};
    bl_expr_plan *plan = NULL;
    bl_expr *expr = NULL;

    options.flags = flags;
    must(bl_expr_parse(ctx, cases[t].text, 0, NULL, &expr));
    must(bl_expr_plan_create(ctx, expr, outs, inputs, &options, &plan));
    must(bl_expr_plan_query(plan, &info));
    bl_expr_plan_destroy(plan);
    must(bl_expr_run(ctx, expr, outs, inputs, &options));
    bl_expr_destroy(expr);
    return info.fusions > 0;
}

static bool check(bl_context *ctx, size_t t, int64_t size)
{
    const size_t bytes = sizeof(float) * (size_t)(cases[t].is_row ? size : size * size);
    bool pass;

    fill();
    memset(result, 0x55, sizeof result);
    pass = run(ctx, t, size, BL_EXPR_FUSED, result[0]) &&
           !run(ctx, t, size, BL_EXPR_UNFUSED, result[1]) &&
           memcmp(result[0], result[1], sizeof result[0]) == 0;
    if (pass && cases[t].is_row)
        pass =
            run(ctx, t, size, BL_EXPR_FUSED, row) && memcmp(row, result[1], bytes) == 0;
    if (!pass)
        tap_note("%d with %s", (int)size, bl_context_isa(ctx));
    return pass;
}

int main(void)
{
    bl_context *context[CONTEXTS];

    tap_plan();
    make_contexts(context);
    for (size_t t = 0; t < CASES; t++) {
        bool pass = true;

        for (int i = 0; pass && i < SIZES * CONTEXTS; i++)
            pass = check(context[i / SIZES], t, sizes[i % SIZES]);
        tap_ok(pass, "%s", cases[t].text);
    }
    destroy_contexts(context);
    return tap_done();
}
