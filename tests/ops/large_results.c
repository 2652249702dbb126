/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which results are written with non-temporal stores: those that the last-level caches
 * of the machine, which is a described one, do not keep.
 */
#include <stdlib.h>

#include <broadloom.h>

#include "harness/same.h"
#include "harness/tap.h"
#include "machine/machine.h"
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

static bool is_planned(bl_context *ctx, int i)
{
    const int64_t *const last = cases[i].shape[1];
    const int64_t transposed[] = {1, last[0]};
    const bl_array a = {NULL, BL_DTYPE_F32, 2, cases[i].shape[0], NULL, 0};
    const bl_array b = {
        NULL, BL_DTYPE_F32, 2, last, cases[i].is_transposed ? transposed : NULL, 0};
    const bl_array *const in[] = {&a, &b};
    bl_plan_info info = {.size = sizeof info};
    bl_plan *plan;

    must(bl_plan_create(ctx, cases[i].op, NULL, 2, in, NULL, &plan));
    must(bl_plan_query(plan, &info));
    bl_plan_destroy(plan);
    return info.non_temporal == cases[i].non_temporal;
}

static int64_t much(void)
{
    return INT64_C(256) * MIB;
}

int main(void)
{
    const struct bli_isa *const base = bli_isa_find("base");
    bl_context *ctx;

    tap_plan();
    setenv("HWLOC_SYNTHETIC", machine, 1);
    setenv("BROADLOOM_ISA", "base", 1);
    must(bl_context_create(&ctx));
    tap_ok(bli_machine_cache() == 16 * MIB,
           "the last-level caches of all processors count");
    for (int i = 0; i < CASES; i++)
        tap_ok(is_planned(ctx, i), "%s: %s stores", cases[i].what,
               cases[i].non_temporal ? "non-temporal" : "cached");
    bl_context_destroy(ctx);
    tap_ok(!bli_plan_is_large(base, much, 120.0 * MIB, 380.0 * MIB) &&
               bli_plan_is_large(base, much, 120.0 * MIB, 390.0 * MIB),
           "a larger cache keeps more");
    tap_ok(!bli_plan_is_large(base, NULL, 16.0 * MIB, 47.0 * MIB) &&
               bli_plan_is_large(base, NULL, 16.0 * MIB, 49.0 * MIB),
           "a cache that is not told has 32 MiB");
    return tap_done();
}
