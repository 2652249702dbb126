/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A progress bar on standard error: shown only on a terminal of 30 columns or more that
 * is not dumb, after one second, and removed at the end.
 */
#ifndef PROGRESS_H
#define PROGRESS_H

#include <stdint.h>

struct progress;

/*
 * Start a bar of `steps` steps.  Returns NULL where there is no terminal, or no thread
 * to draw with; the other functions accept NULL and do nothing.
 */
struct progress *progress_start(int64_t steps);

/* Set the number of completed steps. */
void progress_update(struct progress *progress, int64_t done);

/* Remove the bar, and free it. */
void progress_finish(struct progress *progress);

#endif
