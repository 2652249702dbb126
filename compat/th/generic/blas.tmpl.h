/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Vectors of one type in plain memory, with any distance between elements.
 */

#include "generic/wide.tmpl.h"

/* The type of long sums. */
#if defined(TH_REAL_IS_FLOAT) || defined(TH_REAL_IS_DOUBLE)
#define TH_SUM accreal
#else
#define TH_SUM uint64_t
#endif

void THBlas_(swap)(long n, real *x, long incx, real *y, long incy)
{
    for (long i = 0; i < n; i++) {
        const real kept = x[i * incx];

        x[i * incx] = y[i * incy];
        y[i * incy] = kept;
    }
}

/* x = a * x; with a = 0 all elements become 0, NaN and infinities too. */
void THBlas_(scal)(long n, real a, real *x, long incx)
{
    for (long i = 0; i < n; i++)
        x[i * incx] = a == 0 ? 0 : (real)((TH_WIDE)x[i * incx] * (TH_WIDE)a);
}

void THBlas_(copy)(long n, real *x, long incx, real *y, long incy)
{
    for (long i = 0; i < n; i++)
        y[i * incy] = x[i * incx];
}

void THBlas_(axpy)(long n, real a, real *x, long incx, real *y, long incy)
{
    if (incx == 1 && incy == 1) {
        for (long i = 0; i < n; i++)
            y[i] = (real)((TH_WIDE)y[i] + (TH_WIDE)a * (TH_WIDE)x[i]);
        return;
    }
    for (long i = 0; i < n; i++)
        y[i * incy] = (real)((TH_WIDE)y[i * incy] + (TH_WIDE)a * (TH_WIDE)x[i * incx]);
}

real THBlas_(dot)(long n, real *x, long incx, real *y, long incy)
{
    TH_SUM sum = 0;

    for (long i = 0; i < n; i++)
        sum += (TH_SUM)x[i * incx] * (TH_SUM)y[i * incy];
    return (real)sum;
}

#undef TH_SUM
