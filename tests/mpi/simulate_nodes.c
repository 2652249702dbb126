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

bool simulate_nodes(const struct bli_move *move, const struct bli_move *const *moves,
                    int32_t count, struct simulated_nodes *nodes)
{
    const struct bli_grid *const grid = &move->to->grid;
    const int64_t entered = entering(moves[0]);
    bool all_need = true;
    int64_t least = 0;

    if (count == 1)
        return true;
    for (int32_t r = 0; r < grid->ranks; r += grid->node)
        least += lacking(move, r, r + grid->node, &all_need) * move->size;
    nodes->staged++;
    nodes->entered += entered;
    nodes->least += least;
    nodes->direct += entering(move);
    if (entering(moves[1]) == 0 && entered >= (all_need ? least : 0) &&
        (!all_need || entered == least))
        return true;
    tap_note("%d bytes enter nodes, %d do at least", (int)entered, (int)least);
    return false;
}
