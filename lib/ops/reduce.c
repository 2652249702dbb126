/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The exported reductions: arguments are checked, shape and dtypes resolved, then the
 * reduction runs.
 */
#include "ops/reduce_run.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "shape/broadcast.h"

/* ---- one call ---- */

/*
 * Name the call that is refused: the reduction's named form, with the axes that were
 * given, `count` of them.  Returns `status`.
 */
BLI_OWN_FRAME static bl_status refuse(bl_status status,
                                      const struct bli_reduce_call *call,
                                      const bl_array *out, bool is_new, int32_t count,
                                      const int32_t *axes, bool keepdim)
{
    const bool is_known = bli_reduction_is_valid(call->op);
    struct bli_text text;
    char name[64];

    snprintf(name, sizeof name, "bl_%s%s",
             is_known ? bli_reductions[call->op].name : "reduce",
             !is_new    ? is_known ? "_out" : ""
             : is_known ? ""
                        : "_new");
    bli_error_open(&text, status, name);
    if (!is_known)
        bli_text_add(&text, "op %d, ", (int)call->op);
    if (!is_new)
        bli_error_operand(&text, 0, "out", out);
    bli_error_operand(&text, 1, "in", call->in);
    if (count != 0) {
        bli_text_add(&text, ", axes ");
        bli_error_axes(&text, count, axes);
    }
    if (keepdim)
        bli_text_add(&text, ", keepdim");
    bli_error_reduction(is_known ? call->op : BL_REDUCTION_NONE);
    bli_error_close(&text, 0);
    return status;
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
            return bli_fault_argument(
                bl_error_set(BL_ERR_ARGUMENT,
                             "%s(): Expected reduction dim to be specified for "
                             "input.numel() == 0. Specify the reduction dim with the "
                             "'dim' argument.",
                             name),
                "axes");
        return bli_fault_axis(bl_error_set(BL_ERR_ARGUMENT,
                                           "%s(): Expected reduction dim %" PRId32
                                           " to have non-zero size.",
                                           name, d),
                              "in", d, 0);
    }
    return BL_OK;
}

bl_status bli_reduce_resolve(struct bli_reduce_call *call, int32_t axes_count,
                             const int32_t *axes, bool keepdim,
                             const bl_reduce_options *options)
{
    struct bli_reduction_shape shape;

    BL_TRY(bli_reduce_dtypes(call, options));
    BL_TRY(bli_reduce_axes(call->in->rank, axes_count, axes, &call->axes));
    BL_TRY(check_range(call, axes_count));
    shape = (struct bli_reduction_shape){call->in->rank, call->axes, call->in->extent,
                                         NULL, NULL};
    call->part = NULL;
    call->is_first = false;
    call->keeps = keepdim;
    call->shift = 0;
    return bli_reduce_shape(&shape, keepdim, &call->rank, call->extent);
}

/* Check the operation and the array, before anything else. */
bl_status bli_reduce_check(bl_reduction op, const bl_array *in)
{
    if (!bli_reduction_is_valid(op))
        return bli_error_argument("op", "op: %d is no reduction", (int)op);
    return bli_array_check(in, "in", true);
}

/* Whether the result may have this dtype.  Booleans may be stored as bool or u8. */
static bool takes_result(const struct bli_reduce_call *call, bl_dtype dtype)
{
    return dtype == call->to || (bli_reductions[call->op].result == BLI_REDUCED_TRUTH &&
                                 (dtype == BL_DTYPE_BOOL || dtype == BL_DTYPE_U8));
}

bl_status bli_reduce_check_result(const struct bli_reduce_call *call,
                                  const bl_array *out)
{
    char has[BLI_SHAPE_TEXT], gives[BLI_SHAPE_TEXT];

    BL_TRY(bli_array_check(out, "out", true));
    if (out->flags & BL_ARRAY_READ_ONLY)
        return bli_error_argument("out", "out is read-only");
    if (!takes_result(call, out->dtype))
        return bli_fault_dtypes(
            bl_error_set(BL_ERR_DTYPE, "out is %s, the result is %s",
                         bl_dtype_name(out->dtype), bl_dtype_name(call->to)),
            "out", out->dtype, call->to);
    if (out->rank != call->rank ||
        (call->rank > 0 && memcmp(out->extent, call->extent,
                                  (size_t)call->rank * sizeof *call->extent) != 0))
        return bli_fault_shape(
            bl_error_set(BL_ERR_SHAPE, "out has shape %s, the result %s",
                         bli_shape_text(has, out->rank, out->extent),
                         bli_shape_text(gives, call->rank, call->extent)),
            "out", (bl_shape){out->rank, out->extent},
            (bl_shape){call->rank, call->extent});
    return BL_OK;
}

bl_status bli_reduce_into(const struct bli_reduce_call *call, bl_context *ctx,
                          const bl_array *out)
{
    BL_TRY(bli_reduce_check_result(call, out));
    return bli_reduce_run(call, bli_context(ctx), out);
}

bl_status bli_reduce_make(const struct bli_reduce_call *call, bl_context *ctx,
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
    bl_status status = bli_reduce_check(op, in);

    if (status == BL_OK)
        status = bli_reduce_resolve(&call, axes_count, axes, keepdim, options);
    if (status == BL_OK)
        status = bli_reduce_into(&call, ctx, out);
    return status == BL_OK
               ? BL_OK
               : refuse(status, &call, out, false, axes_count, axes, keepdim);
}

bl_status bl_reduce_new(bl_context *ctx, bl_reduction op, const bl_array *in,
                        int32_t axes_count, const int32_t *axes, bool keepdim,
                        const bl_reduce_options *options, bl_tensor **out)
{
    struct bli_reduce_call call = {.op = op, .in = in};
    bl_status status = out ? bli_reduce_check(op, in) : bli_error_null("out");

    if (status == BL_OK)
        status = bli_reduce_resolve(&call, axes_count, axes, keepdim, options);
    if (status == BL_OK)
        status = bli_reduce_make(&call, ctx, out);
    return status == BL_OK
               ? BL_OK
               : refuse(status, &call, NULL, true, axes_count, axes, keepdim);
}
