/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs one parallel region: each thread reports its node, then does its part under the
 * caller's floating-point environment.
 */
#include "exec/region.h"
#include "exec/float_control.h"

#include <omp.h>

/*
 * Results from this size on have the nodes of their pages queried: a page costs about
 * 0.2 us, a call that writes so much a millisecond and more.
 */
#define PLACED_BYTES (4 << 20)

struct region {
    const struct bli_team *team;
    const struct bli_machine *machine;
    const struct bli_node_ranges *ranges;
    int64_t line;
    bli_body *body;
    const void *argument;
    int32_t parts; /* of the team, once it is there */
    bool has_room; /* bli_room_take() holds its lock for the team */
    int32_t nodes;
    struct bli_float_control control;
    int16_t *node; /* of each part; not read where there is one node */
};

int32_t bli_nodes(const struct bli_machine *machine)
{
    return machine->nodes < BLI_MAX_NODES ? machine->nodes : BLI_MAX_NODES;
}

bool bli_is_placed(const struct bli_machine *machine, int64_t bytes)
{
    return machine->nodes > 1 && machine->is_this_system && bytes >= PLACED_BYTES;
}

/* Run one part under the caller's floating-point environment. */
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

/*
 * Return the node of a part: where its thread runs, or the node assigned by the part's
 * number, on a machine that is only described or in the caller's parallel loop.
 */
static int16_t node_of_part(const struct region *region, int32_t part, int32_t parts)
{
    const int32_t here = region->machine->is_this_system && !region->team->run
                             ? bli_machine_here(region->machine)
                             : -1;

    if (here >= 0 && here < region->nodes)
        return (int16_t)here;
    return (int16_t)bli_assign_node(part, parts, region->nodes,
                                    region->machine->weight);
}

/*
 * Run the calling OpenMP thread's part.  On several nodes, first record this thread's
 * node and wait until all others have.
 */
static void run_member(struct region *region)
{
    const int32_t part = omp_get_thread_num();
    /* The team may be smaller than requested: use the number of threads it has. */
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
                bli_assign_node(part, parts, region->nodes, region->machine->weight),
                &saved);
        region->node[part] = node_of_part(region, part, parts);
        /* A work share depends on the nodes of all other parts. */
#pragma omp barrier
    }
    run_part(region, part, parts);
    if (saved.bytes > 0)
        bli_bind_restore(&saved);
}

/* Run one part for the caller's parallel loop. */
static void callers_part(void *argument, int32_t part)
{
    const struct region *const region = argument;

    run_part(region, part, region->parts);
}

/*
 * Run the parts without OpenMP: by the caller's parallel loop, or the only part on the
 * calling thread.
 */
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

/* Run a region on `threads` threads, by OpenMP or by the caller's parallel loop. */
static void run_region(struct region *region, int32_t threads)
{
    if (region->team->run || threads == 1) {
        run_parts(region, threads);
    } else {
#pragma omp parallel num_threads(threads)
        run_member(region);
    }
}

/* Most threads whose node numbers fit in a small frame. */
#define SMALL_TEAM 512

/* Run a region on several nodes, in a frame that machines with one node do not need. */
BLI_OWN_FRAME static void run_on_nodes(struct region *region, int32_t threads)
{
    int16_t node[SMALL_TEAM];

    region->node = node;
    run_region(region, threads);
}

/* Run a region of up to BLI_MAX_TEAM threads on several nodes, in a large frame. */
BLI_OWN_FRAME static void run_many_on_nodes(struct region *region, int32_t threads)
{
    int16_t node[BLI_MAX_TEAM];

    region->node = node;
    run_region(region, threads);
}

int32_t bli_exec_node_ranges(const struct bli_team *team, int32_t threads,
                             const struct bli_node_ranges *ranges, int64_t line,
                             bli_body *body, const void *argument)
{
    const struct bli_machine *const machine = bli_machine();
    struct region region = {.team = team,
                            .machine = machine,
                            .ranges = ranges,
                            .line = line,
                            .body = body,
                            .argument = argument,
                            .parts = threads,
                            .nodes = bli_nodes(machine),
                            .control = bli_float_control()};

    if (!team->run)
        threads = bli_room_take(threads, &region.has_room);
    if (region.nodes == 1)
        run_region(&region, threads);
    else if (threads <= SMALL_TEAM)
        run_on_nodes(&region, threads);
    else
        run_many_on_nodes(&region, threads);
    return region.parts;
}

/* Run the ranges on 2 threads or more, in a frame that one thread does not need. */
BLI_OWN_FRAME static void run_ranges(const struct bli_team *team, int32_t threads,
                                     int64_t count, int64_t size, bli_body *body,
                                     const void *argument)
{
    const struct bli_machine *const machine = bli_machine();
    struct bli_node_ranges ranges;

    bli_node_ranges_even(&ranges, count, size, bli_nodes(machine), machine->weight);
    ranges.is_untouched = bli_is_placed(machine, count * size);
    (void)bli_exec_node_ranges(team, threads, &ranges, BLI_ALIGNMENT / size, body,
                               argument);
}

void bli_exec_ranges(const struct bli_team *team, int32_t worth, int64_t count,
                     int64_t size, bli_body *body, const void *argument)
{
    const int32_t threads = bli_team_size(team, worth, NULL);

    if (threads == 1)
        body(argument, 0, (bl_range){0, count});
    else
        run_ranges(team, threads, count, size, body, argument);
}
