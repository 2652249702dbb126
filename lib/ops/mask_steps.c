/* SPDX-License-Identifier: BSD-3-Clause */
/* The steps before elements are moved by a mask: checks, broadcasting, counting. */
#include "ops/mask_steps.h"

/*
 * Blocks that justify one more thread, on an AMD EPYC (Zen 5): counting takes 0.04 ns
 * an element of a dense mask, moving 0.2 to 1. Two threads select from 8192 elements in
 * 5.3 us, one in 9.5.
 */
#define COUNT_GRAIN 16
#define MOVE_GRAIN  1

bl_status bli_mask_check(const char *what, const bl_array *array, const char *name,
                         const bl_array *mask)
{
    BL_TRY(bli_array_check(array, name, true));
    BL_TRY(bli_array_check(mask, "mask", true));
    if (mask->dtype != BL_DTYPE_BOOL)
        return bli_fault_dtypes(
            bl_error_set(BL_ERR_DTYPE,
                         "%s only supports boolean masks, but got mask with dtype "
                         "%s",
                         what, bl_dtype_name(mask->dtype)),
            "mask", mask->dtype, BL_DTYPE_BOOL);
    return BL_OK;
}

/*
 * Replace an array that is paired linearly by a copy of the broadcast shape: `*array`
 * and `*pairing` become those of the copy.
 */
static bl_status shape_flat(struct bli_mask_steps *steps, int32_t slot,
                            const bl_array **array, bl_pairing *pairing)
{
    bl_array *const shaped = &steps->shaped[slot];
    bl_options options = BL_OPTIONS_DEFAULT;

    if (pairing->kind != BL_PAIRING_LINEAR)
        return BL_OK;
    options.rules = &bli_rules_modern;
    BL_TRY(
        bl_apply_new(steps->ctx, BL_OP_COPY, 1, array, &options, &steps->copy[slot]));
    *shaped = *bl_tensor_array(steps->copy[slot]);
    shaped->rank = steps->answer.rank;
    shaped->extent = steps->answer.extent;
    shaped->stride = NULL;
    *array = shaped;
    *pairing = (bl_pairing){BL_PAIRING_BROADCAST, 0};
    return BL_OK;
}

bl_status bli_mask_pair(struct bli_mask_steps *steps, const char *function,
                        const char *name, const void *address, bool is_in_place)
{
    const char *const names[] = {is_in_place ? name : "mask",
                                 is_in_place ? "mask" : name};
    bl_options options = BL_OPTIONS_DEFAULT;
    int64_t elements;
    const bl_array *const in[] = {is_in_place ? steps->array : steps->mask,
                                  is_in_place ? steps->mask : steps->array};
    const struct bli_call call = {.op = BL_OP_NONE,
                                  .count = 2,
                                  .inputs = in,
                                  .out = is_in_place ? in[0] : NULL,
                                  .options = &options,
                                  .address = address,
                                  .has_default_names = true,
                                  .function = function,
                                  .masks = is_in_place ? 2 : 1};

    options.names = names;
    BL_TRY(bli_broadcast_call(&steps->answer, steps->ctx, &call));
    steps->array_pairing = steps->answer.pairing[is_in_place ? 0 : 1];
    steps->mask_pairing = steps->answer.pairing[is_in_place ? 1 : 0];
    if (!bli_shape_numel(steps->answer.rank, steps->answer.extent, &elements))
        return bl_error_set(BL_ERR_OVERFLOW,
                            "the elements that %s and %s broadcast to do not fit in 64 "
                            "bits",
                            names[0], names[1]);
    BL_TRY(shape_flat(steps, 0, &steps->mask, &steps->mask_pairing));
    return shape_flat(steps, 1, &steps->array, &steps->array_pairing);
}

/*
 * Make the nest of the mask and the array, whose loops are in row-major order: a
 * compact byte array, of which only the strides exist, takes the place of a result.
 */
static void make_nest(struct bli_nest *nest, const struct bli_mask_steps *steps,
                      int32_t operands)
{
    const struct bli_strided operand[BLI_PACK_OPERANDS] = {
        [BLI_PACK_ORDER] =
            {steps->answer.rank, 1, 1, steps->answer.extent, NULL, {0, 0}},
        [BLI_PACK_MASK] = bli_array_operand(steps->mask, steps->mask_pairing),
        [BLI_PACK_ARRAY] = bli_array_operand(steps->array, steps->array_pairing),
    };

    bli_nest_make(nest, operands, operand);
    for (int32_t i = 0; i < nest->loops; i++)
        nest->stride[i][BLI_PACK_ORDER] = 0;
}

static bl_status make_workspace(struct bli_mask_steps *steps, int64_t bytes)
{
    bl_context *const ctx = steps->ctx;
    struct bli_storage storage;

    BL_TRY(bli_storage_make(&storage, ctx, bytes, sizeof(int64_t), &ctx->placement));
    steps->storage = storage;
    return BL_OK;
}

bl_status bli_mask_count(struct bli_mask_steps *steps, int64_t *total)
{
    struct bli_pack *const pack = &steps->pack;
    int64_t blocks;

    make_nest(&pack->masks, steps, BLI_PACK_ARRAY);
    make_nest(&pack->both, steps, BLI_PACK_OPERANDS);
    pack->mask = steps->mask->data;
    pack->array = steps->array->data;
    pack->size = bli_dtypes[steps->array->dtype].size;
    pack->before = steps->counts;
    blocks = bli_pack_blocks(pack);
    if (blocks > BLI_STACK_BLOCKS) {
        BL_TRY(make_workspace(steps, (blocks + 1) * (int64_t)sizeof(int64_t)));
        pack->before = steps->storage.data;
    }
    if (blocks > 0)
        BL_TRY(bli_run_ranges(&steps->ctx->team,
                              bli_clamp_threads(blocks / COUNT_GRAIN), blocks,
                              BLI_ALIGNMENT, bli_pack_count_blocks, pack));
    bli_pack_add_up(pack);
    *total = pack->before[blocks];
    return BL_OK;
}

bl_status bli_mask_move(struct bli_mask_steps *steps, char *row, bool unpacks)
{
    struct bli_pack *const pack = &steps->pack;
    const int64_t blocks = bli_pack_blocks(pack);

    pack->row = row;
    pack->unpacks = unpacks;
    if (pack->before[blocks] == 0)
        return BL_OK;
    return bli_run_ranges(&steps->ctx->team, bli_clamp_threads(blocks / MOVE_GRAIN),
                          blocks, BLI_ALIGNMENT, bli_pack_move_blocks, pack);
}

bl_status bli_mask_open(struct bli_mask_steps **out, bl_context *ctx,
                        const bl_array *array, const bl_array *mask)
{
    struct bli_mask_steps *const steps = bli_thread_lend(sizeof *steps);

    if (!steps)
        return BL_ERR_MEMORY;
    steps->ctx = bli_context(ctx);
    steps->mask = mask;
    steps->array = array;
    steps->copy[0] = steps->copy[1] = NULL;
    steps->storage.bytes = 0;
    *out = steps;
    return BL_OK;
}

void bli_mask_close(struct bli_mask_steps *steps)
{
    bli_storage_free(&steps->storage, &steps->ctx->allocator);
    for (int32_t k = 0; k < 2; k++)
        bl_tensor_release(steps->copy[k]);
    bli_thread_return(steps);
}
