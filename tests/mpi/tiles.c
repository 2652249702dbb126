/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tiles of a rank's part: where it is cut, that tiles are apart and all of it, and what
 * is not cut.
 */
#include <broadloom.h>

#include "harness/same.h"
#include "harness/tap.h"
#include "mpi/spread/call.h"

/* An operand f64[rows,columns], and a result: how they lie over a grid. */
struct given {
    int64_t grid[2], extent[2];
    int32_t from[2], to[2];
    const int64_t *border; /* of the operand's cut dimension; NULL: even */
    int32_t node, rank;    /* ranks of a node, and that which is looked at */
    int32_t pieces[2];     /* that are expected along each dimension */
    const char *what;
};

enum { W = BLI_WHOLE };

static const int64_t uneven[] = {0, 0, 100, 100, 3000, 4096};
static const int64_t flat[] = {0, 1, 4096};

static const struct given cases[] = {
    {{16, 1}, {4096, 4096}, {0, W}, {W, 0}, NULL, 1, 5, {16, 1}, "rows to columns"},
    {{16, 1}, {4096, 4096}, {W, 0}, {0, W}, NULL, 1, 5, {1, 16}, "columns to rows"},
    {{4, 4}, {4096, 4096}, {0, 1}, {W, 0}, NULL, 1, 5, {16, 1}, "blocks to columns"},
    {{4, 2}, {4096, 4096}, {0, 1}, {W, W}, NULL, 1, 5, {8, 2}, "blocks to all ranks"},
    {{64, 1}, {4096, 4096}, {0, W}, {W, 0}, NULL, 1, 5, {15, 1}, "of 64 ranks"},
    {{3, 1}, {4096, 4096}, {0, W}, {W, 0}, NULL, 1, 1, {15, 1}, "more than borders"},
    {{5, 1}, {4096, 4096}, {0, W}, {W, 0}, uneven, 1, 1, {15, 1}, "uneven borders"},
    {{2, 1}, {4096, 4096}, {0, W}, {W, 0}, flat, 1, 0, {9, 1}, "one row, and the rest"},
    {{16, 1}, {256, 256}, {0, W}, {W, 0}, NULL, 1, 5, {1, 1}, "too few bytes"},
    {{16, 1}, {1024, 1024}, {0, W}, {W, 0}, NULL, 1, 5, {3, 1}, "bytes for three"},
    {{4, 1},
     {1 << 18, 8},
     {W, 0},
     {0, W},
     NULL,
     1,
     1,
     {1, 1},
     "rows that are too short"},
    {{16, 1}, {4096, 4096}, {0, W}, {0, W}, NULL, 1, 5, {1, 1}, "nothing that arrives"},
    {{16, 1}, {4096, 4096}, {0, W}, {W, 0}, NULL, 16, 5, {1, 1}, "one node"},
    {{16, 1}, {4096, 4096}, {0, W}, {W, 0}, NULL, 2, 5, {16, 1}, "two ranks of a node"},
    {{2, 1}, {4096, 4096}, {0, W}, {W, 0}, NULL, 1, 0, {15, 1}, "half of it is here"},
};

static struct bli_spread *spread_of(const struct given *given, const int32_t *axis,
                                    const int64_t *border)
{
    struct bli_dim dims[2];
    struct bli_spread *spread;
    struct bli_grid grid;

    must(bli_grid_make(0, given->grid[1] > 1 ? 2 : 1, given->grid, given->node, &grid));
    for (int32_t d = 0; d < 2; d++)
        dims[d] = (struct bli_dim){axis[d], axis[d] == W ? NULL : border};
    must(bli_spread_make(&grid, 2, given->extent, dims, BLI_EVERY_RANK, &spread));
    return spread;
}

/* Whether tiles, in order, are the product of their pieces, and all of the box. */
static bool is_product(const struct bli_tiling_cuts *tiles, const struct bli_box *whole)
{
    int64_t at[2] = {whole->begin[0], whole->begin[1]};
    struct bli_box box;

    for (int32_t t = 0; t < tiles->count; t++) {
        bli_tile_box(tiles, t, &box);
        for (int32_t d = 0; d < 2; d++)
            if (box.begin[d] != at[d] || box.end[d] <= at[d] ||
                box.end[d] > whole->end[d])
                return false;
        at[1] = box.end[1];
        if (at[1] == whole->end[1]) {
            at[1] = whole->begin[1];
            at[0] = box.end[0];
        }
    }
    return at[0] == whole->end[0];
}

/* Whether each border of the operand that is in the box is one between tiles. */
static bool has_borders(const struct bli_tiling_cuts *tiles,
                        const struct bli_spread *from)
{
    for (int32_t c = 0; c < tiles->cuts; c++) {
        const struct bli_tile_cut *const cut = &tiles->cut[c];
        const struct bli_borders *const own =
            from->axis[cut->dim] == W ? NULL : &from->cut[from->axis[cut->dim]];

        for (int32_t p = 0; own && p <= own->parts && own->parts <= BLI_TILES; p++) {
            int32_t i = 0;

            while (i <= cut->pieces && cut->border[i] != own->border[p])
                i++;
            if (i > cut->pieces)
                return false;
        }
    }
    return true;
}

static void try(const struct given *given)
{
    static const bl_array array = {.dtype = BL_DTYPE_F64, .rank = 2};
    struct bli_spread *const from = spread_of(given, given->from, given->border);
    struct bli_spread *const to = spread_of(given, given->to, NULL);
    struct bli_spread_operand operand = {from, array};
    const struct bli_spread_options options = {.most_bytes = INT64_MAX,
                                               .most_memory = INT64_MAX,
                                               .out = to,
                                               .out_dtype = BL_DTYPE_F64};
    int32_t pieces[2] = {1, 1};
    struct bli_spread_call plan;
    struct bli_sections sections;
    struct bli_tiling_cuts tiles;

    operand.array.extent = given->extent;
    must(bli_spread_call_make(BL_OP_EXP, 1, &operand, &options, &plan));
    bli_call_sections(&plan, given->rank, &sections);
    bli_call_tiles(&plan, given->rank, &sections, &tiles);
    for (int32_t c = 0; c < tiles.cuts; c++)
        pieces[tiles.cut[c].dim] = tiles.cut[c].pieces;
    tap_ok(tiles.count == given->pieces[0] * given->pieces[1] &&
               pieces[0] == given->pieces[0] && pieces[1] == given->pieces[1] &&
               is_product(&tiles, &sections.box[0]) &&
               (tiles.count < BLI_TILES || has_borders(&tiles, from)),
           "tiles: %s", given->what);
    if (tiles.count != given->pieces[0] * given->pieces[1])
        tap_note("%d x %d", (int)pieces[0], (int)pieces[1]);
    bli_spread_call_free(&plan);
    bli_spread_release(from);
    bli_spread_release(to);
}

int main(void)
{
    tap_plan();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        try(&cases[i]);
    return tap_done();
}
