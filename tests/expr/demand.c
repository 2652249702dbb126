/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * BL_EXPR_FUSED fuses also what calls are estimated to do faster.
 */
#include <broadloom.h>
#include <broadloom/expr.h>

#include "expr/contexts.h"
#include "harness/same.h"
#include "harness/tap.h"

enum { ISAS = 3, MOST = 50000, INPUTS = 2 };

static const char *const isas[ISAS] = {NULL, "avx2", "base"};
static float memory[MOST];

/* Expressions of a[rows, columns] and b[columns], small enough for every cache. */
static const struct {
    const char *text;
    int64_t rows, columns;
} rows[] = {
    {"sum(a * 2, 0)", 2050, 20}, {"sum(a * 2, 0)", 1000, 3},
    {"max(a * b, 1)", 2050, 20}, {"std(a * b, 1); max(a * b, 1)", 1025, 31},
    {"u8(a) + u8(a)", 50, 64},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

/* Fusions of a row's plan with these flags. */
static int32_t fusions_of(bl_context *ctx, int r, uint32_t flags)
{
    const int64_t extent[] = {rows[r].rows, rows[r].columns};
    const bl_array a = {memory, BL_DTYPE_F32, 2, extent, NULL, 0};
    const bl_array b = {memory, BL_DTYPE_F32, 1, extent + 1, NULL, 0};
    const bl_array *const inputs[INPUTS] = {&a, &b};
    static const char *const names[INPUTS] = {"a", "b"};
    bl_expr_options options = BL_EXPR_OPTIONS_DEFAULT;
    bl_expr_plan_info info = {.size = sizeof info};
    bl_expr_plan *plan = NULL;
    bl_expr *expr = NULL;

    options.flags = flags;
    must(bl_expr_parse(ctx, rows[r].text, INPUTS, names, &expr));
    must(bl_expr_plan_create(ctx, expr, NULL, inputs, &options, &plan));
    must(bl_expr_plan_query(plan, &info));
    bl_expr_plan_destroy(plan);
    bl_expr_destroy(expr);
    return info.fusions;
}

int main(void)
{
    int32_t left = 0;

    tap_plan();
    for (int i = 0; i < ISAS; i++) {
        bl_context *const ctx = context_of(1, isas[i]);
        int32_t demanded = 0, unfused = 0;

        for (int r = 0; r < ROWS; r++) {
            demanded += fusions_of(ctx, r, BL_EXPR_FUSED) > 0;
            unfused += fusions_of(ctx, r, BL_EXPR_UNFUSED) > 0;
            left += fusions_of(ctx, r, 0) == 0;
        }
        tap_ok(demanded == ROWS, "%s: all are fused on demand", bl_context_isa(ctx));
        tap_ok(unfused == 0, "and none where it is not wanted");
        bl_context_destroy(ctx);
    }
    tap_ok(left > 0, "otherwise calls are chosen where they are faster");
    return tap_done();
}
