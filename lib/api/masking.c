/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The steps before elements are moved by a mask.
 */
#include "api/masking.h"

bl_status bli_masking_check(const char *what, const bl_array *array, const char *name,
                            const bl_array *mask)
{
    BL_TRY(bli_array_check(array, name, true));
    BL_TRY(bli_array_check(mask, "mask", true));
    if (mask->dtype != BL_DTYPE_BOOL)
        return bl_error_set(BL_ERR_DTYPE,
                            "%s only supports boolean masks, but got mask with dtype "
                            "%s",
                            what, bl_dtype_name(mask->dtype));
    return BL_OK;
}

/*
 * Where an array is paired as 1-dimensional, read it from a copy of the answer's shape:
 * `*array` and `*pairing` become that.
 */
static bl_status shape_flat(struct bli_masking *masking, int32_t slot,
                            const bl_array **array, bl_pairing *pairing)
{
    bl_array *const shaped = &masking->shaped[slot];
    bl_options options = BL_OPTIONS_DEFAULT;

    if (pairing->kind != BL_PAIRING_FLAT)
        return BL_OK;
    options.rules = &bl_rules_modern;
    BL_TRY(bl_apply_new(masking->ctx, BL_OP_COPY, 1, array, &masking->copy[slot],
                        &options));
    *shaped = *bl_tensor_array(masking->copy[slot]);
    shaped->rank = masking->answer.rank;
    shaped->extent = masking->answer.extent;
    shaped->stride = NULL;
    *array = shaped;
    *pairing = (bl_pairing){BL_PAIRING_BROADCAST, 0};
    return BL_OK;
}

bl_status bli_masking_pair(struct bli_masking *masking, const char *function,
                           const void *address, bool is_in_place)
{
    bl_status status;
    static const char *const names[] = {"a", "b"};
    bl_options options = BL_OPTIONS_DEFAULT;
    int64_t elements;
    const bl_array *const in[] = {is_in_place ? masking->array : masking->mask,
                                  is_in_place ? masking->mask : masking->array};
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
    BL_TRY(bli_pair(&masking->answer, masking->ctx, &call));
    masking->array_pairing = masking->answer.pairing[is_in_place ? 0 : 1];
    masking->mask_pairing = masking->answer.pairing[is_in_place ? 1 : 0];
    if (!bli_shape_count(masking->answer.rank, masking->answer.extent, &elements))
        return bl_error_set(BL_ERR_OVERFLOW,
                            "the elements that a and b broadcast to do not fit in 64 "
                            "bits");
    status = shape_flat(masking, 0, &masking->mask, &masking->mask_pairing);
    if (status == BL_OK)
        status = shape_flat(masking, 1, &masking->array, &masking->array_pairing);
    if (status != BL_OK)
        bli_masking_close(masking);
    return status;
}

struct bli_strided bli_masking_operand(const bl_array *array, bl_pairing pairing)
{
    return (struct bli_strided){array->rank, bli_dtypes[array->dtype].size,
                                array->extent, array->stride, pairing};
}

/* A nest in row-major order: that of a compact result of bytes, which is not there. */
static void make_nest(struct bli_nest *nest, const struct bli_masking *masking,
                      int32_t operands)
{
    const struct bli_strided operand[BLI_PACK_OPERANDS] = {
        [BLI_PACK_ORDER] =
            {masking->answer.rank, 1, masking->answer.extent, NULL, {0, 0}},
        [BLI_PACK_MASK] = bli_masking_operand(masking->mask, masking->mask_pairing),
        [BLI_PACK_ARRAY] = bli_masking_operand(masking->array, masking->array_pairing),
    };

    bli_nest_make(nest, operands, operand);
    for (int32_t i = 0; i < nest->loops; i++)
        nest->stride[i][BLI_PACK_ORDER] = 0;
}

static bl_status make_workspace(struct bli_masking *masking, int64_t bytes)
{
    bl_context *const ctx = masking->ctx;
    struct bli_storage storage;

    BL_TRY(bli_storage_make(&storage, ctx, bytes, sizeof(int64_t), &ctx->placement));
    masking->storage = storage;
    return BL_OK;
}

bl_status bli_masking_count(struct bli_masking *masking, int64_t *total)
{
    struct bli_pack *const pack = &masking->pack;
    int64_t blocks;

    make_nest(&pack->masks, masking, BLI_PACK_ARRAY);
    make_nest(&pack->both, masking, BLI_PACK_OPERANDS);
    pack->mask = masking->mask->data;
    pack->array = masking->array->data;
    pack->size = bli_dtypes[masking->array->dtype].size;
    pack->before = masking->few;
    blocks = bli_pack_blocks(pack);
    if (blocks > BLI_FEW_BLOCKS) {
        BL_TRY(make_workspace(masking, (blocks + 1) * (int64_t)sizeof(int64_t)));
        pack->before = masking->storage.data;
    }
    bli_pack_count(pack, &masking->ctx->team);
    *total = pack->before[blocks];
    return BL_OK;
}

void bli_masking_open(struct bli_masking *masking, bl_context *ctx,
                      const bl_array *array, const bl_array *mask)
{
    masking->ctx = bli_context(ctx);
    masking->mask = mask;
    masking->array = array;
    masking->copy[0] = masking->copy[1] = NULL;
    masking->storage.bytes = 0;
}

void bli_masking_close(struct bli_masking *masking)
{
    bli_storage_free(&masking->storage, &masking->ctx->allocator);
    for (int32_t k = 0; k < 2; k++)
        bl_tensor_release(masking->copy[k]);
}
