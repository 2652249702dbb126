/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The move of an operand: what each rank needs of it, and what it has of that.
 */
#include "mpi/spread/move.h"

/* A range of indices. */
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

    const int64_t *const border =
        spread->cut[a].border + bli_spread_part(spread, d, place);

    return (struct range){border[0], border[1]};
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

void bli_move_taken(const struct bli_move *move, const struct bli_box *result,
                    struct bli_box *taken)
{
    for (int32_t d = 0; d < move->from->rank; d++) {
        const int32_t e = paired(move, d);

        taken->begin[d] = e < 0 ? 0 : result->begin[e];
        taken->end[d] = e < 0 ? 1 : result->end[e];
    }
}

bool bli_move_narrow(const struct bli_move *move, int32_t of_rank,
                     struct bli_box *result)
{
    struct bli_box kept;

    if (bli_move_kept(move, of_rank, &kept) == 0)
        return false;
    for (int32_t d = 0; d < move->from->rank; d++) {
        const int32_t e = paired(move, d);

        if (e < 0)
            continue;
        const struct range both =
            meet((struct range){kept.begin[d], kept.end[d]},
                 (struct range){result->begin[e], result->end[e]});

        result->begin[e] = both.begin;
        result->end[e] = both.end;
    }
    return true;
}

/* ---- moves of nothing ---- */

/* Whether all elements are on one rank, or a dimension lies along several axes. */
static bool is_special(const struct bli_spread *spread)
{
    bool is_joint = false;

    for (int32_t a = 0; a < spread->grid.axes; a++)
        is_joint = is_joint || (spread->dim[a] != BLI_WHOLE &&
                                bli_spread_first(spread, a) == BLI_WHOLE);
    return is_joint || spread->root != BLI_EVERY_RANK;
}

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
    if (is_special(from) || is_special(to)) {
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
