/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * BL_EXPR_FUSED fuses also what calls are estimated to do faster.  What is estimated
 * for programs with three banks decides with AVX2 about rows with a column.
 */
#include <string.h>

#include <broadloom.h>
#include <broadloom/expr.h>

#include "expr/contexts.h"
#include "harness/same.h"
#include "harness/tap.h"

enum { MOST = 50000, INPUTS = 2 };

static float memory[MOST];

/* An expression of a[rows, columns] and b. */
struct example {
    const char *text;
    int64_t rows, columns;
};

/* With b[columns], small enough for every cache. */
static const struct example rows[] = {
    {"sum(a * 2, 0)", 2050, 20}, {"sum(a * 2, 0)", 1000, 3},
    {"max(a * b, 1)", 2050, 20}, {"std(a * b, 1); max(a * b, 1)", 1025, 31},
    {"u8(a) + u8(a)", 50, 64},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

/* With b[rows, 1]: what programs with AVX2 do faster than calls, and what not. */
static const struct example trees[] = {{"(a - b) * (a + b)", 150, 300},
                                       {"(a - b) * (a + b)", 3000, 10}};

/* Fusions of an example's plan with these flags; its b has shape[dims]. */
static int32_t fusions_of(bl_context *ctx, const struct example *example, int32_t dims,
                          const int64_t *shape, uint32_t flags)
{
    const int64_t extent[] = {example->rows, example->columns};
    const bl_array a = {memory, BL_DTYPE_F32, 2, extent, NULL, 0};
    const bl_array b = {memory, BL_DTYPE_F32, dims, shape, NULL, 0};
    const bl_array *const inputs[INPUTS] = {&a, &b};
    static const char *const names[INPUTS] = {"a", "b"};
    bl_expr_options options = BL_EXPR_OPTIONS_DEFAULT;
    bl_expr_plan_info info = {.size = sizeof info};
    bl_expr_plan *plan = NULL;
    bl_expr *expr = NULL;

    options.flags = flags;
    must(bl_expr_parse(ctx, example->text, INPUTS, names, &expr));
    must(bl_expr_plan_create(ctx, expr, NULL, inputs, &options, &plan));
    must(bl_expr_plan_query(plan, &info));
    bl_expr_plan_destroy(plan);
    bl_expr_destroy(expr);
    return info.fusions;
}

/* Fusions of a tree's plan; 0 where calls are estimated to be faster. */
static int32_t tree_fusions_of(bl_context *ctx, const struct example *tree)
{
    const int64_t shape[] = {tree->rows, 1};

    return fusions_of(ctx, tree, 2, shape, 0);
}

static void check_trees(void)
{
    bl_context *const ctx = context_of(1, "avx2");

    if (strcmp(bl_context_isa(ctx), "avx2") != 0) {
        tap_skip("there is no AVX2", "rows with a column");
    } else {
        tap_ok(tree_fusions_of(ctx, &trees[0]) > 0,
               "long rows with a column are fused");
        tap_ok(tree_fusions_of(ctx, &trees[1]) == 0, "short ones are calls");
    }
    bl_context_destroy(ctx);
}

int main(void)
{
    int32_t left = 0;

    tap_plan();
    for (int i = 0; i < ISAS; i++) {
        bl_context *const ctx = context_of(1, isa_of(i));
        const char *const isa = bl_context_isa(ctx);
        int32_t demanded = 0, unfused = 0;
        /* with 512 bits, the largest of short rows is a call */
        const int32_t fused = strcmp(isa, "avx512") == 0 ? ROWS - 1 : ROWS;

        for (int r = 0; r < ROWS; r++) {
            const struct example *const row = &rows[r];
            const int64_t *const b = &row->columns;

            demanded += fusions_of(ctx, row, 1, b, BL_EXPR_FUSED) > 0;
            unfused += fusions_of(ctx, row, 1, b, BL_EXPR_UNFUSED) > 0;
            left += fusions_of(ctx, row, 1, b, 0) == 0;
        }
        tap_ok(demanded == fused, "%s: %d are fused on demand", isa, (int)fused);
        tap_ok(unfused == 0, "and none where it is not wanted");
        bl_context_destroy(ctx);
    }
    tap_ok(left > 0, "otherwise calls are chosen where they are faster");
    check_trees();
    return tap_done();
}
