/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An extension as programs for Torch had them: C functions that take tensors created
 * elsewhere, resize the result, compute, and return whether they succeeded.
 */
#include <TH/TH.h>

#include "harness/tap.h"

/* output = input1 + input2; returns 0 where their shapes differ. */
static int my_lib_add_forward(THFloatTensor *input1, THFloatTensor *input2,
                              THFloatTensor *output)
{
    if (!THFloatTensor_isSameSizeAs(input1, input2))
        return 0;
    THFloatTensor_resizeAs(output, input1);
    THFloatTensor_cadd(output, input1, 1.0, input2);
    return 1;
}

static int my_lib_add_backward(THFloatTensor *grad_output, THFloatTensor *grad_input)
{
    THFloatTensor_resizeAs(grad_input, grad_output);
    THFloatTensor_fill(grad_input, 1);
    return 1;
}

/* Rows of `rois` are rectangles; finds the maximum in each, with plain pointers. */
static int my_lib_pool_forward(THFloatTensor *features, THFloatTensor *rois,
                               THFloatTensor *output)
{
    float *data = THFloatTensor_data(features);
    float *roi = THFloatTensor_data(rois);
    long count = THFloatTensor_size(rois, 0);
    long width = THFloatTensor_size(features, 1);
    float *out;

    if (THFloatTensor_size(rois, 1) != 4)
        return 0;
    THFloatTensor_resize1d(output, count);
    THFloatStorage_fill(THFloatTensor_storage(output), -1);
    out = THFloatTensor_data(output);
    for (long n = 0; n < count; n++, roi += 4)
        for (long y = (long)roi[1]; y <= (long)roi[3]; y++)
            for (long x = (long)roi[0]; x <= (long)roi[2]; x++)
                out[n] = THMax(out[n], data[y * width + x]);
    return 1;
}

static void check_add(void)
{
    THFloatTensor *a = THFloatTensor_newWithSize2d(3, 4);
    THFloatTensor *b = THFloatTensor_newWithSize2d(4, 3);
    THFloatTensor *sum = THFloatTensor_new(), *gradient = THFloatTensor_new();

    THFloatTensor_fill(a, 1.5);
    THFloatTensor_fill(b, 2);
    tap_ok(!my_lib_add_forward(a, b, sum) && sum->nDimension == 0,
           "tensors of other shapes are refused by the extension");
    THFloatTensor_transpose(b, NULL, 0, 1);
    tap_ok(my_lib_add_forward(a, b, sum) && THFloatTensor_isSameSizeAs(sum, a) &&
               THFloatTensor_sumall(sum) == 42,
           "forward resizes the result and adds");
    tap_ok(my_lib_add_backward(sum, gradient) && THFloatTensor_sumall(gradient) == 12,
           "backward");
    THFloatTensor_free(a);
    THFloatTensor_free(b);
    THFloatTensor_free(sum);
    THFloatTensor_free(gradient);
}

static void check_pool(void)
{
    static const float boxes[8] = {0, 0, 1, 1, 1, 1, 3, 2};
    THFloatTensor *features = THFloatTensor_new(), *output = THFloatTensor_new();
    THFloatTensor *rois = THFloatTensor_newWithSize2d(2, 4);

    THFloatTensor_range(features, 0, 11, 1);
    THFloatTensor_resize2d(features, 3, 4);
    memcpy(THFloatTensor_data(rois), boxes, sizeof boxes);
    tap_ok(my_lib_pool_forward(features, rois, output) &&
               THFloatTensor_get1d(output, 0) == 5 &&
               THFloatTensor_get1d(output, 1) == 11,
           "plain pointers into tensors");
    THFloatTensor_free(features);
    THFloatTensor_free(rois);
    THFloatTensor_free(output);
}

int main(void)
{
    tap_plan();
    check_add();
    check_pool();
    return tap_done();
}
