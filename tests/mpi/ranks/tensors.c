/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random grids, borders and tensors over ranks.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/same.h"
#include "mpi/ranks/world.h"

enum { GRIDS = 5, WAYS = 4, SETS = 3, MOST_RANKS = 1024 };

static bl_mpi_grid *grids[GRIDS];

static bl_mpi_grid *make_grid(struct rng *rng)
{
    int64_t extent[3] = {1, 1, 1};
    bl_mpi_grid_options options = {.size = sizeof options, .extent = extent};
    bl_mpi_grid *grid;
    int rest = world_ranks;

    for (int factor = 2; factor <= rest;) {
        if (rest % factor != 0) {
            factor++;
            continue;
        }
        extent[rng_below(rng, 3)] *= factor;
        rest /= factor;
    }
    options.axes = 3;
    while (options.axes > 1 && extent[options.axes - 1] == 1)
        options.axes--;
    /* As of several nodes, most grids share memory in them. */
    options.flags =
        rng_one_in(rng, getenv("BROADLOOM_TEST_NODE") ? 8 : 2) ? BL_MPI_MESSAGES : 0;
    must(bl_mpi_grid_create(MPI_COMM_WORLD, &options, &grid));
    return grid;
}

void world_make_grids(uint64_t seed)
{
    struct rng rng = {seed};

    for (int i = 0; i < GRIDS; i++)
        grids[i] = make_grid(&rng);
}

bool world_votes_are_shared(void)
{
    bl_mpi_grid_info info = {.size = sizeof info};
    bool is_shared = false;

    for (int i = 0; i < GRIDS; i++) {
        must(bl_mpi_grid_query(grids[i], &info));
        is_shared = is_shared || info.shared_ranks == world_ranks;
    }
    return is_shared && world_ranks > 1 && world_ranks <= 16;
}

bl_mpi_grid *world_grid(struct rng *rng)
{
    return grids[rng_below(rng, GRIDS)];
}

static int by_value(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

const bl_mpi_dim *world_dims(struct rng *rng, bl_mpi_grid *grid, int32_t rank,
                             const int64_t *extent)
{
    static bl_mpi_dim dims[SETS][BL_MAX_RANK];
    static int64_t borders[SETS][BL_MAX_RANK][MOST_RANKS + 1];
    static int turn;
    bl_mpi_grid_info info = {.size = sizeof info};
    bl_mpi_dim *const dim = dims[turn = (turn + 1) % SETS];
    int32_t parts[BL_MAX_RANK], axes[BL_MAX_RANK] = {0};

    must(bl_mpi_grid_query(grid, &info));
    for (int32_t d = 0; d < rank; d++)
        dim[d] = (bl_mpi_dim){BL_MPI_WHOLE, NULL};
    for (int32_t a = 0; a < info.axes; a++) {
        const int32_t d = (int32_t)rng_below(rng, rank + 1);

        if (d == rank || (axes[d] != 0 && rng_one_in(rng, 2)))
            continue; /* replicas */
        parts[d] = (axes[d] == 0 ? 1 : parts[d]) * info.extent[a];
        dim[d].axis = axes[d] == 0 ? a : BL_MPI_AXES(axes[d] | 1 << a);
        axes[d] |= 1 << a;
    }
    for (int32_t d = 0; d < rank; d++) {
        int64_t *const border = borders[turn][d];

        if (axes[d] == 0 || rng_one_in(rng, 3))
            continue; /* the library's */
        border[0] = 0;
        for (int32_t p = 1; p < parts[d]; p++)
            border[p] = rng_below(rng, extent[d] + 1);
        border[parts[d]] = extent[d];
        qsort(border, (size_t)parts[d], sizeof *border, by_value);
        dim[d].border = border;
    }
    return dim;
}

bl_tensor *world_whole(struct rng *rng, bl_op op, int32_t k, bl_dtype dtype,
                       int32_t rank, const int64_t *extent)
{
    const size_t size = bl_dtype_size(dtype);
    const int64_t lead = rng_below(rng, 1000);
    bl_tensor *whole;

    must(bl_tensor_empty(NULL, dtype, rank, extent, &whole));
    for (int64_t i = 0; i < bl_tensor_numel(whole); i++)
        problem_put(op, dtype, k, lead + i,
                    (char *)bl_tensor_mutable_data(whole) + (size_t)i * size);
    return whole;
}

/* Numbers of sizes so far apart that another order of a sum gives other bits. */
static double draw(struct rng *rng, bl_dtype part, bool has_nan)
{
    const double unit = (double)rng_below(rng, 1 << 30) / (1 << 29) - 1.0;
    const bool is_half = part == BL_DTYPE_F16 || part == BL_DTYPE_BF16;

    if (part == BL_DTYPE_BOOL || bl_can_cast(part, BL_DTYPE_I8))
        return (double)rng_below(rng, part == BL_DTYPE_BOOL ? 2 : 100);
    if (has_nan && rng_one_in(rng, 5000))
        return (double)NAN;
    if (rng_one_in(rng, 3000))
        return rng_one_in(rng, 2) ? -0.0 : 0.0;
    return unit * (rng_one_in(rng, 2) ? is_half ? 1e4 : 1e9 : 1e-3);
}

bl_tensor *world_numbers(struct rng *rng, bl_dtype dtype, int32_t rank,
                         const int64_t *extent)
{
    const bl_dtype part = dtype == BL_DTYPE_C128  ? BL_DTYPE_F64
                          : dtype == BL_DTYPE_C64 ? BL_DTYPE_F32
                                                  : dtype;
    const bool has_nan = bl_can_cast(BL_DTYPE_F16, part) && rng_one_in(rng, 8);
    bl_tensor *whole, *numbers;
    int64_t all[BL_MAX_RANK];

    memcpy(all, extent, sizeof *extent * (size_t)rank);
    all[rank] = part == dtype ? 1 : 2;
    must(bl_tensor_empty(NULL, BL_DTYPE_F64, rank + 1, all, &numbers));
    for (int64_t i = 0; i < bl_tensor_numel(numbers); i++)
        ((double *)bl_tensor_mutable_data(numbers))[i] = draw(rng, part, has_nan);
    must(bl_tensor_empty(NULL, dtype, rank, extent, &whole));
    const bl_array to = {.data = bl_tensor_mutable_data(whole),
                         .dtype = part,
                         .rank = rank + 1,
                         .extent = all};

    if (bl_tensor_numel(whole) > 0)
        must(bl_copy_out(NULL, &to, bl_tensor_array(numbers)));
    bl_tensor_release(numbers);
    return whole;
}

/* The part of an array that a rank's box is. */
static bl_array part_of(const bl_mpi_tensor *tensor, const bl_array *whole,
                        bl_layout *layout)
{
    int64_t begin[BL_MAX_RANK], end[BL_MAX_RANK];

    must(bl_array_layout(whole, layout));
    must(bl_mpi_box(tensor, world_self, begin, end));
    for (int32_t d = 0; d < whole->rank; d++)
        must(bl_layout_narrow(layout, d, begin[d], end[d] - begin[d], layout));
    return bl_layout_array(layout, whole->dtype, whole->data);
}

bool world_is_part(const bl_mpi_tensor *tensor, const bl_array *whole)
{
    bl_layout layout;
    const bl_array part = part_of(tensor, whole, &layout);

    return bl_mpi_tensor_dtype(tensor) == whole->dtype &&
           arrays_are_same(bl_mpi_local(tensor), &part);
}

static void fill(const bl_mpi_tensor *tensor, const bl_array *whole)
{
    bl_layout layout;
    const bl_array part = part_of(tensor, whole, &layout);

    must(bl_copy_out(NULL, bl_mpi_local(tensor), &part));
}

static void free_memory(void *user, void *data)
{
    (void)data;
    free(user);
}

/* A block of the program's with ghosts, of which borders are agreed or given. */
static bl_mpi_tensor *wrap(struct rng *rng, bl_mpi_grid *grid, const bl_mpi_dim *dims,
                           const bl_mpi_tensor *like, bl_dtype dtype)
{
    const bl_array *const block = bl_mpi_local(like);
    int64_t extent[BL_MAX_RANK], before[BL_MAX_RANK], after[BL_MAX_RANK], numel = 1;
    bl_mpi_dim own[BL_MAX_RANK];
    const bool agree = rng_one_in(rng, 2);
    bl_mpi_tensor *tensor;

    for (int32_t d = 0; d < block->rank; d++) {
        before[d] = rng_below(rng, 3);
        after[d] = rng_below(rng, 2);
        extent[d] = before[d] + block->extent[d] + after[d];
        numel *= extent[d];
        own[d] = (bl_mpi_dim){dims[d].axis, agree ? NULL : dims[d].border};
    }
    void *const memory = malloc((size_t)numel * bl_dtype_size(dtype) + 1);
    const bl_array local = {
        .data = memory, .dtype = dtype, .rank = block->rank, .extent = extent};

    must(bl_mpi_wrap(NULL, grid, &local, before, after, own, free_memory, memory,
                     &tensor));
    return tensor;
}

/* A view of a larger tensor. */
static bl_mpi_tensor *narrow(struct rng *rng, bl_mpi_grid *grid, const bl_array *whole)
{
    const int32_t d = (int32_t)rng_below(rng, whole->rank);
    const int64_t before = rng_below(rng, 4), after = rng_below(rng, 4);
    int64_t extent[BL_MAX_RANK];
    bl_mpi_tensor *large, *view;

    for (int32_t e = 0; e < whole->rank; e++)
        extent[e] = whole->extent[e] + (e == d ? before + after : 0);
    must(bl_mpi_zeros(NULL, grid, whole->dtype, whole->rank, extent,
                      world_dims(rng, grid, whole->rank, extent), &large));
    must(bl_mpi_narrow(large, d, before, whole->extent[d], &view));
    bl_mpi_tensor_release(large);
    return view;
}

/* A view whose dimensions lie in another order in memory. */
static bl_mpi_tensor *permute(struct rng *rng, bl_mpi_grid *grid, const bl_array *whole)
{
    int32_t axes[BL_MAX_RANK];
    int64_t extent[BL_MAX_RANK];
    bl_mpi_tensor *tensor, *view;

    for (int32_t d = 0; d < whole->rank; d++) {
        const int32_t e = (int32_t)rng_below(rng, d + 1);

        axes[d] = axes[e];
        axes[e] = d;
    }
    for (int32_t d = 0; d < whole->rank; d++)
        extent[axes[d]] = whole->extent[d];
    must(bl_mpi_empty(NULL, grid, whole->dtype, whole->rank, extent,
                      world_dims(rng, grid, whole->rank, extent), &tensor));
    must(bl_mpi_permute(tensor, axes, &view));
    bl_mpi_tensor_release(tensor);
    return view;
}

bl_mpi_tensor *world_spread(struct rng *rng, bl_mpi_grid *grid, const bl_array *whole)
{
    const int64_t way = rng_below(rng, WAYS);
    bl_mpi_tensor *tensor, *other;

    if (way == 0 && whole->rank > 0)
        tensor = narrow(rng, grid, whole);
    else if (way == 1 && whole->rank > 0)
        tensor = permute(rng, grid, whole);
    else {
        const bl_mpi_dim *const dims =
            world_dims(rng, grid, whole->rank, whole->extent);

        must(bl_mpi_empty(NULL, grid, whole->dtype, whole->rank, whole->extent, dims,
                          &tensor));
        if (way == 2) {
            other = wrap(rng, grid, dims, tensor, whole->dtype);
            bl_mpi_tensor_release(tensor);
            tensor = other;
        }
    }
    fill(tensor, whole);
    return tensor;
}
