/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Walks a range of a tiled plan box by box: across loops, else of neighbouring ones.
 */
#include "exec/across.h"
#include "exec/walk.h"

struct walk {
    const struct bl_plan *plan;
    const struct bli_nest *nest;
    struct bli_odometer at;
    int64_t left;
    int64_t below[BL_MAX_RANK]; /* iterations of the loops below each */
    int32_t level; /* that the box is laid out for; -1: for none, or one across loops */
    struct bli_box box;
    struct bli_tiles tiles;
};

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* The highest loop, up to the plan's level, of which some iterations can be done now.
 */
static int32_t find_level(const struct walk *walk)
{
    int32_t level = walk->plan->tiling.level;

    while (level > 0 && (!bli_odometer_is_aligned(&walk->at, level) ||
                         walk->left < walk->below[level]))
        level--;
    return level;
}

static void open_line(struct walk *walk, int32_t level)
{
    const struct bli_tiling *const tiling = &walk->plan->tiling;
    struct bli_box *const box = &walk->box;

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
        bli_box_open(box);
    }
    bli_box_run(box, &walk->tiles, walk->at.data);
    bli_odometer_advance(&walk->at, walk->nest, level, run);
    walk->left -= run * below;
}

void bli_tiled_walk(const struct bl_plan *plan, const struct bli_binding *binding,
                    bool streams, bl_range range)
{
    const struct bli_tiling *const tiling = &plan->tiling;
    const bool across = tiling->dims > 0;
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
    bli_ahead_clear(&walk.box.ahead);
    bli_odometer_set(&walk.at, walk.nest, binding->data, range.begin);
    while (walk.left > 0) {
        const int64_t done =
            across ? bli_across_run(&walk.box, &walk.tiles, &walk.at, walk.left) : 0;

        if (done > 0) {
            walk.level = -1;
            walk.left -= done;
        } else {
            run_line(&walk);
        }
    }
}
