/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions over several axes of expressions in which operands are repeated along some
 * of them: fused, they read all in logical order, a piece of what is repeated after the
 * other, and have the bits of calls.
 */
#include <broadloom.h>
#include <broadloom/expr.h>

#include <stdlib.h>
#include <string.h>

#include "expr/contexts.h"
#include "expr/explained.h"
#include "harness/problem.h"
#include "harness/same.h"
#include "harness/tap.h"

enum { INPUTS = 3, RANK = 4, CASES = 40, MOST = 40000, RESULTS = 8 * MOST };

static const char *const texts[] = {
    "sum(a * b)",
    "sum((a - b) * (a - c))",
    "sum(b * c)",
    "mean(abs(a - b) + c)",
    "max(a * b - c)",
    "prod(a * b, -2, -1)",
    "sum(a * b, -2, -1, keepdim)",
    "any(a * b > c)",
    "sum(a * b) + max(b - c)",
    "sum(exp(b) * a)",
    "mean((a - b) * b, -3, -2, -1)",
    "sum((a - b) * (a - b), 0, 2, 3)",
    "max(a - c, -3, -1)",
    "mean(abs(a - b) * c, 0, -2, -1, keepdim)",
};
enum { TEXTS = sizeof texts / sizeof texts[0] };

static const bl_dtype dtypes[] = {BL_DTYPE_F32, BL_DTYPE_F64,  BL_DTYPE_F16,
                                  BL_DTYPE_F32, BL_DTYPE_BF16, BL_DTYPE_I32,
                                  BL_DTYPE_U8,  BL_DTYPE_F32,  BL_DTYPE_C64};
enum { DTYPES = sizeof dtypes / sizeof dtypes[0] };

/* A shape, and operands of which all but the first are repeated along some axes. */
struct subject {
    int64_t extent[INPUTS][RANK];
    bl_tensor *tensor[INPUTS];
    const bl_array *input[INPUTS];
};

static bl_tensor *numbers(struct rng *rng, bl_dtype dtype, const int64_t *extent)
{
    bl_tensor *wide, *made;
    double *number;

    must(bl_tensor_empty(NULL, BL_DTYPE_F64, RANK, extent, &wide));
    number = bl_tensor_mutable_data(wide);
    for (int64_t i = 0; i < bl_tensor_numel(wide); i++)
        number[i] = (double)rng_below(rng, 64) / 16;
    must(bl_cast(NULL, bl_tensor_array(wide), dtype, &made));
    bl_tensor_release(wide);
    return made;
}

/* A dtype that all of an expression takes. */
static bl_dtype dtype_for(const char *text, struct rng *rng)
{
    const bl_dtype dtype = dtypes[rng_below(rng, DTYPES)];
    const bool has_order = strchr(text, '>') || strstr(text, "max");
    const bool is_integer = dtype == BL_DTYPE_I32 || dtype == BL_DTYPE_U8;

    return (has_order && dtype == BL_DTYPE_C64) || (strstr(text, "mean") && is_integer)
               ? BL_DTYPE_F32
               : dtype;
}

/* Some axes are short, one is long now and then. */
static void draw(struct subject *subject, struct rng *rng, bl_dtype dtype)
{
    int64_t count = 1;

    for (int32_t d = RANK - 1; d >= 0; d--) {
        const int64_t most = MOST / count;
        int64_t extent = rng_one_in(rng, 3)   ? 1 + rng_below(rng, 3000)
                         : rng_one_in(rng, 2) ? 1 + rng_below(rng, 90)
                                              : 1 + rng_below(rng, 5);

        extent = extent < most ? extent : most;
        count *= extent;
        subject->extent[0][d] = extent;
    }
    for (int32_t k = 0; k < INPUTS; k++) {
        for (int32_t d = 0; d < RANK; d++)
            subject->extent[k][d] =
                k > 0 && rng_one_in(rng, 2) ? 1 : subject->extent[0][d];
        subject->tensor[k] =
            numbers(rng, k == 2 && rng_one_in(rng, 3) ? BL_DTYPE_I32 : dtype,
                    subject->extent[k]);
        subject->input[k] = bl_tensor_array(subject->tensor[k]);
    }
}

/*
 * Execute an expression into a result, with so many bytes; returns whether it is one
 * fusion that reduces blocks.
 */
static bool execute(bl_context *ctx, const char *text, const struct subject *subject,
                    uint32_t flags, char *result, size_t *bytes)
{
    static const char *const names[] = {"a", "b", "c"};
    bl_expr_options options = BL_EXPR_OPTIONS_DEFAULT;
    const void *data[INPUTS];
    void *const out[] = {result};
    char explained[EXPLAINED];
    bl_expr_plan *plan = NULL;
    bl_expr *expr = NULL;
    bl_array array;

    options.flags = flags;
    for (int32_t k = 0; k < INPUTS; k++)
        data[k] = subject->input[k]->data;
    must(bl_expr_parse(ctx, text, INPUTS, names, &expr));
    must(bl_expr_plan_create(ctx, expr, NULL, subject->input, &options, &plan));
    bl_expr_destroy(expr);
    must(bl_expr_plan_output(plan, 0, &array));
    *bytes = bl_dtype_size(array.dtype);
    for (int32_t d = 0; d < array.rank; d++)
        *bytes *= (size_t)array.extent[d];
    explained_by(plan, explained);
    must(bl_expr_plan_execute(ctx, plan, out, data));
    bl_expr_plan_destroy(plan);
    return strstr(explained, "blocks of rows") != NULL;
}

int main(void)
{
    static char want[RESULTS], got[RESULTS];
    bl_context *context[CONTEXTS];
    struct rng rng;

    tap_plan();
    rng = rng_new();
    make_contexts(context);
    for (int t = 0; t < TEXTS; t++) {
        int joined = 0, wrong = 0;

        for (int n = 0; n < CASES; n++) {
            struct subject subject;
            size_t bytes, same;

            draw(&subject, &rng, dtype_for(texts[t], &rng));
            for (int c = 0; c < CONTEXTS; c++) {
                (void)execute(context[c], texts[t], &subject, BL_EXPR_UNFUSED, want,
                              &bytes);
                memset(got, 0x55, bytes);
                joined +=
                    execute(context[c], texts[t], &subject, BL_EXPR_FUSED, got, &same);
                wrong += same != bytes || memcmp(want, got, bytes) != 0;
            }
            for (int32_t k = 0; k < INPUTS; k++)
                bl_tensor_release(subject.tensor[k]);
        }
        tap_ok(wrong == 0 && joined > CASES * CONTEXTS / 10,
               "%s: %d of %d runs by blocks, %d wrong", texts[t], joined,
               CASES * CONTEXTS, wrong);
    }
    destroy_contexts(context);
    return tap_done();
}
