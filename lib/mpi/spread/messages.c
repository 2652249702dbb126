/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The messages of a rank, by distance.
 */
#include "mpi/spread/move.h"

/* ---- pairs of ranks ---- */

/* The place of a tuple of a reach, counted with the last axis fastest. */
static void place_of(const struct bli_messages *list, int64_t tuple,
                     int32_t place[BLI_MAX_AXES])
{
    const struct bli_reach *const reach = &list->reach;

    for (int32_t a = list->move->to->grid.axes - 1; a >= 0; a--) {
        const int32_t count = reach->last[a] - reach->first[a];

        place[a] = reach->first[a] + (int32_t)(tuple % count);
        tuple /= count;
    }
}

/* Number of tuples whose ranks are below that at a place, and of the one that is it. */
static int64_t tuples_below(const struct bli_messages *list, const int32_t *place,
                            bool *is_one)
{
    const struct bli_reach *const reach = &list->reach;
    int64_t below = 0, inside = list->tuples;

    *is_one = true;
    for (int32_t a = 0; a < list->move->to->grid.axes; a++) {
        const int32_t first = reach->first[a], last = reach->last[a];

        inside /= last - first;
        if (place[a] < first || place[a] >= last) {
            *is_one = false;
            return below + (place[a] < first ? 0 : (last - first) * inside);
        }
        below += (place[a] - first) * inside;
    }
    return below;
}

void bli_messages_begin(const struct bli_move *move, int32_t of_rank,
                        enum bli_direction direction, struct bli_messages *list)
{
    bool has_own;

    list->move = move;
    list->direction = direction;
    list->of_rank = of_rank;
    list->piece = list->cut.pieces = 0;
    list->tuple = list->tuples = 0;
    if (!bli_move_reach(move, of_rank, direction, &list->reach))
        return;
    list->tuples = 1;
    for (int32_t a = 0; a < move->to->grid.axes; a++)
        list->tuples *= list->reach.last[a] - list->reach.first[a];
    bli_grid_place(&move->to->grid, of_rank, list->own);
    list->start = tuples_below(list, list->own, &has_own);
    if (direction == BLI_RECEIVED)
        list->start += has_own ? list->tuples : list->tuples - 1;
}

/* Whether the ranks at two places have the same part of the operand. */
static bool is_alike(const struct bli_move *move, const int32_t *a, const int32_t *b)
{
    for (int32_t axis = 0; axis < move->to->grid.axes; axis++)
        if (a[axis] != b[axis] && !bli_move_is_replicated(move, axis))
            return false;
    return true;
}

/* Go to the next rank that something moves to or from; whether there is one. */
static bool next_pair(struct bli_messages *list)
{
    const bool is_sent = list->direction == BLI_SENT;
    int32_t place[BLI_MAX_AXES];

    while (list->tuple < list->tuples) {
        const int64_t turn = is_sent ? list->tuple : -list->tuple;
        struct bli_message *const whole = &list->whole;
        int64_t count;

        list->tuple++;
        place_of(list, (list->start + turn) % list->tuples, place);
        if (is_alike(list->move, list->own, place))
            continue;
        whole->peer = bli_grid_rank(&list->move->to->grid, place);
        count = is_sent ? bli_move_part(list->move, list->own, place, &whole->box)
                        : bli_move_part(list->move, place, list->own, &whole->box);
        whole->bytes = count * list->move->size;
        if (count > 0)
            return true;
    }
    return false;
}

/* ---- pieces of a pair ---- */

struct bli_cut bli_cut_box(int32_t rank, const struct bli_box *box, int64_t bytes,
                           int64_t most)
{
    struct bli_cut cut = {-1, 0, 1};
    int64_t outer = 1, inner = bytes;

    for (int32_t d = 0; d < rank && bytes > most; d++) {
        const int64_t extent = box->end[d] - box->begin[d];

        inner /= extent;
        if (inner <= most) {
            cut.dim = d;
            cut.step = most / inner;
            cut.pieces = outer * ((extent + cut.step - 1) / cut.step);
            break;
        }
        outer *= extent;
    }
    return cut;
}

void bli_cut_piece(const struct bli_cut *cut, int32_t rank, const struct bli_box *whole,
                   int64_t piece, struct bli_box *box)
{
    for (int32_t d = 0; d < rank; d++) {
        box->begin[d] = whole->begin[d];
        box->end[d] = whole->end[d];
    }
    for (int32_t d = cut->dim; d >= 0; d--) {
        const int64_t step = d == cut->dim ? cut->step : 1;
        const int64_t count = (whole->end[d] - whole->begin[d] + step - 1) / step;

        box->begin[d] += piece % count * step;
        if (box->end[d] - box->begin[d] > step)
            box->end[d] = box->begin[d] + step;
        piece /= count;
    }
}

bool bli_messages_next(struct bli_messages *list, struct bli_message *message)
{
    const int32_t rank = list->move->from->rank;

    if (list->piece == list->cut.pieces) {
        if (!next_pair(list))
            return false;
        list->piece = 0;
        list->cut =
            bli_cut_box(rank, &list->whole.box, list->whole.bytes, BLI_MESSAGE_BYTES);
    }
    message->peer = list->whole.peer;
    bli_cut_piece(&list->cut, rank, &list->whole.box, list->piece, &message->box);
    message->bytes = bli_box_count(rank, &message->box) * list->move->size;
    list->piece++;
    return true;
}
