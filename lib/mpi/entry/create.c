/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * New tensors: each rank makes its block.
 */
#include <math.h>

#include "mpi/entry/entry.h"

/* bl_tensor_rand_box() and the like. */
typedef bl_status random_box(bl_context *ctx, bl_dtype dtype, int32_t rank,
                             const int64_t *extent, const int64_t *begin,
                             const int64_t *end, uint64_t seed, bl_tensor **out);

/* How blocks are filled. */
struct filling {
    enum { NOTHING, VALUE, RANGE, RANDOM } kind;
    const void *value; /* one element; NULL: 0 */
    double start, step;
    random_box *random;
    uint64_t seed;
};

/* Numbers from `begin` on of the range, each computed by itself, and converted. */
static bl_status fill_range(bl_context *ctx, const struct filling *filling,
                            int64_t begin, const bl_array *block)
{
    bl_tensor *numbers;

    BL_TRY(bl_tensor_empty(ctx, BL_DTYPE_F64, 1, block->extent, &numbers));
    double *const number = bl_tensor_mutable_data(numbers);

    for (int64_t i = 0; i < block->extent[0]; i++)
        number[i] = filling->start + (double)(begin + i) * filling->step;
    const bl_status status = bli_mpi_copy(ctx, block, bl_tensor_array(numbers));

    bl_tensor_release(numbers);
    return status;
}

static bl_status fill(bl_context *ctx, const struct filling *filling,
                      const bl_mpi_tensor *tensor)
{
    static const double zero[2]; /* of any dtype */
    const bl_array *const block = bl_mpi_local(tensor);
    const void *const value = filling->value ? filling->value : zero;
    struct bli_box box;

    if (!block || filling->kind == NOTHING || filling->kind == RANDOM ||
        bl_tensor_numel(tensor->block) == 0)
        return BL_OK;
    if (filling->kind == VALUE)
        return bli_mpi_copy(
            ctx, block,
            &(bl_array){.data = (void *)(uintptr_t)value, .dtype = block->dtype});
    bli_spread_box(tensor->spread, tensor->grid->link->self, &box);
    return fill_range(ctx, filling, box.begin[0], block);
}

/* A tensor of this rank's box of random numbers; takes `spread` in any case. */
static bl_status make_random(bl_context *ctx, bl_mpi_grid *grid,
                             const struct filling *filling, bl_dtype dtype,
                             struct bli_spread *spread, bl_mpi_tensor **out)
{
    bl_tensor *block;
    struct bli_box box;
    bl_status status;

    bli_spread_box(spread, grid->link->self, &box);
    status = filling->random(bli_mpi_context(ctx, grid), dtype, spread->rank,
                             spread->extent, box.begin, box.end, filling->seed, &block);
    if (status == BL_OK)
        return bli_mpi_tensor_make(grid, spread, dtype, block, out);
    bli_spread_release(spread);
    return status;
}

/* This rank's part of a call that makes a tensor. */
static bl_status make(bl_context *ctx, bl_mpi_grid *grid, bl_dtype dtype, int32_t rank,
                      const int64_t *extent, const bl_mpi_dim *dims,
                      const struct filling *filling, struct bli_ballot *ballot,
                      bl_mpi_tensor **out)
{
    struct bli_dim dim[BL_MAX_RANK];
    struct bli_spread *spread;

    BL_TRY(bli_mpi_dims(rank, dims, dim));
    BL_TRY(bli_spread_make(&grid->shape, rank, extent, dims ? dim : NULL,
                           BLI_EVERY_RANK, &spread));
    bli_ballot_number(ballot, (int64_t)dtype);
    bli_ballot_spread(ballot, spread);
    bli_ballot_shape(ballot, dtype, rank, extent);
    if (filling->kind == RANDOM && grid->link)
        return make_random(ctx, grid, filling, dtype, spread, out);
    BL_TRY(bli_mpi_tensor_new(grid, ctx, spread, dtype, out));
    return fill(bli_mpi_context(ctx, grid), filling, *out);
}

static bl_status create(const char *function, bl_context *ctx, bl_mpi_grid *grid,
                        bl_dtype dtype, int32_t rank, const int64_t *extent,
                        const bl_mpi_dim *dims, const struct filling *filling,
                        bl_status status, bl_mpi_tensor **out)
{
    struct bli_ballot ballot;
    bl_mpi_tensor *made = NULL;

    BL_TRY(bli_mpi_begin(grid, &ballot, function));
    if (filling->value)
        bli_ballot_bytes(&ballot, filling->value, bl_dtype_size(dtype));
    bli_ballot_bytes(&ballot, &filling->start, sizeof filling->start);
    bli_ballot_bytes(&ballot, &filling->step, sizeof filling->step);
    bli_ballot_number(&ballot, (int64_t)filling->seed);
    if (status == BL_OK)
        status =
            out ? make(ctx, grid, dtype, rank, extent, dims, filling, &ballot, &made)
                : bli_mpi_null("out");
    return bli_mpi_finish(grid, &ballot, status, made, out);
}

bl_status bl_mpi_empty(bl_context *ctx, bl_mpi_grid *grid, bl_dtype dtype, int32_t rank,
                       const int64_t *extent, const bl_mpi_dim *dims,
                       bl_mpi_tensor **out)
{
    return create(__func__, ctx, grid, dtype, rank, extent, dims,
                  &(struct filling){.kind = NOTHING}, BL_OK, out);
}

bl_status bl_mpi_zeros(bl_context *ctx, bl_mpi_grid *grid, bl_dtype dtype, int32_t rank,
                       const int64_t *extent, const bl_mpi_dim *dims,
                       bl_mpi_tensor **out)
{
    return create(__func__, ctx, grid, dtype, rank, extent, dims,
                  &(struct filling){.kind = VALUE}, BL_OK, out);
}

bl_status bl_mpi_full(bl_context *ctx, bl_mpi_grid *grid, bl_dtype dtype, int32_t rank,
                      const int64_t *extent, const bl_mpi_dim *dims, const void *value,
                      bl_mpi_tensor **out)
{
    return create(__func__, ctx, grid, dtype, rank, extent, dims,
                  &(struct filling){.kind = VALUE, .value = value},
                  value ? BL_OK : bli_mpi_null("value"), out);
}

/* The number of elements of a range, checked as bl_tensor_arange() does. */
static bl_status measure(bl_dtype dtype, double start, double stop, double step,
                         int64_t *count)
{
    const double elements = ceil((stop - start) / step);

    if (dtype == BL_DTYPE_BOOL || dtype == BL_DTYPE_C64 || dtype == BL_DTYPE_C128)
        return bl_error_set(BL_ERR_DTYPE, "a range of %s", bl_dtype_name(dtype));
    if (!isfinite(start) || !isfinite(stop) || !isfinite(step) || step == 0.0 ||
        (step > 0.0 ? stop < start : stop > start))
        return bl_error_set(BL_ERR_ARGUMENT,
                            "unsupported range: %g to %g in steps of %g", start, stop,
                            step);
    if (!(elements < 0x1p63))
        return bl_error_set(BL_ERR_OVERFLOW,
                            "range %g to %g in steps of %g has too many elements",
                            start, stop, step);
    *count = (int64_t)elements;
    return BL_OK;
}

bl_status bl_mpi_arange(bl_context *ctx, bl_mpi_grid *grid, bl_dtype dtype,
                        double start, double stop, double step, const bl_mpi_dim *dims,
                        bl_mpi_tensor **out)
{
    int64_t count = 0;
    const bl_status status = measure(dtype, start, stop, step, &count);

    return create(__func__, ctx, grid, dtype, 1, &count, dims,
                  &(struct filling){.kind = RANGE, .start = start, .step = step},
                  status, out);
}

bl_status bl_mpi_rand(bl_context *ctx, bl_mpi_grid *grid, bl_dtype dtype, int32_t rank,
                      const int64_t *extent, const bl_mpi_dim *dims, uint64_t seed,
                      bl_mpi_tensor **out)
{
    return create(
        __func__, ctx, grid, dtype, rank, extent, dims,
        &(struct filling){.kind = RANDOM, .random = bl_tensor_rand_box, .seed = seed},
        BL_OK, out);
}

bl_status bl_mpi_randn(bl_context *ctx, bl_mpi_grid *grid, bl_dtype dtype, int32_t rank,
                       const int64_t *extent, const bl_mpi_dim *dims, uint64_t seed,
                       bl_mpi_tensor **out)
{
    return create(
        __func__, ctx, grid, dtype, rank, extent, dims,
        &(struct filling){.kind = RANDOM, .random = bl_tensor_randn_box, .seed = seed},
        BL_OK, out);
}

bl_status bl_mpi_like(bl_context *ctx, const bl_mpi_tensor *tensor, bl_dtype dtype,
                      bl_mpi_tensor **out)
{
    struct bli_ballot ballot;
    bl_mpi_tensor *made = NULL;
    bl_status status;

    if (!tensor)
        return bli_mpi_null("tensor");
    BL_TRY(bli_mpi_begin(tensor->grid, &ballot, __func__));
    bli_ballot_number(&ballot, (int64_t)dtype);
    bli_ballot_spread(&ballot, tensor->spread);
    bli_ballot_shape(&ballot, dtype, tensor->spread->rank, tensor->spread->extent);
    status = out ? bli_mpi_tensor_new(tensor->grid, ctx,
                                      bli_spread_retain(tensor->spread), dtype, &made)
                 : bli_mpi_null("out");
    return bli_mpi_finish(tensor->grid, &ballot, status, made, out);
}
