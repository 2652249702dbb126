/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi/entry/aligned.h"

#include <float.h>
#include <stddef.h>

bool bli_mpi_is_unaligned(const bl_array *array)
{
    const bool is_complex =
        array->dtype == BL_DTYPE_C64 || array->dtype == BL_DTYPE_C128;
    const int64_t align = (int64_t)bl_dtype_size(array->dtype) / (is_complex ? 2 : 1);

    if (!(array->flags & BL_ARRAY_BYTE_STRIDES) || align == 0 || array->rank < 0 ||
        array->rank > BL_MAX_RANK || (array->rank > 0 && !array->extent))
        return false;
    if ((uintptr_t)array->data % (uintptr_t)align != 0)
        return true;
    for (int32_t d = 0; array->stride && d < array->rank; d++)
        if (array->extent[d] > 1 && array->stride[d] % align != 0)
            return true;
    return false;
}

/* Refuse a result that repeats elements, also where the environment allows it. */
static bl_status check_result(const bl_array *out)
{
    const bl_array byte = {.dtype = BL_DTYPE_U8}, *const in = &byte;
    const bl_options options = {.size = sizeof options,
                                .rules = bl_rules_modern(),
                                .axis = BL_AXIS_LAST,
                                .max_growth = DBL_MAX};
    bl_context *ctx;
    bl_plan *plan = NULL;
    bl_status status;

    BL_TRY(bl_context_create(&ctx));
    status = bl_context_set_overlap(ctx, BL_OVERLAP_COPY);
    if (status == BL_OK)
        status = bl_plan_create(ctx, BL_OP_COPY, out, 1, &in, &options, &plan);
    bl_plan_destroy(plan);
    bl_context_destroy(ctx);
    return status;
}

bl_status bli_mpi_check_apart(const struct bli_block *block)
{
    const int64_t size = (int64_t)bl_dtype_size(block->dtype);
    const int64_t unit = block->layout.element_bytes ? 1 : size;
    int64_t extent[BL_MAX_RANK], stride[BL_MAX_RANK];
    bl_array out = {.dtype = BL_DTYPE_U8, .extent = extent, .stride = stride};

    if (bl_layout_is_contiguous(&block->layout) || bl_layout_numel(&block->layout) == 0)
        return BL_OK;
    for (int32_t d = 0; d < block->layout.rank; d++) {
        if (block->layout.extent[d] == 1)
            continue;
        extent[out.rank] = block->layout.extent[d];
        stride[out.rank++] = block->layout.stride[d] * unit;
    }
    extent[out.rank] = size;
    stride[out.rank++] = 1;
    return check_result(&out);
}

/* ---- copies ---- */

static bool is_unaligned(const bl_mpi_tensor *tensor)
{
    return tensor && tensor->block && bli_mpi_is_unaligned(bl_mpi_local(tensor));
}

/* A tensor that lies as another one, with a copy of this rank's block. */
static bl_status copy_tensor(bl_context *ctx, const bl_mpi_tensor *tensor,
                             bl_mpi_tensor **copy)
{
    bl_tensor *block;

    BL_TRY(bl_tensor_clone(ctx, bl_mpi_local(tensor), &block));
    return bli_mpi_tensor_make(tensor->grid, bli_spread_retain(tensor->spread),
                               tensor->dtype, block, copy);
}

/* A copy in the place of the result, with its elements: it may be an operand, too. */
static bl_status align_result(struct bli_mpi_aligned *aligned, struct bli_plan_key *key)
{
    const bl_mpi_tensor *const out = key->out;
    const int32_t self = out->grid->link->self;

    BL_TRY(bli_mpi_array_block(bl_mpi_local(out), out->spread, self, &aligned->to));
    BL_TRY(bli_mpi_check_apart(&aligned->to));
    BL_TRY(copy_tensor(aligned->ctx, out, &aligned->result));
    key->out = aligned->result;
    return bli_mpi_array_block(bl_mpi_local(aligned->result), out->spread, self,
                               &aligned->from);
}

static bl_status align_operand(struct bli_mpi_aligned *aligned, int32_t k,
                               const bl_mpi_operand *in, const bl_mpi_tensor *out)
{
    bl_array *const array = &aligned->array[k];

    aligned->in[k] = *in;
    if (in->tensor && in->tensor == out && aligned->result) {
        aligned->in[k].tensor = aligned->result;
    } else if (is_unaligned(in->tensor)) {
        BL_TRY(copy_tensor(aligned->ctx, in->tensor, &aligned->tensor[k]));
        aligned->in[k].tensor = aligned->tensor[k];
    } else if (in->array && bli_mpi_is_unaligned(in->array)) {
        BL_TRY(bl_tensor_clone(aligned->ctx, in->array, &aligned->block[k]));
        *array = *bl_tensor_array(aligned->block[k]);
        array->flags |= in->array->flags & BL_ARRAY_SCALAR;
        aligned->in[k].array = array;
    }
    return BL_OK;
}

/* ---- a call ---- */

/* Whether the result is computed element by element: operands then cannot be copied. */
static bool is_sequential(const struct bli_plan_key *key, const bl_context *ctx)
{
    const bl_mpi_options *const options = key->options;
    const bl_options *call =
        options && options->size >= sizeof *options && options->size <= BLI_MOST_SIZE
            ? options->call
            : NULL;

    if (call &&
        (call->size < offsetof(bl_options, names) || call->size > BLI_MOST_SIZE))
        call = NULL; /* which the call refuses */
    return bli_mpi_is_sequential(ctx, call);
}

static bool any_unaligned(const struct bli_plan_key *key)
{
    bool any = is_unaligned(key->out);

    for (int32_t k = 0; key->in && k < key->count && k < BL_MAX_INPUTS; k++)
        any = any || is_unaligned(key->in[k].tensor) ||
              (key->in[k].array && bli_mpi_is_unaligned(key->in[k].array));
    return any;
}

bl_status bli_mpi_align(struct bli_mpi_aligned *aligned, struct bli_plan_key *key,
                        bl_context *ctx)
{
    const bl_mpi_tensor *const out = key->out;
    const bl_mpi_operand *const in = key->in;

    aligned->is_used = false;
    if (!key->grid->link || !in || key->count > BL_MAX_INPUTS || !any_unaligned(key) ||
        is_sequential(key, bli_mpi_context(ctx, key->grid)))
        return BL_OK;
    *aligned = (struct bli_mpi_aligned){.is_used = true};
    aligned->ctx = bli_mpi_context(ctx, key->grid);
    if (is_unaligned(out) && !(bl_mpi_local(out)->flags & BL_ARRAY_READ_ONLY))
        BL_TRY(align_result(aligned, key));
    for (int32_t k = 0; k < key->count; k++)
        BL_TRY(align_operand(aligned, k, &in[k], out));
    key->in = aligned->in;
    return BL_OK;
}

void bli_mpi_aligned_end(struct bli_mpi_aligned *aligned, bl_status status)
{
    if (!aligned->is_used)
        return;
    if (status == BL_OK && aligned->result)
        bli_block_copy(aligned->ctx, &aligned->to, &aligned->from);
    for (int32_t k = 0; k < BL_MAX_INPUTS; k++) {
        bl_mpi_tensor_release(aligned->tensor[k]);
        bl_tensor_release(aligned->block[k]);
    }
    bl_mpi_tensor_release(aligned->result);
}
