/* SPDX-License-Identifier: BSD-3-Clause */
/* Masked scatter: a mask decides which elements are replaced, in order. */
#include "ops/mask_steps.h"
#include "call/shadow.h"
#include "call/aligned.h"

/* An operand that may be replaced by a copy. */
struct stand_in {
    bl_tensor *tensor; /* NULL: no copy */
    const bl_array *array;
};

static bl_status copy_operand(struct stand_in *operand, bl_context *ctx)
{
    BL_TRY(bl_tensor_clone(ctx, operand->array, &operand->tensor));
    operand->array = bl_tensor_array(operand->tensor);
    return BL_OK;
}

/*
 * Copy an operand that overlaps the written array, or refuse it if the overlap is
 * proven and the context's policy refuses overlap.
 */
static bl_status copy_or_refuse(struct stand_in *operand, bl_context *ctx,
                                bool is_proven)
{
    if (is_proven && ctx->overlap == BL_OVERLAP_REFUSE)
        return bli_fault_argument(bl_error_set(BL_ERR_OVERLAP, "%s", bli_overlap_text),
                                  "a");
    return copy_operand(operand, ctx);
}

/*
 * Check that no two elements of the written array overlap, and copy a mask that
 * overlaps it.
 */
BLI_OWN_FRAME static bl_status separate_mask(struct bli_mask_steps *steps,
                                             struct stand_in *mask)
{
    const int64_t size = bli_dtypes[steps->array->dtype].size;
    const struct bli_strided operand[] = {
        bli_array_operand(steps->array, steps->array_pairing),
        bli_array_operand(steps->mask, steps->mask_pairing)};
    struct bli_nest nest;
    enum bli_overlap overlap;

    bli_nest_make(&nest, 2, operand);
    BL_TRY(bli_plan_check_result(&nest, size));
    overlap =
        bli_overlap_operands(&nest, 1, steps->array->data, size, steps->mask->data, 1);
    if (overlap == BLI_OVERLAP_NONE || overlap == BLI_OVERLAP_EXACT)
        return BL_OK;
    BL_TRY(copy_or_refuse(mask, steps->ctx, overlap == BLI_OVERLAP_PARTIAL));
    steps->mask = mask->array;
    return BL_OK;
}

static bool is_compact(const bl_array *array)
{
    bl_layout layout;

    return bl_array_layout(array, &layout) == BL_OK && bl_layout_is_contiguous(&layout);
}

/*
 * Make the first `total` elements of the source one contiguous row that does not
 * overlap the written array: copy the source if it is not.
 */
static bl_status pack_source(const struct bli_mask_steps *steps,
                             struct stand_in *source, int64_t total)
{
    const struct bli_nest *const nest = &steps->pack.both;
    const int64_t size = steps->pack.size;
    const intptr_t array = (intptr_t)steps->array->data;
    const intptr_t row = (intptr_t)source->array->data;
    int64_t begin, end;

    if (total == 0)
        return BL_OK;
    if (!is_compact(source->array) || bli_array_is_unaligned(source->array))
        return copy_operand(source, steps->ctx);
    bli_nest_span(nest, BLI_PACK_ARRAY, size, &begin, &end);
    if (row + total * size <= array + begin || array + end <= row)
        return BL_OK;
    return copy_or_refuse(source, steps->ctx, is_compact(steps->array));
}

/*
 * Scatter the source into the array in place.  All that may fail comes before the one
 * step that writes.
 */
static bl_status scatter(struct bli_mask_steps *steps, struct stand_in *mask,
                         struct stand_in *source)
{
    int64_t elements = INT64_MAX,
            total; /* kept if the numel of a source with stride 0 exceeds 64 bits */

    BL_TRY(separate_mask(steps, mask));
    BL_TRY(bli_mask_count(steps, &total));
    (void)bli_shape_numel(source->array->rank, source->array->extent, &elements);
    if (elements < total)
        return bli_fault_argument(
            bl_error_set(BL_ERR_SHAPE,
                         "Number of elements of source < number of ones in mask"),
            "source");
    BL_TRY(pack_source(steps, source, total));
    return bli_mask_move(steps, source->array->data, true);
}

static bl_status check_scatter(const bl_array *a, const bl_array *mask,
                               const bl_array *source)
{
    BL_TRY(bli_mask_check("masked_scatter", a, "a", mask));
    BL_TRY(bli_array_check(source, "source", true));
    if (a->dtype != source->dtype)
        return bli_fault_dtypes(
            bl_error_set(BL_ERR_DTYPE,
                         "masked_scatter: expected self and source to have same "
                         "dtypes but got %s and %s",
                         bl_dtype_name(a->dtype), bl_dtype_name(source->dtype)),
            "source", source->dtype, a->dtype);
    return BL_OK;
}

static bl_status scatter_into(struct bli_mask_steps *steps, const bl_array *source)
{
    struct stand_in mask_copy = {NULL, steps->mask};
    struct stand_in source_copy = {NULL, source};
    const bl_status status = scatter(steps, &mask_copy, &source_copy);

    bl_tensor_release(mask_copy.tensor);
    bl_tensor_release(source_copy.tensor);
    return status;
}

/*
 * Make a new tensor of the broadcast shape, with the elements of the array broadcast to
 * it.
 */
static bl_status clone_paired(const struct bli_mask_steps *steps, bl_tensor **out)
{
    const bl_rules_answer *const answer = &steps->answer;
    const bl_array *const from = steps->array;
    bl_options options = BL_OPTIONS_DEFAULT;
    int64_t step[BL_MAX_RANK], stride[BL_MAX_RANK];
    bl_tensor *result;
    bl_status status;

    bli_array_steps(from, step);
    for (int32_t d = 0; d < answer->rank; d++) {
        const int32_t own = d - steps->array_pairing.shift;
        const bool is_there = own >= 0 && own < from->rank && from->extent[own] != 1;

        stride[d] = is_there ? step[own] : 0;
    }

    const bl_array spread = {from->data,   from->dtype,
                             answer->rank, answer->extent,
                             stride,       BL_ARRAY_READ_ONLY | BL_ARRAY_BYTE_STRIDES};
    const bl_array *const in[] = {&spread};

    options.rules = &bli_rules_modern;
    BL_TRY(bli_tensor_new(steps->ctx, from->dtype, answer->rank, answer->extent, NULL,
                          &result));
    status = bl_apply(steps->ctx, BL_OP_COPY, bl_tensor_array(result), 1, in, &options);
    if (status == BL_OK)
        *out = result;
    else
        bl_tensor_release(result);
    return status;
}

/* Scatter into a new tensor. */
static bl_status scatter_new(struct bli_mask_steps *steps, const bl_array *source,
                             bl_tensor **out)
{
    bl_tensor *result;
    bl_status status;

    BL_TRY(clone_paired(steps, &result));
    steps->array = bl_tensor_array(result);
    steps->array_pairing.shift = 0;
    status = scatter_into(steps, source);
    if (status == BL_OK)
        *out = result;
    else
        bl_tensor_release(result);
    return status;
}

static bl_status scatter_from(const void *address, bl_context *ctx, const bl_array *a,
                              const bl_array *mask, const bl_array *source,
                              bl_tensor **out)
{
    struct bli_mask_steps *steps;
    bl_status status;

    if (!out)
        return bli_error_null("out");
    BL_TRY(check_scatter(a, mask, source));
    BL_TRY(bli_mask_open(&steps, ctx, a, mask));
    status = bli_mask_pair(steps, "masked_scatter", "a", address, false);
    if (status == BL_OK)
        status = scatter_new(steps, source, out);
    if (status == BL_OK)
        bli_shadow_carry(bl_tensor_array(*out), 3,
                         (const bl_array *const[]){a, mask, source});
    bli_mask_close(steps);
    return status;
}

bl_status bl_masked_scatter(bl_context *ctx, const bl_array *a, const bl_array *mask,
                            const bl_array *source, bl_tensor **out)
{
    BLI_RETURN_CALL(scatter_from(BLI_RETURN_ADDRESS, ctx, a, mask, source, out),
                    "%A%A%A", "a", a, "mask", mask, "source", source);
}

/*
 * Return `status`, except that a mask which does not broadcast to the shape of `a`
 * under the modern rules gets the error of expand: PyTorch expands it, and says so.
 */
static bl_status refuse_mask(bl_status status, const bl_context *ctx, const bl_array *a,
                             const bl_array *mask)
{
    bl_layout layout, expanded;

    if (status != BL_ERR_SHAPE || ctx->rules != &bli_rules_modern)
        return status;
    BL_TRY(bl_array_layout(mask, &layout));
    if (bl_layout_expand(&layout, a->rank, a->extent, &expanded) == BL_OK)
        return status;
    for (int32_t d = a->rank - 1; d >= 0 && d >= a->rank - mask->rank; d--) {
        const int64_t own = mask->extent[d - (a->rank - mask->rank)];

        if (own != 1 && own != a->extent[d])
            return bl_error_set_extents(BL_ERR_SHAPE, d, "mask", own, "a",
                                        a->extent[d]);
    }
    return bli_fault_argument(BL_ERR_SHAPE, "mask");
}

static bl_status scatter_inplace_from(const void *address, bl_context *ctx,
                                      const bl_array *a, const bl_array *mask,
                                      const bl_array *source)
{
    static const char *const names[] = {"a"};
    struct bli_mask_steps *steps;
    struct bli_aligned aligned;
    bl_status status;

    BL_TRY(check_scatter(a, mask, source));
    if (a->flags & (BL_ARRAY_READ_ONLY | BL_ARRAY_SCALAR))
        return bli_error_argument(
            "a", "a is %s", a->flags & BL_ARRAY_SCALAR ? "a scalar" : "read-only");
    BL_TRY(bli_aligned_open(&aligned, ctx, names, names[0], a, 1, &a, false));
    status = bli_mask_open(&steps, ctx, aligned.out, mask);
    if (status != BL_OK)
        return bli_aligned_close(&aligned, status);
    status = bli_mask_pair(steps, "masked_scatter", "a", address, true);
    if (status == BL_OK)
        status = scatter_into(steps, source);
    else
        status = refuse_mask(status, steps->ctx, a, mask);
    if (status == BL_OK)
        bli_shadow_carry(a, 3, (const bl_array *const[]){a, mask, source});
    bli_mask_close(steps);
    return bli_aligned_close(&aligned, status);
}

bl_status bl_masked_scatter_inplace(bl_context *ctx, const bl_array *a,
                                    const bl_array *mask, const bl_array *source)
{
    BLI_RETURN_CALL(scatter_inplace_from(BLI_RETURN_ADDRESS, ctx, a, mask, source),
                    "%A%A%A", "a", a, "mask", mask, "source", source);
}
