/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checks that the system has room for a team: an OpenMP runtime that cannot start a
 * thread ends the process.  So a team that is larger than the calling thread's last one
 * is opened only where the system's limits are far away, or where as many threads have
 * just been started as a trial.
 */
#include "exec/region.h"

#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>

/* The last team that this thread opened; the runtime keeps its threads for the next. */
static _Thread_local struct {
    int32_t threads;
    int32_t tasks; /* of the process then, where limits were near; else 0 */
} last;

/* Whether the system's limits were near at the latest check. */
static atomic_bool is_near;

/*
 * Held from the trial until the team is there, so that two teams do not find the same
 * room.  A forked child, which has no teams, never locks it.
 */
static pthread_mutex_t trying = PTHREAD_MUTEX_INITIALIZER;

/* Return the threads that the runtime has kept, which a team need not start. */
static int32_t kept_threads(void)
{
    /* Nested teams start all of their threads. */
    if (last.threads < 1 || omp_get_level() > 0)
        return 1;
    /*
     * The application may have had a smaller team meanwhile, so that some threads
     * ended.
     */
    if (last.tasks > 0 && bli_tasks_here() < last.tasks)
        return 1;
    return last.threads;
}

/*
 * Return how many of `threads` can be had: all where limits are far, else as many as a
 * trial could start.  `*is_taken` becomes true where that holds the lock.
 */
static int32_t look_for_room(int32_t threads, bool *is_taken)
{
    const int32_t kept = kept_threads();
    int32_t granted = threads;

    if (threads <= kept)
        return threads;
    if (bli_threads_fit("", threads)) {
        atomic_store_explicit(&is_near, false, memory_order_relaxed);
        return threads;
    }
    atomic_store_explicit(&is_near, true, memory_order_relaxed);
    (void)pthread_mutex_lock(&trying);
    granted = kept + bli_threads_try(threads - kept);
    *is_taken = granted > kept;
    if (!*is_taken)
        (void)pthread_mutex_unlock(&trying);
    return granted;
}

int32_t bli_room_take(int32_t threads, bool *is_taken)
{
    int32_t granted = threads;
    int state;

    *is_taken = false;
    if (threads <= last.threads && omp_get_level() == 0 &&
        !atomic_load_explicit(&is_near, memory_order_relaxed))
        return threads;
    (void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
    granted = look_for_room(threads, is_taken);
    (void)pthread_setcancelstate(state, NULL);
    return granted;
}

void bli_room_give(bool is_taken)
{
    if (is_taken)
        (void)pthread_mutex_unlock(&trying);
}

void bli_room_fill(int32_t threads, bool is_taken)
{
    if (omp_get_level() <= 1) {
        last.threads = threads;
        last.tasks =
            atomic_load_explicit(&is_near, memory_order_relaxed) ? bli_tasks_here() : 0;
    }
    bli_room_give(is_taken);
}
