/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Linear algebra by LAPACK: known results, results in each layout, refusals, threads.
 */
#include <math.h>
#include <time.h>

#include "th/kit.h"
#include "th/matrices.h"

#define TH_GENERIC_FILE "th/matrices.tmpl.h"
#include "TH/THGenerateFloatTypes.h"

/* How a call is made: results are new, or the operands, or those that are NULL then. */
enum manner { NEW, OPERANDS, NULLS, MANNERS };

/* The largest absolute value; not a number where an element is none. */
static double largest(THDoubleTensor *t)
{
    double most = 0;

    TH_TENSOR_APPLY(double, t, {
        if (!(fabs(*t_data) <= most))
            most = fabs(*t_data);
    })
    return most;
}

#define TH_GENERIC_FILE "th/lapack.tmpl.h"
#include "TH/THGenerateFloatTypes.h"

#define TH_GENERIC_FILE "th/lapack_spectra.tmpl.h"
#include "TH/THGenerateFloatTypes.h"

/* ---- known results ---- */

/* A matrix of these elements, by rows. */
static THDoubleTensor *matrix(long rows, long columns, const double *elements)
{
    THDoubleTensor *const t = THDoubleTensor_newWithSize2d(rows, columns);

    memcpy(THDoubleTensor_data(t), elements,
           (size_t)(rows * columns) * sizeof *elements);
    return t;
}

/* Whether a tensor has these elements, in row-major order, within rounding. */
static int has(THDoubleTensor *t, long count, const double *want)
{
    long i = 0;
    int good = THDoubleTensor_nElement(t) == count;

    TH_TENSOR_APPLY(double, t, {
        good = good && fabs(*t_data - want[i]) <= 1e-14;
        i++;
    })
    return good;
}

#define MATRIX(rows, columns, ...)                                                     \
    matrix(rows, columns, (const double[(rows) * (columns)]){__VA_ARGS__})
#define HAS(t, ...)                                                                    \
    has(t, sizeof((double[]){__VA_ARGS__}) / sizeof(double),                           \
        (const double[]){__VA_ARGS__})

static void check_known(void)
{
    THDoubleTensor *const a = MATRIX(2, 2, 2, 1, 4, 3), *const b = MATRIX(2, 1, 3, 5);
    THDoubleTensor *const line = MATRIX(3, 2, 1, 0, 1, 1, 1, 2);
    THDoubleTensor *const points = MATRIX(3, 1, 1, 2, 4);
    THDoubleTensor *const r = THDoubleTensor_new(), *const s = THDoubleTensor_new();
    THDoubleTensor *const u = THDoubleTensor_new();
    THIntTensor *const pivots = THIntTensor_new();

    THDoubleTensor_gesv(r, s, b, a);
    tap_ok(HAS(r, 2, -1) && HAS(s, 4, 3, .5, -.5), "gesv: L and U with rows permuted");
    THDoubleTensor_getri(r, a);
    tap_ok(HAS(r, 1.5, -.5, -2, 1), "getri");
    THDoubleTensor_gels(r, s, points, line);
    tap_ok(HAS(r, 5. / 6, 1.5) &&
               fabs(pow(THDoubleTensor_data(r)[2], 2) - 1. / 6) < 1e-14,
           "gels: a line through three points, and below it the residual");
    THDoubleTensor_set2d(a, 0, 0, 4);
    THDoubleTensor_set2d(a, 0, 1, 4);
    THDoubleTensor_set2d(a, 1, 1, 5);
    THDoubleTensor_potrf(r, a, "U");
    tap_ok(HAS(r, 2, 2, 0, 1), "potrf: U");
    THDoubleTensor_potrf(r, a, "L");
    tap_ok(HAS(r, 2, 0, 2, 1), "and L");
    THDoubleTensor_potri(s, r, "L");
    tap_ok(HAS(s, 1.25, -1, -1, 1), "potri: both triangles of the inverse");
    THDoubleTensor_pstrf(r, pivots, a, "U", -1);
    tap_ok(THIntTensor_get1d(pivots, 0) == 2 && THIntTensor_get1d(pivots, 1) == 1 &&
               fabs(THDoubleTensor_get2d(r, 0, 0) - sqrt(5)) < 1e-14,
           "pstrf: the largest diagonal element first, counted from 1");
    THDoubleTensor_set2d(a, 1, 1, 4);
    THDoubleTensor_syev(r, s, a, "N", "U");
    tap_ok(HAS(r, 0, 8), "syev: values in ascending order");
    THDoubleTensor_set2d(a, 1, 0, -4);
    THDoubleTensor_geev(r, s, a, "N");
    tap_ok(HAS(r, 4, 4, 4, -4), "geev: a conjugate pair");
    THDoubleTensor_narrow(points, points, 0, 1, 2);
    THDoubleTensor_set2d(points, 0, 0, 3);
    THDoubleTensor_qr(r, s, points);
    tap_ok(HAS(r, -.6, -.8) && HAS(s, -5), "qr");
    THDoubleTensor_gesvd(u, r, s, points, "S");
    tap_ok(HAS(r, 5), "gesvd");
    THIntTensor_free(pivots);
    THDoubleTensor_freeAll(7, (THDoubleTensor *[]){a, b, line, points, r, s, u});
}

/* A result that is a view of something larger leaves the rest of that alone. */
static void check_views(void)
{
    THFloatTensor *const a = THFloatTensor_regular(ROWS, 3, 3);
    THFloatTensor *const whole = THFloatTensor_newWithSize2d(5, 7);
    THFloatTensor *const view = THFloatTensor_new(), *const want = THFloatTensor_new();
    THFloatTensor *const vector = THFloatTensor_newWithSize1d(3);
    double rest;

    THFloatTensor_fill(whole, 1000);
    THFloatTensor_narrow(view, whole, 0, 1, 3);
    THFloatTensor_narrow(view, view, 1, 2, 3);
    THFloatTensor_getri(want, a);
    THFloatTensor_getri(view, a);
    rest = THFloatTensor_sumall(whole) - THFloatTensor_sumall(view);
    tap_ok(THFloatTensor_equal(view, want) && view->stride[0] == 7 && rest == 26000,
           "a part of a matrix as result keeps its place, and the rest its elements");
    THFloatTensor_fill(vector, 1);
    THFloatTensor_gesv(vector, want, NULL, a);
    tap_ok(vector->nDimension == 2 && vector->size[0] == 3 && vector->size[1] == 1,
           "the solution for a vector is a matrix of one column");
    THFloatTensor_free(vector);
    THFloatTensor_free(want);
    THFloatTensor_free(view);
    THFloatTensor_free(whole);
    THFloatTensor_free(a);
}

/* OpenBLAS's own threads compute no factors beside those of OpenMP. */
static void check_threads(void)
{
    THFloatTensor *const a = THFloatTensor_newWithSize2d(300, 300);
    THFloatTensor *const r = THFloatTensor_new();
    struct timespec start, now;
    long most;

    THFloatTensor_eye(a, 300, 300);
    THSetNumThreads(1);
    THFloatTensor_getri(r, a);
    usleep(100000); /* what they do where they are loaded */
    most = others_ran() + sysconf(_SC_CLK_TCK) / 20;
    clock_gettime(CLOCK_MONOTONIC, &start);
    do {
        THFloatTensor_getri(r, a);
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while ((double)(now.tv_sec - start.tv_sec) +
                 (double)(now.tv_nsec - start.tv_nsec) * 1e-9 <
             0.3);
    tap_ok(others_ran() <= most, "a LAPACK's own threads do not run beside OpenMP's");
    THSetNumThreads(2);
    THFloatTensor_free(r);
    THFloatTensor_free(a);
}

int main(void)
{
    double one = 1;
    int info;

    handle_errors();
    TRY(THDoubleLapack_potrf('U', 1, &one, 1, &info));
    if (strstr(said, "Lapack library not found")) {
        tap_skip(said, "linear algebra");
        return tap_done();
    }
    check_threads();
    THFloatTensor_check();
    THDoubleTensor_check();
    check_known();
    check_views();
    return tap_done();
}
