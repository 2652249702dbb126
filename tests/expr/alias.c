/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Outputs that are inputs, overlap them or each other: results are as if the inputs had
 * been copied first, or the call is refused; and a refused call writes nothing.
 */
#include <broadloom.h>
#include <broadloom/compat.h>
#include <broadloom/describe.h>
#include <broadloom/expr.h>

#include <string.h>

#include "harness/problem.h"
#include "harness/same.h"
#include "harness/tap.h"

enum { N = 40, MEMORY = 400 };

static float memory[MEMORY], before[MEMORY];
static bl_context *ctx;

static void fill(void)
{
    for (int i = 0; i < MEMORY; i++)
        before[i] = memory[i] = (float)(i * 7 % 31) + 0.5f;
}

/* ---- views of one memory ---- */

struct view {
    int64_t start, step; /* of N elements */
};

static bl_array view_array(const struct view *view, float *base)
{
    static const int64_t extent[] = {N};
    static int64_t stride[64];
    static int used;
    int64_t *const own = &stride[used++ % 64];

    *own = view->step;
    return (bl_array){base + view->start, BL_DTYPE_F32, 1, extent, own, 0};
}

/* ---- random placements ---- */

static const struct {
    const char *text;
    int32_t inputs, outputs;
} texts[] = {
    {"a + b * c", 3, 1},
    {"(a * b + c) * 2 - b", 3, 1},
    {"-(a + 1) * 2 + c; abs(-b) - c", 3, 2},
    {"e = exp(a / 32); e / sum(e); sqrt(e) * 2 - c", 2, 2},
    {"a - b; b - a", 2, 2},
    {"b; a", 2, 2},
    {"a; a; b", 2, 3},
    {"d = a - b; d; abs(d) - c; d * a", 3, 3},
    {"t = exp(a) + b; t * 2; sigmoid(t) - b", 2, 2},
    {"t = a * b + c; t / 2; t - sigmoid(c); t * a", 3, 3},
    {"s = sum(a); b * s; a / s; c", 3, 3},
    {"m = max(a, 0, keepdim); e = a - m; e; b - e; c + 1", 3, 3},
    {"where(a < b, a, c); a < b; f32(a < b)", 3, 3},
};

static struct view any_view(struct rng *rng)
{
    const int64_t step = rng_one_in(rng, 3) ? 2 : rng_one_in(rng, 5) ? -1 : 1;
    const int64_t start = step < 0 ? N + rng_below(rng, 8) : rng_below(rng, 8);

    return (struct view){start + 40 * rng_below(rng, 3), step};
}

/* Whether outputs of that many views have no element in common. */
static bool are_apart(const struct view *view, int32_t count)
{
    bool is_used[MEMORY] = {false};

    for (int32_t k = 0; k < count; k++)
        for (int i = 0; i < N; i++) {
            bool *const used = &is_used[view[k].start + i * view[k].step];

            if (*used)
                return false;
            *used = true;
        }
    return true;
}

/* Compute a text with inputs from `before` into new tensors: what is wanted. */
static bl_status compute(bl_expr *expr, const struct view *in, bl_tensor **want)
{
    bl_array array[4];
    const bl_array *inputs[4];

    for (int32_t k = 0; k < 4; k++) {
        array[k] = view_array(&in[k], before);
        inputs[k] = &array[k];
    }
    return bl_expr_run_new(ctx, expr, inputs, NULL, want);
}

/* Whether the memory is `before` with the outputs that are wanted, if any, in it. */
static bool is_right(const struct view *out, bl_tensor **want, int32_t outputs)
{
    for (int32_t k = 0; k < outputs; k++)
        for (int i = 0; i < N; i++)
            before[out[k].start + i * out[k].step] =
                ((const float *)bl_tensor_data(want[k]))[i];
    return memcmp(memory, before, sizeof memory) == 0;
}

static bool check(struct rng *rng, int32_t *done, int32_t *refused)
{
    static const uint32_t fusing[] = {0, BL_EXPR_FUSED, BL_EXPR_UNFUSED};
    const size_t t = (size_t)rng_below(rng, sizeof texts / sizeof texts[0]);
    struct view in[4], out[4];
    bl_array in_array[4], out_array[4];
    const bl_array *inputs[4], *outs[4];
    bl_expr_options options = BL_EXPR_OPTIONS_DEFAULT;
    bl_tensor *want[4] = {NULL};
    bl_expr *expr = NULL;
    bl_status status;
    bool pass, apart;

    fill();
    for (int k = 0; k < 4; k++) {
        in[k] = any_view(rng);
        out[k] = rng_one_in(rng, 2) ? in[rng_below(rng, k + 1)] : any_view(rng);
        in_array[k] = view_array(&in[k], memory);
        out_array[k] = view_array(&out[k], memory);
        inputs[k] = &in_array[k];
        outs[k] = &out_array[k];
    }
    must(bl_expr_parse(ctx, texts[t].text, 0, NULL, &expr));
    must(compute(expr, in, want));
    /* The second output of where() is bool: into other memory. */
    if (bl_tensor_dtype(want[1]) == BL_DTYPE_BOOL) {
        bl_tensor *truth = NULL;

        must(bl_cast(ctx, bl_tensor_array(want[1]), BL_DTYPE_F32, &truth));
        bl_tensor_release(want[1]);
        want[1] = truth;
    }
    apart = are_apart(out, texts[t].outputs);
    /* Values between calls are in memory, in that of outputs where it is free. */
    options.flags = fusing[rng_below(rng, sizeof fusing / sizeof fusing[0])];
    status = bl_expr_run(ctx, expr, outs, inputs, &options);
    pass = status == (apart ? BL_OK : BL_ERR_OVERLAP) &&
           is_right(out, want, apart ? texts[t].outputs : 0);
    ++*(apart ? done : refused);
    if (!pass)
        tap_note("%s: status %d, %s", texts[t].text, (int)status, bl_error_message());
    for (int k = 0; k < texts[t].outputs; k++)
        bl_tensor_release(want[k]);
    bl_expr_destroy(expr);
    return pass;
}

/* ---- policies, and what is refused as it is executed ---- */

/* Run a text of a, b into one output, or two. */
static bl_status run(const char *text, const bl_array *a, const bl_array *b,
                     const bl_array *first, const bl_array *second)
{
    const bl_array *const inputs[] = {a, b};
    const bl_array *const outs[] = {first, second};
    bl_expr *expr = NULL;
    bl_status status;

    must(bl_expr_parse(ctx, text, 0, NULL, &expr));
    status = bl_expr_run(ctx, expr, outs, inputs, NULL);
    bl_expr_destroy(expr);
    return status;
}

static void check_policies(void)
{
    const bl_array *const a = BL_VIEW(memory, N), *const shifted =
                                                      BL_VIEW(memory + 1, N);
    const bl_array *const b = BL_VIEW(memory + 100, N), *const far =
                                                            BL_VIEW(memory + 200, N);

    fill();
    must(bl_context_set_overlap(ctx, BL_OVERLAP_REFUSE));
    tap_ok(run("a + b", a, b, shifted, NULL) == BL_ERR_OVERLAP &&
               strncmp(bl_error_where(), "bl_expr_run(output 0 f32[", 25) == 0 &&
               strstr(bl_error_where(), ", a f32[") && is_right(NULL, NULL, 0),
           "an output that overlaps an operand, refused");
    tap_ok(run("t = a + b; t; a - t", a, b, shifted, far) == BL_ERR_OVERLAP &&
               is_right(NULL, NULL, 0),
           "an output that overlaps what is read later, refused");
    tap_ok(run("a + b; a - b", a, b, a, far) == BL_OK,
           "one that is an input, accepted");
    must(bl_context_set_overlap(ctx, BL_OVERLAP_RULES));
    fill();
    must(bl_context_set_rules(ctx, bl_rules_legacy()));
    tap_ok(run("b + a", a, b, shifted, NULL) == BL_OK, "legacy rules");
    for (int i = 0; i < N; i++)
        before[i + 1] = before[100 + i] + before[i];
    tap_ok(is_right(NULL, NULL, 0), "have the results of a loop in order");
    must(bl_context_set_rules(ctx, NULL));
}

static void check_values(void)
{
    int32_t x[N], y[N] = {0}, results[2][N];
    const bl_array *const a = BL_VIEW(x, N), *const b = BL_VIEW(y, N);
    const bl_array *const first = BL_VIEW(results[0], N);
    const bl_array *const second = BL_VIEW(results[1], N);
    static const char *const divisions[] = {"a + b; a // b", "a // b; a + b",
                                            "a; a % b", "t = a - a; a * 2; a // t",
                                            "a - b; fmod(a, b)"};
    bool pass = true;

    for (int i = 0; i < N; i++)
        x[i] = i;
    memset(results, 0x55, sizeof results);
    for (size_t k = 0; k < sizeof divisions / sizeof divisions[0]; k++) {
        pass = pass && run(divisions[k], a, b, first, second) == BL_ERR_ARGUMENT &&
               strstr(bl_error_message(), "ZeroDivisionError") &&
               strncmp(bl_error_where(), "bl_expr_run(%", 13) == 0;
        for (int i = 0; i < N; i++)
            pass = pass && results[0][i] == 0x55555555 && results[1][i] == 0x55555555;
    }
    tap_ok(pass, "values are refused before any output is written");
}

static void check_arrays(void)
{
    static const int64_t still[] = {0}, extent[] = {N};
    const bl_array *const a = BL_VIEW(memory, N);
    const bl_array repeats = {memory + 100, BL_DTYPE_F32, 1, extent, still, 0};
    const bl_array none = {NULL, BL_DTYPE_F32, 1, extent, NULL, 0};
    const bl_array odd = {(char *)memory + 401, BL_DTYPE_F32, 1, extent, NULL, 0};
    const bl_array fixed = {memory + 100, BL_DTYPE_F32, 1,
                            extent,       NULL,         BL_ARRAY_READ_ONLY};
    const bl_array whole = {memory + 100, BL_DTYPE_I32, 1, extent, NULL, 0};
    const bl_array wide = {memory + 100, BL_DTYPE_F64, 1, extent, NULL, 0};
    const bl_array pairs = {memory + 101, BL_DTYPE_C64, 1, extent, NULL, 0};

    fill();
    tap_ok(run("a + a", a, a, &repeats, NULL) == BL_ERR_ARGUMENT &&
               run("a + a", a, a, &none, NULL) == BL_ERR_ARGUMENT &&
               run("a + a", a, a, &odd, NULL) == BL_ERR_ARGUMENT &&
               run("a + a", &none, &none, a, NULL) == BL_ERR_ARGUMENT &&
               run("a + a", a, a, &fixed, NULL) == BL_ERR_ARGUMENT &&
               run("a + a", a, a, &whole, NULL) == BL_ERR_DTYPE &&
               run("a + a", a, a, BL_VIEW(memory + 100, N + 1), NULL) == BL_ERR_SHAPE &&
               run("a + a", a, a, NULL, NULL) == BL_ERR_ARGUMENT &&
               is_right(NULL, NULL, 0),
           "outputs and inputs that do not fit");
    tap_ok(run("a + a", &none, &none, a, NULL) == BL_ERR_ARGUMENT &&
               strncmp(bl_error_where(), "bl_expr_run(a f32[", 18) == 0 &&
               run("a + a", NULL, NULL, a, NULL) == BL_ERR_ARGUMENT &&
               strcmp(bl_error_where(), "bl_expr_run(a null)") == 0,
           "and what they are");
    tap_ok(run("a + a", a, a, &wide, NULL) == BL_OK &&
               ((const double *)wide.data)[3] == 2 * (double)before[3],
           "an output of a wider dtype");
    tap_ok(run("c64(sqrt(f64(a))); ", a, NULL, &pairs, NULL) == BL_OK,
           "an output that is aligned to less than the values before it");
}

int main(void)
{
    const int32_t count = test_times(4000, 200000);
    int32_t done = 0, refused = 0;
    bool pass = true;
    struct rng rng;

    tap_plan();
    rng = rng_new();
    must(bl_context_create(&ctx));
    for (int i = 0; pass && i < count; i++)
        pass = check(&rng, &done, &refused);
    tap_ok(pass && done > 500 && refused > 500,
           "%d outputs over inputs, %d over outputs", (int)done, (int)refused);
    check_policies();
    check_values();
    check_arrays();
    bl_context_destroy(ctx);
    return tap_done();
}
