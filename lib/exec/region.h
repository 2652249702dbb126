/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One parallel region, for the files of exec that have decided how many threads it
 * gets.
 */
#ifndef BLI_REGION_H
#define BLI_REGION_H

#include "exec/exec.h"
#include "machine/machine.h"

/* Most threads of a team, and most nodes of a machine, that are distinguished. */
#define BLI_MAX_TEAM  4096
#define BLI_MAX_NODES 1024

/*
 * Return whether a result of `bytes` bytes is placed by node: it is large enough, and
 * this system has several nodes.
 */
bool bli_is_placed(const struct bli_machine *machine, int64_t bytes);

/* Return the number of nodes of a machine, at most BLI_MAX_NODES. */
int32_t bli_nodes(const struct bli_machine *machine);

/*
 * Return how many of `threads` an OpenMP team may have within the system's limits, at
 * least 1.  Call it just before the team is opened, on the thread that opens it.  Where
 * *is_taken becomes true, that thread holds a lock that makes others wait.  It has to
 * call bli_room_fill() inside the team, or bli_room_give() if there will be no team.
 */
int32_t bli_room_take(int32_t threads, bool *is_taken);
void bli_room_fill(int32_t threads, bool is_taken);
void bli_room_give(bool is_taken);

/*
 * Call body(argument, thread, range) for each thread's share of the ranges, on
 * `threads` threads (2 or more) or as many as are granted.  Returns the number of
 * threads.  Borders between shares lie on multiples of `line`.
 */
int32_t bli_exec_node_ranges(const struct bli_team *team, int32_t threads,
                             const struct bli_node_ranges *ranges, int64_t line,
                             bli_body *body, const void *argument);

/*
 * Find the node ranges of a bound plan on this machine: where the result's memory lies
 * already, else where the memory of the largest input that has pages lies, else in
 * proportion to the nodes' processors.
 */
void bli_node_ranges_find(struct bli_node_ranges *ranges, const struct bl_plan *plan,
                          const struct bli_binding *binding,
                          const struct bli_machine *machine);

#endif
