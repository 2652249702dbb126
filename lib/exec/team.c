/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One parallel region per call, of no more threads than the work is worth and the
 * caller allows: OpenMP's settings, an active region around the call, a forked child.
 */
#include "exec/exec.h"
#include "exec/fpcontrol.h"

#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>

/*
 * In a forked child the runtime's workers are gone, and libgomp waits for them for
 * ever. A flag set by the fork costs a call nothing; asking for the process id costs
 * 100 ns.
 */
static atomic_bool is_forked_child;
static pthread_once_t watch_once = PTHREAD_ONCE_INIT;

static void note_child(void)
{
    atomic_store_explicit(&is_forked_child, true, memory_order_relaxed);
}

static void watch_forks(void)
{
    /* Without the handler a child's parallel call would depend on the runtime. */
    (void)pthread_atfork(NULL, NULL, note_child);
}

/* Threads that a call may have of those that its work is worth. */
static int32_t granted(const struct bli_team *team, int32_t worth)
{
    int32_t most = team->threads;

    if (worth <= 1 || most == 1)
        return 1;
    if (team->run)
        return most > 0 && most < worth ? most : worth;
    pthread_once(&watch_once, watch_forks);
    if (omp_in_parallel() ||
        atomic_load_explicit(&is_forked_child, memory_order_relaxed))
        return 1;
    if (most <= 0 || most > omp_get_max_threads())
        most = omp_get_max_threads();
    return most < worth ? most : worth;
}

/* One part under the caller's floating-point environment. */
static void run_part(bli_body *body, const void *argument, int32_t part, int32_t parts,
                     uint32_t control)
{
    const uint32_t own = bli_float_control();

    if (own != control)
        bli_float_control_set(control);
    body(argument, part, parts);
    if (own != control)
        bli_float_control_set(own);
}

struct callers_call {
    bli_body *body;
    const void *argument;
    int32_t parts;
    uint32_t control;
};

static void callers_part(void *argument, int32_t part)
{
    const struct callers_call *const call = argument;

    run_part(call->body, call->argument, part, call->parts, call->control);
}

void bli_exec_team(const struct bli_team *team, int32_t worth, bli_body *body,
                   const void *argument)
{
    const int32_t threads = granted(team, worth);

    if (threads == 1) {
        body(argument, 0, 1);
        return;
    }
    const uint32_t control = bli_float_control();

    if (team->run) {
        struct callers_call call = {body, argument, threads, control};

        team->run(team->user, threads, callers_part, &call);
        return;
    }
    /* The team may be smaller than asked for: what counts is what is there. */
#pragma omp parallel num_threads(threads)
    run_part(body, argument, omp_get_thread_num(), omp_get_num_threads(), control);
}
