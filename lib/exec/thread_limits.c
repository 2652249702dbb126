/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checks that the system's limits allow a team: an OpenMP runtime that cannot start a
 * thread ends the process.  So a team that is larger than the calling thread's last one
 * is opened only where the system's limits are far away, or where as many threads have
 * just been started as a trial.
 */
#include "exec/thread_limits.h"
#include "machine/machine.h"

#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>

/* The last team that this thread opened; the runtime keeps its threads for the next. */
static _Thread_local struct {
    int32_t threads;
    uint32_t tasks : 31; /* of the process then, where limits were near; else 0;
                            of the process before the first team */
    uint32_t holds : 1;  /* whether this thread holds the lock */
} last;

/* Whether the system's limits were near at the latest check. */
static atomic_bool is_near;

/*
 * Held from the trial until the team is there, so that two teams do not count on the
 * same threads.  Others that the same thread opens before have what the runtime keeps.
 * A forked child, which has no teams, never locks it.
 */
static pthread_mutex_t trying = PTHREAD_MUTEX_INITIALIZER;

/* Return the threads in the runtime's pool, which a team need not start. */
static int32_t pooled_threads(void)
{
    /* Nested teams start all of their threads. */
    if (last.threads < 1 || omp_get_level() > 0)
        return 1;
    /*
     * The application may have had a smaller team meanwhile, so that some threads
     * ended.
     */
    if (last.tasks > 0 && bli_tasks_here() < (int32_t)last.tasks)
        return 1;
    return last.threads;
}

/*
 * Return how many of `threads` can be had: all where limits are far, else as many as a
 * trial could start.  `*is_locked` becomes true where that holds the lock.
 */
static int32_t find_threads(int32_t threads, bool *is_locked)
{
    const int32_t pooled = pooled_threads();
    int32_t granted = threads;

    if (threads <= pooled)
        return threads;
    if (bli_threads_fit("", threads)) {
        atomic_store_explicit(&is_near, false, memory_order_relaxed);
        return threads;
    }
    atomic_store_explicit(&is_near, true, memory_order_relaxed);
    if (last.holds)
        return pooled;
    (void)pthread_mutex_lock(&trying);
    granted = pooled + bli_threads_try(threads - pooled);
    *is_locked = granted > pooled;
    if (*is_locked)
        last.holds = true;
    else
        (void)pthread_mutex_unlock(&trying);
    return granted;
}

int32_t bli_thread_limits_reserve(int32_t threads, bool *is_locked)
{
    int32_t granted = threads;
    int state;

    *is_locked = false;
    if (threads <= last.threads && omp_get_level() == 0 &&
        !atomic_load_explicit(&is_near, memory_order_relaxed))
        return threads;
    (void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
    granted = find_threads(threads, is_locked);
    (void)pthread_setcancelstate(state, NULL);
    return granted;
}

int32_t bli_thread_limits_kept(void)
{
    if (omp_get_level() > 0 || atomic_load_explicit(&is_near, memory_order_relaxed))
        return 1;
    if (last.threads > 0)
        return last.threads;
    if (last.tasks == 0)
        last.tasks = (uint32_t)bli_tasks_here();
    return (int32_t)last.tasks;
}

void bli_thread_limits_release(bool is_locked)
{
    if (!is_locked)
        return;
    last.holds = false;
    (void)pthread_mutex_unlock(&trying);
}

void bli_thread_limits_note_team(int32_t threads, bool is_locked)
{
    if (omp_get_level() <= 1) {
        last.threads = threads;
        last.tasks = atomic_load_explicit(&is_near, memory_order_relaxed)
                         ? (uint32_t)bli_tasks_here()
                         : 0;
    }
    bli_thread_limits_release(is_locked);
}
