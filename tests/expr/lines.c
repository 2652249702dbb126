/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Results larger than the caches in rows that are no whole cache lines: boxes end where
 * lines do, or stores are ordinary ones; and the bits are those of calls, whatever row
 * a thread's range begins with.
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

enum { INPUTS = 3, THREADS = 3, MOST_BYTES = 45 << 20 };

static const struct {
    bl_dtype dtype;
    int64_t rows, columns;
    const char *says[2]; /* by `explain`; "!": not */
} cases[] = {
    {BL_DTYPE_F32, 110003, 100, {"boxes of 1600 elements", "non-temporal"}},
    {BL_DTYPE_F32, 112007, 99, {"boxes of 1584 elements", "non-temporal"}},
    {BL_DTYPE_F64, 110003, 50, {"boxes of 800 elements", "non-temporal"}},
    {BL_DTYPE_F32, 115001, 96, {"boxes of 576 elements", "non-temporal"}},
    {BL_DTYPE_F32, 700001, 16, {"boxes of 512 elements", "non-temporal"}},
    {BL_DTYPE_F32, 33533, 333, {"!boxes", "!non-temporal"}},
    {BL_DTYPE_F32, 11007, 1000, {"!boxes", "non-temporal"}},
    {BL_DTYPE_F32, 11007, 1001, {"!boxes", "non-temporal"}},
};
enum { CASES = sizeof cases / sizeof cases[0] };

static char *memory[INPUTS], *result[2];
static char explained[EXPLAINED];

static void fill(bl_dtype dtype)
{
    const size_t size = bl_dtype_size(dtype), period = 61;

    for (int k = 0; k < INPUTS; k++) {
        for (size_t i = 0; i < period; i++) {
            const double value = (double)((i * 37 + (size_t)k * 11) % period) / 8 - 2;
            const float single = (float)value;

            memcpy(memory[k] + i * size,
                   dtype == BL_DTYPE_F64 ? (const void *)&value : &single, size);
        }
        repeat(memory[k], MOST_BYTES, period * size);
    }
}

/* a * b + c of rows, with a row and a column. */
static bl_expr_plan *plan_of(bl_context *ctx, size_t t, uint32_t flags)
{
    static const char *const names[] = {"a", "b", "c"};
    const int64_t extent[INPUTS][2] = {
        {cases[t].rows, cases[t].columns}, {1, cases[t].columns}, {cases[t].rows, 1}};
    bl_expr_options options = BL_EXPR_OPTIONS_DEFAULT;
    const bl_array *inputs[INPUTS];
    bl_array array[INPUTS];
    bl_expr_plan *plan = NULL;
    bl_expr *expr = NULL;

    for (int k = 0; k < INPUTS; k++) {
        array[k] =
            (bl_array){memory[k], cases[t].dtype, 2, (int64_t *)extent[k], NULL, 0};
        inputs[k] = &array[k];
    }
    options.flags = flags;
    must(bl_expr_parse(ctx, "a * b + c", INPUTS, names, &expr));
    must(bl_expr_plan_create(ctx, expr, NULL, inputs, &options, &plan));
    bl_expr_destroy(expr);
    return plan;
}

static bool explains(const bl_expr_plan *plan, size_t t)
{
    bool pass = true;

    explained_by(plan, explained);
    for (int i = 0; i < 2; i++) {
        const char *const text = cases[t].says[i];

        pass &= text[0] == '!' ? strstr(explained, text + 1) == NULL
                               : strstr(explained, text) != NULL;
    }
    if (!pass)
        tap_note("%s", explained);
    return pass;
}

static bool agrees(bl_context *ctx, size_t t)
{
    const void *const data[] = {memory[0], memory[1], memory[2]};
    bool pass = true;

    for (int i = 0; i < 2; i++) {
        bl_expr_plan *const plan = plan_of(ctx, t, i == 0 ? 0 : BL_EXPR_UNFUSED);
        void *const out[] = {result[i]};

        memset(result[i], 0x55, MOST_BYTES);
        must(bl_expr_plan_execute(ctx, plan, out, data));
        pass &= i == 1 || explains(plan, t);
        bl_expr_plan_destroy(plan);
    }
    return pass && memcmp(result[0], result[1], MOST_BYTES) == 0;
}

/*
 * Whether the plan of an expression of four arrays, of 10 MiB each, says that its
 * result is written by non-temporal stores, without 512 bits.
 */
static bool streams(const char *text)
{
    static const char *const names[] = {"a", "b", "c", "d"};
    const int64_t extent[] = {10 << 18};
    const bl_array array = {memory[0], BL_DTYPE_F32, 1, (int64_t *)extent, NULL, 0};
    const bl_array *const inputs[] = {&array, &array, &array, &array};
    bl_context *const ctx = context_of(1, "avx2");
    bl_expr_plan *plan = NULL;
    bl_expr *expr = NULL;

    must(bl_expr_parse(ctx, text, 4, names, &expr));
    must(bl_expr_plan_create(ctx, expr, NULL, inputs, NULL, &plan));
    explained_by(plan, explained);
    bl_expr_plan_destroy(plan);
    bl_expr_destroy(expr);
    bl_context_destroy(ctx);
    return strstr(explained, "non-temporal") != NULL;
}

/* Whether the mask of a column and a row of i64 goes by boxes of many elements. */
static bool masks_by_many(int64_t rows, int64_t columns)
{
    static const char begin[] = "boxes of ";
    static const char *const names[] = {"a", "b"};
    const int64_t tall[] = {rows, 1};
    const bl_array a = {memory[0], BL_DTYPE_I64, 2, (int64_t *)tall, NULL, 0};
    const bl_array b = {memory[1], BL_DTYPE_I64, 1, &columns, NULL, 0};
    const bl_array *const inputs[] = {&a, &b};
    bl_context *const ctx = context_of(1, NULL);
    bl_expr_plan *plan = NULL;
    bl_expr *expr = NULL;

    must(bl_expr_parse(ctx, "where(a >= b, 0.0, -inf)", 2, names, &expr));
    must(bl_expr_plan_create(ctx, expr, NULL, inputs, NULL, &plan));
    explained_by(plan, explained);
    bl_expr_plan_destroy(plan);
    bl_expr_destroy(expr);
    bl_context_destroy(ctx);

    const char *const at = strstr(explained, begin);

    if (at && atol(at + strlen(begin)) >= 2048)
        return true;
    tap_note("%s", explained);
    return false;
}

int main(void)
{
    tap_plan();
    /* A machine whose caches do not keep the results. */
    setenv("HWLOC_SYNTHETIC", "l3:1(size=32MiB) core:2 pu:1", 1);
    for (int k = 0; k < INPUTS; k++)
        memory[k] = aligned_alloc(64, MOST_BYTES);
    for (int i = 0; i < 2; i++)
        result[i] = aligned_alloc(64, MOST_BYTES);
    for (size_t t = 0; t < CASES; t++) {
        bool pass = true;

        fill(cases[t].dtype);
        for (int32_t threads = 1; threads <= THREADS; threads += THREADS - 1) {
            bl_context *const ctx = context_of(threads, NULL);

            pass &= agrees(ctx, t);
            bl_context_destroy(ctx);
        }
        tap_ok(pass, "%d rows of %d %s", (int)cases[t].rows, (int)cases[t].columns,
               bl_dtype_name(cases[t].dtype));
    }
    tap_ok(streams("(a * b + c) * d - b"), "a fifth of what is moved");
    tap_ok(!streams("(a < b) & (c < d)"), "less than a tenth, in cached stores");
    tap_ok(masks_by_many(4096, 8192),
           "operands in the caches do not make boxes of a large result smaller");
    for (int k = 0; k < INPUTS; k++)
        free(memory[k]);
    for (int i = 0; i < 2; i++)
        free(result[i]);
    return tap_done();
}
