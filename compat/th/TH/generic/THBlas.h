/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operations on vectors and matrices of one type in plain memory.
 *
 * Elements of vectors are `inc` apart.  Matrices lie as in Fortran: element (i, j) of
 * `a` at a[i + j * lda].  Products of floats and doubles are the BLAS's that the
 * library was configured with, on its threads, where extents and distances fit in an
 * int; others, and all other functions, are computed on the calling thread.  Integers
 * wrap.
 */
TH_API void THBlas_(swap)(long n, real *x, long incx, real *y, long incy);
TH_API void THBlas_(scal)(long n, real a, real *x, long incx);
TH_API void THBlas_(copy)(long n, real *x, long incx, real *y, long incy);
/* y = y + a * x */
TH_API void THBlas_(axpy)(long n, real a, real *x, long incx, real *y, long incy);
TH_API real THBlas_(dot)(long n, real *x, long incx, real *y, long incy);

/* y = alpha * op(a) * x + beta * y, where `a` is m by n, and op transposes it if
 * `trans` is 't' or 'T'.  With beta = 0, what y was has no effect. */
TH_API void THBlas_(gemv)(char trans, long m, long n, real alpha, real *a, long lda,
                          real *x, long incx, real beta, real *y, long incy);
/* a = alpha * x * y' + a, where `a` is m by n */
TH_API void THBlas_(ger)(long m, long n, real alpha, real *x, long incx, real *y,
                         long incy, real *a, long lda);
/* c = alpha * op(a) * op(b) + beta * c, where op(a) is m by k and op(b) k by n.  With
 * beta = 0, what c was has no effect. */
TH_API void THBlas_(gemm)(char transa, char transb, long m, long n, long k, real alpha,
                          real *a, long lda, real *b, long ldb, real beta, real *c,
                          long ldc);
