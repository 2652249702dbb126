/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operations on vectors of one type in plain memory, with elements `inc` apart; on the
 * calling thread.  Operations on matrices are left out.
 */
TH_API void THBlas_(swap)(long n, real *x, long incx, real *y, long incy);
TH_API void THBlas_(scal)(long n, real a, real *x, long incx);
TH_API void THBlas_(copy)(long n, real *x, long incx, real *y, long incy);
/* y = y + a * x */
TH_API void THBlas_(axpy)(long n, real a, real *x, long incx, real *y, long incy);
TH_API real THBlas_(dot)(long n, real *x, long incx, real *y, long incy);

#ifndef TH_NO_LEFT_OUT

#define TH_NO_BLAS_(name, parameters)                                                  \
    TH_LEFT_OUT_(void, THBlas_(name), parameters, call_the_BLAS_that_the_program_links)

TH_NO_BLAS_(gemv, (char trans, long m, long n, real alpha, real *a, long lda, real *x,
                   long incx, real beta, real *y, long incy));
TH_NO_BLAS_(ger, (long m, long n, real alpha, real *x, long incx, real *y, long incy,
                  real *a, long lda));
TH_NO_BLAS_(gemm, (char transa, char transb, long m, long n, long k, real alpha,
                   real *a, long lda, real *b, long ldb, real beta, real *c, long ldc));

#undef TH_NO_BLAS_

#endif
