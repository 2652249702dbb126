/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A progress bar on standard error, for people: shown only on a terminal, from one
 * second on, and gone at the end.
 */
#ifndef PROGRESS_H
#define PROGRESS_H

#include <stdint.h>

struct progress;

/*
 * Start watching `steps` steps.  NULL where there is no terminal, or no thread to draw
 * with; the other functions take NULL and do nothing.
 */
struct progress *progress_start(int64_t steps);

/* So many steps are done. */
void progress_update(struct progress *progress, int64_t done);

/* Remove the bar, and free. */
void progress_finish(struct progress *progress);

#endif
