/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One plan executed by several threads at once, in a parallel region and in a forked
 * child; and the warnings and observers of executions.
 */
#include <broadloom.h>
#include <broadloom/compat.h>
#include <broadloom/describe.h>
#include <broadloom/expr.h>
#include <broadloom/warnings.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/same.h"
#include "harness/sanitizer.h"
#include "harness/tap.h"

enum { ROWS = 300, COLUMNS = 400, COUNT = ROWS * COLUMNS, USERS = 4, TIMES = 5 };

static float x[COUNT], want[2][COUNT];
static bl_expr_plan *plan;
static bl_expr *expr;

/* ---- one plan, several users ---- */

/* Execute the plan into memory of its own; whether all is right. */
static bool use(void)
{
    float *const out = malloc(sizeof want);
    void *const outs[] = {out, out ? out + COUNT : NULL};
    const void *const data[] = {x};
    const bool pass = out && bl_expr_plan_execute(NULL, plan, outs, data) == BL_OK &&
                      memcmp(out, want, sizeof want) == 0;

    free(out);
    return pass;
}

/* Plan the expression again, too: it is closed, and shared. */
static void *use_often(void *argument)
{
    const bl_array *const inputs[] = {BL_VIEW(x, ROWS, COLUMNS)};
    bool pass = true;

    for (int i = 0; i < TIMES; i++) {
        bl_expr_plan *other = NULL;

        pass = pass && use() &&
               bl_expr_plan_create(NULL, expr, NULL, inputs, NULL, &other) == BL_OK;
        bl_expr_plan_destroy(other);
    }
    *(bool *)argument = pass;
    return NULL;
}

static bool use_by_threads(void)
{
    pthread_t thread[USERS];
    bool pass[USERS] = {false}, all = true;

    for (int i = 0; i < USERS; i++)
        if (pthread_create(&thread[i], NULL, use_often, &pass[i]) != 0)
            return false;
    for (int i = 0; i < USERS; i++) {
        pthread_join(thread[i], NULL);
        all = all && pass[i];
    }
    return all;
}

static bool use_in_region(void)
{
    bool pass = true;

#pragma omp parallel num_threads(3) reduction(&& : pass)
    pass = pass && use();
    return pass;
}

static bool use_in_child(void)
{
    const pid_t child = fork();
    int status = -1;

    if (child == 0) {
        alarm(20);
        _exit(use() ? 0 : 1);
    }
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

static void check_users(void)
{
    const bl_array *const inputs[] = {BL_VIEW(x, ROWS, COLUMNS)};
    const bl_array *const outs[] = {BL_VIEW(want[0], ROWS, COLUMNS),
                                    BL_VIEW(want[1], ROWS, COLUMNS)};
    bl_context *serial = NULL;

    for (int i = 0; i < COUNT; i++)
        x[i] = (float)(i % 977) / 64 - 7;
    must(bl_context_create(&serial));
    must(bl_context_set_threads(serial, 1));
    must(bl_expr_parse(NULL, "d = x - mean(x, -1, keepdim); exp(d / 9) * d; abs(d)", 0,
                       NULL, &expr));
    must(bl_expr_run(serial, expr, outs, inputs, NULL));
    must(bl_expr_plan_create(NULL, expr, NULL, inputs, NULL, &plan));
    bl_context_destroy(serial);
    tap_ok(use(), "a plan, with all threads");
    tap_ok(use_by_threads(), "by several threads at once");
    tap_ok(use_in_region(), "by the threads of a region");
    if (HAS_THREAD_SANITIZER)
        tap_skip("ThreadSanitizer locks around forks", "in a forked child");
    else
        tap_ok(use_in_child(), "in a forked child");
    bl_expr_plan_destroy(plan);
    bl_expr_destroy(expr);
}

/* ---- warnings ---- */

static int observed;
static bl_op last_op;
static bl_status answer;

static bl_status observe(void *user, const bl_event *event)
{
    (void)user;
    observed += event->kind == BL_EVENT_CHANGE;
    last_op = event->op;
    return answer;
}

/* Two additions that fall back to pointwise pairing, one of them twice. */
static void check_warnings(void)
{
    static float a[6] = {1, 2, 3, 4, 5, 6}, b[6], out[6] = {9};
    const bl_array *const inputs[] = {BL_VIEW(a, 2, 3), BL_VIEW(b, 6)};
    const bl_array *const outs[] = {BL_VIEW(out, 2, 3)};
    bl_expr_options options = BL_EXPR_OPTIONS_DEFAULT;
    const void *const data[] = {a, b};
    void *const to[] = {out};
    bl_context *ctx = NULL;
    uint64_t before;

    must(bl_context_create(&ctx));
    options.rules = bl_rules_transitional();
    must(bl_expr_parse(ctx, "mul(a + b, a + b) - b; ", 0, NULL, &expr));
    bl_context_set_observer(ctx, observe, NULL);
    must(bl_expr_plan_create(ctx, expr, outs, inputs, &options, &plan));
    tap_ok(observed == 0, "a plan raises no warnings");
    before = (uint64_t)bl_warnings_count(BL_CHANGE_FALLBACK);
    must(bl_expr_plan_execute(ctx, plan, to, data));
    must(bl_expr_plan_execute(ctx, plan, to, data));
    tap_ok(observed == 6 && last_op == BL_OP_SUB,
           "an execution raises those of every node, equal ones too");
    tap_ok((uint64_t)bl_warnings_count(BL_CHANGE_FALLBACK) == before + 6,
           "and they are counted");
    memset(out, 0x55, sizeof out);
    answer = BL_ERR_RULES;
    tap_ok(bl_expr_plan_execute(ctx, plan, to, data) == BL_ERR_RULES && observed == 7 &&
               memcmp(out, "UUUU", 4) == 0,
           "an observer that refuses one stops it before anything is written");
    answer = BL_OK;
    bl_context_set_observer(ctx, NULL, NULL);
    must(bl_warnings_filter(BL_WARNING_ERROR, BL_CHANGE_NONE, NULL));
    tap_ok(bl_expr_plan_execute(ctx, plan, to, data) == BL_ERR_RULES &&
               strncmp(bl_error_where(), "bl_expr_plan_execute(%2 add, a ", 31) == 0 &&
               memcmp(out, "UUUU", 4) == 0,
           "and so does a filter that makes errors of them");
    bl_warnings_reset();
    bl_expr_plan_destroy(plan);
    bl_expr_destroy(expr);
    bl_context_destroy(ctx);
}

/* An execution raises warnings by the rules of the context that the plan is of. */
static void check_rules(void)
{
    static float a[6] = {1, 2, 3, 4, 5, 6}, b[6], out[6];
    const bl_array *const inputs[] = {BL_VIEW(a, 2, 3), BL_VIEW(b, 6)};
    const void *const data[] = {a, b};
    void *const to[] = {out};
    bl_context *ctx = NULL;
    int64_t before;

    must(bl_context_create(&ctx));
    must(bl_context_set_rules(ctx, bl_rules_transitional()));
    must(bl_expr_parse(ctx, "a + b", 0, NULL, &expr));
    must(bl_expr_plan_create(ctx, expr, NULL, inputs, NULL, &plan));
    bl_context_destroy(ctx);
    before = bl_warnings_count(BL_CHANGE_FALLBACK);
    tap_ok(bl_expr_plan_execute(NULL, plan, to, data) == BL_OK &&
               bl_warnings_count(BL_CHANGE_FALLBACK) == before + 1 &&
               memcmp(out, a, sizeof out) == 0,
           "the rules are those that the plan was made with, in any context");
    bl_expr_plan_destroy(plan);
    bl_expr_destroy(expr);
}

/* Under the flag, broadcasting that Torch did otherwise warns under modern rules. */
static void check_flag(void)
{
    static float a[4] = {1, 2, 3, 4}, b[4], out[16];
    const bl_array *const inputs[] = {BL_VIEW(a, 4, 1), BL_VIEW(b, 4)};
    const void *const data[] = {a, b};
    void *const to[] = {out};
    int64_t before;

    must(bl_expr_parse(NULL, "(a + b) * 2", 0, NULL, &expr));
    must(bl_expr_plan_create(NULL, expr, NULL, inputs, NULL, &plan));
    before = bl_warnings_count(BL_CHANGE_VALUE);
    must(bl_expr_plan_execute(NULL, plan, to, data));
    bl_backcompat_broadcast_warning_set_enabled(true);
    must(bl_expr_plan_execute(NULL, plan, to, data));
    bl_backcompat_broadcast_warning_set_enabled(false);
    tap_ok(bl_warnings_count(BL_CHANGE_VALUE) == before + 1,
           "the flag that is set after planning counts in executions");
    bl_expr_plan_destroy(plan);
    bl_expr_destroy(expr);
}

int main(void)
{
    setenv("OMP_NUM_THREADS", "3", 1);
    tap_plan();
    check_users();
    bl_warnings_set_handler(NULL, NULL);
    check_warnings();
    check_rules();
    check_flag();
    return tap_done();
}
