/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contexts: settings, how the environment changes them, the default one from many
 * threads.
 */
#include <broadloom.h>
#include <broadloom/compat.h>

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "harness/tap.h"

/* Read one setting of a context as a number. */
static double threads_of(const bl_context *ctx)
{
    return bl_context_threads(ctx);
}

static double growth_of(const bl_context *ctx)
{
    return bl_context_max_growth(ctx);
}

static double overlap(const bl_context *ctx)
{
    return bl_context_overlap(ctx);
}

static double has_strict_rules(const bl_context *ctx)
{
    return bl_context_rules(ctx) == bl_rules_strict();
}

static double has_paddle_rules(const bl_context *ctx)
{
    return bl_context_rules(ctx) == bl_rules_paddle();
}

static double has_base_isa(const bl_context *ctx)
{
    return strcmp(bl_context_isa(ctx), "base") == 0;
}

static const struct {
    const char *variable, *value;
    double (*look)(const bl_context *ctx);
    double want; /* NAN: the value without the variable */
} variables[] = {
    {"BROADLOOM_NUM_THREADS", "3", threads_of, 3},
    {"BROADLOOM_NUM_THREADS", "2147483647", threads_of, 2147483647.0},
    {"BROADLOOM_NUM_THREADS", "2147483648", threads_of, NAN},
    {"BROADLOOM_NUM_THREADS", "99999999999999999999", threads_of, NAN},
    {"BROADLOOM_NUM_THREADS", "0", threads_of, NAN},
    {"BROADLOOM_NUM_THREADS", "-2", threads_of, NAN},
    {"BROADLOOM_NUM_THREADS", "4x", threads_of, NAN},
    {"BROADLOOM_NUM_THREADS", "", threads_of, NAN},
    {"BROADLOOM_ISA", "base", has_base_isa, 1},
    {"BROADLOOM_ISA", "mmx", has_base_isa, NAN},
    {"BROADLOOM_RULES", "strict", has_strict_rules, 1},
    {"BROADLOOM_RULES", "paddle", has_paddle_rules, 1},
    {"BROADLOOM_RULES", "Strict", has_strict_rules, NAN},
    {"BROADLOOM_OVERLAP", "rules", overlap, BL_OVERLAP_RULES},
    {"BROADLOOM_OVERLAP", "copy", overlap, BL_OVERLAP_COPY},
    {"BROADLOOM_OVERLAP", "refuse", overlap, BL_OVERLAP_REFUSE},
    {"BROADLOOM_OVERLAP", "sequential", overlap, BL_OVERLAP_SEQUENTIAL},
    {"BROADLOOM_OVERLAP", "perhaps", overlap, NAN},
    {"BROADLOOM_MAX_GROWTH", "1.5", growth_of, 1.5},
    {"BROADLOOM_MAX_GROWTH", "0.1", growth_of, 0.1},
    {"BROADLOOM_MAX_GROWTH", "1000000", growth_of, 1e6},
    {"BROADLOOM_MAX_GROWTH", ".", growth_of, NAN},
    {"BROADLOOM_MAX_GROWTH", "1.2.3", growth_of, NAN},
    {"BROADLOOM_MAX_GROWTH", "1,5", growth_of, NAN},
    {"BROADLOOM_MAX_GROWTH", "-1", growth_of, NAN},
    {"BROADLOOM_MAX_GROWTH", "nan", growth_of, NAN},
};
enum { VARIABLES = sizeof variables / sizeof variables[0] };

static void test_environment(void)
{
    for (int i = 0; i < VARIABLES; i++)
        unsetenv(variables[i].variable);
    for (int i = 0; i < VARIABLES; i++) {
        bl_context *plain = NULL, *refined = NULL;
        bool pass = bl_context_create(&plain) == BL_OK &&
                    setenv(variables[i].variable, variables[i].value, 1) == 0 &&
                    bl_context_create(&refined) == BL_OK;
        const double want =
            isnan(variables[i].want) ? variables[i].look(plain) : variables[i].want;

        tap_ok(pass && variables[i].look(refined) == want, "%s=%s %s",
               variables[i].variable, variables[i].value,
               isnan(variables[i].want) ? "is ignored" : "is taken");
        unsetenv(variables[i].variable);
        bl_context_destroy(refined);
        bl_context_destroy(plain);
    }
}

static void test_settings(bl_context *ctx, const char *name)
{
    tap_ok(bl_context_threads(ctx) == 0 && bl_context_max_growth(ctx) == 0 &&
               bl_context_rules(ctx) == bl_rules_modern() &&
               bl_context_overlap(ctx) == BL_OVERLAP_RULES,
           "%s: as documented", name);
    tap_ok(bl_context_set_threads(ctx, 2) == BL_OK && bl_context_threads(ctx) == 2,
           "%s: threads", name);
    tap_ok(bl_context_set_threads(ctx, -1) == BL_ERR_ARGUMENT &&
               bl_context_threads(ctx) == 2,
           "%s: %s", name, bl_error_message());
    tap_ok(bl_context_set_isa(ctx, "base") == BL_OK &&
               strcmp(bl_context_isa(ctx), "base") == 0,
           "%s: instruction set", name);
    tap_ok(bl_context_set_isa(ctx, "mmx") == BL_ERR_ARGUMENT, "%s: %s", name,
           bl_error_message());
    tap_ok(bl_context_set_isa(ctx, NULL) == BL_OK, "%s: the best again", name);
    tap_ok(bl_context_set_max_growth(ctx, 2.0) == BL_OK &&
               bl_context_max_growth(ctx) == 2.0,
           "%s: growth", name);
    tap_ok(bl_context_set_max_growth(ctx, -1.0) == BL_ERR_ARGUMENT &&
               bl_context_set_max_growth(ctx, NAN) == BL_ERR_ARGUMENT &&
               bl_context_max_growth(ctx) == 2.0,
           "%s: %s", name, bl_error_message());
    tap_ok(bl_context_set_overlap(ctx, BL_OVERLAP_REFUSE) == BL_OK &&
               bl_context_overlap(ctx) == BL_OVERLAP_REFUSE,
           "%s: overlap", name);
    tap_ok(bl_context_set_overlap(ctx, (bl_overlap)7) == BL_ERR_ARGUMENT, "%s: %s",
           name, bl_error_message());
    BL_IGNORE(bl_context_set_rules(ctx, bl_rules_strict()));
    tap_ok(bl_context_rules(ctx) == bl_rules_strict(), "%s: rules", name);
    BL_IGNORE(bl_context_set_rules(ctx, NULL));
    tap_ok(bl_context_rules(ctx) == bl_rules_modern(), "%s: no rules are modern", name);
}

/* Creating tensors does not call rules that are meant for operations. */
static void test_creation_under_rules(bl_context *ctx)
{
    static const int64_t extent[] = {4, 5};
    bl_tensor *ones = NULL, *copy = NULL;

    BL_IGNORE(bl_context_set_rules(ctx, bl_rules_strict()));
    tap_ok(bl_context_set_max_growth(ctx, 0.5) == BL_OK &&
               bl_tensor_ones(ctx, BL_DTYPE_F32, 2, extent, &ones) == BL_OK,
           "ones under strict rules and a limit on growth");
    tap_ok(bl_tensor_clone(ctx, bl_tensor_array(ones), &copy) == BL_OK, "and a clone");
    bl_tensor_release(copy);
    bl_tensor_release(ones);
}

static void test_rules_by_name(void)
{
    static const char *const names[] = {"modern", "strict", "paddle"};

    for (int i = 0; i < 3; i++) {
        const bl_rules *const rules = bl_rules_find(names[i]);

        tap_ok(rules && strcmp(rules->name, names[i]) == 0, "rules %s", names[i]);
    }
    tap_ok(!bl_rules_find("none") && !bl_rules_find("") && !bl_rules_find(NULL),
           "no rules of other names");
}

/*
 * User rules without a name that return, for shapes of one element, what `user` points
 * to.
 */
static bl_status pair_as_given(const bl_rules *rules, const bl_rules_query *query,
                               bl_rules_answer *answer)
{
    const bl_pairing *const given = rules->user;

    answer->rank = 1;
    answer->extent[0] = 1;
    answer->events = 0;
    for (int32_t k = 0; k < query->count; k++)
        answer->pairing[k] = *given;
    return BL_OK;
}

static void test_foreign_rules(bl_context *ctx)
{
    static const int64_t extent[] = {1};
    bl_pairing given = {BL_PAIRING_BROADCAST, INT32_MIN};
    const bl_rules rules = {
        .size = sizeof rules, .resolve = pair_as_given, .user = &given};
    double x = 2.0, y = 0.0;
    const bl_array a = {&x, BL_DTYPE_F64, 1, extent, NULL, 0};
    const bl_array out = {&y, BL_DTYPE_F64, 1, extent, NULL, 0};

    BL_IGNORE(bl_context_set_rules(ctx, &rules));
    tap_ok(bl_add_out(ctx, &out, &a, &a) == BL_OK && y == 4.0,
           "a program's rules may place a dimension of 1 anywhere");
    given = (bl_pairing){BL_PAIRING_LINEAR, 0};
    y = 0.0;
    tap_ok(bl_add_out(ctx, &out, &a, &a) == BL_OK && y == 4.0, "or pair in flat order");
    BL_IGNORE(bl_context_set_rules(ctx, NULL));
}

enum { THREADS = 8 };

static void *use_default(void *barrier)
{
    static const int64_t extent[] = {3};
    bl_tensor *tensor;

    pthread_barrier_wait(barrier);
    if (bl_tensor_zeros(NULL, BL_DTYPE_F32, 1, extent, &tensor) != BL_OK)
        return NULL;
    bl_tensor_release(tensor);
    return barrier;
}

static void test_first_use(void)
{
    pthread_barrier_t barrier;
    pthread_t thread[THREADS];
    bool pass = pthread_barrier_init(&barrier, NULL, THREADS) == 0;

    for (int i = 0; i < THREADS; i++)
        pass = pthread_create(&thread[i], NULL, use_default, &barrier) == 0 && pass;
    for (int i = 0; i < THREADS; i++) {
        void *result;

        pass = pthread_join(thread[i], &result) == 0 && result && pass;
    }
    pthread_barrier_destroy(&barrier);
    tap_ok(pass, "%d threads use the default context for the first time at once",
           THREADS);
}

int main(void)
{
    bl_context *ctx = NULL;

    tap_plan();
    test_environment();
    test_first_use();
    test_rules_by_name();
    tap_ok(bl_context_create(NULL) == BL_ERR_ARGUMENT, "%s", bl_error_message());
    tap_ok(bl_context_create(&ctx) == BL_OK, "a new context");
    test_settings(ctx, "new");
    test_settings(NULL, "default");
    test_creation_under_rules(ctx);
    tap_ok(bl_context_set_max_growth(ctx, 0.0) == BL_OK, "no limit on growth");
    test_foreign_rules(ctx);
    bl_context_destroy(ctx);
    bl_context_destroy(NULL);
    return tap_done();
}
