/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random views with valid arguments, and their expected result by the definition of
 * each.
 */
#include "view_random.h"

#define MAX_RANK 6

static void roll_expand(struct rng *rng, const struct model *from, struct view *view)
{
    const int32_t lead = (int32_t)rng_below(rng, 3);

    view->shape.rank = from->shape.rank + lead;
    for (int32_t d = 0; d < view->shape.rank; d++) {
        const int64_t own = d < lead ? 1 : from->shape.extent[d - lead];

        view->shape.extent[d] = own == 1 ? rng_below(rng, 4) : own;
    }
    view->given = view->shape;
    for (int32_t d = lead; d < view->shape.rank; d++)
        if (view->shape.extent[d] == from->shape.extent[d - lead] && rng_one_in(rng, 3))
            view->given.extent[d] = -1;
}

/* A random slice; its indices are enumerated as by Python's slice.indices(). */
static void roll_slice(struct rng *rng, int64_t extent, struct view *view)
{
    const bool from_end = rng_one_in(rng, 4);
    const bool to_end = rng_one_in(rng, 4);
    int64_t length = 0;

    view->step = rng_one_in(rng, 2) ? 1 + rng_below(rng, 3) : -1 - rng_below(rng, 3);
    view->given_start = from_end ? BL_SLICE_END : rng_below(rng, 13) - 6;
    view->given_stop = to_end ? BL_SLICE_END : rng_below(rng, 13) - 6;

    int64_t first =
        view->given_start + (view->given_start < 0 && !from_end ? extent : 0);
    int64_t stop = view->given_stop + (view->given_stop < 0 && !to_end ? extent : 0);

    if (from_end)
        first = view->step > 0 ? 0 : extent - 1;
    if (view->step > 0 && first < 0)
        first = 0;
    if (view->step < 0 && first > extent - 1)
        first = extent - 1;
    if (to_end)
        stop = view->step > 0 ? extent : -1;
    for (int64_t i = first; i >= 0 && i < extent; i += view->step) {
        if (view->step > 0 ? i >= stop : i <= stop)
            break;
        length++;
    }
    view->start = first;
    view->shape.extent[view->dim] = length;
}

/*
 * A random shape of the same numel, possibly with one extent left to be inferred (-1).
 */
static void roll_shape(struct rng *rng, int64_t count, struct view *view)
{
    const int32_t rank = (int32_t)rng_below(rng, 5) + (count != 1);
    const int32_t last = rank > 0 ? (int32_t)rng_below(rng, rank) : 0;
    int64_t rest = count;

    view->shape.rank = rank;
    for (int32_t d = 0; d < rank; d++) {
        const int64_t extent = 1 + rng_below(rng, 4);

        view->shape.extent[d] = d != last && rest % extent == 0 ? extent : 1;
        rest /= view->shape.extent[d];
    }
    if (rank > 0)
        view->shape.extent[last] = rest;
    view->given = view->shape;
    if (rank > 0 && rng_one_in(rng, 3))
        view->given.extent[last] = -1;
}

/* Random increasing axes of the result, for placing dimensions. */
static void roll_align(struct rng *rng, const struct shape *from, struct view *view)
{
    int32_t next = 0;

    for (int32_t d = 0; d < from->rank; d++) {
        for (; rng_one_in(rng, 3); next++)
            view->shape.extent[next] = 1;
        view->shape.extent[next] = from->extent[d];
        view->dims[d] = next++;
    }
    view->shape.rank = next;
}

static void drop(struct shape *shape, int32_t dim)
{
    shape->rank--;
    for (int32_t d = dim; d < shape->rank; d++)
        shape->extent[d] = shape->extent[d + 1];
}

static void roll_reorder(struct rng *rng, const struct shape *from, struct view *view)
{
    view->other = (int32_t)rng_below(rng, from->rank);
    if (view->kind == TRANSPOSE) {
        view->shape.extent[view->dim] = from->extent[view->other];
        view->shape.extent[view->other] = from->extent[view->dim];
        return;
    }
    for (int32_t d = 0; d < from->rank; d++) {
        const int32_t at = (int32_t)rng_below(rng, d + 1);

        view->dims[d] = view->dims[at];
        view->dims[at] = d;
    }
    for (int32_t d = 0; d < from->rank; d++)
        view->shape.extent[d] = from->extent[view->dims[d]];
}

/*
 * A random view of one dimension of extent `own`; false if the extent permits none of
 * that kind.
 */
static bool roll_part(struct rng *rng, int64_t own, struct view *view)
{
    switch (view->kind) {
    case SQUEEZE:
        drop(&view->shape, view->dim);
        return own == 1;
    case SELECT:
        drop(&view->shape, view->dim);
        view->start = own > 0 ? rng_below(rng, own) : 0;
        view->given_start = view->start - (rng_one_in(rng, 2) ? own : 0);
        return own > 0;
    case NARROW:
        view->step = 1;
        view->start = rng_below(rng, own + 1);
        view->given_start =
            view->start - (view->start < own && rng_one_in(rng, 2) ? own : 0);
        view->shape.extent[view->dim] = rng_below(rng, own - view->start + 1);
        return true;
    case FLIP:
        view->step = -1;
        view->start = own - 1;
        return true;
    default:
        roll_slice(rng, own, view);
        return true;
    }
}

bool view_roll(struct rng *rng, enum view_kind kind, const struct model *from,
               struct view *view)
{
    const int32_t rank = from->shape.rank;

    *view = (struct view){.kind = kind, .shape = from->shape, .given = from->shape};
    switch (kind) {
    case EXPAND:
        roll_expand(rng, from, view);
        break;
    case UNSQUEEZE:
        view->dim = (int32_t)rng_below(rng, rank + 1);
        for (int32_t d = view->shape.rank++; d > view->dim; d--)
            view->shape.extent[d] = view->shape.extent[d - 1];
        view->shape.extent[view->dim] = 1;
        break;
    case SQUEEZE_ALL:
        for (int32_t d = rank - 1; d >= 0; d--)
            if (view->shape.extent[d] == 1)
                drop(&view->shape, d);
        break;
    case VIEW:
        roll_shape(rng, from->count, view);
        break;
    case ALIGN:
        roll_align(rng, &from->shape, view);
        break;
    default:
        if (rank == 0)
            return false;
        view->dim = (int32_t)rng_below(rng, rank);
        if (kind == PERMUTE || kind == TRANSPOSE)
            roll_reorder(rng, &from->shape, view);
        else if (!roll_part(rng, from->shape.extent[view->dim], view))
            return false;
        break;
    }
    return view->shape.rank <= MAX_RANK && model_count_of(&view->shape) <= MODEL_COUNT;
}

void view_roll_layout(struct rng *rng, bl_layout *layout)
{
    layout->rank = (int32_t)rng_below(rng, 4);
    layout->element_bytes = rng_one_in(rng, 4) ? (int32_t)rng_below(rng, 17) : 0;
    layout->offset = rng_below(rng, 100) - 50;
    for (int32_t d = layout->rank - 1; d >= 0; d--) {
        layout->extent[d] = rng_one_in(rng, 12) ? 0 : 1 + rng_below(rng, 4);
        layout->stride[d] = d + 1 < layout->rank && !rng_one_in(rng, 4)
                                ? layout->stride[d + 1] * layout->extent[d + 1]
                                : rng_below(rng, 15) - 7;
        if (layout->element_bytes > 0 && d + 1 == layout->rank && rng_one_in(rng, 2))
            layout->stride[d] = layout->element_bytes;
    }
}
