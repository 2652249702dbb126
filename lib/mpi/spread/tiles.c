/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tiles of a rank's part of a result: cut where what arrives from different ranks
 * meets, so that a tile can be computed once that has arrived, while the rest is on the
 * way; and what is computed from own memory, so that messages are looked after.
 *
 * Nothing is cut for what arrives from ranks of the node: to copy it is work of the
 * same processors, beside which nothing can be done.  f64[2048,2048] from rows to
 * columns and exp, by 2 ranks, took as long in tiles through shared memory, and by
 * messages of MPI 1.00 (MPICH) to 1.13 (Open MPI) of the time.
 */
#include "mpi/spread/call.h"

/*
 * Bytes that arrive for a tile, at least, and those of its rows; tests make them less.
 * A tile takes 1,200 instructions, and 3,300 in a call that is not planned, less than
 * 1 us; 128 KiB are on the way for 10 us at 12.5 GB/s.
 */
#ifndef BLI_LEAST_TILE
#define BLI_LEAST_TILE (INT64_C(128) << 10)
#endif
#define TILE_ROW (BLI_LEAST_TILE / 64)

/* Whether operand k arrives by messages, each of which may complete a tile. */
static bool arrives(const struct bli_spread_call *plan,
                    const struct bli_sections *sections, int32_t k)
{
    return !plan->is_local[k] && !plan->is_linear[k] && !plan->stage[k] &&
           sections->bytes[k] > 0;
}

/* Bytes that arrive at a rank from other nodes: within one, its processors move them.
 */
static int64_t count_entering(const struct bli_spread_call *plan, int32_t of_rank,
                              const struct bli_sections *sections)
{
    struct bli_traffic traffic;
    int64_t bytes = 0;

    for (int32_t k = 0; sections->count > 0 && k < plan->count; k++)
        if (arrives(plan, sections, k)) {
            bli_traffic_count(&plan->move[k], of_rank, &traffic);
            bytes += traffic.node_received;
        }
    return bytes;
}

/* The borders of operand k along dimension e of the result; NULL: it is not cut. */
static const struct bli_borders *borders_along(const struct bli_move *move, int32_t e)
{
    const struct bli_spread *const from = move->from;
    const int32_t d = e - move->shift;

    if (d < 0 || d >= from->rank || from->extent[d] == 1 || from->axis[d] == BLI_WHOLE)
        return NULL;
    return &from->cut[from->axis[d]];
}

/* Borders of all that arrives, along one dimension of the result. */
struct borders {
    int32_t count;
    const struct bli_borders *cut[BL_MAX_INPUTS];
};

static int64_t distance(int64_t a, int64_t b)
{
    return a < b ? b - a : a - b;
}

/* The border nearest to an index. */
static int64_t nearest(const struct borders *borders, int64_t at)
{
    int64_t best = INT64_MIN / 2;
    int32_t part, next;

    for (int32_t i = 0; i < borders->count; i++) {
        const int64_t *const border = borders->cut[i]->border;

        bli_borders_meet(borders->cut[i], at, at + 1, &part, &next);
        for (int32_t p = part; p <= next; p++)
            if (distance(border[p], at) < distance(best, at))
                best = border[p];
    }
    return best;
}

/* Cut dimension e in at most `most` pieces, at borders that are near to even. */
static void cut(struct bli_tiling_cuts *tiles, int32_t e, int32_t most,
                const struct borders *borders)
{
    struct bli_tile_cut *const made = &tiles->cut[tiles->cuts];
    const int64_t begin = tiles->whole.begin[e], end = tiles->whole.end[e];
    int64_t at;

    made->dim = e;
    made->pieces = 0;
    made->border[0] = begin;
    for (int32_t i = 1; i < most; i++) {
        at = nearest(borders, begin + (end - begin) / most * i +
                                  (end - begin) % most * i / most);
        if (at > made->border[made->pieces] && at < end)
            made->border[++made->pieces] = at;
    }
    made->border[++made->pieces] = end;
    tiles->cuts += made->pieces > 1;
    tiles->count *= made->pieces;
}

/* The pieces that dimension e has between borders, `most` at most. */
static int32_t find_pieces(const struct bli_spread_call *plan,
                           const struct bli_sections *sections, int32_t e, int64_t most,
                           struct borders *borders)
{
    const int64_t begin = sections->box[0].begin[e], end = sections->box[0].end[e];
    int64_t pieces = 1;

    borders->count = 0;
    for (int32_t k = 0; k < plan->count; k++) {
        const struct bli_borders *const own =
            arrives(plan, sections, k) ? borders_along(&plan->move[k], e) : NULL;
        int32_t first, last;

        if (!own)
            continue;
        borders->cut[borders->count++] = own;
        bli_borders_meet(own, begin, end, &first, &last);
        pieces += last - first - 1;
    }
    return (int32_t)(pieces < most ? pieces : most);
}

/*
 * Cut each piece of the outermost dimension that is cut in even ones, as far as `most`
 * tiles and what fits along it allow: between tiles messages are looked after.
 */
static void refine(struct bli_tiling_cuts *tiles, int32_t most, int64_t fits)
{
    struct bli_tile_cut *const made = &tiles->cut[0];
    const struct bli_tile_cut from = *made;
    const int32_t left = most / tiles->count;
    const int32_t parts =
        fits / from.pieces < left ? (int32_t)(fits / from.pieces) : left;

    if (parts < 2)
        return;
    tiles->count /= from.pieces;
    made->pieces = 0;
    for (int32_t p = 0; p < from.pieces; p++) {
        const int64_t begin = from.border[p], extent = from.border[p + 1] - begin;

        for (int32_t i = 1; i <= parts; i++) {
            const int64_t at = begin + extent / parts * i + extent % parts * i / parts;

            if (at > made->border[made->pieces])
                made->border[++made->pieces] = at;
        }
    }
    tiles->count *= made->pieces;
}

/* How many rows of `row` bytes an index, of dimension e, are long enough. */
static int64_t count_rows(const struct bli_tiling_cuts *tiles, int32_t e, int64_t row)
{
    return (tiles->whole.end[e] - tiles->whole.begin[e]) * row / TILE_ROW;
}

/* Cut the part that is one section at borders. */
static void cut_at_borders(const struct bli_spread_call *plan,
                           const struct bli_sections *sections, int32_t most,
                           int64_t row, struct bli_tiling_cuts *tiles)
{
    struct borders borders;
    int64_t fits = 0; /* pieces of the first dimension that is cut */

    for (int32_t e = 0; e < plan->result->rank && most / tiles->count > 1; e++) {
        row /= tiles->whole.end[e] - tiles->whole.begin[e];
        const int64_t enough = count_rows(tiles, e, row), left = most / tiles->count;
        const int32_t pieces =
            find_pieces(plan, sections, e, enough < left ? enough : left, &borders);

        if (pieces > 1) {
            fits = tiles->cuts == 0 ? enough : fits;
            cut(tiles, e, pieces, &borders);
        }
    }
    if (tiles->cuts > 0)
        refine(tiles, most, fits);
}

/* Cut what a rank computes from its own memory evenly. */
static void cut_evenly(int32_t rank, int32_t most, int64_t row,
                       struct bli_tiling_cuts *tiles)
{
    int32_t e = 0;

    while (e < rank - 1 && tiles->whole.end[e] - tiles->whole.begin[e] == 1)
        e++;
    if (rank == 0)
        return;
    tiles->cuts = 1;
    tiles->cut[0] = (struct bli_tile_cut){e, 1, {0}};
    tiles->cut[0].border[0] = tiles->whole.begin[e];
    tiles->cut[0].border[1] = tiles->whole.end[e];
    refine(tiles, most,
           count_rows(tiles, e, row / (tiles->whole.end[e] - tiles->whole.begin[e])));
}

void bli_call_tiles(const struct bli_spread_call *plan, int32_t of_rank,
                    const struct bli_sections *sections, struct bli_tiling_cuts *tiles)
{
    const int64_t entering = count_entering(plan, of_rank, sections);
    const int64_t enough = entering / BLI_LEAST_TILE;
    const int32_t most = enough < BLI_TILES ? (int32_t)enough : BLI_TILES;
    const int32_t left = BLI_TILES + 1 - sections->count;
    int64_t row = (int64_t)bl_dtype_size(plan->dtype);

    tiles->whole = sections->box[0];
    tiles->count = 1;
    tiles->cuts = 0;
    tiles->is_early = entering > 0;
    if (most < 2)
        return;
    row *= bli_box_count(plan->result->rank, &tiles->whole);
    if (sections->count == 1)
        cut_at_borders(plan, sections, most, row, tiles);
    else
        cut_evenly(plan->result->rank, most < left ? most : left, row, tiles);
}

void bli_tile_box(const struct bli_tiling_cuts *tiles, int32_t tile,
                  struct bli_box *box)
{
    *box = tiles->whole;
    for (int32_t c = tiles->cuts - 1; c >= 0; c--) {
        const struct bli_tile_cut *const cut = &tiles->cut[c];
        const int64_t *const border = &cut->border[tile % cut->pieces];

        box->begin[cut->dim] = border[0];
        box->end[cut->dim] = border[1];
        tile /= cut->pieces;
    }
}
