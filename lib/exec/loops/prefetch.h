/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Asking for memory before it is read: the lines of a box, a few at a time while the
 * box before it is done.
 */
#ifndef BLI_PREFETCH_H
#define BLI_PREFETCH_H

#include "plan/plan.h"

/*
 * The segments of memory that an operand has in a box: `bytes` from `at` on, and so on
 * at every step of some loops, the shortest step first.
 */
struct bli_segments {
    const char *at;
    int64_t bytes;
    int64_t asked; /* bytes of this segment that were asked for */
    int32_t loops;
    int64_t extent[BLI_TILE_LOOPS];
    int64_t stride[BLI_TILE_LOOPS];
    int64_t index[BLI_TILE_LOOPS];
};

struct bli_prefetch_queue {
    int64_t lines; /* about so many in all */
    int32_t count, next;
    struct bli_segments segments[BLI_MAX_OPERANDS];
};

/* Nothing to ask for. */
void bli_prefetch_clear(struct bli_prefetch_queue *queue);

/* Also what an operand has in a box that begins at `at`; elements of `size` bytes. */
void bli_prefetch_add(struct bli_prefetch_queue *queue, const char *at, int64_t size,
                      int32_t loops, const int64_t *extent, const int64_t *stride);

/* Ask for about `lines` more of them. */
void bli_prefetch_issue(struct bli_prefetch_queue *queue, int64_t lines);

#endif
