/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * TH's results that no current library computes: results of overlapping operands,
 * shapes of existing results, NaN and rounding, masks, random numbers.
 */
#include "th/kit.h"

static THDoubleTensor *range(long count)
{
    THDoubleTensor *const t = THDoubleTensor_new();

    THDoubleTensor_range(t, 0, (double)(count - 1), 1);
    return t;
}

/* Whether a tensor's elements equal `want`. */
static int holds(THDoubleTensor *t, const double *want)
{
    int same = 1, i = 0;

    TH_TENSOR_APPLY(double, t,
                    same = same && (*t_data == want[i] ||
                                    (*t_data != *t_data && want[i] != want[i]));
                    i++;)
    return same;
}

#define HOLDS(t, ...) holds(t, (const double[]){__VA_ARGS__})

static void check_overlap(void)
{
    THDoubleTensor *x = range(6);
    THDoubleTensor *a = THDoubleTensor_newNarrow(x, 0, 1, 5);
    THDoubleTensor *b = THDoubleTensor_newNarrow(x, 0, 0, 5);
    THLongStorage *const size = THLongStorage_newWithSize2(2, 3);

    THDoubleTensor_cadd(a, a, 1, b);
    tap_ok(HOLDS(x, 0, 1, 3, 6, 10, 15), "a sum along itself cascades");
    THDoubleTensor_free(a);
    THDoubleTensor_free(b);
    THDoubleTensor_free(x);

    x = range(9);
    THDoubleTensor_resize2d(x, 3, 3);
    a = THDoubleTensor_newTranspose(x, 0, 1);
    THDoubleTensor_cadd(x, x, 1, a);
    tap_ok(HOLDS(x, 0, 4, 8, 7, 8, 12, 14, 19, 16), "a matrix plus its transpose");
    THDoubleTensor_free(a);
    THDoubleTensor_free(x);

    x = range(3);
    a = THDoubleTensor_newExpand(x, size);
    THDoubleTensor_add(a, a, 1);
    tap_ok(HOLDS(x, 2, 3, 4), "repeated elements are added to as often");
    b = range(6);
    THDoubleTensor_copy(a, b);
    tap_ok(HOLDS(x, 3, 4, 5), "the last row wins");
    THDoubleTensor_fill(a, 7);
    tap_ok(HOLDS(x, 7, 7, 7), "repeated elements are filled");
    THDoubleTensor_free(a);
    THDoubleTensor_free(b);
    THDoubleTensor_free(x);
    THLongStorage_free(size);
}

static void check_results(void)
{
    THDoubleTensor *const base = range(10), *const a = range(6), *const b = range(6);
    THDoubleTensor *const view = THDoubleTensor_newNarrow(base, 0, 2, 3);
    THDoubleTensor *const turned = THDoubleTensor_newWithSize2d(3, 2);

    THDoubleTensor_resize2d(a, 2, 3);
    THDoubleTensor_cadd(view, a, 1, b);
    tap_ok(view->nDimension == 2 && view->storageOffset == 2 &&
               HOLDS(base, 0, 1, 0, 2, 4, 6, 8, 10, 8, 9),
           "a result is resized where it lies");
    THDoubleTensor_transpose(turned, NULL, 0, 1);
    THDoubleTensor_cmul(turned, a, b);
    tap_ok(turned->stride[0] == 1 && turned->stride[1] == 2 &&
               HOLDS(turned, 0, 1, 4, 9, 16, 25),
           "one that has the shape keeps its strides");
    THDoubleTensor_cadd(b, a, 2, b);
    tap_ok(b->nDimension == 2 && HOLDS(b, 0, 3, 6, 9, 12, 15),
           "it may be the second operand, of another shape");
    THDoubleTensor_free(base);
    THDoubleTensor_free(view);
    THDoubleTensor_free(turned);
    THDoubleTensor_free(a);
    THDoubleTensor_free(b);
}

static void check_values(void)
{
    THDoubleTensor *const a = range(3), *const b = range(3), *const r = range(3);
    THIntTensor *const i = THIntTensor_newWithSize1d(2);

    THDoubleTensor_set1d(a, 0, NAN);
    THDoubleTensor_set1d(a, 2, NAN);
    THDoubleTensor_set1d(b, 0, 1);
    THDoubleTensor_set1d(b, 1, NAN);
    THDoubleTensor_set1d(b, 2, NAN);
    THDoubleTensor_cmax(r, a, b);
    tap_ok(HOLDS(r, 1, NAN, NAN), "cmax gives the second where not larger");
    THDoubleTensor_cmaxValue(r, a, 0);
    tap_ok(HOLDS(r, 0, 1, 0), "cmaxValue of NaN is the value");
    THDoubleTensor_clamp(r, a, 2, 3);
    tap_ok(HOLDS(r, NAN, 2, NAN), "clamp keeps NaN");
    THDoubleTensor_set1d(a, 0, -2.5);
    THDoubleTensor_set1d(a, 1, 2.5);
    THDoubleTensor_set1d(a, 2, 0.5);
    THDoubleTensor_round(r, a);
    tap_ok(HOLDS(r, -3, 3, 1), "halves are rounded away from 0");
    THDoubleTensor_frac(r, a);
    tap_ok(HOLDS(r, -0.5, 0.5, 0.5), "fractions have the sign");
    THDoubleTensor_remainder(r, a, INFINITY);
    tap_ok(isnan(THDoubleTensor_get1d(r, 1)), "a remainder of infinity is none");
    THIntTensor_set1d(i, 0, -7);
    THIntTensor_set1d(i, 1, 7);
    THIntTensor_div(i, i, 2);
    tap_ok(THIntTensor_get1d(i, 0) == -3 && THIntTensor_get1d(i, 1) == 3,
           "integers are divided towards 0");
    THIntTensor_fill(i, -8);
    THIntTensor_rshift(i, i, 1);
    tap_ok(THIntTensor_get1d(i, 0) == 0x7ffffffc, "a shift to the right has no sign");
    THIntTensor_fill(i, 7);
    THIntTensor_pow(i, i, -2);
    tap_ok(THIntTensor_get1d(i, 0) == 0, "7 to the power of -2 is 0");
    THIntTensor_set1d(i, 0, 7);
    THIntTensor_set1d(i, 1, -1);
    THIntTensor_cinv(i, i);
    tap_ok(THIntTensor_get1d(i, 0) == 0 && THIntTensor_get1d(i, 1) == -1,
           "an inverse of integers is truncated");
    REFUSED(THIntTensor_cinv(i, i), "cinv: integer division by zero");
    THDoubleTensor_free(a);
    THDoubleTensor_free(b);
    THDoubleTensor_free(r);
    THIntTensor_free(i);
}

static void check_masks(void)
{
    THDoubleTensor *const t = range(6), *const src = range(6), *const r = range(1);
    THByteTensor *const mask = THByteTensor_new();

    THDoubleTensor_resize2d(t, 2, 3);
    THDoubleTensor_gtValue(mask, src, 3); /* (6): 0 0 0 0 1 1 */
    THDoubleTensor_maskedFill(t, mask, -1);
    tap_ok(HOLDS(t, 0, 1, 2, 3, -1, -1), "maskedFill by a mask of another shape");
    THDoubleTensor_add(src, src, 10);
    THDoubleTensor_maskedCopy(t, mask, src);
    tap_ok(HOLDS(t, 0, 1, 2, 3, 10, 11), "maskedCopy");
    THDoubleTensor_maskedSelect(r, t, mask);
    tap_ok(r->size[0] == 2 && HOLDS(r, 10, 11), "maskedSelect");
    THDoubleTensor_zero(t);
    THDoubleTensor_eqTensor(mask, t, src);
    tap_ok(THByteTensor_sumall(mask) == 0 && mask->nDimension == 2, "eqTensor");
    THDoubleTensor_resize2d(src, 2, 3);
    tap_ok(!THDoubleTensor_equal(t, src) && THDoubleTensor_equal(src, src), "equal");
    THDoubleTensor_free(t);
    THDoubleTensor_free(src);
    THDoubleTensor_free(r);
    THByteTensor_free(mask);
}

static void check_random(void)
{
    THGenerator *const generator = THGenerator_new(), *const other = THGenerator_new();
    THFloatTensor *const f = THFloatTensor_newWithSize2d(100, 100);
    THLongTensor *const p = THLongTensor_new();
    THByteTensor *const state = THByteTensor_new();
    unsigned long last = 0;

    THRandom_manualSeed(generator, 5489);
    for (int i = 0; i < 10000; i++)
        last = THRandom_random(generator);
    tap_ok(last == 4123659995UL, "the generator is MT19937");
    THByteTensor_getRNGState(generator, state);
    THByteTensor_setRNGState(other, state);
    tap_ok(THRandom_random(generator) == THRandom_random(other), "its state is bytes");
    THFloatTensor_normal(f, generator, 3, 2);
    tap_ok(fabs(THFloatTensor_meanall(f) - 3) < 0.1, "normal");
    THFloatTensor_uniform(f, generator, -1, 1);
    tap_ok(THFloatTensor_minall(f) >= -1 && THFloatTensor_maxall(f) < 1 &&
               fabs(THFloatTensor_meanall(f)) < 0.05,
           "uniform");
    THFloatTensor_bernoulli(f, generator, 0.25);
    tap_ok(fabs(THFloatTensor_meanall(f) - 0.25) < 0.03, "bernoulli");
    THFloatTensor_resize1d(f, 4);
    THFloatTensor_range(f, 0, 3, 1);
    THFloatTensor_multinomial(p, generator, f, 3, 0);
    tap_ok(p->size[0] == 3 && THLongTensor_sumall(p) == 6 &&
               THLongTensor_minall(p) == 1,
           "multinomial, each category once, but those of weight 0");
    THLongTensor_randperm(p, generator, 50);
    tap_ok(THLongTensor_sumall(p) == 1225 && THLongTensor_minall(p) == 0, "randperm");
    THGenerator_free(generator);
    THGenerator_free(other);
    THFloatTensor_free(f);
    THLongTensor_free(p);
    THByteTensor_free(state);
}

int main(void)
{
    tap_plan();
    handle_errors();
    check_overlap();
    check_results();
    check_values();
    check_masks();
    check_random();
    return tap_done();
}
