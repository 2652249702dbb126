/* SPDX-License-Identifier: BSD-3-Clause */
#include "extra_over_ranks.h"

#include <broadloom/warnings.h>

#include <string.h>

bl_array value_describe(const struct value *value, int64_t extent[BL_MAX_RANK])
{
    bl_array whole = {.extent = extent};

    if (value->array) {
        whole = *bl_tensor_array(value->array);
        memcpy(extent, whole.extent, (size_t)whole.rank * sizeof *extent);
        whole.extent = extent;
        return whole;
    }
    whole.dtype = bl_mpi_tensor_dtype(value->tensor);
    whole.rank = bl_mpi_tensor_rank(value->tensor);
    for (int32_t d = 0; d < whole.rank; d++)
        extent[d] = bl_mpi_tensor_extent(value->tensor, d);
    return whole;
}

static void release(void *user, void *data)
{
    (void)data;
    bl_tensor_release(user);
}

bl_status extra_wrap(const struct extra_call *call, bl_tensor *local,
                     const bl_mpi_dim *dims, bl_mpi_tensor **out)
{
    const bl_status status = bl_mpi_wrap(NULL, call->grid, bl_tensor_array(local), NULL,
                                         NULL, dims, release, local, out);

    if (status != BL_OK)
        bl_tensor_release(local);
    return status;
}

/* A value as a tensor: an array that all ranks have is one of replicas. */
static bl_status spread(const struct extra_call *call, const struct value *value,
                        bl_mpi_tensor **out)
{
    if (value->array)
        return extra_wrap(call, bl_tensor_retain(value->array), NULL, out);
    *out = bl_mpi_tensor_retain(value->tensor);
    return BL_OK;
}

bl_status extra_copy(const struct extra_call *call, const bl_mpi_tensor *to,
                     const struct value *from, const bl_rules *rules)
{
    const bl_mpi_operand in = {from->tensor,
                               from->array ? bl_tensor_array(from->array) : NULL};
    bl_options options = BL_OPTIONS_DEFAULT;
    bl_mpi_options over = *call->limits;
    bl_status status;

    options.rules = rules;
    over.call = &options;
    bl_warnings_suppress_begin();
    status = bl_mpi_apply(NULL, BL_OP_COPY, to, 1, &in, &over);
    bl_warnings_suppress_end();
    return status;
}

/* ---- distances and sums ---- */

/* The number that a value is. */
static bl_status read_norm(const struct value *value, double *norm)
{
    bl_tensor *whole = NULL;
    bl_status status;

    if (!value->tensor)
        return extra_norm(NULL, value->array ? bl_tensor_array(value->array) : NULL,
                          norm);
    if (bl_mpi_tensor_rank(value->tensor) != 0)
        return bl_error_set(BL_ERR_ARGUMENT, "the norm must be a number");
    TRY(bl_mpi_gather(NULL, value->tensor, BL_MPI_ALL, &whole));
    status = extra_norm(NULL, bl_tensor_array(whole), norm);
    bl_tensor_release(whole);
    return status;
}

static bl_status measure(const struct extra_call *call, const struct value *argument,
                         bl_tensor **out)
{
    bl_mpi_tensor *side[2] = {NULL, NULL};
    bl_status status;
    double norm;

    TRY(read_norm(&argument[2], &norm));
    status = spread(call, &argument[0], &side[0]);
    if (status == BL_OK)
        status = spread(call, &argument[1], &side[1]);
    if (status == BL_OK)
        status = bl_mpi_dist(NULL, side[0], side[1], norm, out);
    bl_mpi_tensor_release(side[0]);
    bl_mpi_tensor_release(side[1]);
    return status;
}

/* Drop so many first dimensions, which have one element. */
static bl_status drop(bl_mpi_tensor **tensor, int32_t count)
{
    for (; count > 0; count--) {
        bl_mpi_tensor *view = NULL;

        TRY(bl_mpi_squeeze(*tensor, 0, &view));
        bl_mpi_tensor_release(*tensor);
        *tensor = view;
    }
    return BL_OK;
}

static bl_status sum_to(const struct extra_call *call, const struct value *argument,
                        bl_mpi_tensor **out)
{
    const bl_array *const from = &call->whole[0], *const to = &call->whole[1];
    const int32_t dropped = from->rank - to->rank;
    bl_mpi_options limits = *call->limits;
    int32_t axes[BL_MAX_RANK], count = 0;
    bl_mpi_tensor *deep = NULL;
    bl_status status;

    TRY(bl_sum_to_shape_check((bl_shape){from->rank, from->extent},
                              (bl_shape){to->rank, to->extent}));
    for (int32_t d = 0; d < from->rank; d++)
        if (d < dropped || (to->extent[d - dropped] == 1 && from->extent[d] != 1))
            axes[count++] = d;
    limits.call = NULL;
    if (count > 0) {
        TRY(bl_mpi_reduce_new(NULL, BL_REDUCTION_SUM, argument[0].tensor, count, axes,
                              true, NULL, &limits, out));
        return drop(out, dropped);
    }
    /* Sums of one element each. */
    TRY(bl_mpi_unsqueeze(argument[0].tensor, 0, &deep));
    axes[0] = 0;
    status = bl_mpi_reduce_new(NULL, BL_REDUCTION_SUM, deep, 1, axes, false, NULL,
                               &limits, out);
    bl_mpi_tensor_release(deep);
    return status;
}

/* ---- calls ---- */

/* Whether elements of some argument that are computed with lie over ranks. */
static bool is_over_ranks(enum extra_function function, const struct value *argument)
{
    const int32_t count = function == EXTRA_SUM_TO ? 1 : EXTRA_ARGUMENTS;
    bool is_over = false;

    for (int32_t k = 0; k < count; k++)
        is_over = is_over || argument[k].tensor;
    return is_over;
}

bl_status extra_call_over_ranks(bl_mpi_grid *grid, const bl_mpi_options *limits,
                                enum extra_function function,
                                const struct value *argument, struct value *out)
{
    struct extra_call call = {
        .grid = grid, .limits = limits, .info = {.size = sizeof call.info}};
    const bl_array *array[EXTRA_ARGUMENTS] = {NULL};

    TRY(bl_mpi_grid_query(grid, &call.info));
    for (int32_t k = 0; k < EXTRA_ARGUMENTS; k++)
        if (argument[k].tensor || argument[k].array) {
            call.whole[k] = value_describe(&argument[k], call.extent[k]);
            array[k] = &call.whole[k];
        }
    if (!is_over_ranks(function, argument))
        return agree(extra_call_here(NULL, function, array, &out->array));
    switch (function) {
    case EXTRA_MASKED_SCATTER:
        return extra_scatter(&call, argument, &out->tensor);
    case EXTRA_MASKED_SELECT:
        return extra_select(&call, argument, &out->tensor);
    case EXTRA_SUM_TO:
        return sum_to(&call, argument, &out->tensor);
    default:
        return measure(&call, argument, &out->array);
    }
}
