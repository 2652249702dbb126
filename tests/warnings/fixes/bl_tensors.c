/* SPDX-License-Identifier: BSD-3-Clause */
/* Tensors of the C interface, whose statuses are checked in every way. */
#include "bl_show.h"

struct layer {
    bl_tensor *weight, *bias;
};

static int taken;

static bl_tensor *take(bl_tensor *tensor)
{
    taken++;
    return tensor;
}

static bl_status last(bl_context *ctx, const struct layer *layer, bl_tensor **out)
{
    return bl_mul(ctx, bl_tensor_array(layer->weight), bl_tensor_array(layer->bias),
                  out);
}

static bl_status run(bl_context *ctx, const struct layer *layer)
{
    bl_tensor *out;
    bl_status status;

    TRY(bl_sub(ctx, bl_tensor_array(layer->weight), bl_tensor_array(layer->bias),
               &out));
    TRY(show_tensor("sub", out));
    status = bl_add(ctx, bl_tensor_array(layer->weight),
                    bl_tensor_array(take(layer->bias)), &out);
    if (status == BL_OK)
        status = show_tensor("add", out);
    if (status != BL_OK)
        return status;
    if (bl_div(ctx, bl_tensor_array(layer->weight), bl_tensor_array(layer->bias),
               &out) != BL_OK) {
        return BL_ERR_ARGUMENT;
    } else {
        TRY(show_tensor("div", out));
    }
    bl_status later = bl_maximum(ctx, bl_tensor_array(take(layer->weight)),
                                 bl_tensor_array(layer->bias), &out);
    TRY(later);
    TRY(show_tensor("maximum", out));
    TRY(last(ctx, layer, &out));
    return show_tensor("mul", out);
}

int main(void)
{
    double weight[] = {1, 2, 3, 4}, bias[] = {2, 7, 1, 8};
    struct layer layer;

    if (bl_copy(NULL, BL_VIEW(weight, 4, 1), &layer.weight) != BL_OK ||
        bl_copy(NULL, BL_VIEW(bias, 4), &layer.bias) != BL_OK ||
        run(NULL, &layer) != BL_OK)
        return fprintf(stderr, "%s\n", bl_error_message()), 1;
    printf("taken %d\n", taken);
    bl_tensor_release(layer.weight);
    bl_tensor_release(layer.bias);
    return 0;
}
