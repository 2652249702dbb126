/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arrays whose elements are not aligned, as the components of packed structs.  Kernels
 * load and store aligned elements alone, so that a call works on aligned copies, which
 * are made and written back byte by byte.
 */
#include "call/aligned.h"
#include "core/lend.h"
#include "exec/bind/bind.h"

/* An array as one of bytes, with a last dimension of an element's size. */
struct byte_view {
    int32_t rank;
    int64_t extent[BL_MAX_RANK];
    int64_t stride[BL_MAX_RANK];
};

/*
 * View the elements of an array's part of shape `extent` as bytes.  Extents of 1 are
 * dropped, which leaves room for a dimension more.
 */
static struct bli_strided view_bytes(struct byte_view *view, const bl_array *array,
                                     const int64_t *extent)
{
    int64_t step[BL_MAX_RANK];
    int32_t rank = 0;

    bli_array_steps(array, step);
    for (int32_t d = 0; d < array->rank; d++) {
        if (extent[d] == 1)
            continue;
        view->extent[rank] = extent[d];
        view->stride[rank++] = step[d];
    }
    view->extent[rank] = bli_dtypes[array->dtype].size;
    view->stride[rank++] = 1;
    return (struct bli_strided){rank, 1, 1, view->extent, view->stride, {0, 0}};
}

/* Make the plan that copies the bytes of elements of shape `extent`. */
BLI_OWN_FRAME static bl_status plan_copy(struct bl_plan *plan, const bl_context *ctx,
                                         const bl_array *to, const bl_array *from,
                                         const int64_t *extent)
{
    struct byte_view target, source;
    struct bli_problem problem = {.op = BL_OP_COPY,
                                  .inputs = 1,
                                  .isa = bli_isa_pick(ctx->isa),
                                  .caches = bli_team_caches(&ctx->team),
                                  .dtype = {BL_DTYPE_U8, BL_DTYPE_U8},
                                  .common = BL_DTYPE_U8};

    problem.operand[0] = view_bytes(&target, to, extent);
    problem.operand[1] = view_bytes(&source, from, extent);
    problem.rank = problem.operand[0].rank;
    problem.extent = target.extent;
    return bli_plan_make(plan, &problem);
}

/* Copy the elements of a part of `from` to `to`, both of shape `extent`. */
static bl_status copy_bytes(bl_context *ctx, const bl_array *to, const bl_array *from,
                            const int64_t *extent)
{
    struct bl_plan *const plan = bli_thread_lend(sizeof *plan);
    const void *const data[] = {from->data};
    struct bli_bound bound;
    bl_status status;

    if (!plan)
        return BL_ERR_MEMORY;
    status = plan_copy(plan, ctx, to, from, extent);
    if (status == BL_OK)
        status = bli_bind(&bound, plan, ctx, to->data, data);
    if (status == BL_OK) {
        bli_exec_run(plan, &bound.binding, &ctx->team);
        bli_unbind(&bound);
    }
    bli_thread_return(plan);
    return status;
}

/*
 * Make an aligned tensor of an array's shape, with its elements if `is_read`; repeated
 * dimensions are repeated.
 */
BLI_OWN_FRAME static bl_status make_copy(bl_context *ctx, const bl_array *array,
                                         bool is_read, bl_tensor **out)
{
    int64_t extent[BL_MAX_RANK];
    bl_tensor *copy;
    bl_status status = BL_OK;

    for (int32_t d = 0; d < array->rank; d++)
        extent[d] = array->stride && array->stride[d] == 0 && array->extent[d] > 0
                        ? 1
                        : array->extent[d];
    BL_TRY(bli_tensor_new(ctx, array->dtype, array->rank, extent, NULL, &copy));
    if (is_read)
        status = copy_bytes(ctx, bl_tensor_array(copy), array, extent);
    if (status == BL_OK)
        status = bl_tensor_expand(copy, array->rank, array->extent, out);
    bl_tensor_release(copy);
    return status;
}

/* Check what a call on copies cannot: the result's elements, and sequential overlap. */
BLI_OWN_FRAME static bl_status check_overlap(const bl_array *out, int32_t count,
                                             const bl_array *const *inputs,
                                             bool is_sequential)
{
    const struct bli_strided operand = bli_array_operand(out, (bl_pairing){0, 0});
    int64_t out_step[BL_MAX_RANK], step[BL_MAX_RANK];
    struct bli_nest nest;

    if (bli_array_is_unaligned(out)) {
        bli_nest_make(&nest, 1, &operand);
        BL_TRY(bli_plan_check_result(&nest, operand.size));
    }
    bli_array_steps(out, out_step);
    for (int32_t k = 0; is_sequential && k < count; k++) {
        bli_array_steps(inputs[k], step);
        if (inputs[k] != out && bli_arrays_may_meet(inputs[k], step, out, out_step))
            return bl_error_set(BL_ERR_UNSUPPORTED,
                                "elements that are not aligned are copied, which gives "
                                "operands that overlap the result no sequence");
    }
    return BL_OK;
}

bool bli_any_unaligned(const bl_array *out, int32_t count,
                       const bl_array *const *inputs)
{
    bool any = bli_array_is_unaligned(out);

    for (int32_t k = 0; inputs && k < count && k < BL_MAX_INPUTS; k++)
        any = any || bli_array_is_unaligned(inputs[k]);
    return any;
}

/* Replace an array by an aligned copy, if it needs one. */
static bl_status replace(struct bli_aligned *aligned, int32_t slot,
                         const bl_array **array, bool is_read)
{
    bl_array *const copy = &aligned->array[slot];

    if (!bli_array_is_unaligned(*array))
        return BL_OK;
    BL_TRY(make_copy(aligned->ctx, *array, is_read, &aligned->copy[slot]));
    *copy = *bl_tensor_array(aligned->copy[slot]);
    copy->flags |= (*array)->flags & (BL_ARRAY_READ_ONLY | BL_ARRAY_SCALAR);
    *array = copy;
    return BL_OK;
}

bl_status bli_aligned_make(struct bli_aligned *aligned, bl_context *ctx,
                           const char *const *names, const char *result,
                           bool is_sequential)
{
    const bl_array *const out = aligned->out;
    const bl_array *const *const inputs = aligned->inputs;
    const int32_t count = aligned->count;
    bl_status status = BL_OK;

    for (int32_t k = 0; k < count; k++)
        BL_TRY(bli_array_check(inputs[k], names[k], true));
    if (out) {
        BL_TRY(bli_array_check(out, result, true));
        BL_TRY(check_overlap(out, count, inputs, is_sequential));
    }
    aligned->ctx = bli_context(ctx);
    aligned->to = out;
    for (int32_t k = 0; k <= BL_MAX_INPUTS; k++)
        aligned->copy[k] = NULL;
    for (int32_t k = 0; status == BL_OK && k < count; k++) {
        const bool again = inputs[k] == out && aligned->out != out;

        aligned->input[k] = again ? aligned->out : inputs[k];
        status = replace(aligned, k, &aligned->input[k], true);
        if (inputs[k] == out)
            aligned->out = aligned->input[k];
    }
    if (status == BL_OK && out && aligned->out == out)
        status = replace(aligned, BL_MAX_INPUTS, &aligned->out, false);
    aligned->inputs = aligned->input;
    return status == BL_OK ? BL_OK : bli_aligned_finish(aligned, status);
}

bl_status bli_aligned_finish(struct bli_aligned *aligned, bl_status status)
{
    if (status == BL_OK && aligned->out != aligned->to)
        status =
            copy_bytes(aligned->ctx, aligned->to, aligned->out, aligned->to->extent);
    for (int32_t k = 0; k <= BL_MAX_INPUTS; k++)
        bl_tensor_release(aligned->copy[k]);
    return status;
}
