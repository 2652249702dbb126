/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who exchanges elements with whom.  The parts of a dimension that a rank meets are one
 * range, found by binary search, so that a rank's peers are a product of ranges of
 * places; of a dimension along several axes together, those of them in the range.
 */
#include "mpi/spread/move.h"

int32_t bli_move_divided(const struct bli_move *move, int32_t axis)
{
    const int32_t e = move->to->dim[axis], d = e - move->shift;

    if (e == BLI_WHOLE || d < 0 || d >= move->from->rank || move->from->extent[d] == 1)
        return BLI_WHOLE;
    return d;
}

bool bli_move_is_replicated(const struct bli_move *move, int32_t axis)
{
    return move->from->root == BLI_EVERY_RANK && move->from->dim[axis] == BLI_WHOLE;
}

/*
 * The axis along which a receiver's place says which replica along `axis` it takes
 * from. That is the same axis, where receivers along it take all the same; else one
 * along which they do, but replicas differ, so that replicas share the work.
 */
static int32_t twin(const struct bli_move *move, int32_t axis)
{
    int32_t before = 0;

    if (bli_move_divided(move, axis) == BLI_WHOLE || move->near >> axis & 1)
        return axis;
    for (int32_t a = 0; a < axis; a++)
        before +=
            bli_move_is_replicated(move, a) && bli_move_divided(move, a) != BLI_WHOLE;
    for (int32_t a = 0; a < move->to->grid.axes; a++)
        if (!bli_move_is_replicated(move, a) &&
            bli_move_divided(move, a) == BLI_WHOLE && before-- == 0)
            return a;
    return axis;
}

/* ---- one side ---- */

/* Reach the places `first` to `last` - 1 along an axis. */
static void reach_places(int32_t axis, int64_t first, int64_t last,
                         struct bli_reach *reach)
{
    reach->first[axis] = (int32_t)first;
    reach->last[axis] = (int32_t)last;
}

/* Reach the parts of a dimension that meet a range, by its first axis. */
static void reach_parts(const struct bli_spread *spread, int32_t axis, int64_t begin,
                        int64_t end, struct bli_reach *reach)
{
    const struct bli_borders *const cut = &spread->cut[axis];
    int32_t low, high, stride = cut->parts;
    bool is_one = true;

    bli_borders_meet(cut, begin, end, &low, &high);
    reach->low[axis] = low;
    reach->high[axis] = high;
    for (int32_t a = axis; cut->axes >> a != 0; a++) {
        const int32_t extent = spread->grid.extent[a];

        if (!(cut->axes >> a & 1))
            continue;
        stride /= extent;
        if (low == high)
            reach_places(a, 0, 0, reach);
        else if (is_one)
            reach_places(a, low / stride % extent, (high - 1) / stride % extent + 1,
                         reach);
        else
            reach_places(a, 0, extent, reach);
        is_one = is_one && reach->last[a] - reach->first[a] == 1;
    }
}

/*
 * Reach those that a rank at place `own` receives from, along the axes of a dimension
 * or one axis alone, by its first one; `need` is what it needs.
 */
static void reach_senders(const struct bli_move *move, int32_t axis, const int32_t *own,
                          const struct bli_box *need, struct bli_reach *reach)
{
    const struct bli_spread *const from = move->from;
    const int32_t d = bli_spread_first(from, axis);

    if (d != BLI_WHOLE) {
        reach_parts(from, axis, need->begin[d], need->end[d], reach);
    } else if (from->dim[axis] == BLI_WHOLE) {
        const int32_t by = twin(move, axis);
        const int64_t place =
            (int64_t)own[by] * from->grid.extent[axis] / from->grid.extent[by];

        reach_places(axis, place, place + 1, reach);
    }
}

/* Reach those that a rank sends to of what it has, whichever replica it is. */
static void reach_receivers(const struct bli_move *move, int32_t axis,
                            const struct bli_box *has, struct bli_reach *reach)
{
    const struct bli_spread *const to = move->to;
    const int32_t d = bli_move_divided(move, axis), e = bli_spread_first(to, axis);

    if (to->dim[axis] == BLI_WHOLE)
        reach_places(axis, 0, to->grid.extent[axis], reach);
    else if (e != BLI_WHOLE && d == BLI_WHOLE)
        reach_parts(to, axis, 0, to->extent[e], reach);
    else if (e != BLI_WHOLE)
        reach_parts(to, axis, has->begin[d], has->end[d], reach);
}

/* ---- a rank's peers ---- */

/* The least place of `extent` that is scaled to at least `place` of `replicas`. */
static int64_t scaled_up(int64_t place, int64_t extent, int64_t replicas)
{
    return (place * extent + replicas - 1) / replicas;
}

/* Leave the receivers that take from this replica. */
static void choose_replica(const struct bli_move *move, const int32_t *own,
                           struct bli_reach *reach)
{
    const struct bli_grid *const grid = &move->to->grid;

    for (int32_t a = 0; a < grid->axes; a++) {
        const int32_t by = bli_move_is_replicated(move, a) ? twin(move, a) : -1;

        if (by < 0)
            continue;

        const int64_t first = scaled_up(own[a], grid->extent[by], grid->extent[a]);
        const int64_t last =
            scaled_up(own[a] + INT64_C(1), grid->extent[by], grid->extent[a]);

        if (first > reach->first[by])
            reach->first[by] = (int32_t)first;
        if (last < reach->last[by])
            reach->last[by] = (int32_t)last;
    }
}

bool bli_move_reach(const struct bli_move *move, int32_t of_rank,
                    enum bli_direction direction, struct bli_reach *reach)
{
    const bool is_sent = direction == BLI_SENT;
    const struct bli_spread *const own = is_sent ? move->from : move->to;
    const struct bli_spread *const other = is_sent ? move->to : move->from;
    int32_t place[BLI_MAX_AXES], root[BLI_MAX_AXES];
    struct bli_box box;

    if ((is_sent ? bli_spread_box(move->from, of_rank, &box)
                 : bli_move_need(move, of_rank, &box)) == 0)
        return false;
    for (int32_t d = 0; d < other->rank; d++)
        if (other->extent[d] == 0)
            return false;
    bli_grid_place(&own->grid, of_rank, place);
    if (other->root != BLI_EVERY_RANK)
        bli_grid_place(&own->grid, other->root, root);
    for (int32_t a = 0; a < own->grid.axes; a++)
        if (other->root != BLI_EVERY_RANK)
            reach_places(a, root[a], root[a] + INT64_C(1), reach);
        else if (is_sent)
            reach_receivers(move, a, &box, reach);
        else
            reach_senders(move, a, place, &box, reach);
    if (is_sent)
        choose_replica(move, place, reach);
    for (int32_t a = 0; a < own->grid.axes; a++)
        if (reach->first[a] >= reach->last[a])
            return false;
    return true;
}

/* ---- ranges of ranks ---- */

int32_t bli_reach_ranks(const struct bli_grid *grid, int32_t first, int32_t last,
                        struct bli_reach *ranks)
{
    int32_t place[BLI_MAX_AXES], stride = 1, axis = grid->axes - 1, count;

    bli_grid_place(grid, first, place);
    while (axis > 0 && place[axis] == 0 && last - first >= stride * grid->extent[axis])
        stride *= grid->extent[axis--];
    count = (last - first) / stride;
    if (count > grid->extent[axis] - place[axis])
        count = grid->extent[axis] - place[axis];
    for (int32_t a = 0; a < grid->axes; a++) {
        ranks->first[a] = a > axis ? 0 : place[a];
        ranks->last[a] = a < axis    ? place[a] + 1
                         : a == axis ? place[a] + count
                                     : grid->extent[a];
    }
    return first + count * stride;
}

bool bli_reach_meet(struct bli_reach *reach, const struct bli_reach *other,
                    int32_t axes)
{
    for (int32_t a = 0; a < axes; a++) {
        if (other->first[a] > reach->first[a])
            reach->first[a] = other->first[a];
        if (other->last[a] < reach->last[a])
            reach->last[a] = other->last[a];
        if (reach->first[a] >= reach->last[a])
            return false;
    }
    return true;
}
