/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Limits of the system on this process.
 */
#ifndef HARNESS_LIMITS_H
#define HARNESS_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

/* Set a soft limit, RLIMIT_NPROC or another one; false: the system refuses. */
bool limits_set(int resource, int64_t value);

/* Number of threads of this process. */
int limits_tasks(void);

/*
 * Emit a result: nothing has started another thread.  Programs that end with it are
 * left out under ThreadSanitizer, which could find nothing.
 */
void limits_one_thread(void);

/* Become a user without other processes: privileged users have no limit of tasks. */
bool limits_become_user(void);

#endif
