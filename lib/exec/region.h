/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One parallel region, for the parts of exec that have settled how many threads it
 * gets.
 */
#ifndef BLI_REGION_H
#define BLI_REGION_H

#include "exec/exec.h"
#include "machine/machine.h"

/* Threads of a team and nodes of a machine that are told apart. */
#define BLI_MAX_TEAM  4096
#define BLI_MAX_NODES 1024

/* Whether a result of that size has nodes to lie on that are worth minding. */
bool bli_is_placed(const struct bli_machine *machine, int64_t bytes);

/* Nodes of a machine that are told apart. */
int32_t bli_nodes(const struct bli_machine *machine);

/*
 * How many of `threads` a team of OpenMP's may have by the system's limits, at least 1;
 * called when it is about to be opened, by the thread that does.  Where *is_taken
 * becomes true, others wait until it is there or will not be: fill or give.
 */
int32_t bli_room_take(int32_t threads, bool *is_taken);
void bli_room_fill(int32_t threads, bool is_taken); /* by the same thread, in it */
void bli_room_give(bool is_taken);

/*
 * Call body(argument, thread, range) for each thread's share of the ranges, on
 * `threads` threads (2 or more) or as many as are granted, which it returns.  Borders
 * lie on multiples of `line`.
 */
int32_t bli_exec_node_ranges(const struct bli_team *team, int32_t threads,
                             const struct bli_node_ranges *ranges, int64_t line,
                             bli_body *body, const void *argument);

/*
 * The node ranges of a bound plan on this machine: where the result's memory lies
 * already, else where the largest operand's does, else in proportion to the nodes'
 * processors.
 */
void bli_node_ranges_find(struct bli_node_ranges *ranges, const struct bl_plan *plan,
                          const struct bli_binding *binding,
                          const struct bli_machine *machine);

#endif
