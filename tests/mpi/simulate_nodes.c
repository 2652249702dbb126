/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi/simulate.h"

#include <stdlib.h>
#include <string.h>

#include "harness/tap.h"

/* Mark the elements of a box, by their places in the whole. */
static void mark(const struct bli_spread *spread, const struct bli_box *box, char with,
                 char *marks)
{
    const int64_t count = bli_box_count(spread->rank, box);

    for (int64_t i = 0; i < count; i++) {
        int64_t left = i, place = 0, stride = 1;

        for (int32_t d = spread->rank - 1; d >= 0; d--) {
            const int64_t extent = box->end[d] - box->begin[d];

            place += (box->begin[d] + left % extent) * stride;
            left /= extent;
            stride *= spread->extent[d];
        }
        marks[place] |= with;
    }
}

/* Elements that ranks first to last - 1 need, and none of them has. */
static int64_t lacking(const struct bli_move *move, int32_t first, int32_t last,
                       bool *all_need)
{
    const struct bli_spread *const from = move->from;
    int64_t numel = 1, lacking = 0;
    struct bli_box box;
    char *marks;

    for (int32_t d = 0; d < from->rank; d++)
        numel *= from->extent[d];
    marks = calloc((size_t)numel + 1, 1);
    for (int32_t r = first; r < last; r++) {
        if (bli_spread_box(from, r, &box) > 0)
            mark(from, &box, 1, marks);
        if (bli_move_need(move, r, &box) > 0)
            mark(from, &box, 2, marks);
        else
            *all_need = false;
    }
    for (int64_t i = 0; i < numel; i++)
        lacking += marks[i] == 2;
    free(marks);
    return lacking;
}

static int64_t entering(const struct bli_move *move)
{
    struct bli_traffic traffic;
    int64_t bytes = 0;

    for (int32_t r = 0; r < move->to->grid.ranks; r++) {
        bli_traffic_count(move, r, &traffic);
        bytes += traffic.node_received;
    }
    return bytes;
}

/* Whether nodes are ranges of the grid's last axes, of which one may be cut. */
static bool is_cut_at_nodes(const struct bli_grid *grid)
{
    int32_t left = grid->node;

    for (int32_t a = grid->axes - 1; a >= 0 && left > 1; a--) {
        const int32_t all = grid->extent[a];

        if (left % all != 0 && all % left != 0)
            return false;
        left = left % all == 0 ? left / all : 1;
    }
    return left == 1 && grid->ranks % grid->node == 0;
}

/* Whether the sum that decides on stages is that of all ranks' traffic. */
static bool is_sum(const struct bli_move *move)
{
    const int64_t bytes = entering(move), half = bytes / 2;
    const int64_t until = bli_traffic_entering(move, half);

    return bli_traffic_entering(move, INT64_MAX) == bytes && until <= bytes &&
           (until > half) == (bytes > 0);
}

bool simulate_nodes(const struct bli_move *move, const struct bli_move *const *moves,
                    int32_t count, struct simulated_nodes *nodes)
{
    const struct bli_grid *const grid = &move->to->grid;
    const int64_t entered = entering(moves[0]);
    bool all_need = true, pass;
    int64_t least = 0;

    if (!is_sum(move) || !is_sum(moves[count - 1])) {
        tap_note("a stage is chosen by other bytes than enter nodes");
        return false;
    }
    if (!grid->is_shared || !is_cut_at_nodes(grid) ||
        move->from->root != BLI_EVERY_RANK || move->to->root != BLI_EVERY_RANK)
        return count == 1;
    for (int32_t r = 0; r < grid->ranks; r += grid->node)
        least += lacking(move, r, r + grid->node, &all_need) * move->size;
    pass = !all_need || (entered >= least && 20 * entered <= 21 * least);
    if (count == 2) {
        nodes->staged++;
        nodes->entered += entered;
        nodes->least += least;
        nodes->direct += entering(move);
        pass = pass && entering(moves[1]) == 0 && (!all_need || entered == least);
    }
    if (!pass)
        tap_note("%d bytes enter nodes, %d do at least", (int)entered, (int)least);
    return pass;
}
