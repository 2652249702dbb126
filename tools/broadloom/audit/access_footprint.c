/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compute the memory footprint of a range of a plan's iterations.  The range is cut
 * into tiles; each tile's loops are then visited in order of the operand's memory.
 */
#include "access_footprint.h"

struct walk {
    const bl_plan_info *info;
    int32_t operand;
    int64_t size;
    run_function *run;
    void *user;
};

/* Loops of a tile that move through the operand, smallest stride first. */
struct tile {
    int32_t loops;
    int64_t first;
    int64_t extent[BL_MAX_RANK];
    int64_t stride[BL_MAX_RANK]; /* in bytes, positive */
};

static void add_loop(struct tile *tile, int64_t extent, int64_t stride)
{
    int32_t at = tile->loops;

    if (extent == 1 || stride == 0)
        return;
    if (stride < 0) {
        tile->first += (extent - 1) * stride;
        stride = -stride;
    }
    for (; at > 0 && tile->stride[at - 1] > stride; at--) {
        tile->extent[at] = tile->extent[at - 1];
        tile->stride[at] = tile->stride[at - 1];
    }
    tile->extent[at] = extent;
    tile->stride[at] = stride;
    tile->loops++;
}

/*
 * Merge loops without gaps of a cache line into one contiguous run, and report it for
 * each iteration of the other loops (an odometer).
 */
static void report_tile(const struct walk *walk, const struct tile *tile)
{
    int64_t length = walk->size, at = tile->first;
    int64_t index[BL_MAX_RANK] = {0};
    int32_t inner = 0, i;

    while (inner < tile->loops &&
           (tile->stride[inner] <= length || tile->stride[inner] <= CACHE_LINE_BYTES)) {
        length += (tile->extent[inner] - 1) * tile->stride[inner];
        inner++;
    }
    do {
        walk->run(walk->user, at, at + length);
        for (i = inner; i < tile->loops; i++) {
            at += tile->stride[i];
            if (++index[i] < tile->extent[i])
                break;
            at -= tile->extent[i] * tile->stride[i];
            index[i] = 0;
        }
    } while (i < tile->loops);
}

/* Visit iterations `begin` to `end` of one loop, with all of the loops inside it. */
static void visit_tile(const struct walk *walk, int32_t loop, int64_t first,
                       int64_t begin, int64_t end)
{
    const bl_plan_info *const info = walk->info;
    struct tile tile = {.first =
                            first + begin * info->loop[loop].stride[walk->operand]};

    if (begin >= end)
        return;
    add_loop(&tile, end - begin, info->loop[loop].stride[walk->operand]);
    for (int32_t i = loop + 1; i < info->loops; i++)
        add_loop(&tile, info->loop[i].extent, info->loop[i].stride[walk->operand]);
    report_tile(walk, &tile);
}

/* Visit `range` of the nest from `loop` inwards; its iteration 0 is at byte `first`. */
static void visit_range(const struct walk *walk, int32_t loop, int64_t first,
                        bl_range range)
{
    const int64_t stride = walk->info->loop[loop].stride[walk->operand];
    int64_t inner = 1;

    for (int32_t i = loop + 1; i < walk->info->loops; i++)
        inner *= walk->info->loop[i].extent;

    int64_t begin = range.begin / inner;
    const int64_t end = range.end / inner;
    const int64_t head = range.begin % inner, tail = range.end % inner;

    if (begin == end) {
        visit_range(walk, loop + 1, first + begin * stride, (bl_range){head, tail});
        return;
    }
    if (head != 0) {
        visit_range(walk, loop + 1, first + begin * stride, (bl_range){head, inner});
        begin++;
    }
    visit_tile(walk, loop, first, begin, end);
    if (tail != 0)
        visit_range(walk, loop + 1, first + end * stride, (bl_range){0, tail});
}

void footprint_runs(const bl_plan_info *info, int32_t k, int64_t size, bl_range range,
                    run_function *run, void *user)
{
    const struct walk walk = {info, k, size, run, user};

    if (range.begin < range.end)
        visit_range(&walk, 0, 0, range);
}
