/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The memory of an expression's plan, of the context's allocator: how much an operator
 * adds, and in how many allocations; all of it is given back.
 */
#include <broadloom.h>
#include <broadloom/describe.h>
#include <broadloom/expr.h>

#include <stdlib.h>

#include "harness/tap.h"

static size_t live;
static int allocations;

static void *allocate(void *user, size_t bytes, size_t alignment)
{
    (void)user;
    live += bytes;
    allocations++;
    return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static void release(void *user, void *memory, size_t bytes, size_t alignment)
{
    (void)user, (void)alignment;
    live -= bytes;
    free(memory);
}

static bl_context *ctx;
static float x[24], y[6], z[4];

/* Plan an expression and free it; its bytes, and its allocations in `*count`. */
static size_t bytes_of(const char *text, int *count)
{
    const bl_array *const inputs[] = {BL_VIEW(x, 4, 6), BL_VIEW(y, 6),
                                      BL_VIEW(z, 4, 1)};
    static const char *const names[] = {"x", "y", "z"};
    bl_expr *expr = NULL;
    bl_expr_plan *plan = NULL;
    size_t bytes = 0;

    if (bl_expr_parse(ctx, text, 3, names, &expr) == BL_OK) {
        const size_t before = live;
        const int made = allocations;

        if (bl_expr_plan_create(ctx, expr, NULL, inputs, NULL, &plan) == BL_OK)
            bytes = live - before;
        *count = allocations - made;
    }
    bl_expr_plan_destroy(plan);
    bl_expr_destroy(expr);
    return bytes;
}

/* ---- what the header states ---- */

/* Texts in which each call is a node, and no node is needless. */
static const char *const texts[] = {
    "x + y",
    "sum(x, 0)",
    "x - y; var(x, 1); z * 2",
    "clip(clip(clip(x, 0, 9), 1, 8), 2, 7)",
    "exp(abs((x - y) * z / (y + 2)) - z) + x",
};

static bool is_within(const char *text, uint32_t flags)
{
    const bl_array *const inputs[] = {BL_VIEW(x, 4, 6), BL_VIEW(y, 6),
                                      BL_VIEW(z, 4, 1)};
    bl_expr_options options = BL_EXPR_OPTIONS_DEFAULT;
    bl_expr_plan_info info = {.size = sizeof info};
    bl_expr_plan *plan = NULL;
    bl_expr *expr = NULL;
    size_t bytes, most;

    options.flags = flags;
    if (bl_expr_parse(ctx, text, 0, NULL, &expr) != BL_OK)
        return false;
    bytes = live;
    if (bl_expr_plan_create(ctx, expr, NULL, inputs, &options, &plan) != BL_OK ||
        bl_expr_plan_query(plan, &info) != BL_OK)
        return false;
    bytes = live - bytes;
    most = (size_t)(6144 * info.calls + 32768 * info.fusions +
                    2048 * (info.nodes - info.calls + info.outputs));
    tap_note("%s: %zu bytes of %zu", text, bytes, most);
    bl_expr_plan_destroy(plan);
    bl_expr_destroy(expr);
    return bytes <= most;
}

int main(void)
{
    static const uint32_t flags[] = {0, BL_EXPR_UNFUSED, BL_EXPR_FUSED};
    enum { MOST = 4096 }; /* bytes of an operator */
    const bl_allocator own = {allocate, release, NULL};
    int few, many;

    tap_plan();
    if (bl_context_create(&ctx) != BL_OK ||
        bl_context_set_allocator(ctx, &own) != BL_OK)
        return 1;

    const size_t base = bytes_of("x - y", &few);
    const size_t eight = bytes_of("exp(abs((x - y) * z / (y + 2)) - z) + x", &many);

    tap_note("1 operator: %zu bytes, 8: %zu", base, eight);
    tap_ok(base > 0 && base < 16384, "a plan of one operator is of some kilobytes");
    tap_ok(eight > base && eight - base < 7 * (size_t)MOST,
           "seven operators more add less than %d bytes each", MOST);
    tap_note("allocations: %d and %d", few, many);
    tap_ok(many - few <= 14, "in at most two allocations each");
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++)
        for (size_t f = 0; f < 3; f++)
            tap_ok(is_within(texts[k], flags[f]), "%s by flags %u", texts[k],
                   (unsigned)flags[f]);
    tap_ok(live == 0, "all of it is given back");
    bl_context_destroy(ctx);
    return tap_done();
}
