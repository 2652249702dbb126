/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions.  `dim` counts as SUM's does, and may name several dimensions.  A result
 * of the rank of `a` keeps reduced dimensions with extent 1.
 */
#include "fortran/glue.h"

/* Whether `dim` is a number, or a vector of no more of them than `a` has dimensions. */
static bl_status check_dim(struct blf_call *call, blf_actual dim, int32_t rank)
{
    const long long given = dim->rank == 1 ? dim->dim[0].extent : 1;

    if (dim->rank > 1)
        return blf_refuse(
            call, BL_ERR_ARGUMENT,
            "dim has rank %d, but is a dimension of a, or a vector of some",
            (int)dim->rank);
    if (given < 0)
        return blf_refuse(call, BL_ERR_ARGUMENT,
                          "dim is of assumed size: pass a section, as dim(1:n)");
    if (dim->rank == 1 && given > rank)
        return blf_refuse(call, BL_ERR_ARGUMENT,
                          "dim has %lld elements, but a has %d dimensions", given,
                          (int)rank);
    return BL_OK;
}

/* Read `dim`, an integer or a vector of them, as axes of `a`. */
static bl_status read_dim(struct blf_call *call, blf_actual dim, int32_t rank,
                          int32_t *count, int32_t *axes)
{
    bool named[CFI_MAX_RANK] = {false};

    *count = 0;
    /* Fortran takes what is not allocated, and a null pointer, as absent. */
    if (!dim || !dim->base_addr)
        return BL_OK;

    const bl_status status = check_dim(call, dim, rank);
    const int32_t given = dim->rank == 0 ? 1 : (int32_t)dim->dim[0].extent;
    const char *at = dim->base_addr;

    if (status != BL_OK)
        return status;
    for (int32_t i = 0; i < given; i++, at += dim->rank ? dim->dim[0].sm : 0) {
        const int dimension = *(const int *)(const void *)at;

        if (dimension < 1 || dimension > rank)
            return blf_refuse(call, BL_ERR_ARGUMENT,
                              "dim is %d, but a has dimensions 1 to %d", dimension,
                              (int)rank);
        if (named[dimension - 1])
            return blf_refuse(call, BL_ERR_ARGUMENT, "dim names dimension %d twice",
                              dimension);
        named[dimension - 1] = true;
        axes[i] = rank - dimension;
    }
    *count = given;
    return BL_OK;
}

/* Whether the result of a reduction is a boolean, or an element of a logical. */
static bool gives_logical(bl_reduction op, blf_actual in)
{
    return op == BL_REDUCTION_ANY || op == BL_REDUCTION_ALL ||
           ((op == BL_REDUCTION_MAX || op == BL_REDUCTION_MIN) && blf_is_logical(in));
}

static bl_status reduce(struct blf_call *call, bl_reduction op, blf_actual in,
                        blf_actual out, blf_actual dim, const double *correction)
{
    bl_reduce_options options = BL_REDUCE_OPTIONS_DEFAULT;
    bl_context *const ctx = blf_context_of(call);
    struct blf_operand *from, *to;
    int32_t axes[CFI_MAX_RANK], count;
    bl_tensor *result;
    bl_status status = blf_open(call, "a", in, &from);

    if (status == BL_OK)
        status = blf_open_result(call, "out", out, &to);
    if (status == BL_OK)
        status = blf_check_logical(call, gives_logical(op, in), to);
    if (status == BL_OK)
        status = read_dim(call, dim, from->array.rank, &count, axes);
    if (status != BL_OK)
        return status;

    const bool keepdim = to->array.rank == from->array.rank;

    if (correction)
        options.correction = *correction;

    if (op == BL_REDUCTION_SUM || op == BL_REDUCTION_PROD || op == BL_REDUCTION_MEAN) {
        if (bl_can_cast(from->array.dtype, to->array.dtype))
            options.dtype = to->array.dtype;
    } else if (blf_is_wide_logical(out)) {
        status =
            bl_reduce_new(ctx, op, &from->array, count, axes, keepdim, NULL, &result);
        return status == BL_OK ? blf_deliver(call, result, to) : status;
    }
    return bl_reduce(ctx, op, &to->array, &from->array, count, axes, keepdim, &options);
}

void blf_reduce(const char *procedure, bl_reduction op, blf_actual in, blf_actual out,
                blf_actual dim, const double *correction, struct blf_end end)
{
    struct blf_call call;

    blf_begin(&call, procedure, end);
    blf_finish(&call, reduce(&call, op, in, out, dim, correction));
}
