/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Partitions iterations among threads: node ranges where the machine has several nodes,
 * and as many threads as the system's limits allow.
 */
#include "exec/bind/bind.h"
#include "exec/thread_limits.h"

/* Reserve node ranges for a team, on a machine with several nodes. */
static bl_status reserve_nodes(struct bli_partition *partition, int32_t threads,
                               const struct bli_machine *machine)
{
    const int32_t nodes = bli_nodes(machine);

    partition->nodes = NULL;
    if (nodes == 1)
        return BL_OK;
    partition->nodes = bli_thread_lend(
        sizeof *partition->nodes + (size_t)threads * sizeof partition->nodes->node[0]);
    if (!partition->nodes)
        return BL_ERR_MEMORY;
    partition->nodes->nodes = nodes;
    return BL_OK;
}

/*
 * libgomp ends threads that a smaller region leaves out, and starts others for the next
 * one: alternating calls on 5 and 16 threads took 590 us, and take 43 us so.
 */
int32_t bli_region_threads(const struct bli_team *team, int32_t threads)
{
    const int32_t kept = bli_thread_limits_kept();

    return kept > threads ? bli_team_size(team, kept, NULL) : threads;
}

/* Set the number of threads: the last step, since it may take a lock. */
static void reserve_threads(struct bli_partition *partition,
                            const struct bli_team *team, int32_t threads)
{
    partition->is_locked = false;
    partition->threads = partition->team = threads;
    if (team->run || threads == 1)
        return;
    partition->team = bli_thread_limits_reserve(bli_region_threads(team, threads),
                                                &partition->is_locked);
    if (partition->threads > partition->team)
        partition->threads = partition->team;
}

bl_status bli_partition_plan(struct bli_partition *partition,
                             const struct bl_plan *plan,
                             const struct bli_binding *binding,
                             const struct bli_team *team, int32_t threads)
{
    const struct bli_machine *const machine = bli_machine();

    BL_TRY(reserve_nodes(partition, threads, machine));
    partition->count = plan->nest.count;
    partition->line = bli_plan_line(plan);
    if (partition->nodes)
        bli_node_ranges_find(&partition->nodes->ranges, plan, binding, machine);
    reserve_threads(partition, team, threads);
    return BL_OK;
}

bl_status bli_partition_nodes(struct bli_partition *partition,
                              const struct bli_team *team, int32_t threads,
                              int64_t count, int64_t size, int64_t line)
{
    const struct bli_machine *const machine = bli_machine();

    BL_TRY(reserve_nodes(partition, threads, machine));
    partition->count = count;
    partition->line = line;
    if (partition->nodes)
        bli_node_ranges_even(&partition->nodes->ranges, count, size,
                             partition->nodes->nodes, machine->weight);
    reserve_threads(partition, team, threads);
    return BL_OK;
}

bl_status bli_partition_result(struct bli_partition *partition,
                               const struct bli_team *team, int32_t threads,
                               int64_t count, int64_t size)
{
    BL_TRY(bli_partition_evenly(partition, team, threads, count, size,
                                BLI_ALIGNMENT / size));
    if (partition->nodes)
        partition->nodes->ranges.is_untouched =
            bli_is_placed(bli_machine(), count * size);
    return BL_OK;
}
