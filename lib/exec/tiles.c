/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Walks a range of a tiled plan box by box.
 */
#include "exec/box.h"
#include "exec/odometer.h"
#include "exec/walk.h"

#include <stdlib.h>

struct walk {
    const struct bl_plan *plan;
    const struct bli_nest *nest;
    struct bli_odometer at;
    int64_t left;
    int64_t below[BL_MAX_RANK]; /* iterations of the loops below each */
    int32_t level; /* that the box is laid out for; -1: for none, or turned ones */
    struct bli_box box;
    struct bli_tiles tiles;
};

/* Whether all loops below `level` are at their beginning. */
static bool is_aligned(const struct walk *walk, int32_t level)
{
    bool aligned = true;

    for (int32_t i = 0; aligned && i < level; i++)
        aligned = walk->at.index[i] == 0;
    return aligned;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* ---- boxes of neighbouring loops ---- */

/* The highest loop, up to the plan's level, of which some iterations can be done now.
 */
static int32_t find_level(const struct walk *walk)
{
    int32_t level = walk->plan->tiling.level;

    while (level > 0 && (!is_aligned(walk, level) || walk->left < walk->below[level]))
        level--;
    return level;
}

static void open_line(struct walk *walk, int32_t level)
{
    const struct bli_tiling *const tiling = &walk->plan->tiling;
    struct bli_box *const box = &walk->box;

    box->is_fused = true;
    box->dims = level + 1;
    for (int32_t d = 0; d < level; d++) {
        box->loop[d] = d;
        box->extent[d] = walk->nest->extent[d];
    }
    box->loop[level] = level;
    box->extent[level] =
        level == tiling->level ? tiling->run : walk->nest->extent[level];
    walk->level = level;
    bli_box_open(box);
}

static void run_line(struct walk *walk)
{
    const int32_t level = find_level(walk);
    const int64_t below = walk->below[level];
    struct bli_box *const box = &walk->box;
    int64_t run;

    if (level != walk->level)
        open_line(walk, level);
    run = least(walk->nest->extent[level] - walk->at.index[level], walk->left / below);
    if (level == walk->plan->tiling.level)
        run = least(run, walk->plan->tiling.run);
    if (run != box->extent[level]) {
        box->extent[level] = run;
        bli_box_resize(box, &run);
    }
    bli_box_run(box, &walk->tiles, walk->at.data);
    bli_odometer_advance(&walk->at, walk->nest, level, run);
    walk->left -= run * below;
}

/* ---- boxes across two loops ---- */

static void open_across(struct walk *walk)
{
    const struct bli_tiling *const tiling = &walk->plan->tiling;
    struct bli_box *const box = &walk->box;

    box->is_fused = false;
    box->dims = 2;
    for (int32_t d = 0; d < 2; d++) {
        box->loop[d] = d == 0 ? 0 : tiling->turned;
        box->extent[d] = tiling->across[d];
    }
    walk->level = -1;
    bli_box_open(box);
}

/*
 * Ask for the lines that a box reads, while the one before it is done: its stretches of
 * memory are too short for the machine to see them coming.  4096 x 4096 f32 plus such a
 * matrix transposed takes 10 ms so, 15 ms without.  Always inlined: GCC drops calls of
 * a function that only prefetches, as ones that do nothing.
 */
static inline __attribute__((always_inline)) void
prefetch_across(const struct walk *walk, char *const *at, int64_t begin, int64_t end,
                int64_t extent)
{
    const struct bli_nest *const nest = walk->nest;
    const int32_t turned = walk->plan->tiling.turned;

    for (int32_t k = 1; k < nest->operands; k++) {
        const int64_t own = nest->stride[0][k];
        const int64_t other = nest->stride[turned][k];
        const bool is_row = llabs(own) <= llabs(other); /* stretches go along loop 0 */
        const int64_t bytes = is_row ? (end - begin) * own : extent * other;
        const int64_t rows = is_row ? extent : end - begin;
        const char *row = at[k] + begin * own;

        for (int64_t i = 0; i < rows; i++, row += is_row ? other : own)
            for (int64_t b = 0; b < bytes; b += BLI_ALIGNMENT)
                __builtin_prefetch(row + b, 0, 3);
    }
}

/* Boxes along loop 0, for `extent` iterations of the turned loop, from `at` on. */
static void run_across(struct walk *walk, char *const *at, int64_t extent)
{
    const struct bli_nest *const nest = walk->nest;
    const int64_t across = walk->plan->tiling.across[0];
    char *data[BLI_MAX_OPERANDS];

    for (int64_t i = 0; i < nest->extent[0]; i += across) {
        const int64_t size[] = {least(across, nest->extent[0] - i), extent};

        if (size[0] != walk->box.extent[0] || size[1] != walk->box.extent[1]) {
            walk->box.extent[0] = size[0];
            walk->box.extent[1] = size[1];
            bli_box_resize(&walk->box, size);
        }
        for (int32_t k = 0; k < nest->operands; k++)
            data[k] = at[k] + i * nest->stride[0][k];
        prefetch_across(walk, at, i + size[0], least(i + 2 * across, nest->extent[0]),
                        extent);
        bli_box_run(&walk->box, &walk->tiles, data);
    }
}

/* Whole turns of the loops below the turned one, `run` iterations of that. */
static void run_slab(struct walk *walk, int64_t run)
{
    const struct bli_nest *const nest = walk->nest;
    const int32_t turned = walk->plan->tiling.turned;
    const int64_t across = walk->plan->tiling.across[1];
    const int64_t middle = walk->below[turned] / nest->extent[0];

    open_across(walk);
    for (int64_t i = 0; i < run; i += across) {
        struct bli_odometer at = walk->at;

        for (int32_t k = 0; k < nest->operands; k++)
            at.data[k] += i * nest->stride[turned][k];
        for (int64_t m = 0; m < middle; m++) {
            run_across(walk, at.data, least(across, run - i));
            /* Past the last one it has carried into loops that nobody looks at. */
            if (m + 1 < middle)
                bli_odometer_advance(&at, nest, 1, 1);
        }
    }
    bli_odometer_advance(&walk->at, nest, turned, run);
    walk->left -= run * walk->below[turned];
}

/* Iterations of the turned loop that can be done now; 0 where they are too few. */
static int64_t find_slab(const struct walk *walk)
{
    const int32_t turned = walk->plan->tiling.turned;
    int64_t run;

    if (turned == 0 || !is_aligned(walk, turned))
        return 0;
    run = least(walk->nest->extent[turned] - walk->at.index[turned],
                walk->left / walk->below[turned]);
    return run >= 4 ? run : 0;
}

void bli_tiled_walk(const struct bl_plan *plan, const struct bli_binding *binding,
                    bool streams, bl_range range)
{
    const struct bli_tiling *const tiling = &plan->tiling;
    struct walk walk;

    if (range.end <= range.begin)
        return;
    walk.plan = plan;
    walk.nest = binding->nest;
    walk.left = range.end - range.begin;
    walk.level = -1;
    walk.below[0] = 1;
    for (int32_t i = 1; i < walk.nest->loops; i++)
        walk.below[i] = walk.below[i - 1] * walk.nest->extent[i - 1];
    walk.box.plan = plan;
    walk.box.nest = binding->nest;
    walk.box.params = binding->params;
    walk.box.streams = streams;
    walk.box.staged = tiling->staged | (streams && tiling->lends_tile ? 1 : 0);
    bli_odometer_set(&walk.at, walk.nest, binding->data, range.begin);
    while (walk.left > 0) {
        const int64_t slab = find_slab(&walk);

        if (slab > 0)
            run_slab(&walk, slab);
        else
            run_line(&walk);
    }
}
