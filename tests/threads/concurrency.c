/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Concurrent calls, and calls from unusual contexts: several threads of the
 * application, one plan executed by all of them, inside a parallel region, a team or a
 * parallel loop of the caller, a forked child; bitwise equal for every number of
 * threads.
 */
#include <fenv.h>
#include <inttypes.h>
#include <omp.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <broadloom.h>

#include "harness/tap.h"

/* x[ROWS, COLUMNS] - y[ROWS, 1]: large enough for several threads. */
enum { ROWS = 211, COLUMNS = 997, COUNT = ROWS * COLUMNS, CALLERS = 4, TIMES = 8 };

static const int64_t whole[2] = {ROWS, COLUMNS};
static const int64_t column[2] = {ROWS, 1};
static float x[COUNT];
static float y[ROWS];

static bl_array array_of(float *data, const int64_t *extent)
{
    return (bl_array){.data = data, .dtype = BL_DTYPE_F32, .rank = 2, .extent = extent};
}

/* Whether all elements are x - y; each value identifies its position. */
static bool is_difference(const float *result)
{
    for (int64_t i = 0; i < COUNT; i++) {
        if (result[i] != x[i] - y[i / COLUMNS]) {
            tap_note("element %" PRId64 " is %g, not %g", i, (double)result[i],
                     (double)(x[i] - y[i / COLUMNS]));
            return false;
        }
    }
    return true;
}

static bl_status subtract(bl_context *ctx, float *result)
{
    const bl_array a = array_of(x, whole);
    const bl_array b = array_of(y, column);
    const bl_array out = array_of(result, whole);

    return bl_sub_out(ctx, &out, &a, &b);
}

/* ---- several threads of the application ---- */

struct caller {
    pthread_t thread;
    bl_context *ctx;     /* shared by all */
    const bl_plan *plan; /* NULL: calls without one */
    float *result;       /* this caller's */
    bool pass;
};

static void *call_often(void *argument)
{
    struct caller *caller = argument;
    const void *const data[] = {x, y};

    caller->pass = true;
    for (int32_t i = 0; caller->pass && i < TIMES; i++) {
        bl_status status;

        memset(caller->result, 0, COUNT * sizeof(float));
        if (caller->plan != NULL)
            status = bl_plan_execute(caller->ctx, caller->plan, caller->result, data);
        else
            status = subtract(caller->ctx, caller->result);
        for (int64_t e = 0; e < COUNT; e++)
            caller->pass = caller->pass && caller->result[e] == x[e] - y[e / COLUMNS];
        caller->pass = caller->pass && status == BL_OK;
    }
    return NULL;
}

static bool check_callers(bl_context *ctx, const bl_plan *plan)
{
    struct caller callers[CALLERS];
    int32_t started = 0;
    bool pass = true;

    for (; started < CALLERS; started++) {
        struct caller *caller = &callers[started];

        caller->ctx = ctx;
        caller->plan = plan;
        caller->result = malloc(COUNT * sizeof(float));
        if (caller->result == NULL ||
            pthread_create(&caller->thread, NULL, call_often, caller) != 0)
            break;
    }
    for (int32_t i = 0; i < started; i++) {
        pthread_join(callers[i].thread, NULL);
        pass = pass && callers[i].pass;
        free(callers[i].result);
    }
    return pass && started == CALLERS;
}

/* Concurrent refusals: each thread reads its own message. */
static void *refuse_often(void *argument)
{
    struct caller *caller = argument;
    const int64_t extent[1] = {*caller->result < 1 ? 111 : 222};
    const int64_t other[1] = {333};
    const char *want = *caller->result < 1 ? "(111)" : "(222)";
    const bl_array a = {x, BL_DTYPE_F32, 1, extent, NULL, 0};
    const bl_array b = {x, BL_DTYPE_F32, 1, other, NULL, 0};
    bl_tensor *tensor = NULL;

    caller->pass = true;
    for (int32_t i = 0; caller->pass && i < 500; i++)
        caller->pass = bl_add(caller->ctx, &a, &b, &tensor) == BL_ERR_SHAPE &&
                       strstr(bl_error_message(), want) != NULL;
    return NULL;
}

static bool check_refusals(bl_context *ctx)
{
    float mark[2] = {0, 1};
    struct caller callers[2] = {{.ctx = ctx, .result = &mark[0]},
                                {.ctx = ctx, .result = &mark[1]}};
    const bool started =
        pthread_create(&callers[1].thread, NULL, refuse_often, &callers[1]) == 0;

    refuse_often(&callers[0]);
    if (started)
        pthread_join(callers[1].thread, NULL);
    return started && callers[0].pass && callers[1].pass;
}

/* ---- the caller's own team ---- */

/* Inside a parallel region each call runs on its own thread, one result per thread. */
static bool check_region(bl_context *ctx)
{
    int32_t wrong = 0;

#pragma omp parallel num_threads(CALLERS) reduction(+ : wrong)
    {
        float *result = malloc(COUNT * sizeof(float));

        if (result == NULL || subtract(ctx, result) != BL_OK || !is_difference(result))
            wrong++;
        free(result);
    }
    return wrong == 0;
}

static bool check_parts(const bl_plan *plan, float *result)
{
    const void *const data[] = {x, y};

    for (int32_t parts = 1; parts <= 16; parts++) {
        int32_t wrong = 0;

        memset(result, 0, COUNT * sizeof(float));
#pragma omp parallel for num_threads(CALLERS) schedule(dynamic, 1) reduction(+ : wrong)
        for (int32_t part = 0; part < parts; part++)
            wrong +=
                bl_plan_execute_part(NULL, plan, part, parts, result, data) != BL_OK;
        if (wrong != 0 || !is_difference(result))
            return false;
    }
    return true;
}

/* Execute parts on one thread, last first, and count them. */
static void run_backwards(void *user, int32_t parts,
                          void (*body)(void *argument, int32_t part), void *argument)
{
    int32_t *most = user;

    *most = parts > *most ? parts : *most;
    for (int32_t part = parts - 1; part >= 0; part--)
        body(argument, part);
}

static bool check_parallel_for(bl_context *ctx, float *result)
{
    int32_t most = 0;
    bool pass = bl_context_set_threads(ctx, 5) == BL_OK;

    memset(result, 0, COUNT * sizeof(float));
    bl_context_set_parallel_for(ctx, run_backwards, &most);
    pass = pass && subtract(ctx, result) == BL_OK && is_difference(result);
    bl_context_set_parallel_for(ctx, NULL, NULL);
    if (most < 2 || most > 5)
        tap_note("%" PRId32 " parts of 5", most);
    return pass && most >= 2 && most <= 5;
}

/* A child has none of the parent's threads: calls work in it and in the parent. */
static bool check_fork(bl_context *ctx, float *result)
{
    const pid_t child = fork();
    int status = -1;

    if (child == 0) {
        memset(result, 0, COUNT * sizeof(float));
        _exit(subtract(ctx, result) == BL_OK && is_difference(result) ? 0 : 1);
    }
    if (child < 0 || waitpid(child, &status, 0) != child)
        return false;
    memset(result, 0, COUNT * sizeof(float));
    return status == 0 && subtract(ctx, result) == BL_OK && is_difference(result);
}

static bool check_threads(bl_context *ctx, float *result)
{
    bool pass = true;

    for (int32_t threads = 1; pass && threads <= 16; threads++) {
        memset(result, 0, COUNT * sizeof(float));
        pass = bl_context_set_threads(ctx, threads) == BL_OK &&
               subtract(ctx, result) == BL_OK && is_difference(result);
    }
    return pass;
}

/* Every thread rounds as the caller does. */
static bool check_rounding(bl_context *ctx, float *result)
{
    const bl_array a = array_of(x, whole);
    const bl_array b = array_of(y, column);
    const bl_array out = array_of(result, whole);
    const int rounding = fegetround();
    bool pass = fesetround(FE_UPWARD) == 0 && bl_context_set_threads(ctx, 4) == BL_OK &&
                bl_div_out(ctx, &out, &a, &b) == BL_OK;

    for (int64_t i = 0; i < COUNT; i++) {
        volatile float quotient = x[i];

        quotient /= y[i / COLUMNS];
        pass = pass && result[i] == quotient;
    }
    return fesetround(rounding) == 0 && pass;
}

/* A call must leave the caller's OpenMP settings unchanged. */
static bool check_settings(bl_context *ctx, float *result)
{
    const int dynamic = omp_get_dynamic();
    const int threads = omp_get_max_threads();

    return bl_context_set_threads(ctx, 3) == BL_OK && subtract(ctx, result) == BL_OK &&
           omp_get_dynamic() == dynamic && omp_get_max_threads() == threads;
}

int main(void)
{
    const bl_array a = array_of(x, whole);
    const bl_array b = array_of(y, column);
    const bl_array *const in[] = {&a, &b};
    float *result = malloc(COUNT * sizeof(float));
    bl_context *ctx = NULL;
    bl_plan *plan = NULL;

    for (int64_t i = 0; i < COUNT; i++)
        x[i] = (float)i;
    for (int64_t i = 0; i < ROWS; i++)
        y[i] = (float)(1000 * i + 1);
    omp_set_num_threads(16);
    tap_plan();
    if (!tap_ok(result != NULL && bl_context_create(&ctx) == BL_OK &&
                    bl_context_set_threads(ctx, 3) == BL_OK &&
                    bl_plan_create(ctx, BL_OP_SUB, NULL, 2, in, NULL, &plan) == BL_OK,
                "a context and a plan for all"))
        return tap_done();
    tap_ok(check_callers(ctx, NULL),
           "threads of the application call at the same time");
    tap_ok(check_callers(NULL, NULL), "and through the default context");
    tap_ok(check_callers(ctx, plan), "and run one plan");
    tap_ok(check_refusals(ctx), "each thread reads its own error");
    tap_ok(check_region(ctx), "calls inside a parallel region of the caller's");
    tap_ok(check_parts(plan, result), "parts of a plan on a team of the caller's");
    tap_ok(check_parallel_for(ctx, result), "a parallel loop of the caller's");
    tap_ok(check_threads(ctx, result), "the same bits with 1 to 16 threads");
    tap_ok(check_rounding(ctx, result), "every thread rounds as the caller does");
    tap_ok(check_settings(ctx, result), "OpenMP's settings stay the caller's");
    tap_ok(check_fork(ctx, result), "in a forked child, and in the parent after it");
    bl_plan_destroy(plan);
    bl_context_destroy(ctx);
    free(result);
    return tap_done();
}
