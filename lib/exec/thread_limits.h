/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The system's limits on threads: a team is opened only where its threads can be had.
 */
#ifndef BLI_THREAD_LIMITS_H
#define BLI_THREAD_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Return how many of `threads` an OpenMP team may have within the system's limits, at
 * least 1.  Call it just before the team is opened, on the thread that opens it.  Where
 * `*is_locked` becomes true, that thread holds a lock that makes others wait, until it
 * calls bli_thread_limits_note_team() inside the team, or bli_thread_limits_release()
 * if there will be no team.  It may reserve and open other teams meanwhile, of
 * threads that the runtime keeps.
 */
int32_t bli_thread_limits_reserve(int32_t threads, bool *is_locked);

/*
 * Threads that the runtime keeps from the calling thread's last team.  Before the first
 * one, those of the process: they may be of a team that the application had.  1 where
 * limits are near, or in a region.
 */
int32_t bli_thread_limits_kept(void);

void bli_thread_limits_note_team(int32_t threads, bool is_locked);
void bli_thread_limits_release(bool is_locked);

#endif
