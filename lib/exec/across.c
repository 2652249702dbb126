/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Walks boxes across several loops, whose operands run through memory along different
 * ones, and asks for the memory of each while the one before it is done.
 */
#include "exec/across.h"

/* The boxes of some turns of the loops up to `top`, of which `begin` to `end` is done.
 */
struct course {
    const struct bli_nest *nest;
    int32_t top;
    int64_t begin, end;
    int64_t turns;
    int64_t step[BL_MAX_RANK];
    struct bli_odometer at;
};

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Iterations of loop `i` that the box at the course's place has. */
static int64_t box_extent(const struct course *course, int32_t i)
{
    const int64_t end = i == course->top ? course->end : course->nest->extent[i];

    return least(course->step[i], end - course->at.index[i]);
}

/* Go on to the next box; false where there is none, then past the last. */
static bool next_box(struct course *course)
{
    const struct bli_nest *const nest = course->nest;
    struct bli_odometer *const at = &course->at;

    for (int32_t i = 0; i <= course->top; i++) {
        const bool is_top = i == course->top;
        const int64_t begin = is_top ? course->begin : 0;
        const int64_t end = is_top ? course->end : nest->extent[i];
        const int64_t next = at->index[i] + box_extent(course, i);
        const int64_t moved = next < end ? next - at->index[i] : begin - at->index[i];

        for (int32_t k = 0; k < nest->operands; k++)
            at->data[k] += moved * nest->stride[i][k];
        at->index[i] += moved;
        if (next < end)
            return true;
    }
    bli_odometer_advance(at, nest, course->top, course->end - course->begin);
    return --course->turns > 0;
}

/* Have the memory asked for that the box at the course's place reads. */
static void look_ahead(struct bli_box *box, const struct course *course)
{
    int64_t extent[BLI_BOX_LOOPS], stride[BLI_BOX_LOOPS];

    for (int32_t d = 0; d < box->dims; d++)
        extent[d] = box_extent(course, box->loop[d]);
    for (int32_t k = 1; k < box->nest->operands; k++) {
        for (int32_t d = 0; d < box->dims; d++)
            stride[d] = box->nest->stride[box->loop[d]][k];
        bli_ahead_add(&box->ahead, course->at.data[k], box->plan->size[k], box->dims,
                      extent, stride);
    }
}

/* Lay the box out for the course's place, if that has another size. */
static void fit_box(struct bli_box *box, const struct course *course, bool is_first)
{
    bool fits = !is_first;

    for (int32_t d = 0; d < box->dims; d++) {
        const int64_t extent = box_extent(course, box->loop[d]);

        fits &= extent == box->extent[d];
        box->extent[d] = extent;
    }
    if (!fits)
        bli_box_open(box);
}

static void run_course(struct bli_box *box, struct bli_tiles *tiles,
                       struct course *course)
{
    bool is_first = true, goes_on;

    do {
        char *data[BLI_MAX_OPERANDS];

        for (int32_t k = 0; k < box->nest->operands; k++)
            data[k] = course->at.data[k];
        fit_box(box, course, is_first);
        goes_on = next_box(course);
        bli_ahead_clear(&box->ahead);
        if (goes_on && box->plan->tiling.is_far)
            look_ahead(box, course);
        bli_box_run(box, tiles, data);
        is_first = false;
    } while (goes_on);
}

int64_t bli_across_run(struct bli_box *box, struct bli_tiles *tiles,
                       struct bli_odometer *at, int64_t left)
{
    const struct bli_tiling *const tiling = &box->plan->tiling;
    const struct bli_nest *const nest = box->nest;
    const int32_t top = tiling->loop[tiling->dims - 1];
    int64_t below = 1, run;
    struct course course;

    if (!bli_odometer_is_aligned(at, top))
        return 0;
    for (int32_t i = 0; i < top; i++)
        below *= nest->extent[i];
    run = least(nest->extent[top] - at->index[top], left / below);
    if (run < least(nest->extent[top], 4))
        return 0;
    course.nest = nest;
    course.top = top;
    course.begin = at->index[top];
    course.end = course.begin + run;
    course.turns = run == nest->extent[top] ? left / (below * run) : 1;
    course.at = *at;
    for (int32_t i = 0; i <= top; i++)
        course.step[i] = 1;
    box->dims = tiling->dims;
    for (int32_t d = 0; d < tiling->dims; d++) {
        box->loop[d] = tiling->loop[d];
        course.step[tiling->loop[d]] = tiling->across[d];
    }
    left = course.turns * run * below;
    run_course(box, tiles, &course);
    *at = course.at;
    return left;
}
