/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Decides whether a call of little work opens a parallel region.  What a region costs
 * depends on the runtime, the number of threads and the way between their processors,
 * so it is measured, once for a number of threads: with libgomp two threads take 0.8 us
 * where processors share a cache, and 3.0 us where a line goes to the other one and
 * back in 0.6 us (Zen 5); 16 threads 3.3 us (Emerald Rapids); threads that sleep in
 * between 10 us and more.
 */
#include "exec/bind/bind.h"
#include "exec/trace.h"
#include "plan/cost.h"

#include <stdatomic.h>

/* Regions that are timed, of which the shortest counts; fewer, after so much time. */
#define ROUNDS       10
#define LEAST_ROUNDS 4
#define ENOUGH_NS    200000

/* What a region costs at most: a disturbed measurement must not end all regions. */
#define MOST_NS 20000

/* Regions of more threads count as of so many. */
#define MOST_THREADS 64

/*
 * Fifths of what threads save that a region may cost; in integers, which raise no
 * exceptions.  Two processors, a region of 3.0 us: one thread takes .68 of the time for
 * add of f32[65536], of 2 grains, .35 for exp of f32[8000], 2, .57 for exp of
 * f32[16000], 5, and 1.5 for add of f32[98304], 6.
 */
#define FIFTHS 4

static _Atomic int32_t known[MOST_THREADS + 1]; /* nanoseconds; 0: not measured */

static void do_nothing(const void *argument, int32_t thread, bl_range range)
{
    (void)argument, (void)thread, (void)range;
}

/* Open a region without work: its nanoseconds. */
static int64_t time_region(const struct bli_team *team, int32_t threads)
{
    const int64_t start = bli_clock_ns();
    struct bli_partition partition;

    if (bli_partition_evenly(&partition, team, threads, threads, 1, 1) != BL_OK)
        return MOST_NS;
    (void)bli_exec_team(&partition, team, do_nothing, NULL);
    bli_partition_free(&partition);
    return bli_clock_ns() - start;
}

/* The shortest of several regions, once the first has started the threads. */
static int32_t measure(const struct bli_team *team, int32_t threads)
{
    int64_t all = 0, least = MOST_NS;

    (void)time_region(team, threads);
    for (int32_t k = 0; k < ROUNDS && (k < LEAST_ROUNDS || all < ENOUGH_NS); k++) {
        const int64_t ns = time_region(team, threads);

        all += ns;
        least = ns < least ? ns : least;
    }
    return 1 + (int32_t)least;
}

/* Nanoseconds of a region in which so many threads have parts. */
static int32_t region_ns(const struct bli_team *team, int32_t threads)
{
    if (team->region_ns > 0)
        return team->region_ns;

    const int32_t all = bli_region_threads(team, threads);
    _Atomic int32_t *const place = &known[all < MOST_THREADS ? all : MOST_THREADS];
    int32_t ns = atomic_load_explicit(place, memory_order_relaxed);

    if (ns == 0) {
        ns = measure(team, threads);
        atomic_store_explicit(place, ns, memory_order_relaxed);
    }
    return ns;
}

int32_t bli_team_size_for(const struct bli_team *team, int32_t wanted, int32_t grains)
{
    const int32_t threads = bli_team_size(team, wanted, NULL);
    /* What the other threads take over, and what of that a region may cost. */
    const int64_t saved = (int64_t)BLI_GRAIN_NS * grains * (threads - 1) / threads;
    const int64_t most = saved / 5 * FIFTHS;

    /* What the program's own loop costs, it knows itself. */
    if (threads == 1 || team->run || most >= MOST_NS ||
        most >= region_ns(team, threads))
        return threads;
    return 1;
}
