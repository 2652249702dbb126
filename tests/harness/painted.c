/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Measures stack use by painting stacks, and runs calls in threads with small stacks.
 */
#include "painted.h"
#include "sanitizer.h"

#include <omp.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAINT    UINT64_C(0x5a5aa5a55aa5a55a)
#define PAINTED  (256 << 10) /* bytes that are painted, below a frame */
#define OF_FRAME 256 /* bytes below a frame's address that belong to the frame */
#define TEAM     4   /* threads, if the environment does not say */
#define STACK    (PAINTED + (256 << 10))

/* Frames are larger with a sanitizer, and without optimisation. */
#if defined(__OPTIMIZE__)
#define IS_MEASURABLE (!IS_SANITIZED)
#else
#define IS_MEASURABLE false
#endif

static bool is_small; /* calls are made without measuring */
static bool is_teams_only;
static bool has_team;
static int team_threads = 1;

static struct {
    const char *name;
    char text[160];  /* of the current call */
    char worst[160]; /* on the calling thread */
    char worst_worker[160];
    size_t most;
    size_t most_worker;
    int64_t calls;
} group;

/* ---- one thread's stack ---- */

/* The lowest painted byte, the end of the paint, the lowest byte used. */
static _Thread_local uintptr_t paint_begin, paint_end, paint_used;

static __attribute__((noinline)) void paint(void)
{
    const uintptr_t here = (uintptr_t)__builtin_frame_address(0);

    paint_end = (here - OF_FRAME) & ~(uintptr_t)7;
    if (paint_begin == 0)
        paint_begin = paint_used = paint_end - PAINTED;
    /* What runs between calls may have used more than the last call. */
    if (paint_used > paint_end - PAINTED / 4)
        paint_used = paint_end - PAINTED / 4;
    for (uintptr_t at = paint_end; at > paint_used; at -= 8)
        *(volatile uint64_t *)(at - 8) = PAINT;
}

static __attribute__((noinline)) size_t used(void)
{
    uintptr_t at = paint_begin;

    while (at < paint_end && *(volatile uint64_t *)at == PAINT)
        at += 8;
    paint_used = at;
    return paint_end - at + OF_FRAME;
}

/* ---- a call ---- */

static void note_worst(size_t bytes, size_t *most, char *worst)
{
    if (bytes <= *most)
        return;
    *most = bytes;
    snprintf(worst, sizeof group.worst, "%s", group.text);
}

static void paint_team(void)
{
#pragma omp parallel num_threads(team_threads)
    paint();
}

static void look_at_team(void)
{
#pragma omp parallel num_threads(team_threads)
    {
        const size_t bytes = used();

#pragma omp critical
        if (omp_get_thread_num() != 0)
            note_worst(bytes, &group.most_worker, group.worst_worker);
    }
}

bl_status painted_call(bl_status (*call)(void), const char *text, ...)
{
    va_list arguments;
    bl_status status;
    size_t bytes;

    va_start(arguments, text);
    vsnprintf(group.text, sizeof group.text, text, arguments);
    va_end(arguments);
    group.calls++;
    if (is_small)
        return call();
    if (has_team)
        paint_team();
    paint();
    status = call();
    bytes = used();
    note_worst(bytes, &group.most, group.worst);
    if (has_team)
        look_at_team();
    return status;
}

void painted_begin(const char *name)
{
    memset(&group, 0, sizeof group);
    group.name = name;
}

void painted_end(void)
{
    painted_end_within(PAINTED_MOST);
}

void painted_end_within(size_t most)
{
    if (is_small) {
        tap_ok(group.calls > 0, "%s: %lld calls", group.name, (long long)group.calls);
        return;
    }
    tap_note("%s: %zu bytes: %s", group.name, group.most, group.worst);
    if (has_team)
        tap_note("%s: %zu bytes on a worker: %s", group.name, group.most_worker,
                 group.worst_worker);
    tap_ok(group.calls > 0 && group.most <= most && group.most_worker <= most,
           "%s: %lld calls of at most %zu bytes", group.name, (long long)group.calls,
           most);
}

int32_t painted_team(void)
{
    has_team = true;
    team_threads = is_small ? omp_get_max_threads() : TEAM;
    return team_threads;
}

void painted_team_of(int32_t threads)
{
    has_team = threads > 1;
    team_threads = threads;
}

bool painted_teams_only(void)
{
    return is_teams_only;
}

/* ---- the program ---- */

/* Run the groups; all except PAINTED_OWN of a small stack is left for calls. */
static void *run_groups(void *argument)
{
    void (*const *const groups)(void) = argument;
    volatile char own[PAINTED_OWN];

    if (is_small)
        for (size_t i = 0; i < sizeof own; i++)
            own[i] = (char)i;
    (*groups)();
    return NULL;
}

static bool run_thread(void (*groups)(void), size_t bytes)
{
    pthread_attr_t attributes;
    pthread_t thread;
    bool pass = pthread_attr_init(&attributes) == 0 &&
                pthread_attr_setstacksize(&attributes, bytes) == 0 &&
                pthread_create(&thread, &attributes, run_groups, &groups) == 0 &&
                pthread_join(thread, NULL) == 0;

    pthread_attr_destroy(&attributes);
    return pass;
}

int painted_main(int argc, char **argv, void (*groups)(void))
{
    is_small = argc > 1 && strcmp(argv[1], "small") == 0;
    is_teams_only = argc > 2 && strcmp(argv[2], "teams") == 0;
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    tap_plan();
    if (!IS_MEASURABLE)
        tap_skip("frames are a sanitizer's, or not optimised", "stacks");
    else
        tap_ok(run_thread(groups, is_small ? PAINTED_SMALL : STACK),
               is_small ? "in a thread of %d bytes of stack" : "in a thread",
               PAINTED_SMALL);
    return tap_done();
}
