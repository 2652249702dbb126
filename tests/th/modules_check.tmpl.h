/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The checks of modules.c for one type.
 */
#ifndef TH_GENERIC_FILE
#define TH_GENERIC_FILE "th_modules_check.tmpl.h"
#else

static bool modules_(near)(double a, double b)
{
    return fabs(a - b) <= 1e-4 * (1 + fabs(b));
}

/* Make -2.3 to 2.5 in even steps, (4,6), stored by columns if `transposed`. */
static THTensor *modules_(make)(bool transposed)
{
    THTensor *t =
        transposed ? THTensor_(newWithSize2d)(6, 4) : THTensor_(newWithSize2d)(4, 6);
    int i = 0;

    if (transposed)
        THTensor_(transpose)(t, NULL, 0, 1);
    TH_TENSOR_APPLY(real, t, *t_data = (real)(-2.3 + 0.21 * (i * 7 % 24)); i++;)
    return t;
}

typedef void (*modules_(forward))(THTensor *, THTensor *, THTensor *, bool);
typedef void (*modules_(backward))(THTensor *, THTensor *, THTensor *, bool);

/* Compare the gradient with finite differences of the loss, where it is smooth. */
static void modules_(criterion)(const char *name, modules_(forward) forward,
                                modules_(backward) backward)
{
    THTensor *const input = modules_(make)(true), *const target = THTensor_(new)();
    THTensor *const gradient = THTensor_(new)();
    THTensor *const low = THTensor_(newWithSize1d)(1);
    THTensor *const high = THTensor_(newWithSize1d)(1);
    const real step = (real)0.01;
    int wrong = 0;

    THTensor_(linspace)(target, -1, 1, 24); /* as a vector of the same numel */
    for (int average = 0; average < 2; average++) {
        backward(input, target, gradient, average);
        for (long i = 0; i < 4; i++)
            for (long j = 0; j < 6; j++) {
                const real value = THTensor_(get2d)(input, i, j);
                double slope;

                THTensor_(set2d)(input, i, j, value - step);
                forward(input, target, low, average);
                THTensor_(set2d)(input, i, j, value + step);
                forward(input, target, high, average);
                THTensor_(set2d)(input, i, j, value);
                slope = ((double)THTensor_(get1d)(high, 0) -
                         (double)THTensor_(get1d)(low, 0)) /
                        (2 * (double)step);
                wrong += fabs(slope - (double)THTensor_(get2d)(gradient, i, j)) > 0.02;
            }
    }
    tap_ok(wrong == 0 && THTensor_(isSameSizeAs)(gradient, input),
           "gradient of %s in " TH_CONCAT_STRING_2(Real, Tensor), name);
    THTensor_(free)(input);
    THTensor_(free)(target);
    THTensor_(free)(gradient);
    THTensor_(free)(low);
    THTensor_(free)(high);
}

static void modules_(check_modules)(THTensor *input)
{
    THTensor *const output = THTensor_(new)(), *const gradient = THTensor_(new)();
    THTensor *const above = THTensor_(newWithSize1d)(24);
    THTensor *const variances = THTensor_(new)();
    const double x = (double)THTensor_(get2d)(input, 2, 3), s = 1 / (1 + exp(-x));

    modules_(Sigmoid_forward)(input, output);
    tap_ok(modules_(near)((double)THTensor_(get2d)(output, 2, 3), s), "a sigmoid");
    THTensor_(fill)(above, 2);
    modules_(Sigmoid_backward)(output, above, gradient);
    tap_ok(modules_(near)((double)THTensor_(get2d)(gradient, 2, 3), 2 * s * (1 - s)),
           "and its gradient, of a vector");
    modules_(Threshold_forward)(input, output, 0, 0, false);
    tap_ok(THTensor_(minall)(output) == 0 &&
               THTensor_(maxall)(output) == THTensor_(maxall)(input),
           "a threshold");
    modules_(Threshold_forward)(output, gradient, 1, 1, true);
    tap_ok(THTensor_(minall)(output) == 1 && gradient->storage == output->storage,
           "in place");
    modules_(Normalize_forward)(input, output, 0);
    THTensor_(var)(variances, output, 0, 1, 0);
    tap_ok(modules_(near)((double)THTensor_(sumall)(variances), 6) &&
               modules_(near)((double)THTensor_(sumall)(output), 0),
           "columns of mean 0 and variance 1");
    modules_(Gate_forward)(input, output, 1);
    tap_ok(output->size[1] == 3 &&
               modules_(near)((double)THTensor_(get2d)(output, 2, 0),
                              (double)THTensor_(get2d)(input, 2, 0) * s),
           "half of it gated by the other");
    THTensor_(free)(output);
    THTensor_(free)(gradient);
    THTensor_(free)(above);
    THTensor_(free)(variances);
}

static void modules_(check_classes)(THTensor *input)
{
    THTensor *const output = THTensor_(new)(), *const sums = THTensor_(new)();
    THIndexTensor *const target = THLongTensor_newWithSize1d(4);
    THIndexTensor *const where = THLongTensor_new();
    THTensor *const values = THTensor_(new)();

    modules_(LogSoftMax_forward)(input, output);
    THTensor_(exp)(sums, output);
    THTensor_(sum)(sums, sums, 1, 1);
    tap_ok(sums->size[0] == 4 &&
               modules_(near)((double)THTensor_(get2d)(sums, 3, 0), 1),
           "probabilities of a row");
    THLongTensor_fill(target, 2 + TH_INDEX_BASE);
    THTensor_(max)(values, where, output, 1, 0);
    THLongTensor_add(where, where, TH_INDEX_BASE);
    tap_ok(modules_(near)((double)modules_(Class_forward)(output, where),
                          -(double)THTensor_(meanall)(values)) &&
               modules_(Class_forward)(output, target) >=
                   modules_(Class_forward)(output, where),
           "the likeliest classes cost least");
    THTensor_(free)(output);
    THTensor_(free)(sums);
    THTensor_(free)(values);
    THLongTensor_free(target);
    THLongTensor_free(where);
}

static void modules_(check)(void)
{
    THTensor *const dense = modules_(make)(false), *const turned = modules_(make)(true);

    modules_(criterion)("squares", modules_(Square_forward), modules_(Square_backward));
    modules_(criterion)("smooth", modules_(Smooth_forward), modules_(Smooth_backward));
    modules_(criterion)("absolute", modules_(Absolute_forward),
                        modules_(Absolute_backward));
    modules_(check_modules)(dense);
    modules_(check_modules)(turned);
    modules_(check_classes)(dense);
    modules_(check_classes)(turned);
    THTensor_(free)(dense);
    THTensor_(free)(turned);
}

#endif
