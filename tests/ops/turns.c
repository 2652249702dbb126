/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program's loop over many small calls: each thread keeps their plans, so that after
 * a few rounds none is made again; of more calls than it keeps plans for, results are
 * right, and some plans are found.  Plans are counted by functions of this file
 * (--wrap).
 */
#include <inttypes.h>
#include <stdlib.h>

#include <broadloom.h>
#include <broadloom/expr.h>
#include <broadloom/reduce.h>

#include "expr/plan.h"
#include "harness/tap.h"
#include "plan/plan.h"
#include "plan/reduce.h"

/* Calls that fit, calls that do not, rows of their operands. */
enum { FEW = 64, MANY = 300, ROWS = 2, MOST = ROWS * (MANY + 1) };

static int made; /* plans */

bl_status __real_bli_plan_make(struct bl_plan *plan, const struct bli_problem *problem);
bl_status __wrap_bli_plan_make(struct bl_plan *plan, const struct bli_problem *problem);
bl_status __real_bli_reduce_plan_make(struct bli_reduce_plan *plan,
                                      const struct bli_reduce_problem *problem);
bl_status __wrap_bli_reduce_plan_make(struct bli_reduce_plan *plan,
                                      const struct bli_reduce_problem *problem);
bl_status __real_bli_expr_plan_make(bl_context *ctx, bl_expr *expr,
                                    const bl_array *const *outs,
                                    const bl_array *const *inputs,
                                    const bl_expr_options *options, bool is_kept,
                                    const char *function, bool *is_named,
                                    bl_expr_plan **plan);
bl_status __wrap_bli_expr_plan_make(bl_context *ctx, bl_expr *expr,
                                    const bl_array *const *outs,
                                    const bl_array *const *inputs,
                                    const bl_expr_options *options, bool is_kept,
                                    const char *function, bool *is_named,
                                    bl_expr_plan **plan);

bl_status __wrap_bli_plan_make(struct bl_plan *plan, const struct bli_problem *problem)
{
    made++;
    return __real_bli_plan_make(plan, problem);
}

bl_status __wrap_bli_reduce_plan_make(struct bli_reduce_plan *plan,
                                      const struct bli_reduce_problem *problem)
{
    made++;
    return __real_bli_reduce_plan_make(plan, problem);
}

bl_status __wrap_bli_expr_plan_make(bl_context *ctx, bl_expr *expr,
                                    const bl_array *const *outs,
                                    const bl_array *const *inputs,
                                    const bl_expr_options *options, bool is_kept,
                                    const char *function, bool *is_named,
                                    bl_expr_plan **plan)
{
    made++;
    return __real_bli_expr_plan_make(ctx, expr, outs, inputs, options, is_kept,
                                     function, is_named, plan);
}

/* ---- calls, of which each has a shape of its own ---- */

static float a[MOST], b[MANY + 1];
static bl_expr *expr[2];

/* Elements of a row of call k: 2 and more. */
static int64_t width(int k)
{
    return 2 + k % (MANY - 1);
}

/* Run call k of a kind; returns whether it has the right results. */
typedef bool turn(int k);

static bool run_operator(int k)
{
    static const bl_op ops[] = {BL_OP_ADD, BL_OP_SUB, BL_OP_MUL};
    const int64_t extent[] = {ROWS, width(k)};
    float got[MOST];
    const bl_array x = {a, BL_DTYPE_F32, 2, extent, NULL, 0};
    const bl_array y = {b, BL_DTYPE_F32, 1, extent + 1, NULL, 0};
    const bl_array r = {got, BL_DTYPE_F32, 2, extent, NULL, 0};
    const bl_array *const in[] = {&x, &y};
    bool pass = bl_apply(NULL, ops[k % 3], &r, 2, in, NULL) == BL_OK;

    for (int64_t j = 0; pass && j < ROWS * width(k); j++) {
        const float p = a[j], q = b[j % width(k)];
        const float want[] = {p + q, p - q, p * q};

        pass = got[j] == want[k % 3];
    }
    return pass;
}

static bool run_reduction(int k)
{
    const int32_t axis = k % 2;
    const int64_t extent[] = {ROWS, width(k)}, rest[] = {extent[1 - axis]};
    float got[MANY + 1];
    const bl_array x = {a, BL_DTYPE_F32, 2, extent, NULL, 0};
    const bl_array r = {got, BL_DTYPE_F32, 1, rest, NULL, 0};
    bool pass =
        bl_reduce(NULL, BL_REDUCTION_MAX, &r, &x, 1, &axis, false, NULL) == BL_OK;

    for (int64_t j = 0; pass && j < rest[0]; j++) {
        const int64_t step = axis == 0 ? width(k) : 1;
        const float *const first = a + (axis == 0 ? j : j * width(k));
        float most = first[0];

        for (int64_t i = 1; i < extent[axis]; i++)
            most = first[i * step] > most ? first[i * step] : most;
        pass = got[j] == most;
    }
    return pass;
}

static bool run_expression(int k)
{
    const int64_t extent[] = {ROWS, width(k)};
    float got[MOST];
    const bl_array x = {a, BL_DTYPE_F32, 2, extent, NULL, 0};
    const bl_array y = {b, BL_DTYPE_F32, 1, extent + 1, NULL, 0};
    const bl_array r = {got, BL_DTYPE_F32, 2, extent, NULL, 0};
    const bl_array *const in[] = {&x, &y}, *const outs[] = {&r};
    bool pass = bl_expr_run(NULL, expr[k % 2], outs, in, NULL) == BL_OK;

    for (int64_t j = 0; pass && j < ROWS * width(k); j++) {
        const float p = a[j], q = b[j % width(k)];

        pass = got[j] == (k % 2 == 0 ? (p + q) * p : (p - q) * q);
    }
    return pass;
}

static bool run_new(int k)
{
    const int64_t extent[] = {ROWS, width(k)};
    bl_tensor *ones = NULL;
    bool pass = bl_tensor_ones(NULL, BL_DTYPE_F32, 2, extent, &ones) == BL_OK;

    for (int64_t j = 0; pass && j < ROWS * width(k); j++)
        pass = ((const float *)bl_tensor_data(ones))[j] == 1;
    bl_tensor_release(ones);
    return pass;
}

/* ---- rounds of calls ---- */

static bool run_round(turn *run, int count)
{
    bool pass = true;

    for (int k = 0; k < count; k++)
        pass = run(k) && pass;
    return pass;
}

static void test_turns(const char *name, turn *run)
{
    bool pass = true;

    for (int round = 0; round < 4; round++) /* others' plans are there, and make room */
        pass = run_round(run, FEW) && pass;
    made = 0;
    pass = run_round(run, FEW) && pass;
    tap_ok(pass && made <= 2, "%s: of %d in turn, plans are kept: %d made again", name,
           FEW, made);
    pass = run_round(run, MANY);
    made = 0;
    pass = run_round(run, MANY) && run_round(run, MANY) && pass;
    tap_ok(pass && made < 2 * MANY, "%s: of %d in turn, some are: %d of %d made", name,
           MANY, made, 2 * MANY);
}

/* What is no dtype finds no plan of a call that differs in that alone. */
static void test_no_dtype(void)
{
    const int64_t extent[] = {ROWS};
    const bl_array x = {a, BL_DTYPE_F32, 1, extent, NULL, 0};
    const bl_array *const in[] = {&x, &x};
    bl_options options = BL_OPTIONS_DEFAULT;
    bl_tensor *made = NULL;
    bool pass = bl_apply_new(NULL, BL_OP_ADD, 2, in, &options, &made) == BL_OK;

    bl_tensor_release(made);
    made = NULL;
    for (int bit = 5; bit < 31; bit++) {
        options.dtype = (bl_dtype)(1 << bit);
        pass =
            bl_apply_new(NULL, BL_OP_ADD, 2, in, &options, &made) == BL_ERR_ARGUMENT &&
            !made && pass;
    }
    tap_ok(pass, "what is no dtype is refused: %s", bl_error_message());
}

int main(void)
{
    static const char *const names[] = {"a", "b"};

    tap_plan();
    for (int k = 0; k < MOST; k++)
        a[k] = (float)(k * 37 % 101 - 50);
    for (int k = 0; k < MANY + 1; k++)
        b[k] = (float)(k * 17 % 29 - 14);
    if (bl_expr_parse(NULL, "(a + b) * a", 2, names, &expr[0]) != BL_OK ||
        bl_expr_parse(NULL, "(a - b) * b", 2, names, &expr[1]) != BL_OK)
        abort();
    test_no_dtype();
    test_turns("operators", run_operator);
    test_turns("new tensors", run_new);
    test_turns("reductions", run_reduction);
    test_turns("expressions", run_expression);
    bl_expr_destroy(expr[0]);
    bl_expr_destroy(expr[1]);
    return tap_done();
}
