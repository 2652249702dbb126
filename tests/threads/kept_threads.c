/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls on few threads between calls on many, or between the application's own regions:
 * the OpenMP runtime neither ends threads nor starts others.
 */
#include <dirent.h>
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <broadloom.h>

#include "harness/same.h"
#include "harness/tap.h"

enum {
    THREADS = 8,
    MANY = 1 << 22,
    FEW = 1 << 12,
    CALLS = 20,
    MOST_IDS = 256,
    MOST_WAITS = 1000
};

static float x[MANY], sum[MANY];

/* ---- the threads of this process ---- */

struct ids {
    int32_t count;
    long id[MOST_IDS];
};

static int compare_ids(const void *a, const void *b)
{
    const long x_id = *(const long *)a, y_id = *(const long *)b;

    return (x_id > y_id) - (x_id < y_id);
}

static void list_threads(struct ids *ids)
{
    DIR *const tasks = opendir("/proc/self/task");

    ids->count = 0;
    for (struct dirent *task; tasks && (task = readdir(tasks)) != NULL;)
        if (task->d_name[0] != '.' && ids->count < MOST_IDS)
            ids->id[ids->count++] = strtol(task->d_name, NULL, 10);
    if (tasks)
        (void)closedir(tasks);
    qsort(ids->id, (size_t)ids->count, sizeof ids->id[0], compare_ids);
}

static bool are_same_threads(const struct ids *before)
{
    struct ids now;

    list_threads(&now);
    return now.count == before->count &&
           memcmp(now.id, before->id, (size_t)now.count * sizeof now.id[0]) == 0;
}

/* ---- calls ---- */

struct seen {
    int32_t threads; /* that had parts */
    atomic_int slices;
    _Atomic int64_t iterations;
};

static void note(void *user, const bl_trace *trace)
{
    struct seen *const seen = user;

    if (trace->kind == BL_TRACE_REGION) {
        seen->threads = trace->thread;
        return;
    }
    atomic_fetch_add(&seen->slices, 1);
    atomic_fetch_add(&seen->iterations, trace->range_end - trace->range_begin);
}

/* Add arrays of `count` elements; the number of threads, or 0 if something is wrong. */
static int32_t add(bl_context *ctx, int64_t count)
{
    struct seen seen = {.threads = 0};
    const bl_array a = {x, BL_DTYPE_F32, 1, &count, NULL, 0};
    const bl_array out = {sum, BL_DTYPE_F32, 1, &count, NULL, 0};

    memset(sum, 0, (size_t)count * sizeof sum[0]);
    bl_context_set_tracer(ctx, note, &seen);
    must(bl_add_out(ctx, &out, &a, &a));
    for (int64_t i = 0; i < count; i++)
        if (sum[i] != 2 * x[i])
            return 0;
    return seen.slices == seen.threads && seen.iterations == count ? seen.threads : 0;
}

/* Elements that a call adds on several threads, but not on all. */
static int64_t count_for_few(bl_context *ctx)
{
    int64_t count = FEW;

    while (count < MANY && add(ctx, count) <= 1)
        count += count / 2;
    return count;
}

static bl_context *open_context(void)
{
    bl_context *ctx;

    omp_set_num_threads(THREADS);
    must(bl_context_create(&ctx));
    must(bl_context_set_threads(ctx, THREADS));
    return ctx;
}

/* ---- on a thread that has no team yet ---- */

static void *between_calls(void *unused)
{
    bl_context *const ctx = open_context();
    struct ids before;
    int32_t many = add(ctx, MANY), few = THREADS;
    const int64_t count = count_for_few(ctx);

    (void)unused;
    tap_ok(many == THREADS, "a large call has all threads");
    list_threads(&before);
    for (int i = 0; i < CALLS && many == THREADS; i++) {
        few = add(ctx, count);
        many = few > 1 && few < THREADS ? add(ctx, MANY) : 0;
    }
    tap_ok(many == THREADS, "small ones between have fewer, with all elements");
    tap_ok(are_same_threads(&before), "no thread ends or starts");
    bl_context_destroy(ctx);
    return NULL;
}

static void open_region(void)
{
    static _Alignas(64) atomic_int there;

#pragma omp parallel num_threads(THREADS)
    atomic_fetch_add(&there, 1);
}

static void *between_regions(void *unused)
{
    bl_context *const ctx = open_context();
    struct ids before;
    int64_t count;

    (void)unused;
    open_region();
    list_threads(&before);
    count = count_for_few(ctx);
    for (int i = 0; i < CALLS; i++) {
        (void)add(ctx, count);
        open_region();
    }
    tap_ok(are_same_threads(&before), "the application's regions keep their threads");
    bl_context_destroy(ctx);
    return NULL;
}

/* A context with fewer threads than the last team has parts for no more. */
static void *with_less(void *unused)
{
    bl_context *const ctx = open_context();
    int32_t threads = add(ctx, MANY);

    (void)unused;
    must(bl_context_set_threads(ctx, 2));
    threads = threads == THREADS ? add(ctx, MANY) : 0;
    tap_ok(threads == 2, "a context's limit holds after larger teams");
    bl_context_destroy(ctx);
    return NULL;
}

/*
 * Run it on a new thread, and wait for the end of its team, which comes after the
 * thread's own: a list of threads may not hold such as are about to end. Some runtimes
 * keep a team's threads for the next thread that needs some; then there is nothing to
 * wait for.
 */
static void on_thread(void *(*run)(void *))
{
    const struct timespec while_others_run = {.tv_nsec = 1000000};
    struct ids before;
    pthread_t thread;

    list_threads(&before);
    if (pthread_create(&thread, NULL, run, NULL) != 0)
        exit(1);
    (void)pthread_join(thread, NULL);
    for (int i = 0; i < MOST_WAITS && !are_same_threads(&before); i++)
        (void)nanosleep(&while_others_run, NULL);
}

int main(void)
{
    tap_plan();
    for (int64_t i = 0; i < MANY; i++)
        x[i] = (float)(i % 1000);
    on_thread(between_calls);
    on_thread(between_regions);
    on_thread(with_less);
    return tap_done();
}
