/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * BL_EXPR_WIDE_HALVES: the bits of the expression with inputs cast to f32 and outputs
 * cast back, in one pass, and not those of calls on halves.
 */
#include <broadloom.h>
#include <broadloom/expr.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expr/contexts.h"
#include "harness/problem.h"
#include "harness/same.h"
#include "harness/tap.h"
#include "reference/ref.h"

enum { MOST = 140000, INPUTS = 3 };

static bl_context *context[CONTEXTS]; /* threads and instruction sets */
static uint16_t *memory[INPUTS], *result[3];

/* What is asked for, and what it means: X stands for the dtype's name. */
static const struct {
    const char *text, *meaning;
    bool is_one; /* one fusion, without temporaries in memory */
} texts[] = {
    {"(a * b + c) * a - b",
     "a = f32(x); b = f32(y); c = f32(z); X((a * b + c) * a - b)", true},
    {"(a - b) / sqrt(abs(c) + 1e-5) * a",
     "a = f32(x); b = f32(y); c = f32(z); X((a - b) / sqrt(abs(c) + 1e-5) * a)", true},
    {"t = X(a * b); t * t + c",
     "a = f32(x); b = f32(y); c = f32(z); t = f32(X(a * b)); X(t * t + c)", true},
    {"where(a > b, a * b, c) + 0.1 * exp(b)",
     "a = f32(x); b = f32(y); c = f32(z); X(where(a > b, a * b, c) + 0.1 * exp(b))",
     true},
    {"e = exp(a - max(a, 1, keepdim)); e / sum(e, 1, keepdim) + b * c",
     "a = f32(x); b = f32(y); c = f32(z); e = exp(a - max(a, 1, keepdim)); "
     "X(e / sum(e, 1, keepdim) + b * c)",
     false},
    {"mean(a * b + c, 0)", "a = f32(x); b = f32(y); c = f32(z); X(mean(a * b + c, 0))",
     false},
};
enum { TEXTS = sizeof texts / sizeof texts[0] };

/* Plan a text in which X is replaced by a dtype's name. */
static bl_expr_plan *plan_text(const char *pattern, const char *const *names,
                               bl_dtype dtype, int64_t rows, int64_t columns,
                               uint32_t flags)
{
    const int64_t extent[] = {rows, columns};
    const bl_array array = {memory[0], dtype, 2, extent, NULL, 0};
    const bl_array *const inputs[] = {&array, &array, &array};
    bl_expr_options options = BL_EXPR_OPTIONS_DEFAULT;
    char text[512], *at = text;
    bl_expr_plan *plan = NULL;
    bl_expr *expr = NULL;

    for (; *pattern; pattern++)
        if (*pattern == 'X')
            at += sprintf(at, "%s", bl_dtype_name(dtype));
        else
            *at++ = *pattern;
    *at = '\0';
    options.flags = flags;
    must(bl_expr_parse(NULL, text, INPUTS, names, &expr));
    must(bl_expr_plan_create(context[0], expr, NULL, inputs, &options, &plan));
    bl_expr_destroy(expr);
    return plan;
}

static void execute(bl_context *ctx, const bl_expr_plan *plan, uint16_t *out)
{
    memset(out, 0x55, MOST * 2);
    must(bl_expr_plan_execute(ctx, plan, (void *[]){out},
                              (const void *[]){memory[0], memory[1], memory[2]}));
}

static bool check(size_t t, bl_dtype dtype, int64_t rows, int64_t columns,
                  bool *differs)
{
    static const char *const names[] = {"a", "b", "c"}, *const inner[] = {"x", "y",
                                                                          "z"};
    bl_expr_plan *const means =
        plan_text(texts[t].meaning, inner, dtype, rows, columns, BL_EXPR_UNFUSED);
    bl_expr_plan *const calls =
        plan_text(texts[t].text, names, dtype, rows, columns, 0);
    bool pass = true;

    execute(context[0], means, result[0]);
    execute(context[0], calls, result[1]);
    *differs = *differs || memcmp(result[0], result[1], MOST * 2) != 0;
    for (uint32_t unfused = 0; unfused <= BL_EXPR_UNFUSED; unfused++) {
        bl_expr_plan *const wide = plan_text(texts[t].text, names, dtype, rows, columns,
                                             BL_EXPR_WIDE_HALVES | unfused);
        bl_array out;

        must(bl_expr_plan_output(wide, 0, &out));
        pass = pass && out.dtype == dtype;
        for (int c = 0; pass && c < CONTEXTS; c++) {
            execute(context[c], wide, result[2]);
            pass = memcmp(result[0], result[2], MOST * 2) == 0;
        }
        bl_expr_plan_destroy(wide);
    }
    if (!pass)
        tap_note("%s[%d,%d]", bl_dtype_name(dtype), (int)rows, (int)columns);
    bl_expr_plan_destroy(means);
    bl_expr_plan_destroy(calls);
    return pass;
}

/* Whether nothing but inputs and outputs is in memory. */
static bool is_one_pass(size_t t)
{
    static const char *const names[] = {"a", "b", "c"};
    bl_expr_plan *const plan =
        plan_text(texts[t].text, names, BL_DTYPE_F16, 70, 2000, BL_EXPR_WIDE_HALVES);
    bl_expr_plan_info info = {.size = sizeof info};

    must(bl_expr_plan_query(plan, &info));
    bl_expr_plan_destroy(plan);
    return info.phases == 1 && info.fusions == 1 && info.materialised == 0 &&
           info.bytes == info.bytes_least;
}

static void fill(bl_dtype dtype)
{
    struct rng rng = {.state = 20};

    for (int k = 0; k < INPUTS; k++)
        for (int64_t i = 0; i < MOST; i++) {
            const double value = (double)rng_below(&rng, 4000) / 512 - 3;

            ref_convert(BL_DTYPE_F64, &value, dtype, memory[k] + i);
        }
}

int main(void)
{
    static const bl_dtype dtypes[] = {BL_DTYPE_F16, BL_DTYPE_BF16};

    tap_plan();
    make_contexts(context);
    for (int k = 0; k < INPUTS; k++) {
        memory[k] = aligned_alloc(64, MOST * 2);
        result[k] = aligned_alloc(64, MOST * 2);
    }
    for (size_t t = 0; t < TEXTS; t++) {
        bool pass = true, differs = false;

        for (size_t d = 0; d < 2; d++) {
            fill(dtypes[d]);
            pass = pass && check(t, dtypes[d], 3, 5, &differs) &&
                   check(t, dtypes[d], 7, 1031, &differs);
        }
        pass = pass && check(t, BL_DTYPE_BF16, 70, 2000, &differs);
        tap_ok(pass, "%s", texts[t].text);
        tap_ok(differs && is_one_pass(t) >= texts[t].is_one, "is not what calls give%s",
               texts[t].is_one ? ", and one pass" : "");
    }
    for (int k = 0; k < INPUTS; k++) {
        free(memory[k]);
        free(result[k]);
    }
    destroy_contexts(context);
    return tap_done();
}
