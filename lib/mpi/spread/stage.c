/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi/spread/stage.h"

#include <broadloom/base.h>

#include <stdlib.h>
#include <string.h>

/* Stages while they are found. */
struct draft {
    const struct bli_move *move;
    struct bli_stage *stage;
    struct bli_grid grid;             /* in which nodes are ranges of axes */
    uint32_t parts_of[BLI_MAX_AXES];  /* the axes there of each axis of the move's */
    uint32_t inner;                   /* those along which a node's ranks differ */
    struct bli_dim need[BL_MAX_RANK]; /* how what ranks need of the operand lies */
    int64_t *border;                  /* of the dimension that its ranks divide */
};

/* ---- the grid ---- */

/*
 * Divide an axis, of which the ranks of a node are a part, into nodes and these, and
 * leave the others as they are; false: nodes are no part of the grid.
 */
static bool refine(struct draft *draft)
{
    const struct bli_grid *const old = &draft->move->to->grid;
    struct bli_grid *const grid = &draft->grid;
    int32_t extent[2 * BLI_MAX_AXES], count = 0, left = old->node;

    *grid = *old;
    grid->axes = 0;
    draft->inner = 0;
    /* From the last axis on; extents in this order, and numbers of axes from the end.
     */
    for (int32_t a = old->axes - 1; a >= 0; a--) {
        const int32_t all = old->extent[a];
        const bool is_inside = left % all == 0, is_cut = !is_inside && left > 1;

        if (is_cut && all % left != 0)
            return false;
        draft->parts_of[a] = UINT32_C(1) << count;
        if (is_inside && left > 1)
            draft->inner |= UINT32_C(1) << count;
        if (is_cut) {
            draft->inner |= UINT32_C(1) << count;
            draft->parts_of[a] |= UINT32_C(2) << count;
            extent[count++] = left;
            extent[count++] = all / left;
            left = 1;
        } else {
            extent[count++] = all;
            left = is_inside ? left / all : left;
        }
    }
    if (left > 1 || count > BLI_MAX_AXES)
        return false;
    grid->axes = count;
    for (int32_t a = 0; a < count; a++)
        grid->extent[a] = extent[count - 1 - a];
    return true;
}

/* Axes that are numbered from the end, from the first one. */
static uint32_t turned(const struct draft *draft, uint32_t axes)
{
    uint32_t set = 0;

    for (int32_t a = 0; a < draft->grid.axes; a++)
        if (axes >> a & 1)
            set |= UINT32_C(1) << (draft->grid.axes - 1 - a);
    return set;
}

/* How a dimension lies over that grid. */
static struct bli_dim refined(const struct draft *draft,
                              const struct bli_spread *spread, int32_t d)
{
    struct bli_dim dim = bli_spread_dim(spread, d);
    uint32_t axes = 0;

    for (int32_t a = 0; dim.axis != BLI_WHOLE && a < spread->grid.axes; a++)
        if (spread->dim[a] == d)
            axes |= turned(draft, draft->parts_of[a]);
    if (dim.axis != BLI_WHOLE)
        dim.axis = BLI_AXES((int32_t)axes);
    return dim;
}

static bl_status respread(const struct draft *draft, const struct bli_spread *spread,
                          struct bli_spread **out)
{
    struct bli_dim dims[BL_MAX_RANK];

    for (int32_t d = 0; d < spread->rank; d++)
        dims[d] = refined(draft, spread, d);
    return bli_spread_make(&draft->grid, spread->rank, spread->extent, dims,
                           BLI_EVERY_RANK, out);
}

/* ---- between the stages ---- */

static uint32_t axes_of(const struct bli_dim *dim)
{
    return dim->axis == BLI_WHOLE ? 0 : (uint32_t)(dim->axis - BLI_AXES(0));
}

static int32_t parts_along(const struct bli_grid *grid, uint32_t axes)
{
    return axes ? bli_dim_parts(grid, BLI_AXES((int32_t)axes)) : 1;
}

/* Find how what ranks need lies; returns the axes that ranks of a node have alike. */
static uint32_t find_need(struct draft *draft)
{
    const struct bli_move *const move = draft->move;
    uint32_t alike = turned(draft, draft->inner);

    for (int32_t d = 0; d < move->from->rank; d++) {
        const int32_t e = d + move->shift;

        draft->need[d] = (struct bli_dim){BLI_WHOLE, NULL};
        if (move->from->extent[d] != 1 && e >= 0 && e < move->to->rank)
            draft->need[d] = refined(draft, move->to, e);
        alike &= ~axes_of(&draft->need[d]);
    }
    return alike;
}

/* The most elements of a dimension that a rank needs. */
static int64_t widest(const struct draft *draft, int32_t d)
{
    const struct bli_dim *const dim = &draft->need[d];
    int64_t most = 0;

    if (dim->axis == BLI_WHOLE)
        return draft->move->from->extent[d];
    for (int32_t p = 0; p < parts_along(&draft->grid, axes_of(dim)); p++)
        if (dim->border[p + 1] - dim->border[p] > most)
            most = dim->border[p + 1] - dim->border[p];
    return most;
}

/* Whether the axes of what ranks need of dimension d come before `alike`. */
static bool is_before(const struct draft *draft, int32_t d, uint32_t alike)
{
    return axes_of(&draft->need[d]) < (alike & -alike);
}

/*
 * The dimension that ranks divide along `alike`: the first one that has an element for
 * each, or else the longest; if there is one, of those whose own axes come before, so
 * that each rank needs its part.  -1: there is none.
 */
static int32_t choose(const struct draft *draft, uint32_t alike)
{
    const int32_t ranks = parts_along(&draft->grid, alike);
    int32_t longest = -1;

    for (int32_t d = 0; d < draft->move->from->rank; d++) {
        const int64_t elements = widest(draft, d);
        const bool is_first = is_before(draft, d, alike);

        if (is_first && elements >= ranks)
            return d;
        if (longest < 0 || elements > widest(draft, longest))
            longest = d;
    }
    return longest;
}

/*
 * Divide dimension d along `alike`, too: each part into as many, or else all parts of
 * a node, joined, into as many as it has ranks for.
 */
static bl_status divide(struct draft *draft, int32_t d, uint32_t alike)
{
    struct bli_dim *const dim = &draft->need[d];
    const int64_t whole[2] = {0, draft->move->from->extent[d]};
    const int64_t *const old = dim->border ? dim->border : whole;
    const uint32_t own = axes_of(dim);
    const uint32_t divided = is_before(draft, d, alike)
                                 ? alike
                                 : alike | (own & turned(draft, draft->inner));
    const int32_t parts = parts_along(&draft->grid, own & ~divided);
    const int32_t joined = parts_along(&draft->grid, own & divided);
    const int32_t each = parts_along(&draft->grid, divided);
    int64_t *const border = malloc(((size_t)parts * (size_t)each + 1) * sizeof *border);

    if (!border)
        return bl_error_set(BL_ERR_MEMORY, "no memory for the borders of a stage");
    for (int32_t p = 0; p < parts; p++) {
        const int64_t begin = old[(int64_t)p * joined];
        const int64_t count = old[(int64_t)(p + 1) * joined] - begin;

        for (int32_t k = 0; k < each; k++)
            border[(int64_t)p * each + k] =
                begin + count / each * k + count % each * k / each;
    }
    border[(int64_t)parts * each] = old[(int64_t)parts * joined];
    draft->border = border;
    dim->border = border;
    dim->axis = BLI_AXES((int32_t)(own | alike));
    return BL_OK;
}

/* ---- stages ---- */

static bool saves(const struct bli_move *move, const struct bli_stage *stage)
{
    const int64_t once = bli_traffic_entering(&stage->enter, INT64_MAX);
    const int64_t limit = once + once / 20;

    return bli_traffic_entering(move, limit) > limit &&
           bli_traffic_entering(&stage->pass, 0) == 0;
}

static bl_status build(struct draft *draft, uint32_t alike, int32_t d)
{
    const struct bli_move *const move = draft->move;
    struct bli_stage *const stage = draft->stage;

    if (alike)
        BL_TRY(divide(draft, d, alike));
    BL_TRY(respread(draft, move->from, &stage->from));
    BL_TRY(respread(draft, move->to, &stage->to));
    BL_TRY(bli_spread_make(&draft->grid, move->from->rank, move->from->extent,
                           draft->need, BLI_EVERY_RANK, &stage->way));
    /* A replica of this node, if it has one. */
    const uint32_t near = ~turned(draft, draft->inner);

    stage->enter = (struct bli_move){stage->from, stage->way, 0, move->size, near};
    stage->pass =
        (struct bli_move){stage->way, stage->to, move->shift, move->size, near};
    return BL_OK;
}

bl_status bli_stage_make(const struct bli_move *move, struct bli_stage **out)
{
    const struct bli_grid *const grid = &move->to->grid;
    struct draft draft = {.move = move};
    bl_status status;
    uint32_t alike;
    int32_t d;

    *out = NULL;
    if (!grid->is_shared || grid->ranks <= grid->node || grid->ranks % grid->node > 0 ||
        move->from->root != BLI_EVERY_RANK || move->to->root != BLI_EVERY_RANK ||
        !refine(&draft))
        return BL_OK;
    alike = find_need(&draft);
    d = choose(&draft, alike);
    if (alike && d < 0)
        return BL_OK;
    draft.stage = calloc(1, sizeof *draft.stage);
    if (!draft.stage)
        return bl_error_set(BL_ERR_MEMORY, "no memory for a stage");
    status = build(&draft, alike, d);
    free(draft.border);
    if (status == BL_OK && saves(move, draft.stage))
        *out = draft.stage;
    else
        bli_stage_free(draft.stage);
    return status;
}

void bli_stage_free(struct bli_stage *stage)
{
    if (!stage)
        return;
    bli_spread_release(stage->from);
    bli_spread_release(stage->to);
    bli_spread_release(stage->way);
    free(stage);
}

int64_t bli_stage_bytes(const struct bli_stage *stage, int32_t of_rank)
{
    struct bli_box box;

    return bli_spread_box(stage->way, of_rank, &box) * stage->enter.size;
}
