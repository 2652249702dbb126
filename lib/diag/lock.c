/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The lock of the warnings, which a fork waits for: a child whose filters were locked
 * by a thread that it does not have could not raise a warning.
 */
#include "diag/warnings.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic bool is_watched;

/* How often the handlers have been entered for the fork that this thread is in. */
static _Thread_local int32_t forking;

static void before_fork(void)
{
    if (forking++ == 0)
        pthread_mutex_lock(&lock);
}

static void after_fork(void)
{
    if (forking > 0 && --forking == 0)
        pthread_mutex_unlock(&lock);
}

/* What was counted before a fork, by any thread, is the parent's. */
static void in_child(void)
{
    if (forking == 1)
        bli_count_from_zero();
    after_fork();
}

void bli_warnings_enter(void)
{
    /* Threads that come first together do it more than once, which does no harm. */
    if (!atomic_load_explicit(&is_watched, memory_order_acquire) &&
        pthread_atfork(before_fork, after_fork, in_child) == 0)
        atomic_store_explicit(&is_watched, true, memory_order_release);
    /* The application's own handlers may come while the fork holds it. */
    if (forking == 0)
        pthread_mutex_lock(&lock);
}

void bli_warnings_leave(void)
{
    if (forking == 0)
        pthread_mutex_unlock(&lock);
}
