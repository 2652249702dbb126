/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sorting, matrices, lists of tensors and histograms: results of PyTorch 1.13, of every
 * type that holds them, results that are operands, and refusals.
 */
#include <math.h>

#include "th/kit.h"

/* A tensor of 3 x 5, of which a transposed copy is in memory where `turned`. */
static THFloatTensor *sample(int turned)
{
    static const float elements[] = {3, 1, 2, 1, 3, 0, 5, -2, 5, 0, 7, 7, 7, -1, 4};
    THFloatTensor *const t = THFloatTensor_newWithSize2d(3, 5);
    THFloatTensor *other;

    memcpy(THFloatTensor_data(t), elements, sizeof elements);
    if (!turned)
        return t;
    THFloatTensor_transpose(t, t, 0, 1);
    other = THFloatTensor_newContiguous(t);
    THFloatTensor_free(t);
    THFloatTensor_transpose(other, other, 0, 1);
    return other;
}

static int holds(THFloatTensor *t, const double *want, ptrdiff_t count)
{
    int same = THFloatTensor_nElement(t) == count;

    TH_TENSOR_APPLY(float, t,
                    same = same &&
                           (isnan(*want) ? isnan(*t_data)
                                         : fabs(*t_data - *want) <= 1e-6 * fabs(*want));
                    want++;)
    return same;
}

static int holds_longs(THLongTensor *t, const double *want, ptrdiff_t count)
{
    int same = THLongTensor_nElement(t) == count;

    TH_TENSOR_APPLY(long, t, same = same && *t_data == (long)*want; want++;)
    return same;
}

#define HOLDS(t, ...)                                                                  \
    holds(t, (const double[]){__VA_ARGS__},                                            \
          sizeof((double[]){__VA_ARGS__}) / sizeof(double))
#define HOLDS_LONGS(t, ...)                                                            \
    holds_longs(t, (const double[]){__VA_ARGS__},                                      \
                sizeof((double[]){__VA_ARGS__}) / sizeof(double))

static void check_sorts(int turned)
{
    THFloatTensor *const x = sample(turned), *const v = THFloatTensor_new();
    THLongTensor *const i = THLongTensor_new();

    THFloatTensor_sort(v, i, x, 1, 0);
    tap_ok(HOLDS(v, 1, 1, 2, 3, 3, -2, 0, 0, 5, 5, -1, 4, 7, 7, 7) &&
               HOLDS_LONGS(i, 1, 3, 2, 0, 4, 2, 0, 4, 1, 3, 3, 4, 0, 1, 2),
           "sorted rows");
    THFloatTensor_sort(v, i, x, 0, 1);
    tap_ok(HOLDS(v, 7, 7, 7, 5, 4, 3, 5, 2, 1, 3, 0, 1, -2, -1, 0) &&
               HOLDS_LONGS(i, 2, 2, 2, 1, 2, 0, 1, 0, 0, 0, 1, 0, 1, 2, 1),
           "columns, descending");
    THFloatTensor_topk(v, i, x, 2, 1, 1, 1);
    tap_ok(HOLDS(v, 3, 3, 5, 5, 7, 7) && HOLDS_LONGS(i, 0, 4, 1, 3, 0, 1), "topk");
    THFloatTensor_median(v, i, x, 1, 1);
    tap_ok(v->nDimension == 2 && HOLDS(v, 2, 0, 7) && HOLDS_LONGS(i, 2, 4, 0),
           "median");
    THFloatTensor_mode(v, i, x, 1, 0);
    tap_ok(v->nDimension == 1 && HOLDS(v, 1, 0, 7) && HOLDS_LONGS(i, 3, 4, 2), "mode");
    THFloatTensor_kthvalue(v, i, x, 2, 1, 0);
    tap_ok(HOLDS(v, 1, 0, 4) && HOLDS_LONGS(i, 3, 0, 4), "kthvalue");
    tap_ok(THFloatTensor_medianall(x) == 3, "medianall");
    THFloatTensor_sort(x, i, x, 1, 0);
    tap_ok(HOLDS(x, 1, 1, 2, 3, 3, -2, 0, 0, 5, 5, -1, 4, 7, 7, 7), "sorted in place");
    THFloatTensor_resize1d(v, 5);
    memcpy(THFloatTensor_data(v), (float[]){1, NAN, -1, NAN, 2}, 5 * sizeof(float));
    THFloatTensor_sort(x, i, v, 0, 0);
    tap_ok(HOLDS(x, -1, 1, 2, NAN, NAN) && HOLDS_LONGS(i, 2, 0, 4, 1, 3),
           "NaN is the largest");
    THFloatTensor_sort(x, i, v, 0, 1);
    tap_ok(HOLDS(x, NAN, NAN, 2, 1, -1) && HOLDS_LONGS(i, 1, 3, 4, 0, 2),
           "and first in descending order");
    THFloatTensor_free(x);
    THFloatTensor_free(v);
    THLongTensor_free(i);
}

/* Many lines of many equal elements, by what a stable sort is. */
static void check_long_lines(void)
{
    enum { LINES = 7, COUNT = 1237 };
    THShortTensor *const t = THShortTensor_newWithSize2d(COUNT, LINES);
    THShortTensor *const v = THShortTensor_new();
    THLongTensor *const i = THLongTensor_new();
    uint32_t state = 1;
    int wrong = 0;

    TH_TENSOR_APPLY(short, t, state = state * 1664525 + 1013904223;
                    *t_data = (short)(state >> 24);)
    THShortTensor_sort(v, i, t, 0, 0);
    for (long line = 0; line < LINES; line++)
        for (long k = 0; k < COUNT; k++) {
            const long at = THLongTensor_get2d(i, k, line);
            const short value = THShortTensor_get2d(v, k, line);

            wrong += value != THShortTensor_get2d(t, at, line);
            if (k == 0)
                continue;
            wrong += THShortTensor_get2d(v, k - 1, line) > value;
            wrong += THShortTensor_get2d(v, k - 1, line) == value &&
                     THLongTensor_get2d(i, k - 1, line) >= at;
        }
    tap_ok(wrong == 0, "a long sort is stable");
    THShortTensor_free(t);
    THShortTensor_free(v);
    THLongTensor_free(i);
}

static void check_matrices(int turned)
{
    THFloatTensor *const x = sample(turned), *const r = THFloatTensor_new();
    THFloatTensor *const a = THFloatTensor_new(), *const b = THFloatTensor_new();

    THFloatTensor_diag(r, x, 1);
    tap_ok(HOLDS(r, 1, -2, -1), "a diagonal");
    THFloatTensor_diag(r, x, -1);
    tap_ok(HOLDS(r, 0, 7), "one below");
    THFloatTensor_diag(r, r, -1);
    tap_ok(r->size[0] == 3 && HOLDS(r, 0, 0, 0, 0, 0, 0, 0, 7, 0),
           "a matrix of a diagonal, in place");
    tap_ok(THFloatTensor_trace(x) == 15, "trace");
    THFloatTensor_tril(r, x, -1);
    tap_ok(HOLDS(r, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 7, 0, 0, 0), "tril");
    THFloatTensor_triu(r, x, 1);
    tap_ok(HOLDS(r, 0, 1, 2, 1, 3, 0, 0, -2, 5, 0, 0, 0, 0, -1, 4), "triu");
    THFloatTensor_eye(r, 2, 3);
    tap_ok(HOLDS(r, 1, 0, 0, 0, 1, 0), "eye");
    THFloatTensor_range(a, 1, 9, 1);
    THFloatTensor_resize2d(a, 3, 3);
    THFloatTensor_resize2d(b, 3, 3);
    memcpy(THFloatTensor_data(b), (float[]){2, 0, 1, 1, 1, 1, 0, 3, -1},
           9 * sizeof(float));
    THFloatTensor_cross(r, a, b, -1);
    tap_ok(HOLDS(r, -7, 7, -15, 14, -6, 12, -7, 2, -3), "cross");
    THFloatTensor_cross(a, a, b, 1);
    tap_ok(HOLDS(a, 2, 5, -4, -1, 2, -1, -35, 7, 21), "along rows, in place");
    THFloatTensor_renorm(r, x, 1, 1, 6);
    tap_ok(THFloatTensor_get2d(r, 2, 0) > 4.19F && THFloatTensor_get2d(r, 2, 0) < 4.21F,
           "renorm");
    THFloatTensor_renorm(r, x, 2, 0, 5);
    tap_ok(HOLDS(r, 3, 1, 2, 1, 3, 0, 3.402069091796875, -1.3608276844024658,
                 3.402069091796875, 0, 2.7330408096313477, 2.7330408096313477,
                 2.7330408096313477, -0.3904343843460083, 1.5617375373840332),
           "by the 2-norm of rows");
    THFloatTensor_histc(r, x, 4, -1, 3);
    tap_ok(HOLDS(r, 1, 2, 2, 3), "histc");
    THFloatTensor_histc(r, x, 3, 0, 0);
    tap_ok(HOLDS(r, 4, 5, 6), "from the smallest to the largest");
    THFloatTensor_bhistc(r, x, 2, -2, 8);
    tap_ok(r->nDimension == 2 && HOLDS(r, 3, 2, 3, 2, 1, 4), "bhistc");
    THFloatTensor_free(x);
    THFloatTensor_free(r);
    THFloatTensor_free(a);
    THFloatTensor_free(b);
}

static void check_lists(int turned)
{
    THFloatTensor *const x = sample(turned), *const row =
                                                 THFloatTensor_newSelect(x, 0, 1);
    THFloatTensor *const r = THFloatTensor_new(), *const none = THFloatTensor_new();
    THLongTensor *const where = THLongTensor_newWithSize1d(3);

    THFloatTensor_unsqueeze1d(row, row, 0);
    THFloatTensor_cat(r, row, row, 0);
    tap_ok(HOLDS(r, 0, 5, -2, 5, 0, 0, 5, -2, 5, 0), "cat");
    THFloatTensor_catArray(r, (THFloatTensor *[]){row, none, row}, 3, -2);
    tap_ok(r->size[1] == 10 && r->size[0] == 1, "along the last dimension");
    THFloatTensor_squeeze1d(row, row, 0);
    THFloatTensor_cat(row, row, row, 1);
    tap_ok(row->size[0] == 5 && row->size[1] == 2 &&
               HOLDS(row, 0, 0, 5, 5, -2, -2, 5, 5, 0, 0),
           "vectors side by side; the result is an input");
    THLongTensor_set1d(where, 0, 0 + TH_INDEX_BASE);
    THLongTensor_set1d(where, 1, 14 + TH_INDEX_BASE);
    THLongTensor_set1d(where, 2, 7 + TH_INDEX_BASE);
    THFloatTensor_free(x);
    {
        THFloatTensor *const y = sample(turned);

        THFloatTensor_take(r, y, where);
        tap_ok(HOLDS(r, 3, 4, -2), "take");
        THFloatTensor_put(y, where, r, 1);
        THFloatTensor_fill(r, 9);
        THLongTensor_set1d(where, 2, 1 + TH_INDEX_BASE);
        THFloatTensor_put(y, where, r, 0);
        tap_ok(HOLDS(y, 9, 9, 2, 1, 3, 0, 5, -4, 5, 0, 7, 7, 7, -1, 9), "put");
        THFloatTensor_free(y);
    }
    THFloatTensor_free(row);
    THFloatTensor_free(r);
    THFloatTensor_free(none);
    THLongTensor_free(where);
}

static void check_refusals(void)
{
    THFloatTensor *const x = sample(0), *const r = THFloatTensor_newWithSize1d(1);
    THLongTensor *const i = THLongTensor_newWithSize1d(1);

    THFloatTensor_fill(r, 7);
    THLongTensor_fill(i, 15 + TH_INDEX_BASE);
    REFUSED(THFloatTensor_sort(r, i, x, 2, 0), "invalid dimension");
    REFUSED(THFloatTensor_topk(r, i, x, 6, 1, 0, 0), "k not in range");
    REFUSED(THFloatTensor_kthvalue(r, i, x, 0, 1, 0), "selected index out of range");
    REFUSED(THFloatTensor_diag(r, x, 5), "diagonal 5 of [3 x 5] is empty");
    REFUSED(THFloatTensor_trace(r), "expected a matrix");
    REFUSED(THFloatTensor_cross(r, x, x, 1), "dimension");
    REFUSED(THFloatTensor_cat(r, x, r, 0),
            "inconsistent tensor sizes: [3 x 5] and [1]");
    REFUSED(THFloatTensor_take(r, x, i), "out of range: ");
    REFUSED(THFloatTensor_put(x, i, r, 0), "out of range: ");
    REFUSED(THFloatTensor_renorm(r, r, 2, 0, 1), "need at least 2 dimensions");
    REFUSED(THFloatTensor_histc(r, x, 0, 0, 0), "bins must be > 0");
    tap_ok(HOLDS(r, 7) && HOLDS_LONGS(i, 15 + TH_INDEX_BASE),
           "refused calls write nothing");
    THFloatTensor_free(x);
    THFloatTensor_free(r);
    THLongTensor_free(i);
}

int main(void)
{
    handle_errors();
    for (int turned = 0; turned < 2; turned++) {
        check_sorts(turned);
        check_matrices(turned);
        check_lists(turned);
    }
    check_long_lines();
    check_refusals();
    return tap_done();
}
