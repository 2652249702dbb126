/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums to a shape, the adjoint of broadcasting. */
#include "ops/reduce_run.h"

/*
 * Resolve the dtype, axes and shape of a sum to a shape, which is the argument `name`;
 * NULL: as in bli_shape_check().
 */
static bl_status resolve_sum_to(struct bli_reduce_call *call, const char *name,
                                int32_t rank, const int64_t *extent)
{
    const bl_shape from = {call->in->rank, call->in->extent};
    const bl_shape to = {rank, extent};

    BL_TRY(bli_reduce_to(from, name, to, &call->axes));
    BL_TRY(bli_reduce_dtypes(call, NULL));
    call->keeps = true;
    call->shift = from.rank - rank;
    call->rank = rank;
    for (int32_t d = 0; d < rank; d++)
        call->extent[d] = extent[d];
    return BL_OK;
}

static bl_status sum_to_shape(bl_context *ctx, const bl_array *in, int32_t rank,
                              const int64_t *extent, bl_tensor **out)
{
    struct bli_reduce_call call = {.op = BL_REDUCTION_SUM, .in = in};

    if (!out)
        return bli_error_null("out");
    BL_TRY(bli_reduce_check(call.op, in));
    BL_TRY(resolve_sum_to(&call, NULL, rank, extent));
    return bli_reduce_make(&call, ctx, out);
}

bl_status bl_sum_to_shape(bl_context *ctx, const bl_array *in, int32_t rank,
                          const int64_t *extent, bl_tensor **out)
{
    BLI_RETURN_CALL(sum_to_shape(ctx, in, rank, extent, out), "%A, extent %S", "in", in,
                    rank, extent);
}

static bl_status sum_to_shape_out(bl_context *ctx, const bl_array *out,
                                  const bl_array *in)
{
    struct bli_reduce_call call = {.op = BL_REDUCTION_SUM, .in = in};

    BL_TRY(bli_reduce_check(call.op, in));
    BL_TRY(bli_array_check(out, "out", true));
    BL_TRY(resolve_sum_to(&call, "out", out->rank, out->extent));
    return bli_reduce_into(&call, ctx, out);
}

bl_status bl_sum_to_shape_out(bl_context *ctx, const bl_array *out, const bl_array *in)
{
    BLI_RETURN_CALL(sum_to_shape_out(ctx, out, in), "%O%A", "out", out, "in", in);
}
