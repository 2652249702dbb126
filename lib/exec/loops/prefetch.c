/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Prefetches memory, one cache line at a time.
 */
#include "exec/loops/prefetch.h"
#include "exec/loops/odometer.h"

/*
 * Bytes of a way of L1, and lines that are too many for its ways where the distance
 * between them is a multiple of those bytes. f32[4096,4096] plus its transpose takes
 * 0.70 of the time with AVX2 where these are prefetched to L2 only, 0.95 with AVX-512,
 * f64[3072,3072] 0.80 and 0.92 (Zen 5, one thread); half as many lines are better in
 * L1.
 */
#define L1_WAY 4096
#define MANY   32

void bli_prefetch_clear(struct bli_prefetch_queue *queue)
{
    queue->lines = 0;
    queue->count = 0;
    queue->next = 0;
}

/* Add a loop to the segments, in rising order of strides. */
static void add_loop(struct bli_segments *s, int64_t extent, int64_t stride)
{
    int32_t i = s->loops++;

    if (stride < 0) {
        s->at += stride * (extent - 1);
        stride = -stride;
    }
    for (; i > 0 && s->stride[i - 1] > stride; i--) {
        s->extent[i] = s->extent[i - 1];
        s->stride[i] = s->stride[i - 1];
    }
    s->extent[i] = extent;
    s->stride[i] = stride;
}

/*
 * Merge into the segment those loops that are contiguous with it, or step within a
 * cache line.
 */
static void join_loops(struct bli_segments *s)
{
    int32_t joined = 0;

    while (joined < s->loops &&
           (s->stride[joined] <= s->bytes || s->stride[joined] < BLI_ALIGNMENT)) {
        s->bytes += s->stride[joined] * (s->extent[joined] - 1);
        joined++;
    }
    s->loops -= joined;
    for (int32_t i = 0; i < s->loops; i++) {
        s->extent[i] = s->extent[i + joined];
        s->stride[i] = s->stride[i + joined];
        s->index[i] = 0;
    }
}

void bli_prefetch_add(struct bli_prefetch_queue *queue, char *at, int64_t size,
                      int32_t loops, const int64_t *extent, const int64_t *stride)
{
    struct bli_segments *const s = &queue->segments[queue->count++];
    int64_t lines;

    s->at = at;
    s->bytes = size;
    s->prefetched = 0;
    s->loops = 0;
    for (int32_t i = 0; i < loops; i++)
        if (extent[i] > 1 && stride[i] != 0)
            add_loop(s, extent[i], stride[i]);
    join_loops(s);
    /* Single elements: the tiles after this one read the same cache lines. */
    if (s->bytes < BLI_ALIGNMENT && s->loops > 0) {
        queue->count--;
        return;
    }
    lines = s->bytes / BLI_ALIGNMENT + 1;
    s->conflict = false;
    for (int32_t i = 0; i < s->loops; i++) {
        lines *= s->extent[i];
        s->conflict |= s->stride[i] % L1_WAY == 0 && s->extent[i] > MANY;
    }
    queue->lines += lines;
}

/* Go to the next segment; false after the last. */
static bool next_segment(struct bli_segments *s)
{
    const struct bli_loops loops = {.count = s->loops,
                                    .operands = 1,
                                    .extent = s->extent,
                                    .stride = s->stride,
                                    .pitch = 1};

    s->prefetched = 0;
    return bli_loops_advance(&loops, s->index, &s->at, 0, 1);
}

/*
 * Prefetch the line of an address, to L2 only if `far`, a constant.  GCC removes
 * functions that do no more than prefetch, unless they are part of another one.
 */
static inline __attribute__((always_inline)) void prefetch_line(const char *at,
                                                                bool far)
{
    if (far)
        __builtin_prefetch(at, 0, 2);
    else
        __builtin_prefetch(at, 0, 3);
}

/*
 * Prefetch `*lines` lines, or what is left of a segment.  A segment that does not begin
 * on a cache line ends in one more.
 */
static inline __attribute__((always_inline)) void
prefetch_segment(struct bli_segments *s, int64_t *lines, bool far)
{
    for (; *lines > 0 && s->prefetched < s->bytes;
         (*lines)--, s->prefetched += BLI_ALIGNMENT)
        prefetch_line(s->at + s->prefetched, far);
    if (s->prefetched >= s->bytes)
        prefetch_line(s->at + s->bytes - 1, far);
}

void bli_prefetch_issue(struct bli_prefetch_queue *queue, int64_t lines)
{
    while (lines > 0 && queue->next < queue->count) {
        struct bli_segments *const s = &queue->segments[queue->next];

        if (s->conflict)
            prefetch_segment(s, &lines, true);
        else
            prefetch_segment(s, &lines, false);
        if (s->prefetched < s->bytes)
            return;
        if (!next_segment(s))
            queue->next++;
    }
}
