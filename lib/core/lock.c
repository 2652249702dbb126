/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Locks and one-time initialisation, and how both survive a fork.
 */
#include "core/lock.h"

#include <pthread.h>
#include <stdint.h>
#include <unistd.h>

static pthread_mutex_t locks[BLI_LOCKS] = {
    [BLI_LOCK_MACHINE] = PTHREAD_MUTEX_INITIALIZER,
    [BLI_LOCK_POOLS] = PTHREAD_MUTEX_INITIALIZER,
    [BLI_LOCK_WARNINGS] = PTHREAD_MUTEX_INITIALIZER,
};
static void (*child_hook[BLI_LOCKS])(void); /* each under its lock; NULL: none */
static pthread_once_t onces[BLI_ONCES] = {
    [BLI_ONCE_CONTEXT] = PTHREAD_ONCE_INIT,
    [BLI_ONCE_POOL_LIMIT] = PTHREAD_ONCE_INIT,
    [BLI_ONCE_PROCESS] = PTHREAD_ONCE_INIT,
    [BLI_ONCE_QUOTA] = PTHREAD_ONCE_INIT,
    [BLI_ONCE_THREAD_END] = PTHREAD_ONCE_INIT,
    [BLI_ONCE_WARNINGS] = PTHREAD_ONCE_INIT,
};

atomic_bool bli_is_done[BLI_ONCES];

static atomic_bool is_watched;
static atomic_bool is_child;

/* How many times the handlers have been entered for the fork this thread is in. */
static _Thread_local int32_t forking;
static pid_t parent; /* the forking process, while the locks are held for a fork */

static void before_fork(void)
{
    if (forking++ > 0)
        return;
    for (int k = 0; k < BLI_LOCKS; k++)
        (void)pthread_mutex_lock(&locks[k]);
    parent = getpid();
}

static void after_fork(void)
{
    if (forking == 0 || --forking > 0)
        return;
    for (int k = BLI_LOCKS; k-- > 0;)
        (void)pthread_mutex_unlock(&locks[k]);
}

/*
 * Reset the onces whose initialisation had not finished: the child lacks the thread
 * that was inside, and would wait for it for ever if the C library did not notice.
 */
static void in_child(void)
{
    static const pthread_once_t unset = PTHREAD_ONCE_INIT;

    bli_note_child();
    for (int k = 0; k < BLI_ONCES; k++)
        if (!atomic_load_explicit(&bli_is_done[k], memory_order_relaxed))
            onces[k] = unset;
    /* Once for a fork, and only where this thread holds the locks. */
    for (int k = 0; k < BLI_LOCKS && forking == 1; k++)
        if (child_hook[k])
            child_hook[k]();
    after_fork();
}

bool bli_is_child(void)
{
    /* The application's handlers may come before the library's. */
    return atomic_load_explicit(&is_child, memory_order_relaxed) ||
           (forking > 0 && getpid() != parent);
}

void bli_note_child(void)
{
    atomic_store_explicit(&is_child, true, memory_order_relaxed);
}

/*
 * Register the fork handlers, before the first lock and the first initialisation.
 * Threads that arrive together may register them more than once, which is harmless;
 * synchronising here would itself need something that a fork can interrupt.
 */
static inline void watch_forks(void)
{
    if (!atomic_load_explicit(&is_watched, memory_order_acquire) &&
        pthread_atfork(before_fork, after_fork, in_child) == 0)
        atomic_store_explicit(&is_watched, true, memory_order_release);
}

void bli_lock(enum bli_lock lock)
{
    watch_forks();
    if (forking == 0)
        (void)pthread_mutex_lock(&locks[lock]);
}

void bli_unlock(enum bli_lock lock)
{
    if (forking == 0)
        (void)pthread_mutex_unlock(&locks[lock]);
}

void bli_lock_set_child_hook(enum bli_lock lock, void (*function)(void))
{
    child_hook[lock] = function;
}

void bli_once_slowly(enum bli_once once, void (*make)(void))
{
    watch_forks();
    (void)pthread_once(&onces[once], make);
    atomic_store_explicit(&bli_is_done[once], true, memory_order_release);
}
