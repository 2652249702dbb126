/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Products of matrices: layouts, results that share memory with operands, refusals.
 */
#include <math.h>
#include <time.h>

#include "th/kit.h"
#include "th/matrices.h"

#define TH_GENERIC_FILE "th/matrices.tmpl.h"
#include "TH/THGenerateAllTypes.h"

#define TH_GENERIC_FILE "th/products.tmpl.h"
#include "TH/THGenerateAllTypes.h"

static void check_refusals(void)
{
    THFloatTensor *const a = THFloatTensor_newWithSize2d(2, 3);
    THFloatTensor *const v = THFloatTensor_newWithSize1d(3);
    THFloatTensor *const b = THFloatTensor_newWithSize3d(2, 2, 3);
    THFloatTensor *const r = THFloatTensor_newWithSize1d(1);

    THFloatTensor_fill(r, 7);
    REFUSED(THFloatTensor_addmm(r, 1, a, 1, a, a),
            "size mismatch, m1: [2 x 3], m2: [2 x 3]");
    REFUSED(THFloatTensor_addmm(r, 1, a, 1, a, v),
            "matrices expected, got 2D, 1D tensors");
    REFUSED(THFloatTensor_addmv(r, 1, a, 1, a, v), "vector expected, got t: 2D");
    REFUSED(THFloatTensor_addmv(r, 1, v, 1, a, v),
            "size mismatch, t: [3], mat: [2 x 3], vec: [3]");
    REFUSED(THFloatTensor_addmv(r, 1, v, 1, v, a),
            "matrix and vector expected, got 1D, 2D");
    REFUSED(THFloatTensor_addr(r, 1, a, 1, v, v),
            "size mismatch, t: [2 x 3], vec1: [3], vec2: [3]");
    REFUSED(THFloatTensor_addbmm(r, 1, a, 1, b, b),
            "size mismatch, batch1: [2 x 2 x 3], batch2: [2 x 2 x 3]");
    REFUSED(THFloatTensor_match(r, a, b, 1), "m1 and m2 must have the same inner");
    tap_ok(r->nDimension == 1 && r->size[0] == 1 && THFloatTensor_get1d(r, 0) == 7,
           "a refused call writes nothing");
    THFloatTensor_free(r);
    THFloatTensor_free(b);
    THFloatTensor_free(v);
    THFloatTensor_free(a);
}

static void check_shared(void)
{
    THFloatTensor *const a = THFloatTensor_newWithSize2d(3, 3);
    THFloatTensor *const want = THFloatTensor_new();
    THFloatTensor *const turned = THFloatTensor_newTranspose(a, 0, 1);
    THFloatTensor *const row = THFloatTensor_newSelect(a, 0, 1);

    TH_TENSOR_APPLY(float, a, *a_data = (float)draw(-3, 4);)
    THFloatTensor_addmm(want, 1, a, 1, a, turned);
    THFloatTensor_addmm(a, 1, a, 1, a, turned);
    tap_ok(THFloatTensor_equal(a, want), "the result may be an operand");
    THFloatTensor_addmm(want, 0, a, 1, a, a);
    /* One row of a becomes a matrix, over the elements that are read. */
    THFloatTensor_addmm(row, 0, a, 1, a, a);
    tap_ok(THFloatTensor_equal(row, want), "and be resized over one");

    THFloatTensor_fill(want, NAN);
    THFloatTensor_fill(a, 1);
    THFloatTensor_addmm(want, 0, want, 2, a, a);
    tap_ok(THFloatTensor_minall(want) == 6 && THFloatTensor_maxall(want) == 6,
           "with beta 0, NaN in t has no effect");
    THFloatTensor_free(row);
    THFloatTensor_free(turned);
    THFloatTensor_free(want);
    THFloatTensor_free(a);
}

/* On plain memory, with the transposes and distances that THNN uses. */
static void check_plain(void)
{
    double a[6] = {1, 2, 3, 4, 5, 6}, x[4] = {1, -9, 2, -9}, y[3] = {1, 1, 1};
    double c[4] = {1, 1, 1, 1};

    THDoubleBlas_gemv('n', 3, 2, 2, a, 3, x, 2, 1, y, 1);
    tap_ok(y[0] == 19 && y[1] == 25 && y[2] == 31, "gemv");
    THDoubleBlas_gemv('T', 3, 2, 1, a, 3, y, 1, 0, x, 2);
    tap_ok(x[0] == 162 && x[2] == 387 && x[1] == -9,
           "gemv of a transpose, with a step");
    THDoubleBlas_gemm('t', 'n', 2, 2, 3, 1, a, 3, a, 3, 1, c, 2);
    tap_ok(c[0] == 15 && c[1] == 33 && c[2] == 33 && c[3] == 78, "gemm");
    THDoubleBlas_ger(2, 2, 1, a, 1, a + 4, 1, c, 2);
    tap_ok(c[0] == 20 && c[1] == 43 && c[2] == 39 && c[3] == 90, "ger");
}

/* Before there is a team of OpenMP, other threads are the BLAS's. */
static void check_threads(void)
{
    THFloatTensor *const a = THFloatTensor_newWithSize2d(300, 300);
    struct timespec start, now;
    long before, most;

    THFloatTensor_fill(a, 1);
    THSetNumThreads(1);
    THFloatTensor_addmm(a, 0, a, 1e-3F, a, a);
    usleep(100000); /* what they do where they are loaded */
    before = others_ran();
    most = before + sysconf(_SC_CLK_TCK) / 20;
    clock_gettime(CLOCK_MONOTONIC, &start);
    do {
        THFloatTensor_addmm(a, 0, a, 1e-3F, a, a);
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while ((double)(now.tv_sec - start.tv_sec) +
                 (double)(now.tv_nsec - start.tv_nsec) * 1e-9 <
             0.3);
    tap_ok(others_ran() <= most, "a BLAS's own threads do not run beside OpenMP's");
    THSetNumThreads(2);
    THFloatTensor_free(a);
}

int main(void)
{
    handle_errors();
    check_threads();
    THByteTensor_check();
    THCharTensor_check();
    THShortTensor_check();
    THIntTensor_check();
    THLongTensor_check();
    THFloatTensor_check();
    THDoubleTensor_check();
    check_refusals();
    check_shared();
    check_plain();
    return tap_done();
}
