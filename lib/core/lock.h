/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * All that threads of the library wait for each other for: its locks, and what is done
 * once in a process.  A forked child finds every lock free and starts anew what another
 * thread was doing once; fork() waits for the locks, of which the longest is held for
 * the milliseconds that looking at the machine takes.
 *
 * compat/ has one lock more, by itself.  No thread takes one of these locks while it
 * holds another, so that a fork may take them in any order.
 */
#ifndef BLI_LOCK_H
#define BLI_LOCK_H

#include <stdatomic.h>
#include <stdbool.h>

enum bli_lock { BLI_LOCK_MACHINE, BLI_LOCK_POOLS, BLI_LOCKS };

/* Handlers of forks, the application's too, may lock what the fork holds for them. */
void bli_lock(enum bli_lock lock);
void bli_unlock(enum bli_lock lock);

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

/* Not the first time, or not known to be; see bli_once(). */
void bli_once_slowly(enum bli_once once, void (*make)(void));

/*
 * Call `make` once in a process, and return when that is done.  Where a process forks
 * while another thread is in it, the child's first need calls it again: it must be fit
 * to begin anew after having been left anywhere, and may need other things done once,
 * but not itself.
 */
static inline void bli_once(enum bli_once once, void (*make)(void))
{
    if (!atomic_load_explicit(&bli_is_done[once], memory_order_acquire))
        bli_once_slowly(once, make);
}

/*
 * Whether the process was forked since the library was first called, or somebody has
 * noted that it was before.
 */
bool bli_is_child(void);
void bli_note_child(void);

#endif
