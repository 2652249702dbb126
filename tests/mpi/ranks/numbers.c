/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random numbers and distances over random grids and borders: those of one process.
 * usage: numbers SEED CASES [FIRST]
 */
#include <math.h>
#include <stdio.h>

#include "harness/same.h"
#include "harness/tap.h"
#include "mpi/ranks/world.h"

static const bl_dtype dtypes[] = {
    BL_DTYPE_F64, BL_DTYPE_F32, BL_DTYPE_F64,  BL_DTYPE_C128, BL_DTYPE_F16,
    BL_DTYPE_I32, BL_DTYPE_C64, BL_DTYPE_BF16, BL_DTYPE_U8,   BL_DTYPE_BOOL,
    BL_DTYPE_I64, BL_DTYPE_F32, BL_DTYPE_I8};
enum { DTYPES = sizeof dtypes / sizeof dtypes[0] };

static bool try_random(struct rng *rng)
{
    bl_mpi_grid *const grid = world_grid(rng);
    const bl_dtype dtype = rng_one_in(rng, 2) ? BL_DTYPE_F32 : BL_DTYPE_C128;
    const int64_t extent[3] = {rng_below(rng, 9), 1 + rng_below(rng, 5),
                               rng_below(rng, 700)};
    const bl_mpi_dim *const dims = world_dims(rng, grid, 3, extent);
    const bool is_normal = rng_one_in(rng, 2);
    const uint64_t seed = (uint64_t)rng_below(rng, 1 << 30);
    bl_mpi_tensor *tensor;
    bl_tensor *whole;
    bool is_right;

    must((is_normal ? bl_mpi_randn : bl_mpi_rand)(NULL, grid, dtype, 3, extent, dims,
                                                  seed, &tensor));
    must((is_normal ? bl_tensor_randn : bl_tensor_rand)(NULL, dtype, 3, extent, seed,
                                                        &whole));
    is_right = world_is_part(tensor, bl_tensor_array(whole));
    bl_mpi_tensor_release(tensor);
    bl_tensor_release(whole);
    return is_right;
}

/* ---- distances ---- */

/* Whether distances are the same; the payload of NaN is not promised. */
static bool is_distance(const bl_tensor *got, const bl_tensor *want)
{
    double value = 0.0;
    const bl_array number = {.data = &value, .dtype = BL_DTYPE_F64};

    must(bl_copy_out(NULL, &number, bl_tensor_array(got)));
    if (isnan(value))
        must(bl_copy_out(NULL, &number, bl_tensor_array(want)));
    return isnan(value) || arrays_are_same(bl_tensor_array(got), bl_tensor_array(want));
}

static bool try_dist(struct rng *rng)
{
    static const double norms[] = {
        2.0, 1.0, 0.0, 3.0, 0.5, (double)INFINITY, -(double)INFINITY};
    bl_mpi_grid *const grid = world_grid(rng);
    const int64_t extent[2] = {rng_below(rng, 40), 1 + rng_below(rng, 300)};
    const double p = norms[rng_below(rng, 7)];
    bl_tensor *whole[2], *want = NULL, *got = NULL;
    bl_mpi_tensor *in[2];
    bool is_right;

    for (int k = 0; k < 2; k++) {
        const int32_t drop = k > 0 && rng_one_in(rng, 2);

        whole[k] =
            world_numbers(rng, dtypes[rng_below(rng, DTYPES)], 2 - drop, extent + drop);
        in[k] = world_spread(rng, grid, bl_tensor_array(whole[k]));
    }
    const bl_status wanted =
        bl_dist(NULL, bl_tensor_array(whole[0]), bl_tensor_array(whole[1]), p, &want);
    const bl_status status = bl_mpi_dist(NULL, in[0], in[1], p, &got);

    is_right = world_refused_alike(status) && status == wanted &&
               (status != BL_OK || is_distance(got, want));
    if (!is_right)
        fprintf(stderr, "# rank %d: dist of %s and %s, p %g: status %d, wanted %d\n",
                world_self, bl_dtype_name(bl_mpi_tensor_dtype(in[0])),
                bl_dtype_name(bl_mpi_tensor_dtype(in[1])), p, (int)status, (int)wanted);
    for (int k = 0; k < 2; k++) {
        bl_mpi_tensor_release(in[k]);
        bl_tensor_release(whole[k]);
    }
    bl_tensor_release(want);
    bl_tensor_release(got);
    return is_right;
}

static bool try(struct rng *rng, int64_t number)
{
    return number % 2 == 0 ? try_random(rng) : try_dist(rng);
}

int main(int count, char **arguments)
{
    const struct world_cases cases = world_open(count, arguments, 120);

    must(bl_context_set_threads(NULL, 1));
    world_make_grids(cases.seed);
    world_ok(world_try(&cases, "numbers", try),
             "%d ranks: random numbers and distances are those of one process",
             world_ranks);
    return world_close();
}
