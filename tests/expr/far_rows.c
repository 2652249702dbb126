/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions of rows that are read from memory: programs add short rows to lanes as
 * well, boxes have fewer rows, or the next one is prefetched where results of
 * reductions are used, and what programs write in rows that are no whole lines is in
 * the caches.  They have the bits of calls.
 */
#include <broadloom.h>
#include <broadloom/expr.h>

#include <stdlib.h>
#include <string.h>

#include "expr/contexts.h"
#include "expr/explained.h"
#include "harness/same.h"
#include "harness/tap.h"
#include "reference/ref.h"

enum { INPUTS = 2, BYTES = 38 << 20 };

static const struct {
    const char *text;
    bl_dtype dtype;
    int32_t length;
    bool is_added;    /* a program computes what is reduced */
    const char *says; /* by `explain` */
} rows[] = {
    {"sum(a * b, 1)", BL_DTYPE_F32, 128, true, ""},
    {"sum(a * b, 1)", BL_DTYPE_F32, 150, true, ""},
    {"sum(a * b, 1)", BL_DTYPE_F32, 1000, true, ""},
    {"sum(a * b, 1)", BL_DTYPE_F32, 1024, true, ""},
    {"sum(a * b, 1)", BL_DTYPE_F32, 100, false, ""},
    {"sum(a * b, 1)", BL_DTYPE_F64, 64, true, ""},
    {"sum(a * b, 1)", BL_DTYPE_F64, 150, true, ""},
    {"sum((a - b) * a, 1)", BL_DTYPE_F32, 300, true, ""},
    {"mean(abs(a) + b, 1) + sum(a * b, 1)", BL_DTYPE_F32, 333, true, ""},
    {"max(a * b, 1)", BL_DTYPE_F32, 1000, false, ""},
    {"max((a - b) * a, 1)", BL_DTYPE_F32, 128, true, ", 7 at a time\n"},
    {"a - mean(a, 1, keepdim)", BL_DTYPE_F32, 70, false, ""},
    {"b - max(a * a, 1, keepdim)", BL_DTYPE_F64, 1100, false, ""},
    {"(a - mean(a, 1, keepdim)) * b", BL_DTYPE_F32, 200, true,
     ", 29 at a time, prefetched\n"},
    {"exp(a - max(a, 1, keepdim)) / sum(exp(a - max(a, 1, keepdim)), 1, keepdim)",
     BL_DTYPE_F32, 256, false, ", 7 at a time, non-temporal stores, prefetched"},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

static char *memory[INPUTS], *result[2];

static void fill(bl_dtype dtype)
{
    const size_t size = ref_size(dtype), period = 10007;

    for (int k = 0; k < INPUTS; k++) {
        for (size_t i = 0; i < period; i++) {
            const double value =
                (double)((i * 7919 + (size_t)k * 11) % period) / 7 - 700;

            ref_convert(BL_DTYPE_F64, &value, dtype, memory[k] + i * size);
        }
        repeat(memory[k], BYTES, period * size);
    }
}

static bl_expr_plan *plan_of(bl_context *ctx, size_t t, uint32_t flags)
{
    static const char *const names[] = {"a", "b"};
    const int64_t length = rows[t].length;
    const int64_t extent[] = {BYTES / length / (int64_t)ref_size(rows[t].dtype),
                              length};
    const bl_array array[] = {{memory[0], rows[t].dtype, 2, extent, NULL, 0},
                              {memory[1], rows[t].dtype, 1, extent + 1, NULL, 0}};
    const bl_array *const inputs[] = {&array[0], &array[1]};
    bl_expr_options options = BL_EXPR_OPTIONS_DEFAULT;
    const int32_t count = strchr(rows[t].text, 'b') ? 2 : 1;
    bl_expr_plan *plan = NULL;
    bl_expr *expr = NULL;

    options.flags = flags;
    must(bl_expr_parse(ctx, rows[t].text, count, names, &expr));
    must(bl_expr_plan_create(ctx, expr, NULL, inputs, &options, &plan));
    bl_expr_destroy(expr);
    return plan;
}

/* Execute a plan into result `i`, and whether its first phase is computed as said. */
static bool execute(bl_context *ctx, size_t t, int i, uint32_t flags)
{
    bl_expr_plan *const plan = plan_of(ctx, t, flags);
    const void *const data[] = {memory[0], memory[1]};
    void *const out[] = {result[i]};
    char text[EXPLAINED];

    explained_by(plan, text);
    memset(result[i], 0x55, BYTES);
    must(bl_expr_plan_execute(ctx, plan, out, data));
    bl_expr_plan_destroy(plan);
    return (flags & BL_EXPR_UNFUSED) != 0 ||
           ((strstr(text, ": 0 in registers") == NULL) == rows[t].is_added &&
            strstr(text, rows[t].says));
}

int main(void)
{
    bl_context *context[CONTEXTS];

    tap_plan();
    /* A machine whose caches do not keep the operands. */
    setenv("HWLOC_SYNTHETIC", "l3:1(size=32MiB) core:2 pu:1", 1);
    make_contexts(context);
    for (int k = 0; k < INPUTS; k++)
        memory[k] = malloc(BYTES);
    for (int i = 0; i < 2; i++)
        result[i] = malloc(BYTES);
    for (size_t t = 0; t < ROWS; t++) {
        bool pass = true;

        if (t == 0 || rows[t].dtype != rows[t - 1].dtype)
            fill(rows[t].dtype);
        (void)execute(context[0], t, 1, BL_EXPR_UNFUSED);
        for (int c = 0; pass && c < CONTEXTS; c++) {
            const bool is_so = execute(context[c], t, 0, BL_EXPR_FUSED);

            pass = is_so && memcmp(result[0], result[1], BYTES) == 0;
            if (!pass)
                tap_note("context %d: %s", c, is_so ? "other bits" : "another way");
        }
        tap_ok(pass, "%s, rows of %d %s", rows[t].text, (int)rows[t].length,
               bl_dtype_name(rows[t].dtype));
    }
    for (int k = 0; k < INPUTS; k++)
        free(memory[k]);
    for (int i = 0; i < 2; i++)
        free(result[i]);
    destroy_contexts(context);
    return tap_done();
}
