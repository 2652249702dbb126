/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fusions have the bits, the floating-point exceptions and the rounding of calls one
 * after the other, and touch no byte outside the elements.
 */
#include <broadloom.h>
#include <broadloom/expr.h>

#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expr/contexts.h"
#include "harness/floating.h"
#include "harness/guarded.h"
#include "harness/same.h"
#include "harness/tap.h"
#include "reference/ref.h"

enum { MOST = 5000, INPUTS = 4, OUTPUTS = 2 };

static bl_context *context[ISAS];

static const struct {
    const char *text;
    int32_t inputs, outputs;
    bool is_f64;
} texts[] = {
    {"(a * b + c) * d - b", 4, 1, false},
    {"(a * b + c) * d - b", 4, 1, true},
    {"(a - b) / sqrt(abs(c) + 1e-5) * d + 0.1", 4, 1, false},
    {"((a - b) * (c + d) - a / b) / ((a + b) * (c - d) - b / c)", 4, 1, false},
    {"((((0.1 * a + 0.2) * a + 0.3) * a + 0.4) * a + 0.5) * a + 0.6", 1, 1, true},
    {"(a * 2 + 16777217) * 0.1 - b * 1.5", 2, 1, false},
    {"where(a > b, a * b, c)", 3, 1, false},
    {"d = (a - b) / c; d; abs(d) > 3", 3, 2, false},
    {"a * sigmoid(1.702 * a) + b", 2, 1, false},
    {"t = exp(a) + b; t * t - c; t - 1", 3, 2, true},
    {"a - floor(a / b) * b + ceil(c)", 3, 1, true},
    {"trunc(a * 10) / 10 - round(b / 3) * c", 3, 1, false},
    {"f16(a) * f16(b) + f16(c)", 3, 1, false},
    {"maximum(relu(a), b) - square(c)", 3, 1, false},
    {"d = (a * b) ** 2; d - c; d / b", 3, 2, false},
    {"(a - b) ** 2.0 + c ** 2", 3, 1, true},
    {"(a / b) ** 2 - c", 3, 1, true},
    {"e = exp(a - max(a, 1, keepdim)); e / sum(e, 1, keepdim)", 1, 1, false},
    {"d = a - mean(a, 1, keepdim); d / sqrt(var(a, 1, keepdim) + 1e-5) * b", 2, 1,
     true},
    {"d = a - b; sum(d * d); d", 2, 2, false},
    {"d = a * c + b; mean(d, 0); max(d, 0)", 3, 2, false},
};
enum { TEXTS = sizeof texts / sizeof texts[0] };

/* ---- memory that ends, or begins, at a page that may not be touched ---- */

static void open_guarded(struct guarded *guarded)
{
    if (!guarded_open(guarded, MOST * sizeof(double), false))
        abort();
}

static struct guarded input[INPUTS], output[2][OUTPUTS];

/* ---- one text, fused and not ---- */

struct pair {
    bl_expr_plan *plan[2]; /* fused, and not */
    const void *data[INPUTS];
    void *out[2][OUTPUTS];
    size_t bytes[OUTPUTS];
    bl_dtype dtype[OUTPUTS];
    int32_t outputs;
};

static double value_of(int64_t i, int32_t k, bool is_special)
{
    static const double special[] = {0,     -0.0, INFINITY, 1e30, -1e-30, 3,
                                     1e-42, 0.1,  -2.5,     1e38, 7,      NAN};

    if (is_special && (i + 5 * k) % 7 < 3)
        return special[(i * 5 + 3 * k) % 12];
    return (double)((i * 37 + k * 11) % 201) / 16 + 0.25;
}

static void fill(void *data, bool is_f64, int64_t count, int32_t k, bool is_special)
{
    for (int64_t i = 0; i < count; i++)
        if (is_f64)
            ((double *)data)[i] = value_of(i, k, is_special);
        else
            ((float *)data)[i] = (float)value_of(i, k, is_special);
}

/* Where an operand of so many bytes is: before the page after, or after that before. */
static char *place(const struct guarded *guarded, size_t bytes, bool at_end)
{
    return guarded->pages + guarded_place(guarded, bytes, at_end);
}

/* Plan text `t` for rows of so many elements; input 1 is one row of them. */
static void pair_open(struct pair *pair, bl_context *ctx, int t, int64_t rows,
                      int64_t columns, bool at_end, bool is_special)
{
    const size_t size = texts[t].is_f64 ? 8 : 4;
    const bl_dtype dtype = texts[t].is_f64 ? BL_DTYPE_F64 : BL_DTYPE_F32;
    const int64_t whole[] = {rows, columns}, row[] = {1, columns};
    const bl_array *inputs[INPUTS];
    bl_array array[INPUTS];
    bl_expr_options options = BL_EXPR_OPTIONS_DEFAULT;
    bl_expr *expr = NULL;

    for (int32_t k = 0; k < texts[t].inputs; k++) {
        const int64_t count = columns * (k == 1 ? 1 : rows);
        char *const data = place(&input[k], (size_t)count * size, at_end);

        fill(data, texts[t].is_f64, count, k, is_special);
        array[k] = (bl_array){data, dtype, 2, k == 1 ? row : whole, NULL, 0};
        inputs[k] = &array[k];
        pair->data[k] = data;
    }
    must(bl_expr_parse(ctx, texts[t].text, 0, NULL, &expr));
    options.flags = BL_EXPR_FUSED;
    must(bl_expr_plan_create(ctx, expr, NULL, inputs, &options, &pair->plan[0]));
    options.flags = BL_EXPR_UNFUSED;
    must(bl_expr_plan_create(ctx, expr, NULL, inputs, &options, &pair->plan[1]));
    bl_expr_destroy(expr);
    pair->outputs = texts[t].outputs;
    for (int32_t k = 0; k < pair->outputs; k++) {
        bl_array out;
        int64_t count = 1;

        must(bl_expr_plan_output(pair->plan[0], k, &out));
        pair->dtype[k] = out.dtype;
        for (int32_t d = 0; d < out.rank; d++)
            count *= out.extent[d];
        pair->bytes[k] = (size_t)count * (size_t)bl_dtype_size(out.dtype);
        for (int i = 0; i < 2; i++) {
            pair->out[i][k] = place(&output[i][k], pair->bytes[k], at_end);
            memset(pair->out[i][k], 0x55, pair->bytes[k]);
        }
    }
}

static void pair_close(struct pair *pair)
{
    bl_expr_plan_destroy(pair->plan[0]);
    bl_expr_plan_destroy(pair->plan[1]);
}

/* Whether an output is the same of both plans, NaN with any NaN. */
static bool is_same(const struct pair *pair, int32_t k)
{
    const size_t size = bl_dtype_size(pair->dtype[k]);
    bool same = true;

    for (size_t at = 0; at < pair->bytes[k]; at += size)
        same = same && ref_same(pair->dtype[k], (const char *)pair->out[0][k] + at,
                                (const char *)pair->out[1][k] + at, 0);
    return same;
}

/* Whether both plans have the same results and raise the same exceptions. */
static bool pair_agrees(const struct pair *pair, bl_context *ctx)
{
    int raised[2];
    bool same = true;

    for (int i = 0; i < 2; i++) {
        feclearexcept(FE_ALL_EXCEPT);
        must(bl_expr_plan_execute(ctx, pair->plan[i], pair->out[i], pair->data));
        raised[i] = fetestexcept(FLOATING_COMPARED);
    }
    for (int32_t k = 0; k < pair->outputs; k++)
        same = same && is_same(pair, k);
    if (!same || raised[0] != raised[1])
        tap_note("%s, exceptions %x, not %x", same ? "same results" : "other results",
                 raised[0], raised[1]);
    return same && raised[0] == raised[1];
}

static void check_sizes(int i, bool is_special)
{
    static const int64_t columns[] = {1, 2, 15, 16, 17, 31, 32, 33, 63, 65, 129, 1025};
    bool pass = true;

    for (int t = 0; pass && t < TEXTS; t++)
        for (size_t c = 0; pass && c < sizeof columns / sizeof columns[0]; c++)
            for (int64_t rows = 1; pass && rows * columns[c] <= MOST; rows = rows * 3) {
                struct pair pair;

                pair_open(&pair, context[i], t, rows, columns[c], rows % 2, is_special);
                pass = pair_agrees(&pair, context[i]);
                pair_close(&pair);
                if (!pass)
                    tap_note("%s, %d rows of %d", texts[t].text, (int)rows,
                             (int)columns[c]);
            }
    tap_ok(pass, "%s: results, exceptions, and no byte outside, %s numbers",
           isa_of(i) ? isa_of(i) : "the best", is_special ? "special" : "ordinary");
}

static void check_rounding(int i)
{
    bool pass = true;

    for (int t = 0; pass && t < TEXTS; t++)
        for (int32_t state = 1; pass && state < FLOATING_STATES; state++) {
            struct pair pair;
            struct floating own;

            pair_open(&pair, context[i], t, 3, 331, true, state % 2 == 0);
            own = floating_set(state);
            pass = pair_agrees(&pair, context[i]);
            floating_restore(own);
            pair_close(&pair);
            if (!pass)
                tap_note("%s, %s", texts[t].text, floating_name(state));
        }
    tap_ok(pass, "%s: rounded in each direction, subnormal numbers flushed or not",
           isa_of(i) ? isa_of(i) : "the best");
}

int main(void)
{
    tap_plan();
    for (int i = 0; i < ISAS; i++)
        context[i] = context_of(1, isa_of(i));
    for (int k = 0; k < INPUTS; k++)
        open_guarded(&input[k]);
    for (int k = 0; k < 2 * OUTPUTS; k++)
        open_guarded(&output[k / OUTPUTS][k % OUTPUTS]);
    for (int i = 0; i < ISAS; i++) {
        check_sizes(i, false);
        check_sizes(i, true);
        check_rounding(i);
    }
    for (int k = 0; k < INPUTS; k++)
        guarded_close(&input[k]);
    for (int k = 0; k < 2 * OUTPUTS; k++)
        guarded_close(&output[k / OUTPUTS][k % OUTPUTS]);
    for (int i = 0; i < ISAS; i++)
        bl_context_destroy(context[i]);
    return tap_done();
}
