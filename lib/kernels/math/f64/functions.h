/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Vector mathematics of doubles: for each VECTOR operator of ops.def (pow: squares.h)
 * a function
 *
 *   static void bli_<name>_f64(double *r, const double *a[, const double *b],
 *                              int64_t count)
 *
 * of blocks of count >= 1 elements; r may be a or b. An element's result depends on
 * nothing except that element. Within 1 ULP; erfc 1.5; sigmoid, silu and gelu 4;
 * logaddexp 4, of its larger argument where that is more; lgamma of negative arguments
 * 1e-15 where that is more. Raises "invalid", "overflow" and "divide by zero" as the
 * function does; "underflow" may be missing and "inexact" may be raised or not.
 *
 * With SLEEF the bits are the same on all instruction sets with FMA, and on all
 * machines in the base kernels; without it they are those of the C library.
 */
#ifndef BLI_F64_FUNCTIONS_H
#define BLI_F64_FUNCTIONS_H

#if BLI_HAVE_SLEEF && defined(__SSE2__)
#include "kernels/math/f64/composed.h"
#else
#include "kernels/math/f64/fallback.h"
#endif

/*
 * The angle of a real number: pi for a negative one, NaN for NaN, else 0, also for -0.
 */
static void bli_angle_f64(double *r, const double *a, int64_t count)
{
    const double pi = 3.14159265358979323846;

    for (int64_t j = 0; j < count; j++) {
        const uint64_t bits = bli_bits_of_f64(a[j]);
        const bool is_nan = (bits & INT64_MAX) > UINT64_C(0x7ff0000000000000);
        const bool is_below = (int64_t)bits < 0 && (bits & INT64_MAX) != 0;

        r[j] = bli_choose_f64(is_nan, a[j], bli_choose_f64(is_below, pi, 0));
    }
}

#endif
