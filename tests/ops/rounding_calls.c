/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rounding in every kind of call: functions round to nearest, arithmetic and user
 * functions use the caller's mode, and the caller's state is unchanged.
 */
#include <inttypes.h>
#include <math.h>
#include <omp.h>
#include <stdatomic.h>
#include <string.h>

#include <broadloom.h>

#include "harness/floating.h"
#include "reference/ref.h"
#include "harness/tap.h"

enum { ROWS = 250, COLUMNS = 104, COUNT = ROWS * COLUMNS, FEW = 12, THREADS = 4 };

static const int64_t extent[2] = {ROWS, COLUMNS}, all = COUNT, few = FEW;
static const int64_t turned[2] = {1, ROWS};
static float x[COUNT + 1], y[COUNT];
static double wide[COUNT];

/* ---- functions round to nearest ---- */

static bool run_dense(bl_context *ctx, float *result)
{
    const bl_array a = {x, BL_DTYPE_F32, 1, &all, NULL, 0};
    const bl_array out = {result, BL_DTYPE_F32, 1, &all, NULL, 0};

    return bl_sin_out(ctx, &out, &a) == BL_OK;
}

static bool run_few(bl_context *ctx, float *result)
{
    const bl_array a = {x, BL_DTYPE_F32, 1, &few, NULL, 0};
    const bl_array out = {result, BL_DTYPE_F32, 1, &few, NULL, 0};

    return bl_exp_out(ctx, &out, &a) == BL_OK;
}

/* Transposed, and converted before and after. */
static bool run_staged(bl_context *ctx, float *result)
{
    const bl_array a = {wide, BL_DTYPE_F64, 2, extent, turned, 0};
    const bl_array out = {result, BL_DTYPE_F32, 2, extent, NULL, 0};

    return bl_tanh_out(ctx, &out, &a) == BL_OK;
}

/* Each element is computed from the previous result (sequential). */
static bool run_sequential(bl_context *ctx, float *result)
{
    const int64_t one_less = COUNT - 1;
    const bl_array a = {result, BL_DTYPE_F32, 1, &one_less, NULL, 0};
    const bl_array out = {result + 1, BL_DTYPE_F32, 1, &one_less, NULL, 0};
    bool pass;

    result[0] = 1;
    pass = bl_context_set_overlap(ctx, BL_OVERLAP_SEQUENTIAL) == BL_OK &&
           bl_cos_out(ctx, &out, &a) == BL_OK;
    return bl_context_set_overlap(ctx, BL_OVERLAP_RULES) == BL_OK && pass;
}

/* Parts executed by a team of the program, each thread in this thread's state. */
static bool run_parts(bl_context *ctx, float *result)
{
    const bl_array a = {x, BL_DTYPE_F32, 1, &all, NULL, 0};
    const bl_array out = {result, BL_DTYPE_F32, 1, &all, NULL, 0};
    const bl_array *const in[] = {&a};
    const void *const data[] = {x};
    const struct floating state = floating_now();
    atomic_bool pass = true;
    bl_plan *plan = NULL;

    if (bl_plan_create(ctx, BL_OP_LOG, &out, 1, in, NULL, &plan) != BL_OK)
        return false;
#pragma omp parallel num_threads(THREADS)
    {
        const struct floating own = floating_now();

        floating_restore(state);
        if (bl_plan_execute_part(NULL, plan, omp_get_thread_num(),
                                 omp_get_num_threads(), result, data) != BL_OK ||
            !floating_is(state))
            pass = false;
        floating_restore(own);
    }
    bl_plan_destroy(plan);
    return pass;
}

/* A parallel loop of the program, which runs its own code between the parts. */
static struct floating loop_state;
static bool loop_is_left_alone;

static void loop(void *user, int32_t parts, void (*body)(void *argument, int32_t part),
                 void *argument)
{
    (void)user;
    loop_is_left_alone = floating_is(loop_state);
    for (int32_t part = 0; part < parts; part++) {
        body(argument, part);
        loop_is_left_alone = loop_is_left_alone && floating_is(loop_state);
    }
}

static bool run_loop(bl_context *ctx, float *result)
{
    bool pass;

    loop_state = floating_now();
    loop_is_left_alone = false;
    bl_context_set_parallel_for(ctx, loop, NULL);
    pass = run_dense(ctx, result);
    bl_context_set_parallel_for(ctx, NULL, NULL);
    return pass && loop_is_left_alone;
}

static bool run_dist(bl_context *ctx, float *result)
{
    const bl_array a = {x, BL_DTYPE_F32, 1, &all, NULL, 0};
    const bl_array b = {y, BL_DTYPE_F32, 1, &all, NULL, 0};
    bl_tensor *norm = NULL;
    const bool pass = bl_dist(ctx, &a, &b, 3, &norm) == BL_OK;

    if (pass)
        memcpy(result, bl_tensor_array(norm)->data, sizeof *result);
    bl_tensor_release(norm);
    return pass;
}

/* Of f64, which no conversion rounds afterwards. */
static bool run_randn(bl_context *ctx, float *result)
{
    const int64_t count = COUNT / 2;
    bl_tensor *numbers = NULL;
    const bool pass =
        bl_tensor_randn(ctx, BL_DTYPE_F64, 1, &count, 5, &numbers) == BL_OK;

    if (pass)
        memcpy(result, bl_tensor_array(numbers)->data, sizeof(double) * (size_t)count);
    bl_tensor_release(numbers);
    return pass;
}

static void test_functions(bl_context *ctx)
{
    static const struct {
        const char *what;
        bool (*run)(bl_context *ctx, float *result);
    } rows[] = {
        {"a team", run_dense},          {"few elements", run_few},
        {"through tiles", run_staged},  {"sequential", run_sequential},
        {"parts of a plan", run_parts}, {"a program's parallel loop", run_loop},
        {"a distance", run_dist},       {"random numbers", run_randn},
    };
    static float want[COUNT], got[COUNT];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        memset(want, 0, sizeof want);
        bool pass = rows[i].run(ctx, want);

        for (int32_t s = 0; pass && s < FLOATING_STATES; s++) {
            const struct floating own = floating_set(s), before = floating_now();

            memset(got, 0, sizeof got);
            pass = rows[i].run(ctx, got);
            pass = floating_is(before) && pass;
            floating_restore(own);
            pass = pass && memcmp(want, got, sizeof got) == 0;
            if (!pass)
                tap_note("rounding %s, state %" PRId32, floating_name(s), s);
        }
        tap_ok(pass, "functions are computed to nearest: %s", rows[i].what);
    }
}

/* ---- arithmetic uses the caller's mode ---- */

static double computed(bl_op op, double a, double b)
{
    volatile double p = a, q = b;

    switch (op) {
    case BL_OP_ADD:
        return p + q;
    case BL_OP_SUB:
        return p - q;
    case BL_OP_MUL:
        return p * q;
    case BL_OP_DIV:
        return p / q;
    default:
        return sqrt(p);
    }
}

static void test_arithmetic(bl_context *ctx)
{
    static const bl_op ops[] = {BL_OP_ADD, BL_OP_SUB, BL_OP_MUL, BL_OP_DIV, BL_OP_SQRT};
    static double result[COUNT];
    const bl_array a = {wide, BL_DTYPE_F64, 1, &all, NULL, 0};
    const bl_array b = {y, BL_DTYPE_F32, 1, &all, NULL, 0};
    const bl_array out = {result, BL_DTYPE_F64, 1, &all, NULL, 0};
    const bl_array *const in[] = {&a, &b};

    for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++) {
        const int32_t inputs = ops[i] == BL_OP_SQRT ? 1 : 2;
        bool pass = true;

        for (int32_t s = 0; pass && s < FLOATING_STATES; s++) {
            const struct floating own = floating_set(s);

            pass = bl_apply(ctx, ops[i], &out, inputs, in, NULL) == BL_OK;
            for (int64_t j = 0; pass && j < COUNT; j++) {
                const double value = computed(ops[i], wide[j], y[j]);

                pass = memcmp(&value, &result[j], sizeof value) == 0 ||
                       (isnan(value) && isnan(result[j]));
            }
            floating_restore(own);
        }
        tap_ok(pass, "arithmetic rounds as the caller has it: %s of f64",
               ref_name(ops[i]));
    }
}

/* A user function records its floating-point state, in each thread. */
struct look {
    struct floating want;
    atomic_bool is_wanted;
};

static void look(void *user, int64_t count, void *out, const void *const *in)
{
    struct look *const at = user;

    if (!floating_is(at->want))
        at->is_wanted = false;
    memcpy(out, in[0], sizeof(float) * (size_t)count);
}

static void test_map(bl_context *ctx)
{
    static float result[COUNT];
    const bl_array a = {x, BL_DTYPE_F32, 1, &all, NULL, 0};
    const bl_array out = {result, BL_DTYPE_F32, 1, &all, NULL, 0};
    const bl_array *const in[] = {&a};
    bool pass = true;
    for (int32_t s = 0; pass && s < FLOATING_STATES; s++) {
        const struct floating own = floating_set(s);
        struct look at = {floating_now(), true};

        pass = bl_map(ctx, look, &at, &out, 1, in, NULL) == BL_OK && at.is_wanted;
        floating_restore(own);
    }
    tap_ok(pass, "a program's function runs in the caller's state, in every thread");
}

static void test_exceptions(bl_context *ctx)
{
    const double zero = 0;
    const bl_array a = {(void *)&zero, BL_DTYPE_F64, 0, NULL, NULL, 0};
    double result;
    const bl_array out = {&result, BL_DTYPE_F64, 0, NULL, NULL, 0};
    const struct floating own = floating_set(1);
    bool pass;

    feclearexcept(FE_ALL_EXCEPT);
    feraiseexcept(FE_OVERFLOW);
    pass = bl_log_out(ctx, &out, &a) == BL_OK && isinf(result) &&
           fetestexcept(FE_ALL_EXCEPT & ~FE_INEXACT) == (FE_OVERFLOW | FE_DIVBYZERO);
    feclearexcept(FE_ALL_EXCEPT);
    floating_restore(own);
    tap_ok(pass, "exceptions that were raised and those of the call stay raised");
}

int main(void)
{
    bl_context *ctx = NULL;

    omp_set_num_threads(THREADS);
    for (int32_t i = 0; i < COUNT; i++) {
        x[i] = (float)(i % 997) / 7 + 0.125f;
        y[i] = i % 11 == 0 ? 0x1p-149f * (float)i : (float)(i % 991) / 13;
        wide[i] = i % 13 == 0 ? 0x1p-1074 * i : (double)(i % 983) / 17;
    }
    tap_plan();
    if (!tap_ok(bl_context_create(&ctx) == BL_OK &&
                    bl_context_set_threads(ctx, THREADS) == BL_OK,
                "a context"))
        return tap_done();
    test_functions(ctx);
    test_arithmetic(ctx);
    test_map(ctx);
    test_exceptions(ctx);
    bl_context_destroy(ctx);
    return tap_done();
}
