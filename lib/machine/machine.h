/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The machine: nodes, processors, what this process may use of them, where pages lie,
 * and memory by the page.  The only folder that includes <hwloc.h>; knows no shapes or
 * plans.
 */
#ifndef BLI_MACHINE_H
#define BLI_MACHINE_H

#include "core/core.h"

/* ---- machine.c: what hwloc tells, once ---- */

struct bli_node {
    int32_t os_index;
    int32_t processors; /* that this process may use; 0: memory only */
    int64_t bytes;      /* of memory; 0 if unknown */
};

/* A snapshot of the machine, immutable once made. */
struct bli_machine {
    const char *source;  /* "machine", "description" or "none" */
    bool is_this_system; /* binding and placing have an effect */
    int32_t nodes;       /* at least 1 */
    int32_t processors;  /* that this process may use; at least 1 */
    const struct bli_node *node;
    const int32_t *distance; /* nodes * nodes, row by row; NULL if unknown */
    int32_t numbers;         /* processors are numbered below this by the system */
    const int32_t *node_of;  /* by that number; -1: unknown */
    const bool *usable;      /* by that number: this process may use it */
    int64_t cache_bytes[3];
    int32_t core_kinds;
};

/*
 * The machine, looked at on the first call (milliseconds; no binding is changed). Never
 * NULL: without hwloc's data it is one node.  Thread-safe.
 */
const struct bli_machine *bli_machine(void);

/*
 * Make the machine from an application's topology, a loaded hwloc_topology_t that is
 * not kept.  BL_ERR_UNSUPPORTED where the machine has been looked at already.
 */
bl_status bli_machine_use(const void *hwloc_topology);

/*
 * Index of the node that the calling thread runs on now; a processor without a node
 * counts to the nearest by number.  -1 where the machine is a description.  Tens of
 * nanoseconds.
 */
int32_t bli_machine_here(const struct bli_machine *machine);

/*
 * Run the calling thread on a node's processors, for as long as `*saved` is not
 * restored.
 */
#define BLI_MASK_BYTES 1024
struct bli_mask {
    size_t bytes; /* 0: nothing to restore */
    unsigned char bits[BLI_MASK_BYTES];
};
void bli_bind_to_node(const struct bli_machine *machine, int32_t node,
                      struct bli_mask *saved);
void bli_bind_restore(const struct bli_mask *saved);

/* ---- touch.c: pages that the calling thread touches first ---- */

struct bli_page_policy {
    bool is_saved; /* false: nothing to restore */
    int mode;      /* of the policy before, which names no nodes */
};

/*
 * Let new pages of the calling thread come to lie on `node`, until *saved, which is all
 * zero at first, is restored.  Where the system cannot, pages go where the thread runs;
 * where its policy names nodes already, they go there.
 */
void bli_page_policy_prefer(const struct bli_machine *machine, int32_t node,
                            struct bli_page_policy *saved);
void bli_page_policy_restore(struct bli_page_policy *saved);

/* ---- mask.c: where this process may run ---- */

/* Processors in OpenMP's places, else in the calling thread's mask; at least 1. */
int32_t bli_mask_processors(void);

/* ---- system.c: what the Linux kernel says of this process ---- */

/* Whether the process was forked by another and has not been replaced by exec since. */
bool bli_process_is_forked(void);

/* ---- quota.c: what the control group allows ---- */

/*
 * Processors that the control group's quota is worth, rounded up; 0 where there is
 * none. Reads files below `root` ("" is the machine): cgroup v2's cpu.max of the
 * process's group and all above it, the least counts; cpu.cfs_quota_us of v1.  No
 * allocation.
 */
int32_t bli_quota(const char *root);

/* The same, read once for the process and kept. */
int32_t bli_quota_here(void);

/* Bytes of memory that it allows: memory.max, memory.limit_in_bytes; 0: no limit. */
int64_t bli_memory_limit(const char *root);

/* Tasks that it still takes, by pids.max and pids.current; INT64_MAX: any number. */
int64_t bli_tasks_left(const char *root);

/* ---- limits.c: whether there can be more threads ---- */

/*
 * Whether so many more threads, with the stacks that OpenMP's workers have, are far
 * from every limit that this process has: RLIMIT_AS, RLIMIT_DATA, RLIMIT_NPROC and the
 * control group's on tasks.  Files are read below `root`, limits are this process's.
 */
bool bli_threads_fit(const char *root, int32_t threads);

/*
 * How many of so many threads the system grants at the same time, and memory to an
 * OpenMP runtime for a team of them: by starting them, which have ended on return.
 */
int32_t bli_threads_try(int32_t threads);

/* Threads of this process; 0: unknown. */
int32_t bli_tasks_here(void);

/* Bytes that OMP_STACKSIZE means: a number of kilobytes, or with B, K, M or G behind; 0
 * where it is none. */
size_t bli_stack_size(const char *text);

/* ---- pages.c: where pages lie ---- */

/*
 * Node index of each address, -1 where no page is; false where the system does not
 * tell.
 */
bool bli_page_nodes(const struct bli_machine *machine, int64_t count,
                    const void *const *address, int32_t *node);

/* ---- block.c, pool.c: large blocks of memory ---- */

/*
 * From here on memory is mapped by the page, on huge ones.  Measured on one core of
 * two, an add into a new result against the same into an existing one: glibc 2.36
 * takes 1.0 to 1.1 times as long for up to 16 MiB and 3 to 8 times for 32 MiB and more,
 * which it maps anew each time; pooled blocks 0.98 to 1.03 times from 4 MiB to 256 MiB.
 */
#define BLI_LARGE_BYTES (4 << 20)
#define BLI_HUGE_PAGE   (2 << 20)

/*
 * How a block is placed.  BL_PLACEMENT_BIND_RANGE has pieces, each from its offset in
 * bytes to that of the next one: the same for every block of as many bytes.
 */
struct bli_piece {
    int64_t begin;
    int32_t node;
};
struct bli_placing {
    bl_placement placement;
    int32_t pieces;
    const struct bli_piece *piece; /* borrowed for the call */
};

/* Bytes of address space that a block takes: whole huge pages. */
size_t bli_block_room(size_t bytes);

/*
 * Map a block, aligned to a huge page, untouched, and tell the system where its pages
 * belong, which is a wish.  NULL where there is no memory.
 */
void *bli_block_map(size_t bytes, const struct bli_placing *placing);
void bli_block_unmap(void *block, size_t bytes);

/* A pool of freed blocks, shared by contexts and tensors that hold a reference. */
struct bli_pool;
struct bli_pool *
bli_pool_create(int64_t limit); /* bytes kept at most; NULL: no memory */
struct bli_pool *bli_pool_retain(struct bli_pool *pool);
void bli_pool_release(struct bli_pool *pool);
void bli_pool_set_limit(struct bli_pool *pool, int64_t limit);
int64_t bli_pool_limit(struct bli_pool *pool);

/*
 * Bytes that a pool keeps where nobody says otherwise: a share of the machine's memory
 * or of what the control group allows, whichever is less.
 */
int64_t bli_pool_default_limit(void);

/* Give every kept block back to the system; bytes that were kept. */
int64_t bli_pool_trim(struct bli_pool *pool);

/*
 * A block of `bytes` (at least BLI_LARGE_BYTES), aligned to a huge page and placed:
 * from the pool where one of that size and placement is kept, else mapped and
 * untouched.  NULL where there is no memory; sets the error text.  Thread-safe; the
 * pool may be NULL.
 */
void *bli_block_allocate(struct bli_pool *pool, size_t bytes,
                         const struct bli_placing *placing);

/* Keep a block for the next one of its size and placement, or unmap it. */
void bli_block_free(struct bli_pool *pool, void *block, size_t bytes,
                    const bl_placement *placement);

#endif
