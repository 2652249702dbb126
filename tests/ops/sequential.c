/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Results that overlap their operands, against a sequential loop: cases, and what the
 * context and the rules say of them.
 */
#include <broadloom/compat.h>
#include <broadloom/describe.h>
#include <broadloom/expr.h>
#include <string.h>

#include "harness/tap.h"
#include "lens.h"

static bool is_range(const float *x, int32_t count, const float *want)
{
    return memcmp(x, want, (size_t)count * sizeof *x) == 0;
}

/* ---- known results ---- */

/* clang-format off */
static const struct known {
    const char *what;
    bl_op op;
    int32_t count; /* of the block, 0, 1, 2, ... */
    int32_t rank;
    int64_t extent[2], out[2], in[2]; /* strides of the result and of the last input */
    int64_t to, from;                 /* their first elements */
    float want[9];
} cases[] = {
    {"x[1:] += x[:-1]", BL_OP_ADD, 6, 1, {5}, {1}, {1}, 1, 0, {0, 1, 3, 6, 10, 15}},
    {"x[:-1] += x[1:]", BL_OP_ADD, 6, 1, {5}, {1}, {1}, 0, 1, {1, 3, 5, 7, 9, 5}},
    {"x += x.T", BL_OP_ADD, 9, 2, {3, 3}, {3, 1}, {1, 3}, 0, 0,
     {0, 4, 8, 7, 8, 12, 14, 19, 16}},
    {"an expanded result is added to twice", BL_OP_ADD, 4, 2, {2, 3}, {0, 1}, {0, 0},
     0, 3, {6, 7, 8, 3}},
    {"of a copy to an expanded result the last row wins", BL_OP_COPY, 9, 2, {2, 3},
     {0, 1}, {3, 1}, 0, 3, {6, 7, 8, 3, 4, 5, 6, 7, 8}},
};
/* clang-format on */

static bl_status run_known(bl_context *ctx, const struct known *c, float *x)
{
    struct lens out = lens_of(x + c->to, BL_DTYPE_F32, c->rank, c->extent, c->out);
    struct lens last = lens_of(x + c->from, BL_DTYPE_F32, c->rank, c->extent, c->in);
    const bl_array *const in[] = {look(&out), look(&last)};

    for (int32_t i = 0; i < c->count; i++)
        x[i] = (float)i;
    return bl_apply(ctx, c->op, look(&out), c->op == BL_OP_COPY ? 1 : 2,
                    c->op == BL_OP_COPY ? in + 1 : in, NULL);
}

static void check_known(bl_context *ctx, const char *name)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        float x[9];

        tap_ok(run_known(ctx, &cases[i], x) == BL_OK &&
                   is_range(x, cases[i].count, cases[i].want),
               "%s: %s", name, cases[i].what);
    }
}

/* Calls that are refused for a sequential result, and those that do not need it. */
static void check_otherwise(bl_context *ctx)
{
    static const float before[] = {0, 1, 2, 3, 4, 5}, copied[] = {0, 1, 3, 5, 7, 9};
    float x[9];
    struct lens out = lens_of(x, BL_DTYPE_F32, 2, (int64_t[]){2, 3}, (int64_t[]){0, 1});
    const bl_array *const in[] = {look(&out), look(&out)};
    const void *const data[] = {x, x};
    bl_plan *plan = NULL;

    tap_ok(bl_context_set_overlap(ctx, BL_OVERLAP_REFUSE) == BL_OK &&
               run_known(ctx, &cases[0], x) == BL_ERR_OVERLAP && is_range(x, 6, before),
           "refused where the context says so");
    tap_ok(bl_context_set_overlap(ctx, BL_OVERLAP_COPY) == BL_OK &&
               run_known(ctx, &cases[0], x) == BL_OK && is_range(x, 6, copied),
           "copied first where the context says so");
    tap_ok(run_known(ctx, &cases[3], x) == BL_ERR_ARGUMENT && is_range(x, 4, before),
           "a result that repeats elements is refused then");
    BL_IGNORE(bl_context_set_rules(ctx, bl_rules_modern()));
    tap_ok(bl_context_set_overlap(ctx, BL_OVERLAP_RULES) == BL_OK &&
               run_known(ctx, &cases[0], x) == BL_OK && is_range(x, 6, copied) &&
               run_known(ctx, &cases[3], x) == BL_ERR_ARGUMENT,
           "and where modern rules decide");
    tap_ok(bl_context_set_overlap(ctx, BL_OVERLAP_SEQUENTIAL) == BL_OK &&
               bl_plan_create(ctx, BL_OP_ADD, look(&out), 2, in, NULL, &plan) == BL_OK,
           "a plan of a result that repeats elements");
    x[0] = x[1] = x[2] = 1;
    tap_ok(bl_plan_execute(ctx, plan, x, data) == BL_OK && x[0] == 4 && x[1] == 4 &&
               x[2] == 4,
           "runs");
    tap_ok(bl_plan_execute_part(NULL, plan, 0, 1, x, data) == BL_ERR_ARGUMENT &&
               x[0] == 4,
           "but no part of it: %s", bl_error_message());
    tap_ok(bl_context_set_overlap(ctx, BL_OVERLAP_REFUSE) == BL_OK &&
               bl_plan_execute(ctx, plan, x, data) == BL_ERR_ARGUMENT && x[0] == 4,
           "nor all where the context refuses");
    bl_plan_destroy(plan);
}

/* In an expression no result is written over an operand that is read after it. */
static void check_expression(bl_context *ctx)
{
    static const char *const names[] = {"a", "b", "c"};
    float a[3] = {1, 2, 3}, b[3] = {4, 5, 6}, c[3] = {7, 8, 9}, out[3] = {0};
    const float want[3] = {-78, -106, -138};
    const bl_array *const inputs[] = {BL_VIEW(a, 3), BL_VIEW(b, 3), BL_VIEW(c, 3)};
    const bl_array *const outs[] = {BL_VIEW(out, 3)};
    bl_expr *expr = NULL;

    tap_ok(bl_expr_parse(ctx, "-addcmul(a, b + c, c, 1)", 3, names, &expr) == BL_OK &&
               bl_expr_run(ctx, expr, outs, inputs, NULL) == BL_OK &&
               is_range(out, 3, want),
           "legacy: -addcmul(a, b + c, c): %g", out[0]);
    bl_expr_destroy(expr);
}

int main(void)
{
    bl_context *ctx;

    tap_plan();
    if (bl_context_create(&ctx) != BL_OK ||
        bl_context_set_overlap(ctx, BL_OVERLAP_SEQUENTIAL) != BL_OK)
        return 1;
    check_known(ctx, "modern");
    if (bl_context_set_overlap(ctx, BL_OVERLAP_RULES) != BL_OK)
        return 1;
    BL_IGNORE(bl_context_set_rules(ctx, bl_rules_transitional()));
    check_known(ctx, "transitional");
    BL_IGNORE(bl_context_set_rules(ctx, bl_rules_legacy()));
    check_known(ctx, "legacy");
    check_expression(ctx);
    check_otherwise(ctx);
    bl_context_destroy(ctx);
    return tap_done();
}
