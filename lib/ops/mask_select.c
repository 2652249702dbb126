/* SPDX-License-Identifier: BSD-3-Clause */
/* Masked select: the elements where a mask is true. */
#include "ops/mask_steps.h"
#include "call/shadow.h"

static bl_status select_into(struct bli_mask_steps *steps, bl_tensor **out)
{
    bl_tensor *result;
    bl_status status;
    int64_t total;

    if (bli_array_is_unaligned(steps->array)) {
        BL_TRY(bl_tensor_clone(steps->ctx, steps->array, &steps->copy[1]));
        steps->array = bl_tensor_array(steps->copy[1]);
    }
    BL_TRY(bli_mask_count(steps, &total));
    BL_TRY(bli_tensor_new(steps->ctx, steps->array->dtype, 1, &total, NULL, &result));
    status = bli_mask_move(steps, bl_tensor_array(result)->data, false);
    if (status == BL_OK)
        *out = result;
    else
        bl_tensor_release(result);
    return status;
}

static bl_status select_from(const void *address, bl_context *ctx, const bl_array *in,
                             const bl_array *mask, bl_tensor **out)
{
    struct bli_mask_steps *steps;
    bl_status status;

    if (!out)
        return bli_error_null("out");
    BL_TRY(bli_mask_check("masked_select", in, "in", mask));
    BL_TRY(bli_mask_open(&steps, ctx, in, mask));
    status = bli_mask_pair(steps, "masked_select", "in", address, false);
    if (status == BL_OK)
        status = select_into(steps, out);
    if (status == BL_OK)
        bli_shadow_carry(bl_tensor_array(*out), 2, (const bl_array *const[]){in, mask});
    bli_mask_close(steps);
    return status;
}

bl_status bl_masked_select(bl_context *ctx, const bl_array *in, const bl_array *mask,
                           bl_tensor **out)
{
    BLI_RETURN_CALL(select_from(BLI_RETURN_ADDRESS, ctx, in, mask, out), "%A%A", "in",
                    in, "mask", mask);
}
