/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contexts' settings for the machine: placement, binding, nesting, the pool and
 * reproducibility, from the environment and from the setters.
 */
#include <broadloom.h>

#include <inttypes.h>
#include <stdlib.h>

#include "harness/tap.h"

#define MIB ((int64_t)1 << 20)

static void test_switches(bl_context *ctx, const char *name)
{
    const int64_t pool = bl_context_pool_limit(ctx);

    tap_ok(!bl_context_thread_binding(ctx) && !bl_context_nested_parallelism(ctx) &&
               pool >= 64 * MIB,
           "%s: as documented, a pool of %" PRId64 " MiB", name, pool / MIB);
    bl_context_set_thread_binding(ctx, true);
    tap_ok(bl_context_thread_binding(ctx) && !bl_context_nested_parallelism(ctx),
           "%s: bind", name);
    bl_context_set_thread_binding(ctx, false);
    bl_context_set_nested_parallelism(ctx, true);
    tap_ok(!bl_context_thread_binding(ctx) && bl_context_nested_parallelism(ctx),
           "%s: nested", name);
    bl_context_set_nested_parallelism(ctx, false);
    tap_ok(!bl_context_reproducible(ctx), "%s: not reproducible", name);
    bl_context_set_reproducible(ctx, true);
    tap_ok(bl_context_reproducible(ctx) && !bl_context_nested_parallelism(ctx),
           "%s: reproducible", name);
    bl_context_set_reproducible(ctx, false);
    tap_ok(bl_context_set_region_ns(ctx, 12345) == BL_OK &&
               bl_context_region_ns(ctx) == 12345,
           "%s: a region", name);
    tap_ok(bl_context_set_region_ns(ctx, -1) == BL_ERR_ARGUMENT &&
               bl_context_region_ns(ctx) == 12345,
           "%s: %s", name, bl_error_message());
    tap_ok(bl_context_set_region_ns(ctx, 0) == BL_OK && bl_context_region_ns(ctx) == 0,
           "%s: a region is measured", name);
    tap_ok(bl_context_set_pool_limit(ctx, 12345) == BL_OK &&
               bl_context_pool_limit(ctx) == 12345,
           "%s: pool", name);
    tap_ok(bl_context_set_pool_limit(ctx, -1) == BL_ERR_ARGUMENT &&
               bl_context_pool_limit(ctx) == 12345,
           "%s: %s", name, bl_error_message());
    tap_ok(bl_context_set_pool_limit(ctx, pool) == BL_OK, "%s: the pool as it was",
           name);
}

/* ---- the environment ---- */

static int64_t kind_of(const bl_context *ctx)
{
    return bl_context_placement(ctx).kind;
}

static int64_t node_of(const bl_context *ctx)
{
    const bl_placement placement = bl_context_placement(ctx);

    return placement.kind == BL_PLACEMENT_NODE ? placement.node : -1;
}

static int64_t bind_of(const bl_context *ctx)
{
    return bl_context_thread_binding(ctx);
}

static int64_t nested_of(const bl_context *ctx)
{
    return bl_context_nested_parallelism(ctx);
}

static int64_t reproducible_of(const bl_context *ctx)
{
    return bl_context_reproducible(ctx);
}

static int64_t region_of(const bl_context *ctx)
{
    return bl_context_region_ns(ctx);
}

enum { IGNORED = -2 };

static const struct {
    const char *variable, *value;
    int64_t (*look)(const bl_context *ctx);
    int64_t want; /* IGNORED: the value without the variable */
} variables[] = {
    {"BROADLOOM_PLACEMENT", "first-touch", kind_of, BL_PLACEMENT_FIRST_TOUCH},
    {"BROADLOOM_PLACEMENT", "interleave", kind_of, BL_PLACEMENT_INTERLEAVE},
    {"BROADLOOM_PLACEMENT", "bind-range", kind_of, BL_PLACEMENT_BIND_RANGE},
    {"BROADLOOM_PLACEMENT", "node:0", node_of, 0},
    {"BROADLOOM_PLACEMENT", "node:2147483647", kind_of, IGNORED},
    {"BROADLOOM_PLACEMENT", "node:4294967296", kind_of, IGNORED},
    {"BROADLOOM_PLACEMENT", "node:-1", kind_of, IGNORED},
    {"BROADLOOM_PLACEMENT", "node:", kind_of, IGNORED},
    {"BROADLOOM_PLACEMENT", "node:0x", kind_of, IGNORED},
    {"BROADLOOM_PLACEMENT", "node", kind_of, IGNORED},
    {"BROADLOOM_PLACEMENT", "Interleave", kind_of, IGNORED},
    {"BROADLOOM_PLACEMENT", "", kind_of, IGNORED},
    {"BROADLOOM_BIND", "1", bind_of, 1},
    {"BROADLOOM_BIND", "0", bind_of, 0},
    {"BROADLOOM_BIND", "true", bind_of, IGNORED},
    {"BROADLOOM_BIND", "11", bind_of, IGNORED},
    {"BROADLOOM_NESTED", "1", nested_of, 1},
    {"BROADLOOM_NESTED", "0", nested_of, 0},
    {"BROADLOOM_NESTED", "", nested_of, IGNORED},
    {"BROADLOOM_REPRODUCIBLE", "1", reproducible_of, 1},
    {"BROADLOOM_REPRODUCIBLE", "0", reproducible_of, 0},
    {"BROADLOOM_REPRODUCIBLE", "yes", reproducible_of, IGNORED},
    {"BROADLOOM_REGION_NS", "3000", region_of, 3000},
    {"BROADLOOM_REGION_NS", "2147483647", region_of, INT32_MAX},
    {"BROADLOOM_REGION_NS", "0", region_of, 0},
    {"BROADLOOM_REGION_NS", "2147483648", region_of, IGNORED},
    {"BROADLOOM_REGION_NS", "-1", region_of, IGNORED},
    {"BROADLOOM_REGION_NS", "3us", region_of, IGNORED},
    {"BROADLOOM_REGION_NS", "", region_of, IGNORED},
    {"BROADLOOM_POOL", "0", bl_context_pool_limit, 0},
    {"BROADLOOM_POOL", "12345", bl_context_pool_limit, 12345},
    {"BROADLOOM_POOL", "3K", bl_context_pool_limit, 3 << 10},
    {"BROADLOOM_POOL", "512M", bl_context_pool_limit, 512 * MIB},
    {"BROADLOOM_POOL", "8G", bl_context_pool_limit, 8192 * MIB},
    {"BROADLOOM_POOL", "9223372036854775807", bl_context_pool_limit, INT64_MAX},
    {"BROADLOOM_POOL", "9223372036854775808", bl_context_pool_limit, IGNORED},
    {"BROADLOOM_POOL", "8589934591G", bl_context_pool_limit, INT64_C(8589934591) << 30},
    {"BROADLOOM_POOL", "8589934592G", bl_context_pool_limit, IGNORED},
    {"BROADLOOM_POOL", "1T", bl_context_pool_limit, IGNORED},
    {"BROADLOOM_POOL", "1MB", bl_context_pool_limit, IGNORED},
    {"BROADLOOM_POOL", "M", bl_context_pool_limit, IGNORED},
    {"BROADLOOM_POOL", "-1", bl_context_pool_limit, IGNORED},
    {"BROADLOOM_POOL", "", bl_context_pool_limit, IGNORED},
};
enum { VARIABLES = sizeof variables / sizeof variables[0] };

static void test_environment(void)
{
    for (int i = 0; i < VARIABLES; i++) {
        bl_context *plain = NULL, *refined = NULL;
        const bool pass = bl_context_create(&plain) == BL_OK &&
                          setenv(variables[i].variable, variables[i].value, 1) == 0 &&
                          bl_context_create(&refined) == BL_OK;
        const bool is_ignored = variables[i].want == IGNORED;
        const int64_t want = is_ignored ? variables[i].look(plain) : variables[i].want;

        tap_ok(pass && variables[i].look(refined) == want, "%s=%s %s",
               variables[i].variable, variables[i].value,
               is_ignored ? "is ignored" : "is taken");
        unsetenv(variables[i].variable);
        bl_context_destroy(refined);
        bl_context_destroy(plain);
    }
}

int main(void)
{
    bl_context *ctx = NULL;

    tap_plan();
    for (int i = 0; i < VARIABLES; i++)
        unsetenv(variables[i].variable);
    if (!tap_ok(bl_context_create(&ctx) == BL_OK, "a context"))
        return tap_done();
    test_switches(ctx, "new");
    test_switches(NULL, "default");
    test_environment();
    bl_context_destroy(ctx);
    return tap_done();
}
