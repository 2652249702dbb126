/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The machine: nodes, processors, which of them this process may use, where pages lie,
 * and memory by the page.  The only folder that includes <hwloc.h>; knows no shapes or
 * plans.
 */
#ifndef BLI_MACHINE_H
#define BLI_MACHINE_H

#include "core/core.h"

/* ---- machine.c: hwloc's data, read once ---- */

struct bli_node {
    int32_t os_index;
    int32_t processors; /* usable by this process; 0: memory only */
    int64_t bytes;      /* of memory; 0 if unknown */
};

/* A snapshot of the machine, immutable once made. */
struct bli_machine {
    const char *source;  /* "machine", "description" or "none" */
    bool is_this_system; /* binding and placement have an effect */
    int32_t nodes;       /* at least 1 */
    int32_t processors;  /* usable by this process; at least 1 */
    const struct bli_node *node;
    const int32_t *weight;    /* of each node: its processors */
    const int32_t *distance;  /* nodes * nodes, row by row; NULL if unknown */
    int32_t numbers;          /* one more than the highest processor number */
    const int32_t *node_of;   /* by processor number; -1: unknown */
    const bool *usable;       /* by processor number: usable by this process */
    int64_t cache_bytes[3];   /* of one cache of each level; 0: unknown */
    int32_t last_caches;      /* last-level caches of usable processors; 0: unknown */
    int64_t last_cache_bytes; /* that count of these together: see caches.c */
    int32_t core_kinds;
};

/*
 * The machine, discovered on the first call (milliseconds; no binding is changed).
 * Never NULL: without hwloc's data it has one node.  Thread-safe.
 */
const struct bli_machine *bli_machine(void);

/*
 * Bytes of last-level caches that so many threads fill, each of them one cache at most;
 * 0: unknown.
 */
int64_t bli_machine_cache(int32_t threads);

/*
 * Make the machine from an application's topology, a loaded hwloc_topology_t that is
 * only borrowed.  BL_ERR_UNSUPPORTED if the machine has been discovered already,
 * BL_ERR_ARGUMENT if the topology is not loaded or of another hwloc, BL_ERR_MEMORY.
 */
bl_status bli_machine_use(const void *hwloc_topology);

/*
 * Index of the node that the calling thread runs on now; a processor without a node
 * counts as the nearest by number.  -1 if the machine is a description.  Tens of
 * nanoseconds.
 */
int32_t bli_machine_here(const struct bli_machine *machine);

/* Bind the calling thread to a node's processors until `*saved` is restored. */
#define BLI_MASK_BYTES 1024
struct bli_mask {
    size_t bytes; /* 0: nothing to restore */
    unsigned char bits[BLI_MASK_BYTES];
};
void bli_bind_to_node(const struct bli_machine *machine, int32_t node,
                      struct bli_mask *saved);
void bli_bind_restore(const struct bli_mask *saved);

/* ---- page_policy.c: placement of pages on first touch ---- */

struct bli_page_policy {
    bool is_saved; /* false: nothing to restore */
    int mode;      /* of the previous policy, which names no nodes */
};

/*
 * Prefer `node` for pages that the calling thread touches first, until *saved, which
 * must be all zero at first, is restored.  Where the system cannot, pages go where the
 * thread runs; where the thread's policy names nodes already, that policy stays.
 */
void bli_page_policy_prefer(const struct bli_machine *machine, int32_t node,
                            struct bli_page_policy *saved);
void bli_page_policy_restore(struct bli_page_policy *saved);

/* ---- mask.c: where this process may run ---- */

/* Processors in OpenMP's places, else in the calling thread's mask; at least 1. */
int32_t bli_mask_processors(void);

/* ---- system.c: this process as the Linux kernel reports it ---- */

/* Whether the process was created by fork() and has not called exec since. */
bool bli_process_is_forked(void);

/* ---- quota.c: limits of the control group ---- */

/*
 * Processors that the control group's quota amounts to, rounded up; 0 if there is no
 * quota.  Reads files below `root` ("" is the machine): cgroup v2's cpu.max of the
 * process's group and all above it, of which the least counts; cpu.cfs_quota_us of v1.
 * No allocation.
 */
int32_t bli_quota(const char *root);

/* bli_quota("") as it was at the first call in the process. */
int32_t bli_quota_here(void);

/*
 * Bytes of memory that the control group allows, by memory.max or
 * memory.limit_in_bytes; 0 if there is no limit.
 */
int64_t bli_memory_limit(const char *root);

/*
 * Tasks that the control group still allows, by pids.max and pids.current; INT64_MAX if
 * there is no limit.
 */
int64_t bli_tasks_left(const char *root);

/* ---- limits.c: room for more threads ---- */

/*
 * Whether `threads` more threads, with the stacks that OpenMP's workers have, are far
 * from every limit that this process has: RLIMIT_AS, RLIMIT_DATA, RLIMIT_NPROC and the
 * control group's limit on tasks.  Files are read below `root`; limits are this
 * process's.
 */
bool bli_threads_fit(const char *root, int32_t threads);

/*
 * How many of `threads` threads the system grants at the same time, together with
 * memory for an OpenMP team of them.  Finds out by starting them; they have ended on
 * return.
 */
int32_t bli_threads_try(int32_t threads);

/* Number of threads of this process; 0 if unknown. */
int32_t bli_tasks_here(void);

/*
 * Parse OMP_STACKSIZE: a number of kilobytes, or with the suffix B, K, M or G; returns
 * bytes, 0 if it is malformed.
 */
size_t bli_stack_size(const char *text);

/* ---- page_nodes.c: where pages lie ---- */

/*
 * Find the node index of each address's page, -1 if it has none; false if the system
 * does not report it.
 */
bool bli_page_nodes(const struct bli_machine *machine, int64_t count,
                    const void *const *address, int32_t *node);

/* ---- mapping.c, pool.c: blocks of memory ---- */

/*
 * From this size on memory is mapped on huge pages, and placed.  Measured on one core
 * of two, an add into a new result against the same into an existing one: glibc 2.36
 * takes 1.0 to 1.1 times as long for up to 16 MiB and 3 to 8 times for 32 MiB and more,
 * which it maps again for each result; pooled blocks 0.98 to 1.03 times from 4 MiB to
 * 256 MiB.
 */
#define BLI_LARGE_BYTES (4 << 20)
#define BLI_HUGE_PAGE   (2 << 20)

/*
 * Smaller blocks, on small pages, are pooled from this size on: glibc gives memory at
 * the end of its heap back to the system when a result and a workspace are released,
 * and with each call their pages are new.  Softmax of f32[256,256] with two threads
 * takes 0.19 of the time, of f64[256,256] with one thread 0.29 (Zen 3).  Under
 * AddressSanitizer they are left to its allocator, which looks behind them.
 */
#if defined(__SANITIZE_ADDRESS__)
#define BLI_POOLED_BYTES BLI_LARGE_BYTES
#else
#define BLI_POOLED_BYTES (64 << 10)
#endif

/*
 * How a block is placed.  BL_PLACEMENT_BIND_RANGE has pieces, each from its offset in
 * bytes to that of the next one; they are the same for all blocks of the same number of
 * bytes.
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

/*
 * Bytes of address space that a block occupies: whole huge pages, or for one that is
 * not large up to a fifth more than its bytes and a page.
 */
size_t bli_block_room(size_t bytes);

/*
 * Map a block, untouched: a large one aligned to a huge page, with a preferred
 * placement of its pages that the system need not honour; another one aligned to
 * BLI_ALIGNMENT, somewhere in a page.  NULL if out of memory.
 */
void *bli_block_map(size_t bytes, const struct bli_placing *placing);
void bli_block_unmap(void *block, size_t bytes);

/* Let the system reclaim a block's pages (MADV_FREE) until they are written again. */
void bli_block_offer(void *block, size_t bytes);

/* A pool of freed blocks, shared by the contexts and tensors that hold a reference. */
struct bli_pool;
struct bli_pool *
bli_pool_create(int64_t limit); /* bytes kept at most; NULL: no memory */
struct bli_pool *bli_pool_retain(struct bli_pool *pool);
void bli_pool_release(struct bli_pool *pool);
void bli_pool_set_limit(struct bli_pool *pool, int64_t limit);
int64_t bli_pool_limit(struct bli_pool *pool);

/*
 * Default limit of a pool in bytes: a share of the machine's memory or of what the
 * control group allows, whichever is less.
 */
int64_t bli_pool_default_limit(void);

/* Unmap all blocks in the pool; returns how many bytes they had. */
int64_t bli_pool_trim(struct bli_pool *pool);

/*
 * Allocate a block of `bytes` (at least BLI_POOLED_BYTES), from the pool if it has one
 * of that size and placement, else mapped and untouched.  NULL if out of memory, with
 * the error text set.  Thread-safe; the pool may be NULL.
 */
void *bli_block_allocate(struct bli_pool *pool, size_t bytes,
                         const struct bli_placing *placing);

/*
 * Free a block: keep it in the pool for the next one of its size and placement, or
 * unmap it if the pool's limit is smaller than the block.
 */
void bli_block_free(struct bli_pool *pool, void *block, size_t bytes,
                    const bl_placement *placement);

#endif
