/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Blocks and the pool that retains freed ones: which requests reuse them, how much is
 * retained, and that threads, forks and tensors that outlive their context are
 * safe.
 */
#include <broadloom.h>

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/tap.h"
#include "machine/machine.h"

#define MIB ((int64_t)1 << 20)
#define KIB ((int64_t)1 << 10)

static void *get(struct bli_pool *pool, int64_t bytes, bl_placement placement)
{
    const struct bli_placing placing = {.placement = placement};

    return bli_block_allocate(pool, (size_t)bytes, &placing);
}

static void put(struct bli_pool *pool, void *block, int64_t bytes,
                bl_placement placement)
{
    bli_block_free(pool, block, (size_t)bytes, &placement);
}

static const bl_placement touched = {BL_PLACEMENT_FIRST_TOUCH, 0};

/* ---- which requests reuse a freed block ---- */

static const struct {
    const char *what;
    int64_t freed_bytes;
    bl_placement freed;
    int64_t bytes;
    bl_placement wanted;
    bool is_reused;
} pairs[] = {
    {"the same size", 4 * MIB, {0, 0}, 4 * MIB, {0, 0}, true},
    {"as many huge pages", 7 * MIB, {0, 0}, 7 * MIB + 4096, {0, 0}, true},
    {"one huge page more", 4 * MIB, {0, 0}, 4 * MIB + 1, {0, 0}, false},
    {"one huge page less", 6 * MIB, {0, 0}, 4 * MIB, {0, 0}, false},
    {"a node that says nothing", 4 * MIB, {0, 0}, 4 * MIB, {0, 1}, true},
    {"interleaved for touched", 4 * MIB, {1, 0}, 4 * MIB, {0, 0}, false},
    {"touched for interleaved", 4 * MIB, {0, 0}, 4 * MIB, {1, 0}, false},
    {"interleaved again", 4 * MIB, {1, 0}, 4 * MIB, {1, 0}, true},
    {"a node's for touched", 4 * MIB, {2, 0}, 4 * MIB, {0, 0}, false},
    {"a node's again", 4 * MIB, {2, 1}, 4 * MIB, {2, 1}, true},
    {"another node's", 4 * MIB, {2, 1}, 4 * MIB, {2, 0}, false},
    {"a bound range again", 7 * MIB, {3, 0}, 7 * MIB, {3, 0}, true},
    {"a bound range of other bytes", 7 * MIB, {3, 0}, 7 * MIB + 4096, {3, 0}, false},
    {"about as many KiB", 500 * KIB, {0, 0}, 506 * KIB, {0, 0}, true},
    {"a fifth more", 500 * KIB, {0, 0}, 600 * KIB, {0, 0}, false},
    {"a fifth less", 500 * KIB, {0, 0}, 400 * KIB, {0, 0}, false},
    {"not a large one", 4 * MIB, {0, 0}, 4 * MIB - 8192, {0, 0}, false},
    {"one on small pages", 4 * MIB - 8192, {0, 0}, 4 * MIB, {0, 0}, false},
};

static void test_reuse(void)
{
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        struct bli_pool *const pool = bli_pool_create(64 * MIB);
        void *const first = get(pool, pairs[i].freed_bytes, pairs[i].freed);
        void *second;

        put(pool, first, pairs[i].freed_bytes, pairs[i].freed);
        second = get(pool, pairs[i].bytes, pairs[i].wanted);
        tap_ok(first && second && (second == first) == pairs[i].is_reused, "%s: %s",
               pairs[i].what, pairs[i].is_reused ? "taken again" : "a new block");
        put(pool, second, pairs[i].bytes, pairs[i].wanted);
        bli_pool_release(pool);
    }
}

/* ---- blocks ---- */

static void test_blocks(void)
{
    static const int64_t bytes[] = {4 * MIB, 4 * MIB + 1, 7 * MIB + 4097, 32 * MIB};

    for (size_t i = 0; i < sizeof bytes / sizeof bytes[0]; i++) {
        char *const block = get(NULL, bytes[i], touched);
        bool pass = block && (uintptr_t)block % BLI_HUGE_PAGE == 0;

        for (int64_t at = 0; pass && at < bytes[i]; at += 4096)
            pass = block[at] == 0;
        if (pass)
            memset(block, 1, (size_t)bytes[i]);
        tap_ok(pass, "a block of %" PRId64 " bytes, on a huge page, zero and writable",
               bytes[i]);
        if (block)
            put(NULL, block, bytes[i], touched);
    }
}

static void test_out_of_memory(void)
{
    struct bli_pool *const pool = bli_pool_create(64 * MIB);

    put(pool, get(pool, 4 * MIB, touched), 4 * MIB, touched);
    errno = 0;
    tap_ok(!get(pool, (int64_t)1 << 60, touched) && errno == 0, "%s",
           bl_error_message());
    tap_ok(bli_pool_trim(pool) == 0, "what was kept was given back to make room");
    bli_pool_release(pool);
}

/* ---- how much is retained ---- */

static void test_bounds(void)
{
    struct bli_pool *const pool = bli_pool_create(8 * MIB);
    enum { MANY = 300 };
    void *block[MANY];

    for (int i = 0; i < 3; i++)
        block[i] = get(pool, 4 * MIB, touched);
    for (int i = 0; i < 3; i++)
        put(pool, block[i], 4 * MIB, touched);
    tap_ok(get(pool, 4 * MIB, touched) == block[2] &&
               get(pool, 4 * MIB, touched) == block[1],
           "the youngest first");
    put(pool, block[1], 4 * MIB, touched);
    put(pool, block[2], 4 * MIB, touched);
    put(pool, get(pool, 6 * MIB, touched), 6 * MIB, touched);
    tap_ok(bli_pool_trim(pool) == 6 * MIB, "those of other sizes make place");
    for (int i = 1; i < 3; i++)
        block[i] = get(pool, 4 * MIB, touched);
    for (int i = 1; i < 3; i++)
        put(pool, block[i], 4 * MIB, touched);
    block[0] = get(pool, 6 * MIB, touched);
    tap_ok(get(pool, 4 * MIB, touched) == block[2] &&
               get(pool, 4 * MIB, touched) == block[1],
           "blocks that lay idle while others were mapped");
    put(pool, block[1], 4 * MIB, touched);
    put(pool, block[2], 4 * MIB, touched);
    bli_block_unmap(block[0], (size_t)(6 * MIB));
    tap_ok(bli_pool_trim(pool) == 8 * MIB, "not more than the limit, the oldest went");
    tap_ok(bli_pool_trim(pool) == 0, "trimmed: nothing is left");

    put(pool, get(pool, 10 * MIB, touched), 10 * MIB, touched);
    tap_ok(bli_pool_trim(pool) == 0, "a block beyond the limit is not kept");

    put(pool, get(pool, 8 * MIB, touched), 8 * MIB, touched);
    bli_pool_set_limit(pool, 7 * MIB);
    tap_ok(bli_pool_limit(pool) == 7 * MIB && bli_pool_trim(pool) == 0,
           "a lower limit gives back at once");

    bli_pool_set_limit(pool, 2 * MANY * 4 * MIB);
    for (int i = 0; i < MANY; i++)
        block[i] = get(pool, 4 * MIB, touched);
    for (int i = 0; i < MANY; i++)
        put(pool, block[i], 4 * MIB, touched);
    const int64_t kept = bli_pool_trim(pool);

    tap_ok(kept > 0 && kept < MANY * 4 * MIB, "%d blocks are too many to keep", MANY);
    bli_pool_release(pool);
}

static void test_null(void)
{
    bli_pool_release(NULL);
    tap_ok(!bli_pool_retain(NULL) && bli_pool_trim(NULL) == 0 &&
               bli_pool_limit(NULL) == 0,
           "no pool keeps nothing");
}

/* ---- threads and forks ---- */

enum { THREADS = 8, TURNS = 300 };

struct worker {
    pthread_t thread;
    struct bli_pool *pool;
    int32_t number;
    bool pass;
};

/* Allocate and free blocks that carry their owner's number at both ends while owned. */
static void *hammer(void *argument)
{
    struct worker *const worker = argument;

    for (int32_t i = 0; worker->pass && i < TURNS; i++) {
        const int64_t bytes = (4 + 2 * (i % 3)) * MIB;
        const bl_placement placement = {i % 2, 0};
        volatile int32_t *const block = get(worker->pool, bytes, placement);
        const int64_t last = bytes / (int64_t)sizeof *block - 1;

        if (!block) {
            worker->pass = false;
            break;
        }
        block[0] = block[last] = worker->number;
        if (i % 64 == worker->number)
            (void)bli_pool_trim(worker->pool);
        worker->pass = block[0] == worker->number && block[last] == worker->number;
        put(worker->pool, (void *)(uintptr_t)block, bytes, placement);
    }
    return NULL;
}

static bool child_works(struct bli_pool *pool)
{
    int status = -1;
    const pid_t child = fork();

    if (child == 0) {
        alarm(30); /* a lock that is never released */
        put(pool, get(pool, 4 * MIB, touched), 4 * MIB, touched);
        _exit(bli_pool_trim(pool) > 0 ? 0 : 1);
    }
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
           WEXITSTATUS(status) == 0;
}

static void test_threads(void)
{
    struct bli_pool *const pool = bli_pool_create(24 * MIB);
    struct worker worker[THREADS];
    bool pass = true, forks = true;

    for (int32_t i = 0; i < THREADS; i++) {
        worker[i] = (struct worker){.pool = pool, .number = i, .pass = true};
        pass = pthread_create(&worker[i].thread, NULL, hammer, &worker[i]) == 0 && pass;
    }
    for (int i = 0; i < 10; i++)
        forks = child_works(pool) && forks;
    for (int32_t i = 0; i < THREADS; i++)
        pass = pthread_join(worker[i].thread, NULL) == 0 && worker[i].pass && pass;
    tap_ok(pass, "%d threads on one pool", THREADS);
    tap_ok(forks, "children that were forked in the midst of it");
    tap_ok(bli_pool_trim(pool) <= 24 * MIB, "and not more kept than allowed");
    bli_pool_release(pool);
}

int main(void)
{
    tap_plan();
    test_blocks();
    test_reuse();
    test_bounds();
    test_null();
    test_out_of_memory();
    test_threads();
    return tap_done();
}
