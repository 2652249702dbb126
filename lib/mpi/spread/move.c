/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The move of an operand: needs, and who exchanges elements with whom.  Along each axis
 * of the grid the peers of a rank are one range of places, found by binary search, so
 * that a rank's peers are a product of ranges.
 */
#include "mpi/spread/move.h"

/* A range of indices, or of places. */
struct range {
    int64_t begin;
    int64_t end;
};

static struct range meet(struct range a, struct range b)
{
    return (struct range){a.begin > b.begin ? a.begin : b.begin,
                          a.end < b.end ? a.end : b.end};
}

/* ---- parts of one dimension ---- */

/* The part of dimension d at a place. */
static struct range part(const struct bli_spread *spread, int32_t d,
                         const int32_t *place)
{
    const int32_t a = spread->axis[d];

    if (a == BLI_WHOLE)
        return (struct range){0, spread->extent[d]};
    return (struct range){spread->cut[a].border[place[a]],
                          spread->cut[a].border[place[a] + 1]};
}

/*
 * The result's dimension that elements of the operand's dimension d are paired with one
 * by one; -1 where it is repeated, or outside.
 */
static int32_t paired(const struct bli_move *move, int32_t d)
{
    const int32_t e = d + move->shift;

    return move->from->extent[d] == 1 || e < 0 || e >= move->to->rank ? -1 : e;
}

/* What a place of the result takes of the operand's dimension d. */
static struct range need(const struct bli_move *move, int32_t d, const int32_t *place)
{
    const int32_t e = paired(move, d);

    return e < 0 ? (struct range){0, 1} : part(move->to, e, place);
}

/* Whether a spread has elements at a place. */
static bool has_any(const struct bli_spread *spread, const int32_t *place)
{
    if (spread->root != BLI_EVERY_RANK &&
        spread->root != bli_grid_rank(&spread->grid, place))
        return false;
    for (int32_t d = 0; d < spread->rank; d++) {
        const struct range range = part(spread, d, place);

        if (range.begin >= range.end)
            return false;
    }
    return true;
}

/* ---- boxes ---- */

int64_t bli_move_part(const struct bli_move *move, const int32_t *from,
                      const int32_t *to, struct bli_box *box)
{
    if (!has_any(move->from, from) || !has_any(move->to, to))
        return 0;
    for (int32_t d = 0; d < move->from->rank; d++) {
        const struct range both = meet(part(move->from, d, from), need(move, d, to));

        box->begin[d] = both.begin;
        box->end[d] = both.end;
    }
    return bli_box_count(move->from->rank, box);
}

int64_t bli_move_need(const struct bli_move *move, int32_t of_rank, struct bli_box *box)
{
    int32_t place[BLI_MAX_AXES];

    bli_grid_place(&move->to->grid, of_rank, place);
    if (!has_any(move->to, place))
        return 0;
    for (int32_t d = 0; d < move->from->rank; d++) {
        const struct range range = need(move, d, place);

        box->begin[d] = range.begin;
        box->end[d] = range.end;
    }
    return bli_box_count(move->from->rank, box);
}

int64_t bli_move_kept(const struct bli_move *move, int32_t of_rank,
                      struct bli_box *kept)
{
    int32_t place[BLI_MAX_AXES];

    bli_grid_place(&move->to->grid, of_rank, place);
    return bli_move_part(move, place, place, kept);
}

/* ---- peers ---- */

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

    if (bli_move_divided(move, axis) == BLI_WHOLE)
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

/* The places along an axis whose parts meet a range. */
static struct range places(const struct bli_borders *cut, struct range range)
{
    int32_t first, last;

    bli_borders_meet(cut, range.begin, range.end, &first, &last);
    return (struct range){first, last};
}

/* The least place of `extent` that is scaled to at least `place` of `replicas`. */
static int64_t scaled_up(int64_t place, int64_t extent, int64_t replicas)
{
    return (place * extent + replicas - 1) / replicas;
}

/* The places that a rank receives from along an axis. */
static struct range senders(const struct bli_move *move, int32_t axis,
                            const int32_t *own, const int32_t *root)
{
    const struct bli_spread *const from = move->from;
    int64_t place;

    if (from->root != BLI_EVERY_RANK)
        return (struct range){root[axis], root[axis] + 1};
    if (from->dim[axis] != BLI_WHOLE)
        return places(&from->cut[axis], need(move, from->dim[axis], own));

    const int32_t by = twin(move, axis);

    place = (int64_t)own[by] * from->grid.extent[axis] / from->grid.extent[by];
    return (struct range){place, place + 1};
}

/* The places that a rank sends to along an axis, whichever replica it is. */
static struct range receivers(const struct bli_move *move, int32_t axis,
                              const int32_t *own, const int32_t *root)
{
    const struct bli_spread *const to = move->to;
    const int32_t d = bli_move_divided(move, axis);

    if (to->root != BLI_EVERY_RANK)
        return (struct range){root[axis], root[axis] + 1};
    if (to->dim[axis] == BLI_WHOLE)
        return (struct range){0, to->grid.extent[axis]};
    if (d == BLI_WHOLE)
        return places(&to->cut[axis], (struct range){0, to->extent[to->dim[axis]]});
    return places(&to->cut[axis], part(move->from, d, own));
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

        const struct range all = {reach->first[by], reach->last[by]};
        const struct range range = meet(
            all, (struct range){scaled_up(own[a], grid->extent[by], grid->extent[a]),
                                scaled_up(own[a] + INT64_C(1), grid->extent[by],
                                          grid->extent[a])});

        reach->first[by] = (int32_t)range.begin;
        reach->last[by] = (int32_t)range.end;
    }
}

bool bli_move_reach(const struct bli_move *move, int32_t of_rank,
                    enum bli_direction direction, struct bli_reach *reach)
{
    const bool is_sent = direction == BLI_SENT;
    const struct bli_spread *const own = is_sent ? move->from : move->to;
    const struct bli_spread *const other = is_sent ? move->to : move->from;
    int32_t place[BLI_MAX_AXES], root[BLI_MAX_AXES] = {0};

    bli_grid_place(&own->grid, of_rank, place);
    if (!has_any(own, place))
        return false;
    for (int32_t d = 0; d < other->rank; d++)
        if (other->extent[d] == 0)
            return false;
    if (other->root != BLI_EVERY_RANK)
        bli_grid_place(&own->grid, other->root, root);
    for (int32_t a = 0; a < own->grid.axes; a++) {
        const struct range range =
            is_sent ? receivers(move, a, place, root) : senders(move, a, place, root);

        reach->first[a] = (int32_t)range.begin;
        reach->last[a] = (int32_t)range.end;
    }
    if (is_sent)
        choose_replica(move, place, reach);
    for (int32_t a = 0; a < own->grid.axes; a++)
        if (reach->first[a] >= reach->last[a])
            return false;
    return true;
}

/* ---- moves of nothing ---- */

/* Whether part p of a cut dimension of the result has elements; all, of one not cut. */
static bool is_filled(const struct bli_spread *to, int32_t axis, int32_t p)
{
    return to->dim[axis] == BLI_WHOLE ||
           to->cut[axis].filled[p + 1] > to->cut[axis].filled[p];
}

/* Whether each place along an axis has what it needs of the dimension cut there. */
static bool is_kept(const struct bli_move *move, int32_t axis)
{
    const struct bli_borders *const cut = &move->from->cut[axis];
    const int32_t e = paired(move, move->from->dim[axis]);
    const bool is_alike = e >= 0 && move->to->axis[e] == axis;
    struct range taken = {0, e < 0 ? 1 : move->to->extent[e]};

    for (int32_t p = 0; p < cut->parts; p++) {
        if (is_alike)
            taken = (struct range){move->to->cut[axis].border[p],
                                   move->to->cut[axis].border[p + 1]};
        if (is_filled(move->to, axis, p) &&
            (cut->border[p] > taken.begin || cut->border[p + 1] < taken.end))
            return false;
    }
    return true;
}

bool bli_move_is_local(const struct bli_move *move)
{
    const struct bli_spread *const from = move->from, *const to = move->to;
    struct bli_box box;

    for (int32_t d = 0; d < to->rank; d++)
        if (to->extent[d] == 0)
            return true;
    if (from->root != BLI_EVERY_RANK || to->root != BLI_EVERY_RANK) {
        for (int32_t r = 0; r < to->grid.ranks; r++)
            if (bli_move_need(move, r, &box) != bli_move_kept(move, r, &box))
                return false;
        return true;
    }
    for (int32_t a = 0; a < from->grid.axes; a++)
        if (from->dim[a] != BLI_WHOLE && !is_kept(move, a))
            return false;
    return true;
}
