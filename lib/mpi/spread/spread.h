/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How tensors lie over ranks: grids of ranks, borders, the box of each rank.  Pure: a
 * rank computes every rank's part from what all ranks have alike, without a message and
 * without <mpi.h>, on public functions of the library alone.
 *
 * A spread is immutable and may be used by any thread.
 */
#ifndef BLI_SPREAD_H
#define BLI_SPREAD_H

#include <broadloom/shape.h>

/* Most axes of a grid. */
#define BLI_MAX_AXES 8

/* The axis of a dimension that is not cut: each rank that has a part has all of it. */
#define BLI_WHOLE (-1)

/* The axis of a dimension along several axes together: bit a of `set` for each. */
#define BLI_AXES(set) (0x100 | (set))

/* The root of a spread over all ranks. */
#define BLI_EVERY_RANK (-1)

/* Pass a failure on to the caller. */
#define BL_TRY(call)                                                                   \
    do {                                                                               \
        const bl_status try_ = (call);                                                 \
        if (try_ != BL_OK)                                                             \
            return try_;                                                               \
    } while (0)

/* ---- grid.c ---- */

/* Ranks in a grid; rank 0 is at (0, ..., 0), and the last axis counts fastest. */
struct bli_grid {
    int32_t axes;                 /* 1 to BLI_MAX_AXES */
    int32_t ranks;                /* the product of the extents */
    int32_t node;                 /* ranks r with equal r / node share a node; >= 1 */
    int32_t extent[BLI_MAX_AXES]; /* each at least 1 */
    bool is_shared; /* ranks of a node move elements through memory that they share */
};

/*
 * Make a grid of `axes` axes.  `ranks` is their number, or 0 for the product of the
 * extents.  An extent of 0 is chosen, so that all together give `ranks` and the chosen
 * ones are as close to each other as they can be, the larger ones first, as those of
 * MPI_Dims_create().  `node` is the number of ranks on a node, 0 for 1.
 * BL_ERR_ARGUMENT, with the values, where there is no such grid.
 */
bl_status bli_grid_make(int32_t ranks, int32_t axes, const int64_t *extent,
                        int32_t node, struct bli_grid *out);

/* The coordinates of a rank, and back. */
void bli_grid_place(const struct bli_grid *grid, int32_t of_rank,
                    int32_t place[BLI_MAX_AXES]);
int32_t bli_grid_rank(const struct bli_grid *grid, const int32_t place[BLI_MAX_AXES]);

/* Whether two grids have the same extents. */
bool bli_grid_is_equal(const struct bli_grid *a, const struct bli_grid *b);

/* ---- borders.c ---- */

/*
 * One dimension, cut into parts: part p is [border[p], border[p + 1]).  `filled[p]` of
 * the parts before p have elements.
 */
struct bli_borders {
    int32_t parts;
    uint32_t axes; /* bit a for each axis that it lies along; the last counts fastest */
    int64_t widest; /* elements of the largest part */
    int64_t *border;
    int32_t *filled;
};

/*
 * Write the library's `parts` + 1 borders of a dimension of `extent` elements:
 * multiples of the largest power of two that leaves every part within 1 % of its even
 * share.  From some 100,000 elements on these are multiples of 1024, the blocks of
 * reductions.
 */
void bli_borders_default(int64_t extent, int32_t parts, int64_t *border);

/* The parts first to last - 1 that have elements of [begin, end); none if it is empty.
 */
void bli_borders_meet(const struct bli_borders *cut, int64_t begin, int64_t end,
                      int32_t *first, int32_t *last);

/* ---- spread.c ---- */

/* How one dimension lies over the grid. */
struct bli_dim {
    int32_t axis;          /* of the grid, or BLI_AXES(), or BLI_WHOLE */
    const int64_t *border; /* one more than the parts, from 0 to the dimension's extent,
                              never falling; NULL: the library's */
};

/* The axes of a dimension as bits, none that the grid does not have; and the parts. */
uint32_t bli_dim_axes(const struct bli_grid *grid, int32_t axis);
int32_t bli_dim_parts(const struct bli_grid *grid, int32_t axis);

/*
 * How a tensor lies over a grid: its box of each rank.  Ranks that differ only along
 * axes which no dimension names have the same box: replicas.  Each axis is named once.
 */
struct bli_spread {
    struct bli_grid grid;
    int32_t references; /* changed by bli_spread_retain() and _release() alone */
    int32_t root;       /* the only rank that has anything: all; or BLI_EVERY_RANK */
    int32_t rank;       /* of the tensor */
    int32_t axis[BL_MAX_RANK];   /* the first of each dimension, or BLI_WHOLE */
    int32_t dim[BLI_MAX_AXES];   /* that lies along each axis, or BLI_WHOLE */
    int64_t extent[BL_MAX_RANK]; /* of the tensor */
    struct bli_borders cut[BLI_MAX_AXES]; /* of the dimension whose first axis it is */
};

/* A part of a tensor: indices begin[d] to end[d] - 1 of each of its dimensions. */
struct bli_box {
    int64_t begin[BL_MAX_RANK];
    int64_t end[BL_MAX_RANK];
};

/*
 * Make a spread of a tensor; NULL `dims` are all whole.  With a `root` other than
 * BLI_EVERY_RANK all elements are on that rank, and dims must be NULL: what gathering
 * gives, and scattering begins with.  Borders are copied.  BL_ERR_ARGUMENT for an axis
 * that is not there or named twice, for borders that do not begin at 0, fall or do not
 * end at the extent; errors of bl_shape_numel(); BL_ERR_MEMORY.
 */
bl_status bli_spread_make(const struct bli_grid *grid, int32_t rank,
                          const int64_t *extent, const struct bli_dim *dims,
                          int32_t root, struct bli_spread **out);
struct bli_spread *bli_spread_retain(const struct bli_spread *spread);
void bli_spread_release(struct bli_spread *spread); /* NULL: nothing */

/* Whether every rank has the same box in both; their grids may differ in nodes. */
bool bli_spread_is_equal(const struct bli_spread *a, const struct bli_spread *b);

/* Whether a spread is one of a tensor of this shape. */
bool bli_spread_has_shape(const struct bli_spread *spread, int32_t rank,
                          const int64_t *extent);

/* The most indices of a dimension that a rank has. */
int64_t bli_spread_widest(const struct bli_spread *spread, int32_t d);

/* How a dimension lies, with borders that are the spread's. */
struct bli_dim bli_spread_dim(const struct bli_spread *spread, int32_t d);

/* The dimension whose first axis this is, or BLI_WHOLE. */
int32_t bli_spread_first(const struct bli_spread *spread, int32_t axis);

/* The part of a cut dimension that a place has; and the places of a part along the
 * dimension's axes, others unchanged. */
int32_t bli_spread_part(const struct bli_spread *spread, int32_t d,
                        const int32_t *place);
void bli_spread_part_place(const struct bli_spread *spread, int32_t d, int32_t part,
                           int32_t *place);

/* The box of a rank; its number of elements is returned. */
int64_t bli_spread_box(const struct bli_spread *spread, int32_t of_rank,
                       struct bli_box *box);
/* Number of elements of a box of `rank` dimensions. */
int64_t bli_box_count(int32_t rank, const struct bli_box *box);

#endif
