/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The flags of broadcast and keepdim warnings: off initially, set by the environment,
 * with cached plans, and with threads that toggle them.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include <broadloom.h>
#include <broadloom/warnings.h>

#include "harness/child.h"
#include "harness/tap.h"

static const int64_t column[2] = {4, 1}, row[2] = {1, 4}, vector[1] = {4};
static const int64_t whole[2] = {4, 4};
static float x[4], y[4], w[16];
static const bl_array a = {
    .data = x, .dtype = BL_DTYPE_F32, .rank = 2, .extent = column};
static const bl_array r = {.data = x, .dtype = BL_DTYPE_F32, .rank = 2, .extent = row};
static const bl_array v = {
    .data = y, .dtype = BL_DTYPE_F32, .rank = 1, .extent = vector};
static const bl_array all = {
    .data = w, .dtype = BL_DTYPE_F32, .rank = 2, .extent = whole};

/* ---- the environment; each in a separate process ---- */

/* What (4,1) + (4), (1,4) *= (4) and a reduction without keepdim print. */
static void look_at_prints(struct bli_text *text)
{
    char printed[2048];
    int ends[2];
    ssize_t length;

    if (pipe(ends) != 0 || dup2(ends[1], STDERR_FILENO) < 0)
        return;
    for (int i = 0; i < 2; i++)
        if (bl_add_out(NULL, &all, &a, &v) != BL_OK)
            bli_text_add(text, "add: %s; ", bl_error_message());
    if (bl_mul_inplace(NULL, &r, &v) != BL_OK)
        bli_text_add(text, "mul: %s; ", bl_error_message());
    if (bl_backcompat_keepdim_default("sum", NULL) != BL_OK)
        bli_text_add(text, "sum: %s; ", bl_error_message());
    close(STDERR_FILENO);
    close(ends[1]);
    length = read(ends[0], printed, sizeof printed - 1);
    printed[length > 0 ? length : 0] = '\0';
    for (const char *at = printed; *at != '\0';) {
        const char *const bracket = strchr(at, '[');
        const size_t end = strcspn(at, "\n");

        if (bracket)
            bli_text_add(text, "%.*s ", (int)(at + end - bracket), bracket);
        at += at[end] == '\n' ? end + 1 : end;
    }
}

static void look_at_flags(struct bli_text *text)
{
    bl_context *ctx;

    bli_text_add(text, "%d%d%d", bl_backcompat_broadcast_warning_enabled(),
                 bl_backcompat_keepdim_warning_enabled(),
                 (int)bl_backcompat_broadcast_warning_predicate());
    bl_backcompat_broadcast_warning_set_enabled(false);
    if (bl_context_create(&ctx) != BL_OK)
        return;
    bl_context_destroy(ctx);
    bli_text_add(text, " then %d", bl_backcompat_broadcast_warning_enabled());
}

/* Whether a call from env.c:7 is refused, and one from the next line. */
static void look_at_filter(struct bli_text *text)
{
    bl_backcompat_broadcast_warning_set_enabled(true);
    for (int32_t line = 7; line < 9; line++) {
        bl_call_site_enter("env.c", line);
        bli_text_add(text, "%d", bl_call_site_leave(bl_add_out(NULL, &all, &a, &v)));
    }
}

static void look_at_rules(struct bli_text *text)
{
    bli_text_add(text, "%s", bl_context_rules(NULL)->name);
}

static void check_environment(void)
{
    static const char added[] = "[add (4,1) (4) -> (4,4)] ";
    static const char changed[] = "[add (4,1) (4) -> (4,4)] [mul (1,4) (4) -> (1,4)] ";
    static const struct {
        const char *variable, *value;
        examine *look;
        const char *want;
    } cases[] = {
        {NULL, NULL, look_at_flags, "000 then 0"},
        {"BROADLOOM_BROADCAST_WARNING", "1", look_at_flags, "100 then 0"},
        {"BROADLOOM_BROADCAST_WARNING", "exact", look_at_flags, "100 then 0"},
        {"BROADLOOM_BROADCAST_WARNING", "precise", look_at_flags, "101 then 0"},
        {"BROADLOOM_BROADCAST_WARNING", "yes", look_at_flags, "000 then 0"},
        {"BROADLOOM_KEEPDIM_WARNING", "1", look_at_flags, "010 then 0"},
        {"BROADLOOM_COMPAT_REPORT", "none/%r.%p", look_at_flags, "101 then 0"},
        {"BROADLOOM_COMPAT_REPORT", "none/%x", look_at_flags, "000 then 0"},
        {"BROADLOOM_COMPAT_REPORT", "none/%p", look_at_prints, ""},
        {NULL, NULL, look_at_prints, ""},
        {"BROADLOOM_BROADCAST_WARNING", "1", look_at_prints, changed},
        {"BROADLOOM_BROADCAST_WARNING", "precise", look_at_prints, added},
        {"BROADLOOM_KEEPDIM_WARNING", "1", look_at_prints, "[sum] "},
        {"BROADLOOM_WARNINGS", "error", look_at_prints, ""},
        {"BROADLOOM_WARNINGS", "error:value:env.c:7", look_at_filter, "70"},
        {"BROADLOOM_WARNINGS", "error:value:env.c:x", look_at_filter, "00"},
        {"BROADLOOM_RULES", "legacy", look_at_rules, "legacy"},
        {"BROADLOOM_RULES", "transitional", look_at_rules, "transitional"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        child_expect(cases[i].variable ? cases[i].value : "no variable",
                     child_run(cases[i].variable, cases[i].value, cases[i].look),
                     cases[i].want);
}

/* ---- in this process ---- */

static _Atomic int64_t reported;

static void count_calls(void *user, const bl_warning *warning)
{
    (void)user;
    (void)warning;
    atomic_fetch_add(&reported, 1);
}

static bool call(void)
{
    return bl_add_out(NULL, &all, &a, &v) == BL_OK;
}

/* A call whose plan is cached raises a warning once the flag is on. */
static void check_memory(void)
{
    tap_ok(!bl_backcompat_broadcast_warning_enabled() && call() && call() &&
               reported == 0,
           "the flag is off at the start, and calls are made");
    bl_backcompat_broadcast_warning_set_enabled(true);
    tap_ok(call() && call() && reported == 2, "each is reported when it is on");
    tap_ok(bl_mul_inplace(NULL, &r, &v) == BL_OK && reported == 3,
           "exactly, where nothing changes too");
    tap_ok(bl_backcompat_broadcast_warning_set_predicate(BL_PREDICATE_PRECISE) ==
                   BL_OK &&
               bl_mul_inplace(NULL, &r, &v) == BL_OK &&
               bl_mul_inplace(NULL, &r, &v) == BL_OK && reported == 3,
           "precisely, it is not");
    tap_ok(bl_backcompat_broadcast_warning_set_predicate(BL_PREDICATE_EXACT) == BL_OK &&
               bl_mul_inplace(NULL, &r, &v) == BL_OK && reported == 4,
           "but exactly again, although its plan was remembered");
    bl_backcompat_broadcast_warning_set_enabled(false);
    tap_ok(call() && reported == 4, "nothing is reported when it is off again");
    tap_ok(bl_backcompat_broadcast_warning_set_predicate((bl_predicate)7) ==
               BL_ERR_ARGUMENT,
           "an unknown predicate is refused");
}

static void check_keepdim(void)
{
    const int64_t before = reported;

    tap_ok(bl_backcompat_keepdim_default("sum", NULL) == BL_OK && reported == before,
           "keepdim: nothing is reported with the flag off");
    bl_backcompat_keepdim_warning_set_enabled(true);
    tap_ok(bl_backcompat_keepdim_warning_enabled() &&
               bl_backcompat_keepdim_default("sum", NULL) == BL_OK &&
               reported == before + 1 && bl_warnings_count(BL_CHANGE_KEEPDIM) == 1,
           "keepdim: a call without it is reported");
    tap_ok(
        bl_warnings_filter(BL_WARNING_ERROR, BL_CHANGE_KEEPDIM, NULL) == BL_OK &&
            bl_backcompat_keepdim_default("max", NULL) == BL_ERR_RULES &&
            strcmp(bl_error_message(),
                   "backwards compatibility: call to \"max\" uses default value for "
                   "keepdim which has changed default to False.  Consider passing as "
                   "kwarg.") == 0,
        "keepdim: an error in PyTorch's words");
    bl_backcompat_keepdim_warning_set_enabled(false);
}

/* ---- threads ---- */

enum { THREADS = 8, CALLS = 2000 };

static _Atomic bool is_steady; /* flags are left unchanged */
static _Atomic int32_t failures;

/*
 * Call with a private result; odd threads toggle flag and predicate before each call.
 */
static void *call_and_flip(void *argument)
{
    const int number = *(const int *)argument;
    float mine[16];
    const bl_array out = {
        .data = mine, .dtype = BL_DTYPE_F32, .rank = 2, .extent = whole};

    for (int i = 0; i < CALLS; i++) {
        if (!is_steady) {
            bl_backcompat_broadcast_warning_set_enabled((i + number) % 2 == 0);
            if (bl_backcompat_broadcast_warning_set_predicate(
                    i % 3 == 0 ? BL_PREDICATE_PRECISE : BL_PREDICATE_EXACT) != BL_OK)
                failures++;
        }
        if (bl_add_out(NULL, &out, &a, &v) != BL_OK || mine[5] != x[1] + y[1])
            failures++;
    }
    return NULL;
}

static void run_threads(void)
{
    pthread_t thread[THREADS];
    int number[THREADS];

    for (int t = 0; t < THREADS; t++) {
        number[t] = t;
        if (pthread_create(&thread[t], NULL, call_and_flip, &number[t]) != 0)
            failures++;
    }
    for (int t = 0; t < THREADS; t++)
        pthread_join(thread[t], NULL);
}

static void check_threads(void)
{
    for (int i = 0; i < 4; i++) {
        x[i] = (float)i;
        y[i] = (float)(10 * i);
    }
    bl_warnings_reset();
    tap_ok(bl_warnings_filter(BL_WARNING_ALWAYS, BL_CHANGE_NONE, NULL) == BL_OK,
           "everything is reported");
    reported = 0;
    run_threads();
    tap_ok(failures == 0, "the flag changes no result");
    tap_ok(reported > 0 && reported < THREADS * CALLS &&
               bl_warnings_count(BL_CHANGE_NONE) == reported &&
               bl_warnings_emitted(BL_CHANGE_VALUE) == reported,
           "flipped by %d threads, what was reported is what is counted", THREADS);
    tap_note("%d of %d calls", (int)reported, THREADS * CALLS);
    bl_backcompat_broadcast_warning_set_enabled(true);
    is_steady = true;
    bl_warnings_reset();
    reported = 0;
    tap_ok(bl_warnings_filter(BL_WARNING_ALWAYS, BL_CHANGE_NONE, NULL) == BL_OK,
           "everything is reported again");
    run_threads();
    tap_ok(reported == THREADS * CALLS && failures == 0 &&
               bl_warnings_count(BL_CHANGE_NONE) == THREADS * CALLS,
           "left on, each call is reported and counted");
    bl_backcompat_broadcast_warning_set_enabled(false);
}

int main(void)
{
    tap_plan();
    check_environment();
    bl_warnings_set_handler(count_calls, NULL);
    if (bl_warnings_filter(BL_WARNING_ALWAYS, BL_CHANGE_NONE, NULL) != BL_OK)
        tap_ok(false, "a filter: %s", bl_error_message());
    check_memory();
    check_keepdim();
    check_threads();
    return tap_done();
}
