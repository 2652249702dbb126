/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Modules of modules.c for one type.
 */
#ifndef TH_GENERIC_FILE
#define TH_GENERIC_FILE "th_modules.tmpl.h"
#else

/* ---- criteria: the loss in output[0], the gradient of the input ---- */

static void modules_(Square_forward)(THTensor *input, THTensor *target,
                                     THTensor *output, bool average)
{
    real sum = 0;

    CHECK_NELEMENT(input, target);
    TH_TENSOR_APPLY2(real, input, real, target, real z = (*input_data - *target_data);
                     sum += z * z;);
    if (average)
        sum /= THTensor_(nElement)(input);
    THTensor_(set1d)(output, 0, sum);
}

static void modules_(Square_backward)(THTensor *input, THTensor *target,
                                      THTensor *gradient, bool average)
{
    real scale = (average ? 2. / ((real)THTensor_(nElement)(input)) : 2.);

    CHECK_NELEMENT(input, target);
    THTensor_(resizeAs)(gradient, input);
    TH_TENSOR_APPLY3(real, gradient, real, input, real, target,
                     *gradient_data = scale * (*input_data - *target_data););
}

static void modules_(Smooth_forward)(THTensor *input, THTensor *target,
                                     THTensor *output, bool average)
{
    real sum = 0;

    CHECK_NELEMENT(input, target);
    TH_TENSOR_APPLY2(real, input, real, target,
                     real z = fabs(*input_data - *target_data);
                     sum += z < 1 ? 0.5 * z * z : z - 0.5;);
    if (average)
        sum /= THTensor_(nElement)(input);
    THTensor_(set1d)(output, 0, sum);
}

static void modules_(Smooth_backward)(THTensor *input, THTensor *target,
                                      THTensor *gradient, bool average)
{
    real scale = (average ? 1. / ((real)THTensor_(nElement)(input)) : 1.);

    THTensor_(resizeAs)(gradient, input);
    TH_TENSOR_APPLY3(
        real, gradient, real, input, real, target, real x = *input_data - *target_data;
        if (x < -1.) *gradient_data = -scale; else if (x > 1.) *gradient_data = scale;
        else *gradient_data = scale * x;);
}

/* Computed on whole tensors, with buffers that are resized as needed. */
static void modules_(Absolute_forward)(THTensor *input, THTensor *target,
                                       THTensor *output, bool average)
{
    THTensor *buffer = THTensor_(new)();
    accreal sum;

    THTensor_(csub)(buffer, input, 1, target);
    THTensor_(abs)(buffer, buffer);
    sum = THTensor_(sumall)(buffer);
    THTensor_(set1d)(
        output, 0,
        TH_CONVERT_ACCREAL_TO_REAL(average ? sum / THTensor_(nElement)(input) : sum));
    THTensor_(free)(buffer);
}

static void modules_(Absolute_backward)(THTensor *input, THTensor *target,
                                        THTensor *gradient, bool average)
{
    THTensor_(csub)(gradient, input, 1, target);
    THTensor_(sign)(gradient, gradient);
    if (average)
        THTensor_(div)(gradient, gradient, (real)THTensor_(nElement)(input));
}

/* Negative log-likelihood of the classes; classes count from TH_INDEX_BASE. */
static real modules_(Class_forward)(THTensor *input, THIndexTensor *target)
{
    THTensor *contiguous;
    THIndex_t *classes;
    real *data, sum = 0;
    long count, width;

    THArgCheck(THTensor_(nDimension)(input) == 2, 2, "rows of classes expected");
    THAssert(THIndexTensor_(size)(target, 0) == input->size[0]);
    contiguous = THTensor_(newContiguous)(input);
    data = THTensor_(data)(contiguous);
    classes = THIndexTensor_(data)(target);
    count = THTensor_(size)(input, 0);
    width = THTensor_(size)(input, 1);
    for (long i = 0; i < count; i++) {
        int c = classes[i] - TH_INDEX_BASE;

        THAssert(c >= 0 && c < width);
        sum -= data[i * width + c];
    }
    THTensor_(free)(contiguous);
    return sum / count;
}

/* ---- modules ---- */

static void modules_(Sigmoid_forward)(THTensor *input, THTensor *output)
{
    THTensor_(resizeAs)(output, input);
    THTensor_(sigmoid)(output, input);
}

static void modules_(Sigmoid_backward)(THTensor *output, THTensor *above,
                                       THTensor *gradient)
{
    THTensor_(resizeAs)(gradient, output);
    TH_TENSOR_APPLY3(real, gradient, real, above, real, output, real z = *output_data;
                     *gradient_data = *above_data * (1. - z) * z;);
}

static void modules_(Threshold_forward)(THTensor *input, THTensor *output,
                                        real threshold, real value, bool inplace)
{
    if (inplace) {
        TH_TENSOR_APPLY(real, input,
                        if (*input_data <= threshold) *input_data = value;);
        THTensor_(set)(output, input);
    } else {
        THTensor_(resizeAs)(output, input);
        TH_TENSOR_APPLY2(real, output, real, input,
                         *output_data =
                             (*input_data > threshold) ? *input_data : value;);
    }
}

static void modules_(LogSoftMax_forward)(THTensor *input, THTensor *output)
{
    THTensor_(resizeAs)(output, input);
    TH_TENSOR_DIM_APPLY2(
        real, input, real, output, 1, real largest = -THInf; accreal sum = 0;
        for (long i = 0; i < input_size; i++) largest =
            THMax(largest, input_data[i * input_stride]);
        for (long i = 0; i < input_size; i++) sum +=
        exp(input_data[i * input_stride] - largest);
        sum = largest + log(sum);
        for (long i = 0; i < input_size; i++) output_data[i * output_stride] =
            input_data[i * input_stride] - sum;);
}

/* Normalise each feature, a column, to mean 0 and variance 1. */
static void modules_(Normalize_forward)(THTensor *input, THTensor *output, double eps)
{
    long features = THTensor_(size)(input, 1);
    ptrdiff_t n = THTensor_(nElement)(input) / features;

    THTensor_(resizeAs)(output, input);
    for (long f = 0; f < features; f++) {
        THTensor *in = THTensor_(newSelect)(input, 1, f);
        THTensor *out = THTensor_(newSelect)(output, 1, f);
        accreal sum = 0, squares = 0, mean, scale;

        TH_TENSOR_APPLY(real, in, sum += *in_data;);
        mean = sum / n;
        TH_TENSOR_APPLY(real, in, squares += (*in_data - mean) * (*in_data - mean););
        scale = 1 / sqrt(squares / n + eps);
        TH_TENSOR_APPLY2(real, in, real, out,
                         *out_data = (real)((*in_data - mean) * scale););
        THTensor_(free)(out);
        THTensor_(free)(in);
    }
}

/* Gated linear unit: the first half times the sigmoid of the second. */
static void modules_(Gate_forward)(THTensor *input, THTensor *output, int dim)
{
    const long half = THTensor_(size)(input, dim) / 2;
    THTensor *first = THTensor_(newNarrow)(input, dim, 0, half);
    THTensor *second = THTensor_(newNarrow)(input, dim, half, half);

    THTensor_(resizeAs)(output, second);
    THTensor_(sigmoid)(output, second);
    THTensor_(cmul)(output, output, first);
    THTensor_(free)(first);
    THTensor_(free)(second);
}

#endif
