/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contexts: settings, allocators, parallel loops, observers, tracers; the machine.
 */
#include "kept.h"

#include <stdlib.h>

enum { COUNT = 100000 };

static bl_context *ctx;
static double a[COUNT], r[COUNT];

static void check_settings(void)
{
    OK(bl_context_set_threads(ctx, 3));
    CHECK(bl_context_threads(ctx) == 3);
    OK(bl_context_set_isa(ctx, "base"));
    CHECK(strcmp(bl_context_isa(ctx), "base") == 0);
    bl_context_set_reproducible(ctx, true);
    CHECK(bl_context_reproducible(ctx));
    OK(bl_context_set_rules(ctx, bl_rules_strict()));
    CHECK(bl_context_rules(ctx) == bl_rules_strict());
    OK(bl_context_set_rules(ctx, NULL));
    OK(bl_context_set_max_growth(ctx, 2.5));
    CHECK(bl_context_max_growth(ctx) == 2.5);
    OK(bl_context_set_max_growth(ctx, 0));
    OK(bl_context_set_overlap(ctx, BL_OVERLAP_REFUSE));
    CHECK(bl_context_overlap(ctx) == BL_OVERLAP_REFUSE);
    OK(bl_context_set_placement(ctx, (bl_placement){BL_PLACEMENT_NODE, 0}));
    CHECK(bl_context_placement(ctx).kind == BL_PLACEMENT_NODE);
    bl_context_set_thread_binding(ctx, false);
    CHECK(!bl_context_thread_binding(ctx));
    bl_context_set_nested_parallelism(ctx, true);
    CHECK(bl_context_nested_parallelism(ctx));
    OK(bl_context_set_pool_limit(ctx, 1 << 20));
    CHECK(bl_context_pool_limit(ctx) == 1 << 20);
    CHECK(bl_context_trim(ctx) >= 0);
}

static int allocated, released, parts_run, regions, events;

static void *allocate(void *user, size_t bytes, size_t alignment)
{
    (void)user;
    allocated++;
    return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static void release(void *user, void *memory, size_t bytes, size_t alignment)
{
    (void)user;
    (void)alignment;
    (void)bytes;
    released++;
    free(memory);
}

static void run_parts(void *user, int32_t parts, void (*body)(void *, int32_t),
                      void *argument)
{
    (void)user;
    for (int32_t part = 0; part < parts; part++, parts_run++)
        body(argument, part);
}

static void trace(void *user, const bl_trace *trace)
{
    (void)user;
    if (trace->kind == BL_TRACE_REGION && trace->op == BL_OP_NEG && trace->call > 0 &&
        trace->end_ns >= trace->begin_ns && trace->range_end == COUNT)
        regions++;
}

static bl_status observe(void *user, const bl_event *event)
{
    (void)user;
    events += event->kind == BL_EVENT_OVERLAP_COPIED && event->op == BL_OP_NEG &&
              event->text[0] != '\0';
    return BL_ERR_RULES;
}

static void check_callbacks(void)
{
    const bl_allocator allocator = {allocate, release, NULL};
    bl_tensor *tensor = NULL;

    OK(bl_context_set_allocator(ctx, &allocator));
    bl_context_set_parallel_for(ctx, run_parts, NULL);
    bl_context_set_tracer(ctx, trace, NULL);
    a[COUNT - 1] = 5;
    if (OK(bl_neg(ctx, BL_VIEW(a, COUNT), &tensor))) {
        CHECK(kept_at(tensor, COUNT - 1) == -5);
        bl_tensor_release(tensor);
    }
    CHECK(allocated > 0 && released == allocated);
    CHECK(regions == 1);
    bl_context_set_tracer(ctx, NULL, NULL);
    bl_context_set_parallel_for(ctx, NULL, NULL);
    OK(bl_context_set_allocator(ctx, NULL));
    OK(bl_context_set_overlap(ctx, BL_OVERLAP_COPY));
    bl_context_set_observer(ctx, observe, NULL);
    CHECK(bl_neg_out(ctx, BL_VIEW(r + 1, 9), BL_VIEW(r, 9)) == BL_ERR_RULES);
    CHECK(events == 1);
    bl_context_set_observer(ctx, NULL, NULL);
}

static void check_machine(void)
{
    const void *const addresses[] = {a};
    bl_topology_info info = {.size = sizeof info};
    bl_node_info node = {.size = sizeof node};
    int32_t nodes[1] = {-7}, usable = 0;

    OK(bl_topology_query(ctx, &info));
    CHECK(info.source[0] != '\0' && info.nodes >= 1 && info.processors >= 1);
    CHECK(info.team >= 1 && info.limit_text[0] != '\0');
    OK(bl_node_query(0, &node));
    CHECK(node.processors >= 0 && node.os_index >= 0 && node.bytes >= 0);
    CHECK(bl_topology_distance(0, 0) >= 0);
    for (int32_t processor = 0; processor < 4096; processor++)
        usable += bl_processor_is_usable(processor);
    CHECK(usable >= 1);
    CHECK(bl_processor_node(-1) < 0);
    if (bl_memory_page_nodes(1, addresses, nodes) == BL_OK)
        CHECK(nodes[0] >= -1 && nodes[0] < info.nodes);
    CHECK(bl_topology_import_hwloc(NULL) != BL_OK);
}

int main(void)
{
    if (!OK(bl_context_create(&ctx)))
        return failures;
    check_settings();
    check_callbacks();
    check_machine();
    bl_context_destroy(ctx);
    return failures;
}
