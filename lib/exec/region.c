/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One parallel region: each thread tells its node, then does its part under the
 * caller's floating-point environment.
 */
#include "exec/region.h"
#include "exec/float_control.h"

#include <omp.h>

/*
 * Results from this size on are worth asking where they lie: a page costs about 0.2 us
 * to ask for, a call that writes them a millisecond and more.
 */
#define PLACED_BYTES (4 << 20)

struct region {
    const struct bli_team *team;
    const struct bli_machine *machine;
    const struct bli_node_ranges *ranges;
    int64_t line;
    bli_body *body;
    const void *argument;
    int32_t parts; /* of the team, as soon as it is there */
    bool has_room; /* taken for it */
    int32_t nodes;
    struct bli_float_control control;
    int32_t weight[BLI_MAX_NODES];
    int16_t node[BLI_MAX_TEAM]; /* of each part */
};

int32_t bli_weights(const struct bli_machine *machine, int32_t *weight)
{
    const int32_t nodes =
        machine->nodes < BLI_MAX_NODES ? machine->nodes : BLI_MAX_NODES;

    for (int32_t n = 0; n < nodes; n++)
        weight[n] = machine->node[n].processors;
    return nodes;
}

bool bli_is_placed(const struct bli_machine *machine, int64_t bytes)
{
    return machine->nodes > 1 && machine->is_this_system && bytes >= PLACED_BYTES;
}

/* One part under the caller's floating-point environment. */
static void run_part(const struct region *region, int32_t part, int32_t parts)
{
    const struct bli_team_map team_map = {parts, region->nodes, region->node};
    struct bli_page_policy touch = {.is_saved = false};
    struct bli_float_control own;
    struct bli_work_share share;
    bl_range range;
    const bool is_set = bli_float_enter(region->control, &own);

    bli_work_share_begin(&share, region->ranges, &team_map, part, region->line);
    while (bli_work_share_next(&share, &range)) {
        /* Wherever this thread is moved meanwhile, new pages go to the range's node. */
        if (region->ranges->is_untouched)
            bli_page_policy_prefer(region->machine, share.node, &touch);
        region->body(region->argument, part, range);
    }
    bli_page_policy_restore(&touch);
    if (is_set)
        bli_float_control_set(own);
}

/* The node that a part is on: where its thread runs, or by number on a description. */
static int16_t node_of_part(const struct region *region, int32_t part, int32_t parts)
{
    const int32_t here = region->machine->is_this_system && !region->team->run
                             ? bli_machine_here(region->machine)
                             : -1;

    if (here >= 0 && here < region->nodes)
        return (int16_t)here;
    return (int16_t)bli_assign_node(part, parts, region->nodes, region->weight);
}

static void run_member(struct region *region)
{
    const int32_t part = omp_get_thread_num();
    /* The team may be smaller than asked for: what counts is what is there. */
    const int32_t parts = omp_get_num_threads();
    struct bli_mask saved = {.bytes = 0};

    if (part == 0) {
        region->parts = parts;
        bli_room_fill(parts, region->has_room);
    }
    if (region->nodes > 1) {
        if (region->team->bind)
            bli_bind_to_node(
                region->machine,
                bli_assign_node(part, parts, region->nodes, region->weight), &saved);
        region->node[part] = node_of_part(region, part, parts);
        /* A share depends on where all the others are. */
#pragma omp barrier
    }
    run_part(region, part, parts);
    if (saved.bytes > 0)
        bli_bind_restore(&saved);
}

static void callers_part(void *argument, int32_t part)
{
    const struct region *const region = argument;

    run_part(region, part, region->parts);
}

/* Without OpenMP, by the caller's parallel loop or on the calling thread alone. */
static void run_parts(struct region *region, int32_t parts)
{
    const struct bli_team *const team = region->team;

    region->parts = parts;
    for (int32_t part = 0; region->nodes > 1 && part < parts; part++)
        region->node[part] = node_of_part(region, part, parts);
    if (team->run)
        team->run(team->user, parts, callers_part, region);
    else
        callers_part(region, 0);
}

int32_t bli_exec_node_ranges(const struct bli_team *team, int32_t threads,
                             const struct bli_node_ranges *ranges, int64_t line,
                             bli_body *body, const void *argument)
{
    struct region region;

    region.team = team;
    region.machine = bli_machine();
    region.ranges = ranges;
    region.line = line;
    region.body = body;
    region.argument = argument;
    region.nodes = bli_weights(region.machine, region.weight);
    region.control = bli_float_control();
    region.has_room = false;
    if (!team->run)
        threads = bli_room_take(threads, &region.has_room);
    if (team->run || threads == 1) {
        run_parts(&region, threads);
    } else {
#pragma omp parallel num_threads(threads)
        run_member(&region);
    }
    return region.parts;
}

void bli_exec_ranges(const struct bli_team *team, int32_t worth, int64_t count,
                     int64_t size, bli_body *body, const void *argument)
{
    const int32_t threads = bli_team_size(team, worth, NULL);
    const struct bli_machine *machine;
    int32_t weight[BLI_MAX_NODES];
    struct bli_node_ranges ranges;

    if (threads == 1) {
        body(argument, 0, (bl_range){0, count});
        return;
    }
    machine = bli_machine();
    bli_node_ranges_even(&ranges, count, size, bli_weights(machine, weight), weight);
    ranges.is_untouched = bli_is_placed(machine, count * size);
    (void)bli_exec_node_ranges(team, threads, &ranges, BLI_ALIGNMENT / size, body,
                               argument);
}
