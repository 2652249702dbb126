/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Selection by masks over ranks: operands move to linear order, where what a mask
 * selects on a rank comes after what it selects on those before.
 */
#include "extra_over_ranks.h"

#include <broadloom/compat.h>

#include <stdlib.h>
#include <string.h>

/* The dimension of what is in linear order: along all axes together. */
static bl_mpi_dim line(const struct extra_call *call, const int64_t *border)
{
    return (bl_mpi_dim){BL_MPI_AXES((1 << call->info.axes) - 1), border};
}

static bool is_shape(const bl_array *array, int32_t rank, const int64_t *extent)
{
    return array->rank == rank &&
           (rank == 0 ||
            memcmp(array->extent, extent, (size_t)rank * sizeof *extent) == 0);
}

/* A value as a tensor of a shape, to which it is broadcast. */
static bl_status shape(const struct extra_call *call, const struct value *value,
                       const bl_array *whole, const bl_array *to, struct value *out)
{
    bl_mpi_dim dims[BL_MAX_RANK];

    if (is_shape(whole, to->rank, to->extent)) {
        *out = value_retain(value);
        return BL_OK;
    }
    over_ranks_lie(&call->info, 1, &to, 0, dims);
    TRY(bl_mpi_empty(NULL, call->grid, whole->dtype, to->rank, to->extent, dims,
                     &out->tensor));
    return extra_copy(call, out->tensor, value, bl_rules_modern());
}

/* A new tensor of a value's elements, broadcast to a shape, in linear order. */
static bl_status flatten(const struct extra_call *call, const struct value *value,
                         const bl_array *whole, const bl_array *to, bl_mpi_tensor **out)
{
    const bl_mpi_dim dim = line(call, NULL);
    struct value shaped = {NULL, NULL};
    bl_status status;
    int64_t count;

    TRY(bl_shape_numel(to->rank, to->extent, &count));
    TRY(bl_mpi_empty(NULL, call->grid, whole->dtype, 1, &count, &dim, out));
    status = shape(call, value, whole, to, &shaped);
    if (status == BL_OK)
        status = extra_copy(call, *out, &shaped, bl_rules_legacy());
    value_release(&shaped);
    return status;
}

/* What this process refuses, of arrays that have one element in memory. */
static bl_status refuse(const struct extra_call *call, enum extra_function function)
{
    static const int64_t stride[BL_MAX_RANK];
    static char element[16];
    bl_array array[EXTRA_ARGUMENTS];
    bl_tensor *out = NULL;
    bl_status status;

    for (int32_t k = 0; k < EXTRA_ARGUMENTS; k++) {
        array[k] = call->whole[k];
        array[k].stride = stride;
        array[k].data = element;
    }
    status = extra_call_here(
        NULL, function, (const bl_array *[]){&array[0], &array[1], &array[2]}, &out);
    bl_tensor_release(out);
    return status;
}

/* The shape of array and mask, which are broadcast. */
static bl_status pair(const struct extra_call *call, enum extra_function function,
                      bl_array *to, int64_t extent[BL_MAX_RANK])
{
    const bl_array *const whole = call->whole;
    const bl_shape shapes[2] = {{whole[0].rank, whole[0].extent},
                                {whole[1].rank, whole[1].extent}};
    const bool is_taken =
        whole[1].dtype == BL_DTYPE_BOOL &&
        (function == EXTRA_MASKED_SELECT || whole[2].dtype == whole[0].dtype);

    *to = (bl_array){.extent = extent};
    if (!is_taken || bl_broadcast_shapes(2, shapes, &to->rank, extent) != BL_OK)
        return refuse(call, function);
    return BL_OK;
}

bl_status extra_select(const struct extra_call *call, const struct value *argument,
                       bl_mpi_tensor **out)
{
    const bl_mpi_dim dim = line(call, NULL);
    bl_mpi_tensor *flat[2] = {NULL, NULL};
    bl_tensor *own = NULL;
    int64_t extent[BL_MAX_RANK];
    bl_status status;
    bl_array to;

    TRY(pair(call, EXTRA_MASKED_SELECT, &to, extent));
    status = flatten(call, &argument[0], &call->whole[0], &to, &flat[0]);
    if (status == BL_OK)
        status = flatten(call, &argument[1], &call->whole[1], &to, &flat[1]);
    if (status == BL_OK)
        status = agree(
            bl_masked_select(NULL, bl_mpi_local(flat[0]), bl_mpi_local(flat[1]), &own));
    bl_mpi_tensor_release(flat[0]);
    bl_mpi_tensor_release(flat[1]);
    if (status == BL_OK)
        return extra_wrap(call, own, &dim, out);
    bl_tensor_release(own);
    return status;
}

/* Where the elements for each rank begin, by the masks of those before; the last is
 * their number. */
static bl_status count_before(const struct extra_call *call, const bl_mpi_tensor *mask,
                              int64_t *border)
{
    bl_tensor *sum = NULL;

    TRY(agree(bl_reduce_new(NULL, BL_REDUCTION_SUM, bl_mpi_local(mask), 0, NULL, false,
                            NULL, &sum)));
    border[0] = 0;
    MPI_Allgather(bl_tensor_data(sum), 1, MPI_INT64_T, border + 1, 1, MPI_INT64_T,
                  MPI_COMM_WORLD);
    bl_tensor_release(sum);
    for (int32_t r = 0; r < call->info.ranks; r++)
        border[r + 1] += border[r];
    return BL_OK;
}

/* The first elements of the source, in linear order, of which each rank has its own. */
static bl_status deal(const struct extra_call *call, const struct value *source,
                      const int64_t *border, bl_mpi_tensor **out)
{
    const bl_mpi_dim dim = line(call, border);
    const int64_t total = border[call->info.ranks];
    struct value first = {NULL, NULL};
    bl_mpi_tensor *flat = NULL;
    bl_status status;
    int64_t count;

    TRY(bl_shape_numel(call->whole[2].rank, call->whole[2].extent, &count));
    if (count < total)
        return bl_error_set(BL_ERR_SHAPE,
                            "Number of elements of source < number of ones in mask");
    TRY(bl_mpi_empty(NULL, call->grid, call->whole[2].dtype, 1, &total, &dim, out));
    status = flatten(call, source, &call->whole[2], &call->whole[2], &flat);
    if (status == BL_OK)
        status = bl_mpi_narrow(flat, 0, 0, total, &first.tensor);
    if (status == BL_OK)
        status = extra_copy(call, *out, &first, bl_rules_modern());
    value_release(&first);
    bl_mpi_tensor_release(flat);
    return status;
}

/* Write the source's elements into `flat`, which is in linear order. */
static bl_status scatter_into(const struct extra_call *call,
                              const struct value *argument, const bl_array *to,
                              const bl_mpi_tensor *flat)
{
    int64_t *const border = malloc(((size_t)call->info.ranks + 1) * sizeof *border);
    bl_mpi_tensor *mask = NULL, *source = NULL;
    bl_status status = BL_OK;

    if (!border)
        status = bl_error_set(BL_ERR_MEMORY, "no memory for borders");
    status = agree(status);
    if (status == BL_OK)
        status = flatten(call, &argument[1], &call->whole[1], to, &mask);
    if (status == BL_OK)
        status = count_before(call, mask, border);
    if (status == BL_OK)
        status = deal(call, &argument[2], border, &source);
    if (status == BL_OK)
        status = agree(bl_masked_scatter_inplace(
            NULL, bl_mpi_local(flat), bl_mpi_local(mask), bl_mpi_local(source)));
    bl_mpi_tensor_release(mask);
    bl_mpi_tensor_release(source);
    free(border);
    return status;
}

bl_status extra_scatter(const struct extra_call *call, const struct value *argument,
                        bl_mpi_tensor **out)
{
    struct value flat = {NULL, NULL};
    int64_t extent[BL_MAX_RANK];
    bl_mpi_dim dims[BL_MAX_RANK];
    bl_status status;
    bl_array to;

    TRY(pair(call, EXTRA_MASKED_SCATTER, &to, extent));
    status = flatten(call, &argument[0], &call->whole[0], &to, &flat.tensor);
    if (status == BL_OK)
        status = scatter_into(call, argument, &to, flat.tensor);
    over_ranks_lie(&call->info, 1, (const bl_array *[]){&to}, 0, dims);
    if (status == BL_OK)
        status = bl_mpi_empty(NULL, call->grid, call->whole[0].dtype, to.rank,
                              to.extent, dims, out);
    if (status == BL_OK)
        status = extra_copy(call, *out, &flat, bl_rules_legacy());
    value_release(&flat);
    return status;
}
