/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which results are written with non-temporal stores: those that the last-level caches
 * of the machine, which is a described one, do not keep.
 */
#include <stdlib.h>

#include <omp.h>

#include <broadloom.h>

#include "harness/same.h"
#include "harness/tap.h"
#include "machine/discovery.h"
#include "plan/non_temporal.h"

#define MIB 1048576

/* Two caches of 8 MiB: the limits are 24 MiB of traffic, and 20 MiB of a result. */
static const char machine[] = "l3:2(size=8MiB) core:2 pu:1";

static const struct {
    const char *what;
    bl_op op;
    int64_t shape[2][2];
    bool is_transposed; /* the second operand */
    bool non_temporal;
} cases[] = {
    {"24 MB of traffic", BL_OP_ADD, {{1, 2000000}, {1, 2000000}}, false, false},
    {"26 MB of traffic", BL_OP_ADD, {{1, 2200000}, {1, 2200000}}, false, true},
    {"a result of 20 MB", BL_OP_ADD, {{5000, 1}, {1, 1024}}, false, false},
    {"a result of 21 MB", BL_OP_ADD, {{5200, 1}, {1, 1024}}, false, true},
    {"a ninth of the traffic", BL_OP_LT, {{1, 30000000}, {1, 30000000}}, false, false},
    {"a vector function", BL_OP_POW, {{1, 30000000}, {1, 30000000}}, false, false},
    {"tiles of whole lines", BL_OP_ADD, {{2912, 2912}, {2912, 2912}}, true, true},
    {"tiles of parts of lines", BL_OP_ADD, {{2900, 2900}, {2900, 2900}}, true, false},
};
enum { CASES = sizeof cases / sizeof cases[0] };

/* Whether the result of a call has non-temporal stores. */
static bool is_non_temporal(bl_context *ctx, bl_op op, const bl_array *a,
                            const bl_array *b)
{
    const bl_array *const in[] = {a, b};
    bl_plan_info info = {.size = sizeof info};
    bl_plan *plan;

    must(bl_plan_create(ctx, op, NULL, 2, in, NULL, &plan));
    must(bl_plan_query(plan, &info));
    bl_plan_destroy(plan);
    return info.non_temporal;
}

static bool is_planned(bl_context *ctx, int i)
{
    const int64_t *const last = cases[i].shape[1];
    const int64_t transposed[] = {1, last[0]};
    const bl_array a = {NULL, BL_DTYPE_F32, 2, cases[i].shape[0], NULL, 0};
    const bl_array b = {
        NULL, BL_DTYPE_F32, 2, last, cases[i].is_transposed ? transposed : NULL, 0};

    return is_non_temporal(ctx, cases[i].op, &a, &b) == cases[i].non_temporal;
}

/* A call of 14 MB, by a team of one thread and of two. */
static void test_teams(bl_context *ctx)
{
    const int64_t shape[] = {1200000};
    const bl_array a = {NULL, BL_DTYPE_F32, 1, shape, NULL, 0};

    tap_ok(!is_non_temporal(ctx, BL_OP_ADD, &a, &a), "two threads fill two caches");
    must(bl_context_set_threads(ctx, 1));
    tap_ok(is_non_temporal(ctx, BL_OP_ADD, &a, &a), "one thread fills one");
    tap_ok(bli_machine_cache(1) == 8 * MIB && bli_machine_cache(2) == 16 * MIB &&
               bli_machine_cache(3) == 16 * MIB,
           "threads have one cache each, while there are some");
}

/* Add a transposed operand, which is read ahead tile by tile. */
static void test_tiles(bl_context *ctx)
{
    enum { SIDE = 2200 };
    const int64_t shape[] = {SIDE, SIDE}, transposed[] = {1, SIDE};
    uint8_t *const data = calloc(3, (size_t)SIDE * SIDE);
    uint8_t *const x = data + SIDE * SIDE, *const y = x + SIDE * SIDE;
    const bl_array out = {data, BL_DTYPE_U8, 2, shape, NULL, 0};
    const bl_array a = {x, BL_DTYPE_U8, 2, shape, NULL, 0};
    const bl_array b = {y, BL_DTYPE_U8, 2, shape, transposed, 0};
    int64_t wrong = data ? 0 : 1;

    for (int64_t i = 0; data && i < SIDE * SIDE; i++) {
        x[i] = (uint8_t)(i % 83);
        y[i] = (uint8_t)(i % 127);
    }
    if (data)
        must(bl_add_out(ctx, &out, &a, &b));
    for (int64_t i = 0; data && i < SIDE * SIDE; i++)
        wrong += data[i] != x[i] + y[i % SIDE * SIDE + i / SIDE];
    tap_ok(wrong == 0, "a transposed operand of 5 MB");
    free(data);
}

/* What counts of the last-level caches of another machine. */
static int64_t caches_of(const char *description)
{
    setenv("HWLOC_SYNTHETIC", description, 1);

    struct bli_machine *const other = bli_discover(NULL);
    const int64_t bytes = other ? other->last_cache_bytes : -1;

    free(other);
    return bytes;
}

/*
 * Whether results are large if they, and all that is read and written by a call or an
 * expression, have so many MiB.
 */
static bool is_large(struct bli_caches caches, double bytes, double traffic,
                     bool is_call)
{
    return bli_plan_is_large(bli_isa_find("base"), caches, bytes * MIB, traffic * MIB,
                             is_call);
}

/* The bytes of last-level caches that a team fills. */
static int64_t much(const struct bli_team *team)
{
    (void)team;
    return INT64_C(256) * MIB;
}

int main(void)
{
    const struct bli_caches large = {.bytes = much}, unknown = {.bytes = NULL};
    bl_context *ctx;

    tap_plan();
    omp_set_num_threads(2);
    setenv("HWLOC_SYNTHETIC", machine, 1);
    setenv("BROADLOOM_ISA", "base", 1);
    must(bl_context_create(&ctx));
    must(bl_context_set_threads(ctx, 2));
    for (int i = 0; i < CASES; i++)
        tap_ok(is_planned(ctx, i), "%s: %s stores", cases[i].what,
               cases[i].non_temporal ? "non-temporal" : "cached");
    test_tiles(ctx);
    test_teams(ctx);
    bl_context_destroy(ctx);
    tap_ok(!is_large(large, 120, 380, true) && is_large(large, 120, 390, true),
           "more cache keeps more");
    tap_ok(!is_large(unknown, 16, 47, true) && is_large(unknown, 16, 49, true),
           "a cache that is not told has 32 MiB");
    tap_ok(!is_large(unknown, 23, 97, true) && is_large(unknown, 24, 97, true),
           "a quarter of what a call moves, and numbers beside");
    tap_ok(!is_large(unknown, 11, 97, false) && is_large(unknown, 12, 97, false),
           "less of what an expression moves");
    tap_ok(caches_of("l3:1(size=300MiB) core:16 pu:1") == 32 * MIB &&
               caches_of("l3:4(size=32MiB) core:8 pu:1") == 128 * MIB,
           "a cache counts for 32 MiB at most");
    return tap_done();
}
