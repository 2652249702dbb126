/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs one parallel region: each thread reports its node, then does its part under the
 * caller's floating-point environment.
 */
#include "exec/exec.h"
#include "core/float_control.h"
#include "exec/thread_limits.h"
#include "machine/machine.h"

#include <omp.h>

struct region {
    const struct bli_partition *partition;
    const struct bli_team *team;
    bli_body *body;
    const void *argument;
    int32_t parts; /* of the team, once it is there */
    struct bli_float_control control;
};

/* Run a part of the node ranges: those of its node, then a share of what is left. */
static void run_node_ranges(const struct region *region, int32_t part, int32_t parts)
{
    const struct bli_node_work *const nodes = region->partition->nodes;
    const struct bli_team_map team_map = {parts, nodes->nodes, nodes->node};
    struct bli_page_policy touch = {.is_saved = false};
    struct bli_work_share share;
    bl_range range;

    bli_work_share_begin(&share, &nodes->ranges, &team_map, part,
                         region->partition->line);
    while (bli_work_share_next(&share, &range)) {
        /* Wherever this thread is moved meanwhile, new pages go to the range's node. */
        if (nodes->ranges.is_untouched)
            bli_page_policy_prefer(bli_machine(), share.node, &touch);
        region->body(region->argument, part, range);
    }
    bli_page_policy_restore(&touch);
}

/* Run one part under the caller's floating-point environment. */
static void run_part(const struct region *region, int32_t part, int32_t parts)
{
    const struct bli_partition *const partition = region->partition;
    struct bli_float_control own;
    const bool is_set = bli_float_enter(region->control, &own);

    if (partition->nodes) {
        run_node_ranges(region, part, parts);
    } else {
        const bl_range range =
            bli_split_range(partition->count, partition->line, part, parts);

        if (range.begin < range.end)
            region->body(region->argument, part, range);
    }
    if (is_set)
        bli_float_control_set(own);
}

/*
 * Return the node of a part: where its thread runs, or the node assigned by the part's
 * number, on a machine that is only described or in the caller's parallel loop.
 */
static int16_t node_of_part(const struct region *region, int32_t part, int32_t parts)
{
    const struct bli_machine *const machine = bli_machine();
    const int32_t nodes = region->partition->nodes->nodes;
    const int32_t here =
        machine->is_this_system && !region->team->run ? bli_machine_here(machine) : -1;

    if (here >= 0 && here < nodes)
        return (int16_t)here;
    return (int16_t)bli_assign_node(part, parts, nodes, machine->weight);
}

/* Bind the calling thread to the node assigned to a part, if the context asks for it.
 */
static void bind_thread(const struct region *region, int32_t part, int32_t parts,
                        struct bli_mask *saved)
{
    const struct bli_machine *const machine = bli_machine();

    if (region->team->bind)
        bli_bind_to_node(machine,
                         bli_assign_node(part, parts, region->partition->nodes->nodes,
                                         machine->weight),
                         saved);
}

/*
 * Return the part of a thread, or -1 if it has none: parts are spread over the threads,
 * which OpenMP spreads over places.
 */
static int32_t part_of_thread(int32_t thread, int32_t threads, int32_t parts)
{
    const int64_t part = (int64_t)thread * parts / threads;
    const bool is_first = thread == 0 || (int64_t)(thread - 1) * parts / threads < part;

    return is_first ? (int32_t)part : -1;
}

/*
 * Run the calling OpenMP thread's part.  On several nodes, first record this thread's
 * node and wait until all others have.
 */
static void run_member(struct region *region)
{
    struct bli_node_work *const nodes = region->partition->nodes;
    const int32_t thread = omp_get_thread_num();
    /* The team may be smaller than requested: use the number of threads it has. */
    const int32_t threads = omp_get_num_threads();
    const int32_t wanted = region->partition->threads;
    const int32_t parts = threads < wanted ? threads : wanted;
    const int32_t part = part_of_thread(thread, threads, parts);
    struct bli_mask saved = {.bytes = 0};

    if (thread == 0) {
        region->parts = parts;
        bli_thread_limits_note_team(threads, region->partition->is_locked);
    }
    if (nodes) {
        if (part >= 0) {
            bind_thread(region, part, parts, &saved);
            nodes->node[part] = node_of_part(region, part, parts);
        }
        /* A work share depends on the nodes of all other parts. */
#pragma omp barrier
    }
    if (part >= 0)
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

/* Run the parts by the caller's parallel loop. */
static void run_callers_loop(struct region *region)
{
    struct bli_node_work *const nodes = region->partition->nodes;
    const struct bli_team *const team = region->team;
    const int32_t parts = region->partition->threads;

    region->parts = parts;
    for (int32_t part = 0; nodes && part < parts; part++)
        nodes->node[part] = node_of_part(region, part, parts);
    team->run(team->user, parts, callers_part, region);
}

int32_t bli_exec_team(const struct bli_partition *partition,
                      const struct bli_team *team, bli_body *body, const void *argument)
{
    struct region region = {.partition = partition,
                            .team = team,
                            .body = body,
                            .argument = argument,
                            .control = bli_float_control()};

    if (team->run) {
        run_callers_loop(&region);
    } else {
#pragma omp parallel num_threads(partition->team)
        run_member(&region);
    }
    return region.parts;
}
