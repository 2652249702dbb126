/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Spreads: made, compared, and the boxes of ranks.
 */
#include "mpi/spread/spread.h"

#include <broadloom/base.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- make ---- */

/* Refuse borders of dimension `d` that are none. */
static bl_status check_borders(int32_t d, int64_t extent, int32_t parts,
                               const int64_t *border)
{
    if (border[0] != 0 || border[parts] != extent)
        return bl_error_set(BL_ERR_ARGUMENT,
                            "borders of dimension %d are from %" PRId64 " to %" PRId64
                            ", not from 0 to %" PRId64,
                            (int)d, border[0], border[parts], extent);
    for (int32_t p = 0; p < parts; p++)
        if (border[p] > border[p + 1])
            return bl_error_set(BL_ERR_ARGUMENT,
                                "borders of dimension %d fall from %" PRId64
                                " to %" PRId64 " at part %d",
                                (int)d, border[p], border[p + 1], (int)p);
    return BL_OK;
}

/* Lay dimension `d` along its axes. */
static bl_status lay(struct bli_spread *spread, int32_t d, const struct bli_dim *dim)
{
    const struct bli_grid *const grid = &spread->grid;
    const uint32_t axes = bli_dim_axes(grid, dim->axis);

    if (dim->axis == BLI_WHOLE)
        return BL_OK;
    if (axes == 0)
        return bl_error_set(BL_ERR_ARGUMENT,
                            "dimension %d is along axis %d of a grid of %d axes",
                            (int)d, (int)dim->axis, (int)grid->axes);
    for (int32_t a = 0; a < grid->axes; a++) {
        if (!(axes >> a & 1))
            continue;
        if (spread->dim[a] != BLI_WHOLE)
            return bl_error_set(
                BL_ERR_ARGUMENT,
                "dimensions %d and %d are both along axis %d of the grid",
                (int)spread->dim[a], (int)d, (int)a);
        spread->dim[a] = d;
    }
    spread->axis[d] = __builtin_ctz(axes);
    spread->cut[spread->axis[d]].axes = axes;
    spread->cut[spread->axis[d]].parts = bli_dim_parts(grid, dim->axis);
    return dim->border ? check_borders(d, spread->extent[d],
                                       spread->cut[spread->axis[d]].parts, dim->border)
                       : BL_OK;
}

/* All elements on one rank: the whole shape, or nothing of it. */
static bl_status set_root(struct bli_spread *spread, const struct bli_dim *dims,
                          int32_t root)
{
    spread->root = root;
    if (root == BLI_EVERY_RANK)
        return BL_OK;
    if (root < 0 || root >= spread->grid.ranks)
        return bl_error_set(BL_ERR_ARGUMENT, "root %d is none of %d ranks", (int)root,
                            (int)spread->grid.ranks);
    if (dims)
        return bl_error_set(BL_ERR_ARGUMENT,
                            "a tensor on rank %d alone cannot lie along axes",
                            (int)root);
    return BL_OK;
}

/* Number of the parts with elements, and the largest one. */
static void measure(struct bli_borders *cut)
{
    cut->filled[0] = 0;
    for (int32_t p = 0; p < cut->parts; p++) {
        const int64_t extent = cut->border[p + 1] - cut->border[p];

        cut->filled[p + 1] = cut->filled[p] + (extent > 0);
        if (extent > cut->widest)
            cut->widest = extent;
    }
}

/* Point the borders of each cut dimension into the memory after the spread. */
static void set_borders(struct bli_spread *spread, const struct bli_dim *dims)
{
    int64_t *border = (int64_t *)(spread + 1);

    for (int32_t a = 0; a < spread->grid.axes; a++) {
        struct bli_borders *const cut = &spread->cut[a];
        const int32_t d = bli_spread_first(spread, a);

        if (d == BLI_WHOLE)
            continue;
        cut->border = border;
        border += cut->parts + 1;
        if (dims[d].border)
            memcpy(cut->border, dims[d].border,
                   sizeof *border * ((size_t)cut->parts + 1));
        else
            bli_borders_default(spread->extent[d], cut->parts, cut->border);
    }

    int32_t *filled = (int32_t *)border;

    for (int32_t a = 0; a < spread->grid.axes; a++) {
        if (bli_spread_first(spread, a) == BLI_WHOLE)
            continue;
        spread->cut[a].filled = filled;
        filled += spread->cut[a].parts + 1;
        measure(&spread->cut[a]);
    }
}

bl_status bli_spread_make(const struct bli_grid *grid, int32_t rank,
                          const int64_t *extent, const struct bli_dim *dims,
                          int32_t root, struct bli_spread **out)
{
    struct bli_spread spread = {.grid = *grid, .references = 1, .rank = rank};
    struct bli_spread *made;
    size_t borders = 0;
    int64_t numel;

    BL_TRY(bl_shape_numel(rank, extent, &numel));
    for (int32_t d = 0; d < rank; d++) {
        spread.extent[d] = extent[d];
        spread.axis[d] = BLI_WHOLE;
    }
    for (int32_t a = 0; a < BLI_MAX_AXES; a++)
        spread.dim[a] = BLI_WHOLE;
    BL_TRY(set_root(&spread, dims, root));
    for (int32_t d = 0; dims && d < rank; d++)
        BL_TRY(lay(&spread, d, &dims[d]));
    for (int32_t a = 0; a < grid->axes; a++)
        if (bli_spread_first(&spread, a) != BLI_WHOLE)
            borders += (size_t)spread.cut[a].parts + 1;

    const size_t size = sizeof spread + borders * (sizeof(int64_t) + sizeof(int32_t));

    made = malloc(size);
    if (!made)
        return bl_error_set(BL_ERR_MEMORY, "no memory for %zu bytes of borders", size);
    *made = spread;
    set_borders(made, dims);
    *out = made;
    return BL_OK;
}

struct bli_spread *bli_spread_retain(const struct bli_spread *spread)
{
    struct bli_spread *const known = (struct bli_spread *)(uintptr_t)spread;

    __atomic_fetch_add(&known->references, 1, __ATOMIC_RELAXED);
    return known;
}

void bli_spread_release(struct bli_spread *spread)
{
    if (spread && __atomic_sub_fetch(&spread->references, 1, __ATOMIC_ACQ_REL) == 0)
        free(spread);
}

int64_t bli_spread_widest(const struct bli_spread *spread, int32_t d)
{
    const int32_t a = spread->axis[d];

    return a == BLI_WHOLE ? spread->extent[d] : spread->cut[a].widest;
}

bool bli_spread_has_shape(const struct bli_spread *spread, int32_t rank,
                          const int64_t *extent)
{
    return spread->rank == rank &&
           (rank == 0 ||
            memcmp(spread->extent, extent, sizeof *extent * (size_t)rank) == 0);
}

bool bli_spread_is_equal(const struct bli_spread *a, const struct bli_spread *b)
{
    const size_t axes = (size_t)a->grid.axes;

    if (a == b)
        return true;
    if (!bli_grid_is_equal(&a->grid, &b->grid) || a->root != b->root ||
        !bli_spread_has_shape(a, b->rank, b->extent) ||
        memcmp(a->dim, b->dim, axes * sizeof *a->dim) != 0)
        return false;
    for (size_t k = 0; k < axes; k++)
        if (bli_spread_first(a, (int32_t)k) != BLI_WHOLE &&
            memcmp(a->cut[k].border, b->cut[k].border,
                   ((size_t)a->cut[k].parts + 1) * sizeof *a->cut[k].border) != 0)
            return false;
    return true;
}

/* ---- boxes ---- */

int64_t bli_box_count(int32_t rank, const struct bli_box *box)
{
    int64_t count = 1;

    for (int32_t d = 0; d < rank; d++)
        if (box->begin[d] >= box->end[d])
            return 0;
    for (int32_t d = 0; d < rank; d++)
        count *= box->end[d] - box->begin[d];
    return count;
}

int64_t bli_spread_box(const struct bli_spread *spread, int32_t of_rank,
                       struct bli_box *box)
{
    const bool has_any = spread->root == BLI_EVERY_RANK || spread->root == of_rank;
    int32_t place[BLI_MAX_AXES];

    bli_grid_place(&spread->grid, of_rank, place);
    for (int32_t d = 0; d < spread->rank; d++) {
        const int32_t a = spread->axis[d];

        box->begin[d] = 0;
        box->end[d] = spread->extent[d];
        if (a != BLI_WHOLE) {
            const int64_t *const border =
                spread->cut[a].border + bli_spread_part(spread, d, place);

            box->begin[d] = border[0];
            box->end[d] = border[1];
        }
        if (!has_any)
            box->end[d] = box->begin[d];
    }
    return has_any ? bli_box_count(spread->rank, box) : 0;
}
