/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The placement of large results: policies of contexts and of single tensors, and, on a
 * machine with several nodes, the nodes of their pages.
 */
#include <broadloom.h>
#include <broadloom/topology.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/tap.h"

enum { COUNT = 4 << 20, NODES = 64 };
static const int64_t extent[1] = {COUNT}; /* 16 MiB of f32 */

static bl_topology_info machine = {.size = sizeof machine};

/* ---- settings ---- */

static const char *const kind_names[] = {"first-touch", "interleave", "node",
                                         "bind-range"};

static bool is_placement(const bl_context *ctx, int32_t kind, int32_t node)
{
    const bl_placement placement = bl_context_placement(ctx);

    return placement.kind == kind &&
           (kind != BL_PLACEMENT_NODE || placement.node == node);
}

static void test_placements(bl_context *ctx, const char *name)
{
    const bl_placement good[] = {{BL_PLACEMENT_INTERLEAVE, 0},
                                 {BL_PLACEMENT_NODE, 0},
                                 {BL_PLACEMENT_NODE, machine.nodes - 1},
                                 {BL_PLACEMENT_BIND_RANGE, -5},
                                 {BL_PLACEMENT_FIRST_TOUCH, -5}};
    const bl_placement bad[] = {{-1, 0},
                                {BL_PLACEMENT_BIND_RANGE + 1, 0},
                                {BL_PLACEMENT_NODE, -1},
                                {BL_PLACEMENT_NODE, machine.nodes},
                                {BL_PLACEMENT_NODE, INT32_MAX}};
    bl_tensor *const none = NULL;

    tap_ok(is_placement(ctx, BL_PLACEMENT_FIRST_TOUCH, 0), "%s: first touch by default",
           name);
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        tap_ok(bl_context_set_placement(ctx, good[i]) == BL_OK &&
                   is_placement(ctx, good[i].kind, good[i].node),
               "%s: %s", name, kind_names[good[i].kind]);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        bl_tensor *tensor = none;

        tap_ok(bl_context_set_placement(ctx, bad[i]) == BL_ERR_ARGUMENT &&
                   is_placement(ctx, BL_PLACEMENT_FIRST_TOUCH, 0),
               "%s: %s", name, bl_error_message());
        tap_ok(bl_tensor_empty_placed(ctx, BL_DTYPE_F32, 1, extent, bad[i], &tensor) ==
                       BL_ERR_ARGUMENT &&
                   tensor == none,
               "%s: nor for a tensor", name);
    }
}

/* ---- placed tensors ---- */

static bool is_all(const bl_tensor *tensor, float value)
{
    const float *const data = bl_tensor_array(tensor)->data;

    for (int64_t i = 0; i < COUNT; i++)
        if (data[i] != value)
            return false;
    return true;
}

static void test_tensors(bl_context *ctx)
{
    static const int64_t few[2] = {3, 5}, none[2] = {0, 5};

    for (int32_t kind = 0; kind <= BL_PLACEMENT_BIND_RANGE; kind++) {
        const bl_placement placement = {kind, 0};
        bl_tensor *ones = NULL, *sum = NULL, *small = NULL, *empty = NULL;

        tap_ok(bl_context_set_placement(ctx, placement) == BL_OK &&
                   bl_tensor_ones(ctx, BL_DTYPE_F32, 1, extent, &ones) == BL_OK &&
                   is_all(ones, 1),
               "%s: ones", kind_names[kind]);
        tap_ok(bl_tensor_empty_placed(NULL, BL_DTYPE_F32, 1, extent, placement, &sum) ==
                       BL_OK &&
                   (uintptr_t)bl_tensor_array(sum)->data % 64 == 0 &&
                   bl_add_out(ctx, bl_tensor_array(sum), bl_tensor_array(ones),
                              bl_tensor_array(ones)) == BL_OK &&
                   is_all(sum, 2),
               "%s: a new tensor as a result", kind_names[kind]);
        tap_ok(bl_tensor_empty_placed(ctx, BL_DTYPE_F64, 2, few, placement, &small) ==
                       BL_OK &&
                   bl_tensor_empty_placed(ctx, BL_DTYPE_F64, 2, none, placement,
                                          &empty) == BL_OK &&
                   bl_tensor_numel(small) == 15 && bl_tensor_numel(empty) == 0,
               "%s: a small one, and one without elements", kind_names[kind]);
        bl_tensor_release(empty);
        bl_tensor_release(small);
        bl_tensor_release(sum);
        bl_tensor_release(ones);
    }
    (void)bl_context_trim(ctx);
    (void)bl_context_trim(NULL);
    if (bl_context_set_placement(ctx, (bl_placement){0, 0}) != BL_OK)
        tap_note("%s", bl_error_message());
}

/* ---- the nodes of pages ---- */

/* Count the pages of a tensor on each node; the last counter is for pages on none. */
static bool count_pages(const bl_tensor *tensor, int64_t pages[NODES + 1])
{
    const char *const data = bl_tensor_array(tensor)->data;

    memset(pages, 0, (NODES + 1) * sizeof pages[0]);
    for (int64_t at = 0; at < COUNT * (int64_t)sizeof(float); at += 4096) {
        const void *const address = data + at;
        int32_t node;

        if (bl_memory_page_nodes(1, &address, &node) != BL_OK)
            return false;
        pages[node < 0 || node >= NODES ? NODES : node]++;
    }
    return true;
}

/* The share of all pages that a placement puts on a node. */
static double share_of(bl_placement placement, int32_t node)
{
    double with_memory = 0;
    bl_node_info info = {.size = sizeof info};

    for (int32_t n = 0; n < machine.nodes; n++)
        with_memory += bl_node_query(n, &info) == BL_OK && info.bytes > 0;
    if (bl_node_query(node, &info) != BL_OK)
        return 0;
    switch (placement.kind) {
    case BL_PLACEMENT_INTERLEAVE:
        return info.bytes > 0 ? 1 / with_memory : 0;
    case BL_PLACEMENT_NODE:
        return node == placement.node;
    default:
        return (double)info.processors / machine.processors;
    }
}

/* Pages that are all touched by one thread are placed as the policy says. */
static void check_pages(bl_placement placement)
{
    /* Interleaving is by huge pages, of which there are few. */
    const double tolerance = placement.kind == BL_PLACEMENT_INTERLEAVE ? 0.13 : 0.02;
    const double all = COUNT * sizeof(float) / 4096.0;
    int64_t pages[NODES + 1];
    bl_tensor *tensor = NULL;
    bool pass = bl_tensor_empty_placed(NULL, BL_DTYPE_F32, 1, extent, placement,
                                       &tensor) == BL_OK;

    if (pass) {
        memset(bl_tensor_array(tensor)->data, 1, COUNT * sizeof(float));
        pass = count_pages(tensor, pages);
    }
    for (int32_t n = 0; pass && n < machine.nodes && n < NODES; n++) {
        const double off = (double)pages[n] / all - share_of(placement, n);

        tap_note("node %" PRId32 ": %" PRId64 " pages", n, pages[n]);
        pass = off <= tolerance && off >= -tolerance;
    }
    tap_ok(pass, "%s %" PRId32 ": pages lie where they were wanted",
           kind_names[placement.kind], placement.node);
    bl_tensor_release(tensor);
    (void)bl_context_trim(NULL);
}

static void test_pages(void)
{
    bl_node_info info = {.size = sizeof info};

    if (machine.nodes == 1 || strcmp(machine.source, "machine") != 0) {
        tap_skip("needs a machine with several nodes", "the nodes of pages");
        return;
    }
    check_pages((bl_placement){BL_PLACEMENT_INTERLEAVE, 0});
    check_pages((bl_placement){BL_PLACEMENT_BIND_RANGE, 0});
    for (int32_t n = 0; n < machine.nodes; n++)
        if (bl_node_query(n, &info) == BL_OK && info.bytes > 0)
            check_pages((bl_placement){BL_PLACEMENT_NODE, n});
}

int main(void)
{
    bl_context *ctx = NULL;

    tap_plan();
    unsetenv("BROADLOOM_PLACEMENT");
    if (!tap_ok(bl_topology_query(NULL, &machine) == BL_OK &&
                    bl_context_create(&ctx) == BL_OK,
                "a machine and a context"))
        return tap_done();
    test_placements(ctx, "new");
    test_placements(NULL, "default");
    test_tensors(ctx);
    test_pages();
    bl_context_destroy(ctx);
    return tap_done();
}
