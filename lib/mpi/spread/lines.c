/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Moves by linear order.  A rank's box is runs of the linear order, each of which is
 * cut where the other tensor's owner changes.
 */
#include "mpi/spread/lines.h"

struct bli_lines bli_lines_make(const struct bli_spread *from,
                                const struct bli_spread *to, int64_t size)
{
    return (struct bli_lines){from, to, size, 0, INT64_MAX};
}

/* ---- runs of a box ---- */

/*
 * Number of dimensions that count runs of a box: the one after them is cut, or the
 * first, and those that follow are whole.
 */
static int32_t run_dims(const struct bli_spread *spread, const struct bli_box *box)
{
    int32_t d = spread->rank - 1;

    while (d > 0 && box->begin[d] == 0 && box->end[d] == spread->extent[d])
        d--;
    return d > 0 ? d : 0;
}

static void find_runs(const struct bli_spread *spread, const struct bli_box *box,
                      int32_t *dims, int64_t *runs, int64_t *length)
{
    *dims = run_dims(spread, box);
    *runs = bli_box_count(spread->rank, box) > 0;
    *length = *runs;
    for (int32_t d = 0; d<spread->rank && * runs> 0; d++)
        if (d < *dims)
            *runs *= box->end[d] - box->begin[d];
        else
            *length *= box->end[d] - box->begin[d];
}

void bli_lines_runs(const struct bli_spread *spread, int64_t *fewest, int64_t *most)
{
    *fewest = INT64_MAX;
    *most = 0;
    for (int32_t r = 0; r < spread->grid.ranks; r++) {
        struct bli_box box;
        int64_t runs, length;
        int32_t dims;

        if (bli_spread_box(spread, r, &box) == 0)
            continue;
        find_runs(spread, &box, &dims, &runs, &length);
        *fewest = length < *fewest ? length : *fewest;
        *most = runs > *most ? runs : *most;
    }
}

/* The linear index of the first element of a run. */
static int64_t run_index(const struct bli_spread *spread, const struct bli_box *box,
                         int32_t dims, int64_t run)
{
    int64_t index = 0, stride = 1;

    for (int32_t d = spread->rank - 1; d >= dims; d--) {
        index += box->begin[d] * stride;
        stride *= spread->extent[d];
    }
    for (int32_t d = dims - 1; d >= 0; d--) {
        const int64_t extent = box->end[d] - box->begin[d];

        index += (box->begin[d] + run % extent) * stride;
        run /= extent;
        stride *= spread->extent[d];
    }
    return index;
}

/* ---- pieces ---- */

static const struct bli_spread *own_of(const struct bli_lines *lines,
                                       enum bli_direction direction)
{
    return direction == BLI_SENT ? lines->from : lines->to;
}

static const struct bli_spread *other_of(const struct bli_lines *lines,
                                         enum bli_direction direction)
{
    return direction == BLI_SENT ? lines->to : lines->from;
}

void bli_pieces_begin(const struct bli_lines *lines, int32_t of_rank,
                      enum bli_direction direction, struct bli_pieces *pieces)
{
    const struct bli_spread *const own = own_of(lines, direction);

    *pieces = (struct bli_pieces){.lines = lines, .direction = direction};
    bli_spread_box(own, of_rank, &pieces->box);
    find_runs(own, &pieces->box, &pieces->dims, &pieces->runs, &pieces->length);
    if (pieces->runs > 0)
        pieces->index = run_index(own, &pieces->box, pieces->dims, 0);
}

/*
 * Who has element `index` of a spread: its places along axes that cut, and how many
 * elements from there on it has in a row.
 */
static int64_t find_owner(const struct bli_spread *spread, int64_t index,
                          int32_t place[BLI_MAX_AXES])
{
    int64_t in_a_row = 1, stride = 1, offset = 0;
    bool is_row = true;

    for (int32_t d = spread->rank - 1; d >= 0; d--) {
        const int64_t extent = spread->extent[d], i = index % extent;
        const int32_t axis = spread->axis[d];
        int64_t end = extent;
        int32_t part, last;

        index /= extent;
        if (axis != BLI_WHOLE) {
            bli_borders_meet(&spread->cut[axis], i, i + 1, &part, &last);
            bli_spread_part_place(spread, d, part, place);
            end = spread->cut[axis].border[part + 1];
        }
        if (is_row)
            in_a_row = (end - i) * stride - offset;
        is_row = is_row && axis == BLI_WHOLE;
        offset += i * stride;
        stride *= extent;
    }
    return in_a_row;
}

/* Cut a piece to the part of the receiver's range that is moved; returns what of it
 * comes before. */
static int64_t clip(const struct bli_lines *lines, enum bli_direction direction,
                    int64_t index, struct bli_piece *piece, int64_t own_at)
{
    int64_t at = own_at, skip;

    if (lines->limit == INT64_MAX)
        return 0;
    if (direction == BLI_SENT) {
        const struct bli_spread *const to = lines->to;

        at = index -
             (to->axis[0] == BLI_WHOLE
                  ? 0
                  : to->cut[to->axis[0]].border[bli_spread_part(to, 0, piece->place)]);
    }
    skip = lines->first > at ? lines->first - at : 0;
    if (skip > piece->count || at >= lines->first + lines->limit)
        skip = piece->count;
    piece->count -= skip;
    if (at + skip + piece->count > lines->first + lines->limit)
        piece->count = lines->first + lines->limit - at - skip;
    return skip;
}

bool bli_pieces_next(struct bli_pieces *pieces, struct bli_piece *piece)
{
    const struct bli_lines *const lines = pieces->lines;
    const struct bli_spread *const own = own_of(lines, pieces->direction);
    const struct bli_spread *const other = other_of(lines, pieces->direction);

    while (pieces->run < pieces->runs) {
        const int64_t index = pieces->index + pieces->at;
        const int64_t row = find_owner(other, index, piece->place);
        const int64_t rest = pieces->length - pieces->at;
        const int64_t all = row < rest ? row : rest;
        const int64_t at = pieces->run * pieces->length + pieces->at;

        piece->count = all;
        const int64_t skip = clip(lines, pieces->direction, index, piece, at);

        piece->index = index + skip;
        piece->at = at + skip;
        if (pieces->direction == BLI_RECEIVED)
            piece->at -= lines->first;
        pieces->at += all;
        if (pieces->at == pieces->length && ++pieces->run < pieces->runs) {
            pieces->at = 0;
            pieces->index = run_index(own, &pieces->box, pieces->dims, pieces->run);
        }
        if (piece->count > 0)
            return true;
    }
    return false;
}

/* ---- peers ---- */

/* The rank that a receiver takes a piece from: places of replicas are its own. */
static int32_t source(const struct bli_spread *from, int32_t receiver,
                      const int32_t *cut)
{
    int32_t place[BLI_MAX_AXES];

    bli_grid_place(&from->grid, receiver, place);
    for (int32_t a = 0; a < from->grid.axes; a++)
        if (from->dim[a] != BLI_WHOLE)
            place[a] = cut[a];
    return bli_grid_rank(&from->grid, place);
}

/* The next rank that has places `cut`, of all replicas. */
static bool next_replica(const struct bli_spread *spread, const int32_t *cut,
                         int32_t *rank)
{
    int32_t place[BLI_MAX_AXES], a = spread->grid.axes - 1;

    if (*rank >= 0)
        bli_grid_place(&spread->grid, *rank, place);
    for (int32_t b = 0; b < spread->grid.axes && *rank < 0; b++)
        place[b] = spread->dim[b] == BLI_WHOLE ? 0 : cut[b];
    for (; *rank >= 0 && a >= 0; a--) {
        if (spread->dim[a] != BLI_WHOLE)
            continue;
        if (++place[a] < spread->grid.extent[a])
            break;
        place[a] = 0;
    }
    if (a < 0)
        return false;
    *rank = bli_grid_rank(&spread->grid, place);
    return true;
}

bool bli_piece_peer(const struct bli_lines *lines, enum bli_direction direction,
                    int32_t of_rank, const struct bli_piece *piece, int32_t *peer)
{
    int32_t own[BLI_MAX_AXES];

    if (direction == BLI_RECEIVED) {
        const bool is_first = *peer < 0;

        *peer = source(lines->from, of_rank, piece->place);
        return is_first;
    }
    bli_grid_place(&lines->from->grid, of_rank, own);
    while (next_replica(lines->to, piece->place, peer))
        if (source(lines->from, *peer, own) == of_rank)
            return true;
    return false;
}
