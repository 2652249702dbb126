/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The synchronisation that the library's threads share: its locks, and initialisation
 * that runs once per process.  A forked child finds every lock free and restarts the
 * initialisations that another thread had begun; fork() waits for the locks, of which
 * the longest is held for the milliseconds that machine discovery takes.
 *
 * The lock in lib/exec is never taken in a forked child.  No thread takes one of the
 * locks here while it holds another, so a fork may take them in any order.
 */
#ifndef BLI_LOCK_H
#define BLI_LOCK_H

#include <stdatomic.h>
#include <stdbool.h>

enum bli_lock { BLI_LOCK_MACHINE, BLI_LOCK_POOLS, BLI_LOCK_WARNINGS, BLI_LOCKS };

/*
 * Take or release a lock.  Fork handlers, the application's too, may call these for
 * locks that the fork already holds for them.
 */
void bli_lock(enum bli_lock lock);
void bli_unlock(enum bli_lock lock);

/*
 * Call `function` in every forked child from now on, before the child's locks are free,
 * to reset what `lock` guards.  It must take none of these locks.  One per lock;
 * the caller holds the lock.
 */
void bli_lock_set_child_hook(enum bli_lock lock, void (*function)(void));

enum bli_once {
    BLI_ONCE_CONTEXT,
    BLI_ONCE_POOL_LIMIT,
    BLI_ONCE_PROCESS,
    BLI_ONCE_QUOTA,
    BLI_ONCE_THREAD_END,
    BLI_ONCE_WARNINGS,
    BLI_ONCES
};
extern atomic_bool bli_is_done[BLI_ONCES];

/* The slow path of bli_once(): the call is not known to have been made. */
void bli_once_slowly(enum bli_once once, void (*make)(void));

/*
 * Call `make` once per process, and return when it is done.  If the process forks while
 * another thread is inside `make`, the child's first bli_once() calls it again: `make`
 * must be able to restart after having been left anywhere.  It may use other onces, but
 * not its own.
 */
static inline void bli_once(enum bli_once once, void (*make)(void))
{
    if (!atomic_load_explicit(&bli_is_done[once], memory_order_acquire))
        bli_once_slowly(once, make);
}

/*
 * bli_is_child: whether the process was forked after the library was first called, or
 * bli_note_child() has recorded that it was forked before that.
 */
bool bli_is_child(void);
void bli_note_child(void);

#endif
