/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pool of freed blocks, kept with their pages for the next block of the same size and
 * placement.  A new page costs more than the arithmetic on it: the system zeroes it and
 * enters it in its page tables.
 */
#include "config.h"

#include "core/error.h"
#include "core/lock.h"
#include "machine/machine.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * Number of blocks that a pool keeps at most, however small: enough for a program that
 * frees many arrays and makes them again.  A request looks through them.
 */
#define KEPT 256

/* Default limit of a pool if the size of memory is unknown. */
#define COMMON_LIMIT (INT64_C(64) << 20)

struct kept {
    void *block;
    size_t bytes;
    bl_placement placement;
    bool is_offered; /* the system may reclaim its pages */
};

struct bli_pool {
    atomic_size_t references;
    _Atomic int64_t limit;
    int64_t bytes; /* this and what follows: under the lock */
    int32_t count;
    struct kept kept[KEPT]; /* oldest first */
};

/*
 * One lock serves all pools; it is held for a few memory accesses, never over a system
 * call.
 */
static void lock_pools(void)
{
    bli_lock(BLI_LOCK_POOLS);
}

static void unlock_pools(void)
{
    bli_unlock(BLI_LOCK_POOLS);
}

static int64_t default_limit;

static void find_limit(void)
{
    const int64_t pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    const int64_t allowed = bli_memory_limit("");

    default_limit = pages > 0 && page > 0 ? pages / 8 * page : COMMON_LIMIT;
    if (allowed > 0 && allowed / 8 < default_limit)
        default_limit = allowed / 8;
}

int64_t bli_pool_default_limit(void)
{
    bli_once(BLI_ONCE_POOL_LIMIT, find_limit);
    return default_limit;
}

struct bli_pool *bli_pool_create(int64_t limit)
{
    struct bli_pool *const pool = bli_allocate(&bli_default_allocator, sizeof *pool);

    if (!pool)
        return NULL;
    atomic_init(&pool->references, 1);
    atomic_init(&pool->limit, limit);
    pool->bytes = 0;
    pool->count = 0;
    return pool;
}

struct bli_pool *bli_pool_retain(struct bli_pool *pool)
{
    if (pool)
        atomic_fetch_add_explicit(&pool->references, 1, memory_order_relaxed);
    return pool;
}

void bli_pool_release(struct bli_pool *pool)
{
    if (!pool ||
        atomic_fetch_sub_explicit(&pool->references, 1, memory_order_acq_rel) != 1)
        return;
    (void)bli_pool_trim(pool);
    bli_release(&bli_default_allocator, pool, sizeof *pool);
}

/* Remove entry `i` and return it; the caller holds the lock. */
static struct kept take(struct bli_pool *pool, int32_t i)
{
    const struct kept taken = pool->kept[i];

    pool->bytes -= (int64_t)bli_block_room(taken.bytes);
    pool->count--;
    memmove(&pool->kept[i], &pool->kept[i + 1],
            (size_t)(pool->count - i) * sizeof pool->kept[0]);
    return taken;
}

/*
 * Unmap the oldest blocks, one at a time, until at most `limit` bytes are kept; returns
 * how many bytes were unmapped.
 */
static int64_t shrink(struct bli_pool *pool, int64_t limit)
{
    int64_t given_back = 0;

    for (;;) {
        struct kept oldest = {.block = NULL};

        lock_pools();
        if (pool->bytes > limit)
            oldest = take(pool, 0);
        unlock_pools();
        if (!oldest.block)
            return given_back;
        bli_block_unmap(oldest.block, oldest.bytes);
        given_back += (int64_t)bli_block_room(oldest.bytes);
    }
}

int64_t bli_pool_trim(struct bli_pool *pool)
{
    return pool ? shrink(pool, 0) : 0;
}

void bli_pool_set_limit(struct bli_pool *pool, int64_t limit)
{
    atomic_store_explicit(&pool->limit, limit, memory_order_relaxed);
    (void)shrink(pool, limit);
}

int64_t bli_pool_limit(struct bli_pool *pool)
{
    return pool ? atomic_load_explicit(&pool->limit, memory_order_relaxed) : 0;
}

/*
 * Whether a kept block can serve a request, large blocks large ones.  The pieces of
 * BIND_RANGE depend on the exact number of bytes; otherwise the room must match.
 */
static bool serves(const struct kept *kept, size_t bytes, const bl_placement *placement)
{
    if (kept->placement.kind != placement->kind ||
        (kept->bytes < BLI_LARGE_BYTES) != (bytes < BLI_LARGE_BYTES))
        return false;
    switch (placement->kind) {
    case BL_PLACEMENT_BIND_RANGE:
        return kept->bytes == bytes;
    case BL_PLACEMENT_NODE:
        if (kept->placement.node != placement->node)
            return false;
        break;
    default:
        break;
    }
    return bli_block_room(kept->bytes) == bli_block_room(bytes);
}

/*
 * Take the most recently freed block that serves, whose pages are the most likely to be
 * in a cache; NULL if none does.
 */
static void *take_kept(struct bli_pool *pool, size_t bytes,
                       const bl_placement *placement)
{
    void *block = NULL;

    if (!pool)
        return NULL;
    lock_pools();
    for (int32_t i = pool->count - 1; i >= 0 && !block; i--)
        if (serves(&pool->kept[i], bytes, placement))
            block = take(pool, i).block;
    unlock_pools();
    return block;
}

/* Add a block as the newest, and unmap the oldest ones beyond the pool's limits. */
static void put(struct bli_pool *pool, const struct kept *block)
{
    struct kept oldest = {.block = NULL};
    int64_t limit;
    bool exceeds;

    lock_pools();
    if (pool->count == KEPT)
        oldest = take(pool, 0);
    pool->kept[pool->count++] = *block;
    pool->bytes += (int64_t)bli_block_room(block->bytes);
    limit = bli_pool_limit(pool);
    exceeds = pool->bytes > limit;
    unlock_pools();
    if (oldest.block)
        bli_block_unmap(oldest.block, oldest.bytes);
    if (exceeds)
        (void)shrink(pool, limit);
}

/*
 * Remove and return the oldest large block that has not been offered to the system; its
 * `block` is NULL if there is none.  Small pages take the system too long.
 */
static struct kept take_withheld(struct bli_pool *pool)
{
    struct kept taken = {.block = NULL};
    int32_t i = 0;

    lock_pools();
    while (i < pool->count &&
           (pool->kept[i].is_offered || pool->kept[i].bytes < BLI_LARGE_BYTES))
        i++;
    if (i < pool->count)
        taken = take(pool, i);
    unlock_pools();
    return taken;
}

/*
 * Let the system reclaim the pages of idle blocks when it runs out of memory
 * (MADV_FREE).  Done only when other large blocks are mapped, so never for blocks that
 * are reused steadily: it interrupts the processors of other threads, and the page
 * table entries must be marked again (256 MiB in 14 ms with small pages, in 0.05 ms
 * with huge ones; an add of 4 MiB on two processors took 137 us with it at each call,
 * 93 us without).
 */
static void offer_idle(struct bli_pool *pool)
{
    for (int32_t i = 0; pool && i < KEPT; i++) {
        struct kept idle = take_withheld(pool);

        if (!idle.block)
            break;
        bli_block_offer(idle.block, idle.bytes);
        idle.is_offered = true;
        put(pool, &idle);
    }
}

void *bli_block_allocate(struct bli_pool *pool, size_t bytes,
                         const struct bli_placing *placing)
{
    void *block = take_kept(pool, bytes, &placing->placement);

    if (block)
        return block;
    if (bytes >= BLI_LARGE_BYTES)
        offer_idle(pool);
    block = bli_block_map(bytes, placing);
    /* Blocks kept for other sizes may hold the memory that is missing. */
    if (!block && bli_pool_trim(pool) > 0)
        block = bli_block_map(bytes, placing);
    if (!block)
        (void)bli_error_memory(bytes);
    return block;
}

void bli_block_free(struct bli_pool *pool, void *block, size_t bytes,
                    const bl_placement *placement)
{
    const struct kept freed = {block, bytes, *placement, false};

    if ((int64_t)bli_block_room(bytes) > bli_pool_limit(pool))
        bli_block_unmap(block, bytes);
    else
        put(pool, &freed);
}
