/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The checks of reduce.c and reduce_kept.c.  KEEP and BIASED are the arguments, with a
 * comma, of one generation of TH; DROP, if defined, drops the dimension.
 */
#include <TH/TH.h>

#include "harness/tap.h"

/* Make 1 to 6 as (2,3), stored by columns. */
static THDoubleTensor *numbers(void)
{
    THDoubleTensor *const stored = THDoubleTensor_newWithSize2d(3, 2);
    THDoubleTensor *const t = THDoubleTensor_newTranspose(stored, 0, 1);
    int next = 1;

    TH_TENSOR_APPLY(double, t, *t_data = next++;)
    THDoubleTensor_free(stored);
    return t;
}

static int near(double a, double b)
{
    return fabs(a - b) < 1e-12;
}

static void check_all(THDoubleTensor *t)
{
    THByteTensor *const bytes = THByteTensor_newWithSize1d(300);
    THFloatTensor *const odd = THFloatTensor_newWithSize1d(3);
    THDoubleTensor *const ones = THDoubleTensor_newWithSize1d(6);

    THDoubleTensor_fill(ones, 1);
    THByteTensor_fill(bytes, 200);
    tap_ok(THDoubleTensor_sumall(t) == 21 && THDoubleTensor_prodall(t) == 720 &&
               THDoubleTensor_meanall(t) == 3.5,
           "sum, product and mean of all");
    tap_ok(THByteTensor_sumall(bytes) == 60000 && THByteTensor_meanall(bytes) == 200 &&
               THByteTensor_dot(bytes, bytes) == 12000000,
           "sums of bytes are long");
    tap_ok(THDoubleTensor_maxall(t) == 6 && THDoubleTensor_minall(t) == 1, "extremes");
    THFloatTensor_fill(odd, 1);
    THFloatTensor_set1d(odd, 1, NAN);
    tap_ok(isnan(THFloatTensor_maxall(odd)) && isnan(THFloatTensor_minall(odd)),
           "NaN wins");
    tap_ok(near(THDoubleTensor_varall(t BIASED), 3.5) &&
               near(THDoubleTensor_stdall(t BIASED), sqrt(3.5)),
           "variance of all");
    tap_ok(near(THDoubleTensor_normall(t, 2), sqrt(91)) &&
               THDoubleTensor_normall(t, 1) == 21 &&
               THDoubleTensor_normall(t, 0) == 6 &&
               near(THDoubleTensor_normall(t, 3), cbrt(441)),
           "norms of all");
    tap_ok(near(THDoubleTensor_dist(t, ones, 2), sqrt(55)), "a distance");
    tap_ok(THDoubleTensor_dot(t, ones) == 21, "a product of other shapes");
    tap_ok(THByteTensor_logicalall(bytes) && THByteTensor_logicalany(bytes), "truth");
    THByteTensor_free(bytes);
    THFloatTensor_free(odd);
    THDoubleTensor_free(ones);
}

static void check_along(THDoubleTensor *t)
{
    THDoubleTensor *const r = THDoubleTensor_new();
    THLongTensor *const where = THLongTensor_new();
    THLongTensor *const whole = THLongTensor_newWithSize2d(2, 2);

    THDoubleTensor_sum(r, t, 1 KEEP);
    tap_ok(r->nDimension == 2 && r->size[1] == 1 && THDoubleTensor_get2d(r, 1, 0) == 15,
           "sums along a dimension, which stays");
    THDoubleTensor_prod(r, t, 0 KEEP);
    tap_ok(r->size[0] == 1 && THDoubleTensor_get2d(r, 0, 2) == 18, "products");
    THDoubleTensor_mean(r, t, 0 KEEP);
    tap_ok(THDoubleTensor_get2d(r, 0, 1) == 3.5, "means");
    THDoubleTensor_var(r, t, 1, 0 KEEP);
    tap_ok(near(THDoubleTensor_get2d(r, 0, 0), 1), "variances");
    THDoubleTensor_std(r, t, 1, 1 KEEP);
    tap_ok(near(THDoubleTensor_get2d(r, 0, 0), sqrt(2.0 / 3)), "deviations");
    THDoubleTensor_norm(r, t, 2, 1 KEEP);
    tap_ok(near(THDoubleTensor_get2d(r, 1, 0), sqrt(77)), "norms");
    THDoubleTensor_max(r, where, t, 1 KEEP);
    tap_ok(THDoubleTensor_get2d(r, 0, 0) == 3 && THLongTensor_get2d(where, 0, 0) == 2,
           "largest elements and where they are");
    THDoubleTensor_set2d(t, 1, 1, NAN);
    THDoubleTensor_min(r, where, t, 1 KEEP);
    tap_ok(isnan(THDoubleTensor_get2d(r, 1, 0)) &&
               THLongTensor_get2d(where, 1, 0) == 1 &&
               THLongTensor_get2d(where, 0, 0) == 0,
           "smallest elements, NaN before all");
    THDoubleTensor_set2d(t, 1, 1, 5);
    THDoubleTensor_sum(t, t, 1 KEEP);
    tap_ok(t->size[1] == 1 && THDoubleTensor_get2d(t, 1, 0) == 15, "into itself");
    THLongTensor_fill(whole, 7);
    THLongTensor_sum(whole, whole, 0 KEEP);
    tap_ok(THLongTensor_get2d(whole, 0, 1) == 14, "of integers");
    THDoubleTensor_free(r);
    THLongTensor_free(where);
    THLongTensor_free(whole);
}

#ifdef DROP
static void check_dropped(void)
{
    THDoubleTensor *const t = numbers(), *const r = THDoubleTensor_new();
    THLongTensor *const where = THLongTensor_new();

    THDoubleTensor_sum(r, t, 1 DROP);
    tap_ok(r->nDimension == 1 && r->size[0] == 2 && THDoubleTensor_get1d(r, 1) == 15,
           "a dimension that goes");
    THDoubleTensor_max(r, where, t, 0 DROP);
    tap_ok(r->nDimension == 1 && where->nDimension == 1 &&
               THDoubleTensor_get1d(r, 2) == 6 && THLongTensor_get1d(where, 2) == 1,
           "of values and indices");
    THDoubleTensor_sum(r, r, 0 DROP);
    tap_ok(r->nDimension == 1 && r->size[0] == 1 && THDoubleTensor_get1d(r, 0) == 15,
           "the only one stays");
    THDoubleTensor_free(t);
    THDoubleTensor_free(r);
    THLongTensor_free(where);
}
#else
static void check_dropped(void)
{
}
#endif

static void check_so_far(void)
{
    THDoubleTensor *const t = numbers(), *const r = THDoubleTensor_new();

    THDoubleTensor_cumsum(r, t, 1);
    tap_ok(THDoubleTensor_get2d(r, 1, 2) == 15 && THDoubleTensor_get2d(r, 0, 1) == 3,
           "sums so far");
    THDoubleTensor_cumprod(r, t, 0);
    tap_ok(THDoubleTensor_get2d(r, 1, 2) == 18 && THDoubleTensor_get2d(r, 0, 2) == 3,
           "products so far");
    THDoubleTensor_free(t);
    THDoubleTensor_free(r);
}

int main(void)
{
    THDoubleTensor *const t = numbers();

    tap_plan();
    check_all(t);
    check_along(t);
    check_dropped();
    check_so_far();
    THDoubleTensor_free(t);
    return tap_done();
}
