/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * New tensors: empty, filled with one value, arange, and clones.  Elements are written
 * through the executor, so that the thread that owns a page touches it first.
 */
#include "ops/ops.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Largest element of any dtype, in bytes. */
#define ELEMENT 16

/*
 * Options for copies between equal shapes, independent of the context's rules and
 * limits.  Any growth is below DBL_MAX.
 */
static const char *const copied[] = {"from"};
static const bl_options copying = {
    .size = sizeof(bl_options),
    .rules = &bli_rules_modern,
    .axis = BL_AXIS_LAST,
    .max_growth = DBL_MAX,
    .names = copied,
};

static bl_status check_shape(bl_dtype dtype, int32_t rank, const int64_t *extent)
{
    BL_TRY(bli_dtype_check("dtype", dtype));
    if (rank < 0 || rank > BL_MAX_RANK)
        return bli_error_argument("rank", "rank %" PRId32 " is not within 0 to %d",
                                  rank, BL_MAX_RANK);
    if (rank > 0 && !extent)
        return bli_error_null("extent");
    for (int32_t d = 0; d < rank; d++) {
        if (extent[d] < 0) {
            char buffer[512];
            struct bli_text text;

            bli_text_open(&text, buffer, sizeof buffer);
            bli_text_extents(&text, "[", ", ", "]", rank, extent);
            return bli_fault_axis(
                bl_error_set(BL_ERR_ARGUMENT,
                             "Trying to create tensor with negative dimension %" PRId64
                             ": %s",
                             extent[d], buffer),
                "extent", d, extent[d]);
        }
    }
    return BL_OK;
}

static bl_status make_empty(bl_context *ctx, bl_dtype dtype, int32_t rank,
                            const int64_t *extent, bl_tensor **out)
{
    BL_TRY(check_shape(dtype, rank, extent));
    return bli_tensor_new(ctx, dtype, rank, extent, NULL, out);
}

bl_status bl_tensor_empty(bl_context *ctx, bl_dtype dtype, int32_t rank,
                          const int64_t *extent, bl_tensor **out)
{
    BLI_RETURN_CALL(make_empty(ctx, dtype, rank, extent, out), "dtype %t, extent %S",
                    dtype, rank, extent);
}

static bl_status make_placed(bl_context *ctx, bl_dtype dtype, int32_t rank,
                             const int64_t *extent, bl_placement placement,
                             bl_tensor **out)
{
    BL_TRY(check_shape(dtype, rank, extent));
    BL_TRY(bli_placement_check(&placement));
    return bli_tensor_new(ctx, dtype, rank, extent, &placement, out);
}

bl_status bl_tensor_empty_placed(bl_context *ctx, bl_dtype dtype, int32_t rank,
                                 const int64_t *extent, bl_placement placement,
                                 bl_tensor **out)
{
    BLI_RETURN_CALL(make_placed(ctx, dtype, rank, extent, placement, out),
                    "dtype %t, extent %S, placement %d, node %d", dtype, rank, extent,
                    placement.kind, placement.node);
}

/* Make a tensor whose elements are all `*element`, converted from the dtype `from`. */
static bl_status make_filled(bl_context *ctx, bl_dtype dtype, int32_t rank,
                             const int64_t *extent, bl_dtype from, const void *element,
                             bl_tensor **out)
{
    static const int64_t repeated[BL_MAX_RANK];
    _Alignas(ELEMENT) unsigned char given[ELEMENT];
    _Alignas(ELEMENT) unsigned char value[ELEMENT];
    const bl_array raw = {.data = given, .dtype = from};
    const bl_array one = {.data = value, .dtype = dtype};
    const bl_array all = {.data = value,
                          .dtype = dtype,
                          .rank = rank,
                          .extent = extent,
                          .stride = repeated};
    const bl_array *const raws[] = {&raw};
    const bl_array *const alls[] = {&all};

    BL_TRY(check_shape(dtype, rank, extent));
    if (!out)
        return bli_error_null("out");
    memcpy(given, element, (size_t)bli_dtypes[from].size);
    BL_TRY(bl_apply(ctx, BL_OP_COPY, &one, 1, raws, &copying));

    bl_tensor *tensor;

    BL_TRY(bli_tensor_new(ctx, dtype, rank, extent, NULL, &tensor));

    const bl_status status =
        bl_apply(ctx, BL_OP_COPY, bl_tensor_array(tensor), 1, alls, &copying);

    if (status != BL_OK)
        goto release_tensor;
    *out = tensor;
    return BL_OK;

release_tensor:
    bl_tensor_release(tensor);
    return status;
}

bl_status bl_tensor_zeros(bl_context *ctx, bl_dtype dtype, int32_t rank,
                          const int64_t *extent, bl_tensor **out)
{
    const uint8_t zero = 0;

    BLI_RETURN_CALL(make_filled(ctx, dtype, rank, extent, BL_DTYPE_U8, &zero, out),
                    "dtype %t, extent %S", dtype, rank, extent);
}

bl_status bl_tensor_ones(bl_context *ctx, bl_dtype dtype, int32_t rank,
                         const int64_t *extent, bl_tensor **out)
{
    const uint8_t one = 1;

    BLI_RETURN_CALL(make_filled(ctx, dtype, rank, extent, BL_DTYPE_U8, &one, out),
                    "dtype %t, extent %S", dtype, rank, extent);
}

static bl_status make_full(bl_context *ctx, bl_dtype dtype, int32_t rank,
                           const int64_t *extent, const void *value, bl_tensor **out)
{
    if (!value)
        return bli_error_null("value");
    BL_TRY(bli_dtype_check("dtype", dtype));
    return make_filled(ctx, dtype, rank, extent, dtype, value, out);
}

bl_status bl_tensor_full(bl_context *ctx, bl_dtype dtype, int32_t rank,
                         const int64_t *extent, const void *value, bl_tensor **out)
{
    BLI_RETURN_CALL(make_full(ctx, dtype, rank, extent, value, out),
                    "dtype %t, extent %S", dtype, rank, extent);
}

struct line {
    double start;
    double step;
};

static void follow_line(const void *argument, int64_t first, int64_t count,
                        double *values)
{
    const struct line *const line = argument;

    for (int64_t i = 0; i < count; i++)
        values[i] = line->start + (double)(first + i) * line->step;
}

/* Compute the numel of arange.  Checks the ends in PyTorch's order. */
static bl_status measure_line(double start, double stop, double step, int64_t *count)
{
    if (isnan(step) || step == 0.0)
        return bli_error_argument("step",
                                  isnan(step) ? "step is NaN" : "step must be nonzero");
    if (!isfinite(start) || !isfinite(stop))
        return bli_error_argument("start", "unsupported range: %g -> %g", start, stop);
    if (!isfinite(step))
        return bli_error_argument("step", "unsupported step: %g", step);
    if (step > 0.0 ? stop < start : stop > start)
        return bli_error_argument(
            "step", "upper bound and larger bound inconsistent with step sign");

    const double elements = ceil((stop - start) / step);

    if (!(elements < 0x1p63))
        return bli_fault_argument(
            bl_error_set(BL_ERR_OVERFLOW,
                         "range %g -> %g in steps of %g has too many elements", start,
                         stop, step),
            "step");
    *count = (int64_t)elements;
    return BL_OK;
}

static bl_status make_arange(bl_context *ctx, bl_dtype dtype, double start, double stop,
                             double step, bl_tensor **out)
{
    const struct line line = {start, step};
    bl_tensor *tensor;
    bl_status status;
    int64_t count;

    BL_TRY(check_shape(dtype, 0, NULL));
    if (bli_dtypes[dtype].class & (BLI_CLASS_BOOL | BLI_CLASS_COMPLEX))
        return bli_fault_dtypes(bl_error_set(BL_ERR_DTYPE,
                                             "arange makes no %s, only integer and "
                                             "floating-point",
                                             bli_dtypes[dtype].name),
                                "dtype", dtype, BL_DTYPE_NONE);
    if (!out)
        return bli_error_null("out");
    BL_TRY(measure_line(start, stop, step, &count));
    BL_TRY(bli_tensor_new(ctx, dtype, 1, &count, NULL, &tensor));
    status = bli_fill(ctx, bl_tensor_array(tensor), follow_line, &line, false);
    if (status == BL_OK)
        *out = tensor;
    else
        bl_tensor_release(tensor);
    return status;
}

bl_status bl_tensor_arange(bl_context *ctx, bl_dtype dtype, double start, double stop,
                           double step, bl_tensor **out)
{
    BLI_RETURN_CALL(make_arange(ctx, dtype, start, stop, step, out),
                    "dtype %t, start %g, stop %g, step %g", dtype, start, stop, step);
}

bl_status bl_tensor_clone(bl_context *ctx, const bl_array *from, bl_tensor **out)
{
    BLI_RETURN_CALL(bl_apply_new(ctx, BL_OP_COPY, 1, &from, &copying, out), "%A",
                    "from", from);
}
