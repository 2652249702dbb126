/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a rank exchanges of a box, counted without going through its messages: peers are
 * a product of ranges, and so are their elements.
 */
#include "mpi/spread/move.h"

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* ---- peers ---- */

/* Some parts of a dimension: those that have elements, and elements of a range. */
struct share {
    int64_t filled;
    int64_t count;
};

/*
 * The parts of a reach along the last axes of a dimension that follow each other: those
 * along one axis, as far as all axes after it are reached as a whole.
 */
struct row {
    int32_t axis;        /* that one */
    int64_t first, last; /* the parts, where all axes before it are at 0 */
    int64_t stride;      /* parts from a place along the axis before it to the next */
};

static struct row row_of(const struct bli_spread *spread, int32_t axis,
                         const struct bli_reach *reach)
{
    const uint32_t axes = spread->cut[axis].axes;
    struct row row = {31 - __builtin_clz(axes), 0, 1, 1};

    for (int32_t a = row.axis; a >= axis; a--) {
        if (!(axes >> a & 1))
            continue;
        if (row.first > 0 || row.last < row.stride)
            break;
        row.axis = a;
        row.first = reach->first[a] * row.stride;
        row.last = reach->last[a] * row.stride;
        row.stride *= spread->grid.extent[a];
    }
    return row;
}

/*
 * The parts of a reach along the axes of a dimension, by its first axis, as far as
 * they have indices begin to end - 1: row by row, one for each place along the axes
 * before those of a row.
 */
static struct share share_of(const struct bli_spread *spread, int32_t axis,
                             const struct bli_reach *reach, int64_t begin, int64_t end)
{
    const struct bli_borders *const cut = &spread->cut[axis];
    const struct row row = row_of(spread, axis, reach);
    int64_t tuples = 1;
    struct share share = {0, 0};

    for (int32_t a = axis; a < row.axis; a++)
        if (cut->axes >> a & 1)
            tuples *= reach->last[a] - reach->first[a];
    for (int64_t t = 0; t < tuples; t++) {
        int64_t stride = row.stride, rest = t, start = 0;

        for (int32_t a = row.axis - 1; a >= axis; a--) {
            if (!(cut->axes >> a & 1))
                continue;
            const int32_t count = reach->last[a] - reach->first[a];

            start += (reach->first[a] + rest % count) * stride;
            rest /= count;
            stride *= spread->grid.extent[a];
        }

        const int64_t low = most(start + row.first, reach->low[axis]);
        const int64_t high = least(start + row.last, reach->high[axis]);

        if (low >= high)
            continue;
        share.filled += cut->filled[high] - cut->filled[low];
        share.count +=
            most(0, least(cut->border[high], end) - most(cut->border[low], begin));
    }
    return share;
}

/* Places of a reach along an axis that have elements, counted by the first axis of a
 * dimension. */
static int64_t filled(const struct bli_spread *spread, int32_t axis,
                      const struct bli_reach *reach)
{
    if (spread->dim[axis] == BLI_WHOLE)
        return reach->last[axis] - reach->first[axis];
    return bli_spread_first(spread, axis) == BLI_WHOLE
               ? 1
               : share_of(spread, axis, reach, 0, 0).filled;
}

/* Number of ranks of a reach that have elements of `spread`. */
static int64_t peers(const struct bli_spread *spread, const struct bli_reach *reach)
{
    int64_t count = 1;

    for (int32_t a = 0; a < spread->grid.axes; a++)
        count *= filled(spread, a, reach);
    return count;
}

/* ---- bytes ---- */

/*
 * Elements of `own`, what a rank has or needs, that it sends to or receives from all of
 * a reach, itself included.
 */
static int64_t moved_count(const struct bli_move *move, const struct bli_box *own,
                           enum bli_direction direction, const struct bli_reach *reach)
{
    const struct bli_spread *const other =
        direction == BLI_SENT ? move->to : move->from;
    int64_t extent[BL_MAX_RANK], count = 1;

    for (int32_t d = 0; d < move->from->rank; d++)
        extent[d] = own->end[d] - own->begin[d];
    for (int32_t a = 0; a < other->grid.axes; a++) {
        const int32_t d =
            direction == BLI_SENT ? bli_move_divided(move, a) : other->dim[a];

        if (d == BLI_WHOLE)
            count *= filled(other, a, reach);
        else if (bli_spread_first(other, a) != BLI_WHOLE)
            extent[d] = share_of(other, a, reach, own->begin[d], own->end[d]).count;
    }
    for (int32_t d = 0; d < move->from->rank; d++)
        count *= extent[d];
    return count;
}

/* The ranks of a reach that have the same part of the operand as one at a place. */
static bool alike(const struct bli_move *move, const int32_t *place,
                  const struct bli_reach *reach, struct bli_reach *same)
{
    *same = *reach;
    for (int32_t a = 0; a < move->to->grid.axes; a++) {
        if (bli_move_is_replicated(move, a))
            continue;
        if (place[a] < reach->first[a] || place[a] >= reach->last[a])
            return false;
        same->first[a] = place[a];
        same->last[a] = place[a] + 1;
    }
    return true;
}

/* What a rank exchanges with those of a reach that do not have it anyway. */
static struct bli_amount exchanged(const struct bli_move *move, const int32_t *place,
                                   const struct bli_box *own,
                                   enum bli_direction direction,
                                   const struct bli_reach *reach)
{
    const struct bli_spread *const other =
        direction == BLI_SENT ? move->to : move->from;
    struct bli_amount amount = {peers(other, reach),
                                moved_count(move, own, direction, reach)};
    struct bli_reach same;

    if (alike(move, place, reach, &same)) {
        amount.peers -= peers(other, &same);
        amount.count -= moved_count(move, own, direction, &same);
    }
    return amount;
}

/* What a rank exchanges with the other ranks of its node. */
static struct bli_amount within_node(const struct bli_move *move, int32_t of_rank,
                                     const int32_t *place, const struct bli_box *own,
                                     enum bli_direction direction,
                                     const struct bli_reach *reach)
{
    const struct bli_grid *const grid = &move->to->grid;
    const int32_t begin = of_rank - of_rank % grid->node;
    const int32_t end = (int32_t)least((int64_t)begin + grid->node, grid->ranks);
    struct bli_amount sum = {0, 0};

    for (int32_t r = begin; grid->node > 1 && r < end;) {
        struct bli_reach ranges, both = *reach;

        r = bli_reach_ranks(grid, r, end, &ranges);
        if (!bli_reach_meet(&both, &ranges, grid->axes))
            continue;
        const struct bli_amount one = exchanged(move, place, own, direction, &both);

        sum.peers += one.peers;
        sum.count += one.count;
    }
    return sum;
}

struct bli_amount bli_move_amount(const struct bli_move *move, int32_t of_rank,
                                  enum bli_direction direction,
                                  const struct bli_box *own, struct bli_amount *within)
{
    struct bli_amount amount = {0, 0};
    struct bli_reach reach;
    int32_t place[BLI_MAX_AXES];

    *within = amount;
    if (!bli_move_reach(move, of_rank, direction, &reach))
        return amount;
    bli_grid_place(&move->to->grid, of_rank, place);
    amount = exchanged(move, place, own, direction, &reach);
    if (amount.count > 0)
        *within = within_node(move, of_rank, place, own, direction, &reach);
    return amount;
}
