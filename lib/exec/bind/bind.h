/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is decided about an execution while a call is bound, because it depends on the
 * machine and its memory now: the team, and which node and thread works on what.
 * Nothing here runs during execution.
 */
#ifndef BLI_EXEC_BIND_H
#define BLI_EXEC_BIND_H

#include "exec/exec.h"
#include "machine/machine.h"

/* Most threads of a team, and most nodes of a machine, that are distinguished. */
#define BLI_MAX_TEAM  4096
#define BLI_MAX_NODES 1024

/*
 * Return the number of threads that a call gets now, at most the `wanted` that its cost
 * model asks for.  `*limit`, if `limit` is not NULL, becomes the bl_team_limit that
 * held the number back.
 */
int32_t bli_team_size(const struct bli_team *team, int32_t wanted, int32_t *limit);

/*
 * Return the threads that a call gets now which can use `wanted`, and has work for
 * `grains` by the cost model: 1 where a region would take longer than they save.
 */
int32_t bli_team_size_for(const struct bli_team *team, int32_t wanted, int32_t grains);

/*
 * Threads of a region in which `threads` have parts: those that the runtime keeps, as
 * far as the call may use them.
 */
int32_t bli_region_threads(const struct bli_team *team, int32_t threads);

/*
 * Bytes of last-level caches that the threads of a call fill, and of a second-level
 * cache; 0: unknown.
 */
int64_t bli_team_cache(const struct bli_team *team);
int64_t bli_second_cache(void);

/* The same, for a plan to ask. */
static inline struct bli_caches bli_team_caches(const struct bli_team *team)
{
    return (struct bli_caches){bli_team_cache, team, bli_second_cache};
}

/* Return the number of nodes of a machine, at most BLI_MAX_NODES. */
int32_t bli_nodes(const struct bli_machine *machine);

/*
 * Return whether a result of `bytes` bytes is placed by node: it is large enough, and
 * this system has several nodes.
 */
bool bli_is_placed(const struct bli_machine *machine, int64_t bytes);

/*
 * Find the node ranges of a bound plan on this machine: where the result's memory lies
 * already, else where the memory of the largest input that has pages lies, else in
 * proportion to the nodes' processors.
 */
void bli_node_ranges_find(struct bli_node_ranges *ranges, const struct bl_plan *plan,
                          const struct bli_binding *binding,
                          const struct bli_machine *machine);

/*
 * Partition a plan's iterations, `count` iterations in equal node ranges, or `count`
 * elements of a new result, among `threads` threads that bli_team_size() has allowed.
 * `size` is the number of bytes of an iteration or element.  There are fewer threads
 * where the system's limits do not allow so many, and node ranges only where the
 * machine has several nodes: BL_ERR_MEMORY where there is no memory for them.
 *
 * The region has to follow at once, without anything that may fail: until it is open,
 * other threads that start a team near the system's limits wait.
 */
bl_status bli_partition_plan(struct bli_partition *partition,
                             const struct bl_plan *plan,
                             const struct bli_binding *binding,
                             const struct bli_team *team, int32_t threads);
bl_status bli_partition_nodes(struct bli_partition *partition,
                              const struct bli_team *team, int32_t threads,
                              int64_t count, int64_t size, int64_t line);
bl_status bli_partition_result(struct bli_partition *partition,
                               const struct bli_team *team, int32_t threads,
                               int64_t count, int64_t size);

static inline bl_status bli_partition_evenly(struct bli_partition *partition,
                                             const struct bli_team *team,
                                             int32_t threads, int64_t count,
                                             int64_t size, int64_t line)
{
    if (threads > 1)
        return bli_partition_nodes(partition, team, threads, count, size, line);
    partition->threads = 1;
    partition->count = count;
    partition->nodes = NULL;
    return BL_OK;
}

/* Return the memory of a partition whose region has ended. */
static inline void bli_partition_free(const struct bli_partition *partition)
{
    if (partition->nodes)
        bli_thread_return(partition->nodes);
}

#endif
