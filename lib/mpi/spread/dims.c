/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Dimensions and the axes of the grid that they lie along: one, or several together.
 */
#include "mpi/spread/spread.h"

/* ---- as a program names them ---- */

uint32_t bli_dim_axes(const struct bli_grid *grid, int32_t axis)
{
    const uint32_t all = (UINT32_C(1) << grid->axes) - 1;

    if (axis >= 0 && axis < grid->axes)
        return UINT32_C(1) << axis;
    return axis > BLI_AXES(0) && axis <= BLI_AXES((int32_t)all)
               ? (uint32_t)(axis - BLI_AXES(0))
               : 0;
}

int32_t bli_dim_parts(const struct bli_grid *grid, int32_t axis)
{
    const uint32_t axes = bli_dim_axes(grid, axis);
    int32_t parts = 1;

    for (int32_t a = 0; a < grid->axes; a++)
        parts *= axes >> a & 1 ? grid->extent[a] : 1;
    return parts;
}

struct bli_dim bli_spread_dim(const struct bli_spread *spread, int32_t d)
{
    const int32_t a = spread->axis[d];

    if (a == BLI_WHOLE)
        return (struct bli_dim){BLI_WHOLE, NULL};

    const struct bli_borders *const cut = &spread->cut[a];
    const bool is_one = cut->axes == UINT32_C(1) << a;

    return (struct bli_dim){is_one ? a : BLI_AXES((int32_t)cut->axes), cut->border};
}

/* ---- parts ---- */

int32_t bli_spread_first(const struct bli_spread *spread, int32_t axis)
{
    const int32_t d = spread->dim[axis];

    return d == BLI_WHOLE || spread->axis[d] != axis ? BLI_WHOLE : d;
}

int32_t bli_spread_part(const struct bli_spread *spread, int32_t d,
                        const int32_t *place)
{
    const uint32_t axes = spread->cut[spread->axis[d]].axes;
    int32_t part = 0;

    for (int32_t a = spread->axis[d]; axes >> a != 0; a++)
        if (axes >> a & 1)
            part = part * spread->grid.extent[a] + place[a];
    return part;
}

void bli_spread_part_place(const struct bli_spread *spread, int32_t d, int32_t part,
                           int32_t *place)
{
    const uint32_t axes = spread->cut[spread->axis[d]].axes;

    for (int32_t a = spread->grid.axes - 1; a >= 0; a--)
        if (axes >> a & 1) {
            place[a] = part % spread->grid.extent[a];
            part /= spread->grid.extent[a];
        }
}
