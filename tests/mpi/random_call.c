/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi/random_call.h"

#include <stdlib.h>

#include "harness/same.h"

/* ---- random grids, borders, shapes ---- */

static void random_grid(struct rng *rng, struct bli_grid *grid)
{
    int64_t extent[3];
    const int32_t axes = 1 + (int32_t)rng_below(rng, 3);

    for (int32_t a = 0; a < axes; a++)
        extent[a] = 1 + rng_below(rng, axes == 1 ? 12 : 4);
    must(bli_grid_make(0, axes, extent, (int32_t)rng_below(rng, 5), grid));
    grid->is_shared = grid->node > 1 && rng_one_in(rng, 2);
}

/* Borders by dice, so that parts are often empty or of one element. */
static void random_borders(struct rng *rng, int64_t extent, int32_t parts,
                           int64_t *border)
{
    border[0] = 0;
    for (int32_t p = 1; p < parts; p++)
        border[p] = rng_below(rng, extent + 1);
    border[parts] = extent;
    for (int32_t p = 1; p < parts; p++)
        for (int32_t q = p; q > 1 && border[q] < border[q - 1]; q--) {
            const int64_t swapped = border[q];

            border[q] = border[q - 1];
            border[q - 1] = swapped;
        }
}

/* A spread of a shape: axes by dice, borders by dice or the library's. */
static struct bli_spread *random_spread(struct rng *rng, const struct bli_grid *grid,
                                        int32_t rank, const int64_t *extent)
{
    struct bli_dim dims[MOST_RANK];
    int64_t border[MOST_RANK][80];
    struct bli_spread *spread;
    uint32_t axes[MOST_RANK] = {0};

    for (int32_t d = 0; d < rank; d++)
        dims[d] = (struct bli_dim){BLI_WHOLE, NULL};
    for (int32_t a = 0; a < grid->axes && rank > 0; a++) {
        const int32_t d = (int32_t)rng_below(rng, rank);

        if (rng_one_in(rng, 4) || (axes[d] != 0 && rng_one_in(rng, 2)))
            continue;
        dims[d].axis = axes[d] == 0 ? a : BLI_AXES((int32_t)axes[d] | 1 << a);
        axes[d] |= UINT32_C(1) << a;
    }
    for (int32_t d = 0; d < rank; d++) {
        if (axes[d] == 0 || rng_one_in(rng, 3))
            continue;
        random_borders(rng, extent[d], bli_dim_parts(grid, dims[d].axis), border[d]);
        dims[d].border = border[d];
    }
    must(bli_spread_make(grid, rank, extent, dims, BLI_EVERY_RANK, &spread));
    return spread;
}

/* The shape of an operand that can be broadcast to another one. */
static int32_t random_operand(struct rng *rng, int32_t rank, const int64_t *whole,
                              int64_t *extent)
{
    const int32_t less = rng_one_in(rng, 2) ? 0 : (int32_t)rng_below(rng, rank + 1);

    for (int32_t d = less; d < rank; d++)
        extent[d - less] = rng_one_in(rng, 3) ? 1 : whole[d];
    return rank - less;
}

static const bl_dtype dtypes[] = {BL_DTYPE_F32, BL_DTYPE_F64, BL_DTYPE_F16,
                                  BL_DTYPE_I32, BL_DTYPE_I8,  BL_DTYPE_C128,
                                  BL_DTYPE_I64, BL_DTYPE_BOOL};

static bl_dtype random_dtype(struct rng *rng, const struct trial *trial, int32_t k)
{
    const int64_t kinds = sizeof dtypes / sizeof dtypes[0];

    if (k == 0 && trial->op == BL_OP_WHERE)
        return BL_DTYPE_BOOL;
    return rng_one_in(rng, 2) ? BL_DTYPE_F32 : dtypes[rng_below(rng, kinds)];
}

/* ---- a trial ---- */

/* Elements from 1 to 100, which no operator refuses. */
static void fill(struct trial *trial, int32_t k, bl_dtype dtype, int32_t rank)
{
    int64_t *number, numel;

    must(bl_shape_numel(rank, trial->extent[k], &numel));
    number = malloc(sizeof *number * (size_t)(numel + 1));
    for (int64_t i = 0; i < numel; i++)
        number[i] = 1 + (i + 3 * k) % 100;
    must(bl_tensor_empty(NULL, dtype, rank, trial->extent[k], &trial->tensor[k]));

    const bl_array from = {number, BL_DTYPE_I64, rank, trial->extent[k], NULL, 0};

    must(bl_apply(NULL, BL_OP_COPY, bl_tensor_array(trial->tensor[k]), 1,
                  (const bl_array *[]){&from}, NULL));
    free(number);
}

static void random_operands(struct rng *rng, struct trial *trial)
{
    const int32_t rank = (int32_t)rng_below(rng, MOST_RANK + 1);
    int64_t whole[MOST_RANK];

    for (int32_t d = 0; d < rank; d++)
        whole[d] = rng_one_in(rng, 25) ? 0 : 1 + rng_below(rng, MOST_EXTENT);
    for (int32_t k = 0; k < trial->count; k++) {
        const int32_t own = random_operand(rng, rank, whole, trial->extent[k]);
        struct bli_spread_operand *const operand = &trial->operand[k];

        fill(trial, k, random_dtype(rng, trial, k), own);
        operand->array = *bl_tensor_array(trial->tensor[k]);
        operand->array.extent = trial->extent[k];
        if (own == 0 && k > 0 && rng_one_in(rng, 2))
            operand->array.flags |= BL_ARRAY_SCALAR;
        if (k == 0 || !rng_one_in(rng, 6))
            trial->spread[k] = random_spread(rng, &trial->grid, own, trial->extent[k]);
        operand->spread = trial->spread[k];
    }
}

void trial_open(struct rng *rng, struct trial *trial)
{
    static const bl_options defaults = BL_OPTIONS_DEFAULT;
    bl_op_info info = {.size = sizeof info};

    *trial = (struct trial){.options = defaults};
    random_grid(rng, &trial->grid);
    do {
        trial->op = (bl_op)(1 + rng_below(rng, 60));
    } while (bl_op_query(trial->op, &info) != BL_OK || info.inputs > 3 ||
             trial->op == BL_OP_COPY);
    if (rng_one_in(rng, 6))
        trial->op = BL_OP_COPY;
    BL_IGNORE(bl_op_query(trial->op, &info));
    trial->count = info.inputs;
    random_operands(rng, trial);
}

void trial_result(struct rng *rng, struct trial *trial,
                  struct bli_spread_options *options, struct bli_dim *dims)
{
    const bl_array *const whole = bl_tensor_array(trial->result);
    struct bli_spread **const out = &trial->spread[BL_MAX_INPUTS];

    options->out_dtype = whole->dtype;
    if (rng_one_in(rng, 3))
        return;
    if (rng_one_in(rng, 6)) {
        must(bli_spread_make(&trial->grid, whole->rank, whole->extent, NULL,
                             (int32_t)rng_below(rng, trial->grid.ranks), out));
        options->out = *out;
        return;
    }
    *out = random_spread(rng, &trial->grid, whole->rank, whole->extent);
    if (rng_one_in(rng, 2)) {
        options->out = *out;
        return;
    }
    for (int32_t d = 0; d < whole->rank; d++)
        dims[d] = bli_spread_dim(*out, d);
    options->dims = dims;
}

void trial_close(struct trial *trial)
{
    for (int32_t k = 0; k < BL_MAX_INPUTS + 1; k++)
        bli_spread_release(trial->spread[k]);
    for (int32_t k = 0; k < trial->count; k++)
        bl_tensor_release(trial->tensor[k]);
    bl_tensor_release(trial->result);
}
