/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Prefetches memory before it is read: the cache lines of a tile, a few at a time while
 * the tile before it is computed.
 */
#ifndef BLI_PREFETCH_H
#define BLI_PREFETCH_H

#include "plan/plan.h"

/*
 * The contiguous segments of memory that an operand has in a tile: `bytes` bytes at
 * `at`, repeated at every step of some loops, the shortest stride first.
 */
struct bli_segments {
    char *at; /* only prefetched */
    int64_t bytes;
    int64_t prefetched; /* bytes of this segment so far */
    bool conflict;      /* in L1, so that they are prefetched to L2 only */
    int32_t loops;
    int64_t extent[BLI_TILE_LOOPS];
    int64_t stride[BLI_TILE_LOOPS];
    int64_t index[BLI_TILE_LOOPS];
};

struct bli_prefetch_queue {
    int64_t lines; /* cache lines in all, approximately */
    int32_t count, next;
    struct bli_segments segments[BLI_MAX_OPERANDS];
};

/* Empty the queue. */
void bli_prefetch_clear(struct bli_prefetch_queue *queue);

/*
 * Queue what an operand, of elements of `size` bytes, has in a tile that begins at
 * `at`.
 */
void bli_prefetch_add(struct bli_prefetch_queue *queue, char *at, int64_t size,
                      int32_t loops, const int64_t *extent, const int64_t *stride);

/* Prefetch about `lines` more cache lines of the queue. */
void bli_prefetch_issue(struct bli_prefetch_queue *queue, int64_t lines);

#endif
