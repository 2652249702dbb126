/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions in fusions: which are fused, and that all have the bits of calls, for
 * shapes around rows, blocks and columns, threads, and instruction sets.
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
#include "reference/ref.h"

enum { MOST = 200000, INPUTS = 3, OUTPUTS = 2, THREADS = 4 };

static const int32_t threads[THREADS] = {1, 2, 3, 7};
static bl_context *context[ISAS][THREADS];
static char *memory[INPUTS], *result[2][OUTPUTS];

#define SOFTMAX "e = exp(a - max(a, 1, keepdim)); e / sum(e, 1, keepdim)"
#define NORM                                                                           \
    "d = a - mean(a, 1, keepdim); d / sqrt(mean(d * d, 1, keepdim) + 1e-5) * b + 1"

static const char *const texts[] = {
    SOFTMAX,
    NORM,
    "(a - mean(a, 1, keepdim)) / sqrt(var(a, 1, keepdim) + 1e-5) * b",
    "std(a * b, 1); max(a * b, 1)",
    "d = a - c; sum(d * d)",
    "d = a - c; mean(d); sum(d * d)",
    "d = abs(a - c) * c; sum(d); max(d)",
    "d = a * b; sum(d, 1); d + 1",
    "sum(a * c, 0); max(a * c, 0)",
    "sum(a * c, 0)",
    "d = a * c; mean(d, 0, keepdim); abs(d)",
    "a / sum(abs(a) + 1)",
    "any(a > b, 1); sum(a > c)",
    "s = sum(abs(a), 1, keepdim); t = sqrt(s) + 1; a / t; t",
};
enum { TEXTS = sizeof texts / sizeof texts[0] };

struct plans {
    bl_expr_plan *plan[2]; /* fused, and call by call */
    int32_t outputs, fusions;
    bl_array out[OUTPUTS];
};

/* Plan a text for a and c of this shape, and b, one row; fused as the flags say. */
static void plans_open(struct plans *plans, bl_context *ctx, const char *text,
                       bl_dtype dtype, int64_t rows, int64_t columns, uint32_t flags)
{
    const int64_t whole[] = {rows, columns};
    const bl_array array[] = {{memory[0], dtype, 2, whole, NULL, 0},
                              {memory[1], dtype, 1, whole + 1, NULL, 0},
                              {memory[2], dtype, 2, whole, NULL, 0}};
    const bl_array *const inputs[] = {&array[0], &array[1], &array[2]};
    static const char *const names[] = {"a", "b", "c"};
    bl_expr_options options = BL_EXPR_OPTIONS_DEFAULT;
    bl_expr_plan_info info = {.size = sizeof info};
    bl_expr *expr = NULL;

    must(bl_expr_parse(ctx, text, INPUTS, names, &expr));
    for (int i = 0; i < 2; i++) {
        options.flags = i ? BL_EXPR_UNFUSED : flags;
        must(bl_expr_plan_create(ctx, expr, NULL, inputs, &options, &plans->plan[i]));
    }
    bl_expr_destroy(expr);
    must(bl_expr_plan_query(plans->plan[0], &info));
    plans->outputs = info.outputs;
    plans->fusions = info.fusions;
    for (int32_t k = 0; k < plans->outputs; k++)
        must(bl_expr_plan_output(plans->plan[0], k, &plans->out[k]));
}

static void plans_close(struct plans *plans)
{
    bl_expr_plan_destroy(plans->plan[0]);
    bl_expr_plan_destroy(plans->plan[1]);
}

/* ---- bits ---- */

static void fill(bl_dtype dtype, uint64_t seed)
{
    struct rng rng = {.state = seed};

    for (int k = 0; k < INPUTS; k++)
        for (int64_t i = 0; i < MOST; i++) {
            const double value = (double)rng_below(&rng, 4000) / 61 - 31;

            ref_convert(BL_DTYPE_F64, &value, dtype,
                        memory[k] + i * (int64_t)ref_size(dtype));
        }
}

static void run(const struct plans *plans, int i, bl_context *ctx)
{
    void *outs[OUTPUTS];

    for (int32_t k = 0; k < plans->outputs; k++) {
        outs[k] = result[i][k];
        memset(outs[k], 0x55,
               (size_t)ref_count(&plans->out[k]) * ref_size(plans->out[k].dtype));
    }
    must(bl_expr_plan_execute(ctx, plans->plan[i], outs,
                              (const void *[]){memory[0], memory[1], memory[2]}));
}

/* Whether both plans have the same results, NaN with any NaN. */
static bool are_same(const struct plans *plans)
{
    bool same = true;

    for (int32_t k = 0; k < plans->outputs; k++) {
        const bl_dtype dtype = plans->out[k].dtype;
        const int64_t size = (int64_t)ref_size(dtype);
        const int64_t count = ref_count(&plans->out[k]);

        if (memcmp(result[0][k], result[1][k], (size_t)(count * size)) == 0)
            continue;
        for (int64_t i = 0; i < count; i++)
            same = same &&
                   ref_same(dtype, result[0][k] + i * size, result[1][k] + i * size, 0);
    }
    return same;
}

/* Add to `fusions` those of the plans. */
static bool check_shape(const char *text, bl_dtype dtype, int64_t rows, int64_t columns,
                        int64_t *fusions)
{
    bool pass = true;

    for (int i = 0; pass && i < ISAS; i++)
        for (int t = 0; pass && t < THREADS; t++) {
            struct plans plans;

            if (i == 1 && dtype != BL_DTYPE_F32)
                continue;
            plans_open(&plans, context[i][t], text, dtype, rows, columns,
                       BL_EXPR_FUSED);
            *fusions += plans.fusions;
            if (t == 0)
                run(&plans, 1, context[i][t]);
            run(&plans, 0, context[i][t]);
            pass = are_same(&plans);
            if (!pass)
                tap_note("%s of %s[%d,%d], %s, %d threads", text, bl_dtype_name(dtype),
                         (int)rows, (int)columns, isa_of(i) ? isa_of(i) : "the best",
                         (int)threads[t]);
            plans_close(&plans);
        }
    return pass;
}

static void check_bits(bl_dtype dtype)
{
    static const int64_t shapes[][2] = {{40, 257},  {37, 1024}, {33, 1000}, {9, 1025},
                                        {5, 2049},  {2, 5000},  {1, 66000}, {300, 65},
                                        {1025, 31}, {2050, 20}, {20, 2048}, {100, 2000},
                                        {12, 700},  {50, 64},   {3, 9000},  {700, 280}};
    int64_t fusions[TEXTS] = {0};
    bool pass = true, all_fused = true;

    fill(dtype, 11);
    for (int t = 0; pass && t < TEXTS; t++) {
        for (size_t s = 0; pass && s < sizeof shapes / sizeof shapes[0]; s++)
            if (dtype == BL_DTYPE_F32 || (s + (size_t)t) % 3 == 0)
                pass = check_shape(texts[t], dtype, shapes[s][0], shapes[s][1],
                                   &fusions[t]);
        all_fused = all_fused && fusions[t] > 0;
        if (fusions[t] == 0)
            tap_note("never fused: %s", texts[t]);
    }
    tap_ok(pass, "%s: the bits of calls, threads, instruction sets",
           bl_dtype_name(dtype));
    tap_ok(all_fused, "%s: each text has a shape that is fused", bl_dtype_name(dtype));
}

/* Sums without their axis are paired with columns, though they are as many as rows. */
static void check_squares(void)
{
    int64_t fusions = 0;

    fill(BL_DTYPE_F32, 12);
    tap_ok(check_shape("a - sum(a, 1)", BL_DTYPE_F32, 100, 100, &fusions) &&
               check_shape("d = abs(a) + 1; d / max(d, 1)", BL_DTYPE_F32, 300, 300,
                           &fusions),
           "a result without its reduced axis is no row's");
}

/* Short rows of bytes, which are reduced as columns where registers have no masks. */
static void check_bytes(void)
{
    static const char *const all[] = {"any(a * 2 > c, 1); all(a > c * 2, 1)",
                                      "max(a * c, 1); sum(a * c, 1)"};
    bool pass = true;

    for (int t = 0; t < 2; t++) {
        const bl_dtype dtype = t == 0 ? BL_DTYPE_F32 : BL_DTYPE_U8;
        int64_t fusions = 0;

        fill(dtype, 13);
        for (int64_t columns = 24; pass && columns < 66; columns += 3)
            pass = check_shape(all[t], dtype, 1111, columns, &fusions);
        tap_ok(pass && fusions > 0, "%s, short rows", all[t]);
    }
}

/* ---- what is fused ---- */

static char explained[EXPLAINED];

/*
 * Whether a text of f32 has these fusions and phases with each instruction set, and
 * this in its explanation.
 */
static bool is_fused(const char *text, int64_t rows, int64_t columns, int32_t fusions,
                     int32_t phases, int64_t workspace, const char *what)
{
    bool pass = true;

    for (int i = 0; i < ISAS && pass; i++) {
        bl_expr_plan_info info = {.size = sizeof info};
        struct plans plans;

        plans_open(&plans, context[i][0], text, BL_DTYPE_F32, rows, columns, 0);
        must(bl_expr_plan_query(plans.plan[0], &info));
        explained_by(plans.plan[0], explained);
        pass = info.fusions == fusions && info.phases == phases &&
               info.workspace <= workspace && strstr(explained, what);
        if (!pass)
            tap_note("%s with %s: %s", text, bl_context_isa(context[i][0]), explained);
        plans_close(&plans);
    }
    return pass;
}

static void check_fusions(void)
{
    bl_expr_plan_info info = {.size = sizeof info};
    struct plans plans;

    tap_ok(is_fused(SOFTMAX, 64, 1024, 1, 1, 0, "2 reductions, resident rows of 1024"),
           "softmax is one fusion");
    tap_ok(is_fused(NORM, 64, 1024, 1, 1, 0, "2 reductions, resident rows of 1024"),
           "so is a layer's norm");
    tap_ok(is_fused(SOFTMAX, 2, 70000, 1, 3, INT64_MAX, "(last: its rows are long)"),
           "long rows are computed in phases");
    tap_ok(is_fused("d = a - c; sum(d * d)", 64, 2048, 1, 1, 0, "blocks of rows"),
           "a sum of squares has no temporary");
    tap_ok(is_fused("sum(a * c, 0)", 100, 2000, 1, 1, 16000, "parts of rows"),
           "a sum of columns has only partial results");
    tap_ok(is_fused("var(a * c, 0)", 100, 2000, 0, 2, INT64_MAX,
                    "(a call: its elements are read twice)"),
           "a call says why it is one");
    plans_open(&plans, context[0][0], SOFTMAX, BL_DTYPE_F32, 64, 1024, 0);
    must(bl_expr_plan_query(plans.plan[0], &info));
    tap_ok(info.bytes == 2 * 64 * 1024 * 4 && info.bytes == info.bytes_least,
           "softmax reads and writes each element once");
    plans_close(&plans);
}

int main(void)
{
    tap_plan();
    for (int k = 0; k < INPUTS + 2 * OUTPUTS; k++) {
        char **const to =
            k < INPUTS ? &memory[k] : &result[(k - INPUTS) % 2][(k - INPUTS) / 2];

        *to = aligned_alloc(64, (size_t)MOST * 8);
    }
    for (int i = 0; i < ISAS; i++)
        for (int t = 0; t < THREADS; t++)
            context[i][t] = context_of(threads[t], isa_of(i));
    check_fusions();
    check_bits(BL_DTYPE_F32);
    check_bits(BL_DTYPE_F64);
    check_bits(BL_DTYPE_BF16);
    check_squares();
    check_bytes();
    for (int i = 0; i < ISAS; i++)
        for (int t = 0; t < THREADS; t++)
            bl_context_destroy(context[i][t]);
    for (int k = 0; k < INPUTS; k++)
        free(memory[k]);
    for (int k = 0; k < 2 * OUTPUTS; k++)
        free(result[k % 2][k / 2]);
    return tap_done();
}
