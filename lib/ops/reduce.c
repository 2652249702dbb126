/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The exported reductions: arguments are checked, shape and dtypes resolved, then the
 * reduction runs.
 */
#include "ops/reduce_run.h"
#include "core/sized.h"

#include <inttypes.h>
#include <string.h>

#include "shape/broadcast.h"

/* ---- names and dtypes ---- */

bl_reduction bl_reduction_find(const char *name)
{
    for (int32_t i = 1; name && bli_reduction_is_valid((bl_reduction)i); i++)
        if (strcmp(name, bli_reductions[i].name) == 0)
            return (bl_reduction)i;
    return BL_REDUCTION_NONE;
}

const char *bl_reduction_name(bl_reduction op)
{
    return bli_reduction_is_valid(op) ? bli_reductions[op].name : NULL;
}

/* Refuse a dtype that the reduction does not take. */
static bl_status refuse_dtype(bl_reduction op, bl_dtype dtype)
{
    if (op == BL_REDUCTION_MEAN)
        return bl_error_set(BL_ERR_DTYPE,
                            "mean(): could not infer output dtype. Input dtype must be "
                            "either a floating point or complex dtype. Got: %s",
                            bl_dtype_name(dtype));
    return bl_error_set(BL_ERR_DTYPE, "%s does not take %s", bli_reductions[op].name,
                        bl_dtype_name(dtype));
}

bl_status bl_reduction_result_dtype(bl_reduction op, bl_dtype dtype, bl_dtype *result)
{
    if (!result)
        return bl_error_set(BL_ERR_ARGUMENT, "result is null");
    if (!bli_reduction_is_valid(op))
        return bl_error_set(BL_ERR_ARGUMENT, "op: %d is no reduction", (int)op);
    if (!bli_dtype_is_valid(dtype))
        return bl_error_set(BL_ERR_ARGUMENT, "%d is no dtype", (int)dtype);
    if ((bli_reductions[op].domain & bli_dtypes[dtype].class) == 0)
        return refuse_dtype(op, dtype);

    const bool is_whole = (bli_dtypes[dtype].class & BLI_DOMAIN_BITS) != 0;

    if (bli_reductions[op].result == BLI_REDUCED_TRUTH)
        *result = dtype == BL_DTYPE_U8 ? BL_DTYPE_U8 : BL_DTYPE_BOOL;
    else if (bli_reductions[op].result == BLI_REDUCED_WIDE && is_whole)
        *result = BL_DTYPE_I64;
    else
        *result = dtype;
    return BL_OK;
}

/* ---- one call ---- */

/* Write the call into the error's place, "sum: f32[2,3]".  Returns `status`. */
static bl_status fail_in_call(bl_status status, bl_reduction op, const bl_array *in)
{
    struct bli_text text;

    bli_error_where_open(&text);
    bli_text_add(&text, "%s: %s", bli_reductions[op].name, bl_dtype_name(in->dtype));
    bli_text_extents(&text, "[", ",", "]", in->rank, in->extent);
    return status;
}

/* Resolve the dtypes of a call: what elements are treated as, and the result's. */
static bl_status settle_dtype(struct bli_reduce_call *call,
                              const bl_reduce_options *options)
{
    const struct bli_reduction *const row = &bli_reductions[call->op];
    bl_reduce_options known = BL_REDUCE_OPTIONS_DEFAULT;

    if (options)
        BL_TRY(bli_sized_read(&known, sizeof known, sizeof known, options, "options"));

    const bl_dtype wanted = known.dtype;

    call->as = call->in->dtype;
    if (wanted == BL_DTYPE_NONE)
        return bl_reduction_result_dtype(call->op, call->in->dtype, &call->to);
    if (!bli_dtype_is_valid(wanted))
        return bl_error_set(BL_ERR_ARGUMENT, "options: %d is no dtype", (int)wanted);
    if (row->result != BLI_REDUCED_WIDE && call->op != BL_REDUCTION_MEAN)
        return bl_error_set(BL_ERR_DTYPE, "%s has a dtype of its own, not %s",
                            row->name, bl_dtype_name(wanted));
    if ((row->domain & bli_dtypes[wanted].class) == 0)
        return bl_error_set(BL_ERR_DTYPE,
                            "mean(): could not infer output dtype. Optional dtype must "
                            "be either a floating point or complex dtype. Got: %s",
                            bl_dtype_name(wanted));
    call->as = call->to = wanted;
    return BL_OK;
}

/*
 * Refuse max and min over a reduced axis of extent 0: no elements have no largest or
 * smallest one.
 */
static bl_status check_range(const struct bli_reduce_call *call, int32_t axes_count)
{
    const char *const name = bli_reductions[call->op].name;

    if (call->op != BL_REDUCTION_MAX && call->op != BL_REDUCTION_MIN)
        return BL_OK;
    for (int32_t d = 0; d < call->in->rank; d++) {
        if ((call->axes >> d & 1) == 0 || call->in->extent[d] != 0)
            continue;
        if (axes_count == 0)
            return bl_error_set(
                BL_ERR_ARGUMENT,
                "%s(): Expected reduction dim to be specified for "
                "input.numel() == 0. Specify the reduction dim with the "
                "'dim' argument.",
                name);
        return bl_error_set(
            BL_ERR_ARGUMENT,
            "%s(): Expected reduction dim %" PRId32 " to have non-zero size.", name, d);
    }
    return BL_OK;
}

/* Resolve the dtypes, the reduced axes and the result's shape of a call. */
static bl_status settle(struct bli_reduce_call *call, int32_t axes_count,
                        const int32_t *axes, bool keepdim,
                        const bl_reduce_options *options)
{
    struct bli_reduction_shape shape;

    BL_TRY(settle_dtype(call, options));
    BL_TRY(bli_reduce_axes(call->in->rank, axes_count, axes, &call->axes));
    BL_TRY(check_range(call, axes_count));
    shape = (struct bli_reduction_shape){call->in->rank, call->axes, call->in->extent,
                                         call->in->stride, NULL};
    call->keeps = keepdim;
    call->shift = 0;
    return bli_reduce_shape(&shape, keepdim, &call->rank, call->extent);
}

/* Check the operation and the array, before anything else. */
static bl_status check_input(bl_reduction op, const bl_array *in)
{
    if (!bli_reduction_is_valid(op))
        return bl_error_set(BL_ERR_ARGUMENT, "op: %d is no reduction", (int)op);
    return bli_array_check(in, "in", true);
}

/* Whether the result may have this dtype.  Booleans may be stored as bool or u8. */
static bool takes_result(const struct bli_reduce_call *call, bl_dtype dtype)
{
    return dtype == call->to || (bli_reductions[call->op].result == BLI_REDUCED_TRUTH &&
                                 (dtype == BL_DTYPE_BOOL || dtype == BL_DTYPE_U8));
}

static bl_status check_result(const struct bli_reduce_call *call, const bl_array *out)
{
    char has[BLI_SHAPE_TEXT], gives[BLI_SHAPE_TEXT];

    BL_TRY(bli_array_check(out, "out", true));
    if (out->flags & BL_ARRAY_READ_ONLY)
        return bl_error_set(BL_ERR_ARGUMENT, "out is read-only");
    if (!takes_result(call, out->dtype))
        return bl_error_set(BL_ERR_DTYPE, "out is %s, the result is %s",
                            bl_dtype_name(out->dtype), bl_dtype_name(call->to));
    if (out->rank != call->rank ||
        (call->rank > 0 && memcmp(out->extent, call->extent,
                                  (size_t)call->rank * sizeof *call->extent) != 0))
        return bl_error_set(BL_ERR_SHAPE, "out has shape %s, the result %s",
                            bli_shape_text(has, out->rank, out->extent),
                            bli_shape_text(gives, call->rank, call->extent));
    return BL_OK;
}

static bl_status run_to(const struct bli_reduce_call *call, bl_context *ctx,
                        const bl_array *out)
{
    BL_TRY(check_result(call, out));
    return bli_reduce_run(call, bli_context(ctx), out);
}

static bl_status run_new(const struct bli_reduce_call *call, bl_context *ctx,
                         bl_tensor **out)
{
    bl_tensor *result;
    bl_array array;

    ctx = bli_context(ctx);
    BL_TRY(bli_tensor_new(ctx, call->to, call->rank, call->extent, NULL, &result));
    array = *bl_tensor_array(result);
    array.stride = NULL;

    const bl_status status = bli_reduce_run(call, ctx, &array);

    if (status == BL_OK)
        *out = result;
    else
        bl_tensor_release(result);
    return status;
}

/* ---- entry points ---- */

bl_status bl_reduce(bl_context *ctx, bl_reduction op, const bl_array *out,
                    const bl_array *in, int32_t axes_count, const int32_t *axes,
                    bool keepdim, const bl_reduce_options *options)
{
    struct bli_reduce_call call = {.op = op, .in = in};

    BL_TRY(check_input(op, in));

    bl_status status = settle(&call, axes_count, axes, keepdim, options);

    if (status == BL_OK)
        status = run_to(&call, ctx, out);
    return status == BL_OK ? BL_OK : fail_in_call(status, op, in);
}

bl_status bl_reduce_new(bl_context *ctx, bl_reduction op, const bl_array *in,
                        int32_t axes_count, const int32_t *axes, bool keepdim,
                        const bl_reduce_options *options, bl_tensor **out)
{
    struct bli_reduce_call call = {.op = op, .in = in};

    if (!out)
        return bl_error_set(BL_ERR_ARGUMENT, "out is null");
    BL_TRY(check_input(op, in));

    bl_status status = settle(&call, axes_count, axes, keepdim, options);

    if (status == BL_OK)
        status = run_new(&call, ctx, out);
    return status == BL_OK ? BL_OK : fail_in_call(status, op, in);
}

/* Resolve the dtype, axes and shape of a sum to a given shape. */
static bl_status settle_sum_to(struct bli_reduce_call *call, int32_t rank,
                               const int64_t *extent)
{
    const bl_shape from = {call->in->rank, call->in->extent};
    const bl_shape to = {rank, extent};

    BL_TRY(bli_reduce_to(from, to, &call->axes));
    BL_TRY(settle_dtype(call, NULL));
    call->keeps = true;
    call->shift = from.rank - rank;
    call->rank = rank;
    for (int32_t d = 0; d < rank; d++)
        call->extent[d] = extent[d];
    return BL_OK;
}

bl_status bl_sum_to_shape(bl_context *ctx, const bl_array *in, int32_t rank,
                          const int64_t *extent, bl_tensor **out)
{
    struct bli_reduce_call call = {.op = BL_REDUCTION_SUM, .in = in};

    if (!out)
        return bl_error_set(BL_ERR_ARGUMENT, "out is null");
    BL_TRY(check_input(call.op, in));

    bl_status status = settle_sum_to(&call, rank, extent);

    if (status == BL_OK)
        status = run_new(&call, ctx, out);
    return status == BL_OK ? BL_OK : fail_in_call(status, call.op, in);
}

bl_status bl_sum_to_shape_out(bl_context *ctx, const bl_array *out, const bl_array *in)
{
    struct bli_reduce_call call = {.op = BL_REDUCTION_SUM, .in = in};

    BL_TRY(check_input(call.op, in));
    BL_TRY(bli_array_check(out, "out", true));

    bl_status status = settle_sum_to(&call, out->rank, out->extent);

    if (status == BL_OK)
        status = run_to(&call, ctx, out);
    return status == BL_OK ? BL_OK : fail_in_call(status, call.op, in);
}
