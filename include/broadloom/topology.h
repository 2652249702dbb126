/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The machine as Broadloom sees it, the NUMA nodes of pages, and the partition of a
 * plan.  For programs that place memory themselves, and for tools.
 */
#ifndef BROADLOOM_TOPOLOGY_H
#define BROADLOOM_TOPOLOGY_H

#include <broadloom/plan.h>

/* A NUMA node; nodes are numbered from 0 in the order of the machine. */
typedef struct bl_node_info {
    size_t size;        /* set by the caller to sizeof(bl_node_info); see base.h */
    int32_t os_index;   /* the operating system's number */
    int32_t processors; /* that this process may use; 0: memory only */
    int64_t bytes;      /* of memory, 0 if unknown */
} bl_node_info;

/* What limited the size of a team. */
typedef enum bl_team_limit {
    BL_TEAM_LIMIT_OPENMP = 0,  /* OMP_NUM_THREADS, omp_set_num_threads */
    BL_TEAM_LIMIT_MASK = 1,    /* processors in the affinity mask, or in OMP_PLACES */
    BL_TEAM_LIMIT_QUOTA = 2,   /* the control group's processor time */
    BL_TEAM_LIMIT_CONTEXT = 3, /* bl_context_set_threads, BROADLOOM_NUM_THREADS */
    BL_TEAM_LIMIT_REGION = 4,  /* the call is made inside an active parallel region */
    BL_TEAM_LIMIT_FORK = 5,    /* the process is a forked child */
    BL_TEAM_LIMIT_SYSTEM = 6   /* RLIMIT_AS, RLIMIT_NPROC, pids.max: no more threads */
} bl_team_limit;

/* The machine, and the team that a call with much work would get now. */
typedef struct bl_topology_info {
    size_t size;        /* set by the caller to sizeof(bl_topology_info); see base.h */
    const char *source; /* "machine", "description" (HWLOC_SYNTHETIC, ...), "none" */
    int32_t nodes;      /* memory-only ones included; at least 1 */
    int32_t processors; /* that this process may use */
    int64_t cache_bytes[3]; /* of one cache of levels 1 (data), 2 and 3; 0 if unknown */
    int32_t core_kinds;     /* kinds of core that differ in speed; 1 if all are alike */
    int32_t team;           /* threads that a call with much work would use */
    int32_t limit;          /* a bl_team_limit: why there are not more */
    int32_t mask;           /* processors in the mask or the places */
    int32_t quota; /* processors that the quota amounts to, rounded up; 0: no quota */
    const char *limit_text; /* "control group quota": a static string */
} bl_topology_info;

/* A part of a plan: the iterations of the nest that one thread of a node executes. */
typedef struct bl_slice {
    int32_t node;
    int32_t thread;
    bl_range range;
} bl_slice;

BL_BEGIN_DECLS

/*
 * Describe the machine and the team of `ctx`, as seen by the calling thread.  The
 * machine is discovered once in a process, on first need, in milliseconds; no binding
 * changes.
 */
BL_API BL_MUST_CHECK bl_status bl_topology_query(bl_context *ctx,
                                                 bl_topology_info *info);

/* Describe a node.  BL_ERR_ARGUMENT for a number that no node has. */
BL_API BL_MUST_CHECK bl_status bl_node_query(int32_t node, bl_node_info *info);

/*
 * Relative distance of two nodes by the firmware (10 is a node itself); 0 if unknown.
 */
BL_API int32_t bl_topology_distance(int32_t from, int32_t to);

/* The node of a processor, given by the operating system's number; -1 if unknown. */
BL_API int32_t bl_processor_node(int32_t processor);

/* Whether this process may use that processor; false if unknown. */
BL_API bool bl_processor_is_usable(int32_t processor);

/*
 * Import the program's hwloc topology instead of loading one: a hwloc_topology_t that
 * is loaded; it is read during this call and not kept.  BL_ERR_UNSUPPORTED once the
 * library has discovered the machine.
 */
BL_API BL_MUST_CHECK bl_status bl_topology_import_hwloc(const void *hwloc_topology);

/*
 * The NUMA node of the page of each of `count` addresses; -1 where there is no page
 * yet.  BL_ERR_UNSUPPORTED where the operating system has no such call, and where the
 * topology is not this machine's but that of a description (HWLOC_SYNTHETIC).
 */
BL_API BL_MUST_CHECK bl_status bl_memory_page_nodes(int64_t count,
                                                    const void *const *address,
                                                    int32_t *node);

/*
 * The slices that a plan is partitioned into for a team of `threads` on this machine,
 * with threads assigned to nodes in proportion to the nodes' processors: ordered by
 * node, then thread.  A thread has one slice or more.  Writes at most `capacity`
 * slices, and the number that there are to `*count`.  BL_ERR_ARGUMENT for more than
 * 4096 threads.
 */
BL_API BL_MUST_CHECK bl_status bl_plan_partition(const bl_plan *plan, int32_t threads,
                                                 int32_t capacity, bl_slice *slice,
                                                 int32_t *count);

BL_END_DECLS

#endif
