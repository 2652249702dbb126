/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Matrices of one type in plain memory: by the BLAS where it has the type and its
 * integers hold the extents, else by loops.
 */
#if defined(TH_REAL_IS_FLOAT)
#define TH_CBLAS_(name) th_blas()->s##name
#elif defined(TH_REAL_IS_DOUBLE)
#define TH_CBLAS_(name) th_blas()->d##name
#endif
#if !defined(BLI_BLAS)
#undef TH_CBLAS_
#endif

#include "generic/wide.tmpl.h"

static bool THBlas_(isTransposed)(char trans)
{
    return trans == 't' || trans == 'T';
}

#if defined(TH_CBLAS_)

/* Compute by the BLAS; false where it cannot. */
#define TH_BY_BLAS_(name, ...) THBlas_(name)(__VA_ARGS__)

static bool THBlas_(fit)(int count, const long *numbers)
{
    if (!th_blas())
        return false;
    for (int i = 0; i < count; i++)
        if (numbers[i] > INT_MAX || numbers[i] < -INT_MAX)
            return false;
    return true;
}

#define TH_FIT(...)                                                                    \
    THBlas_(fit)(sizeof((long[]){__VA_ARGS__}) / sizeof(long), (long[]){__VA_ARGS__})
#define TH_CODE(trans) ((trans) ? TH_BLAS_TRANSPOSED : TH_BLAS_PLAIN)

/* Each thread has rows of op(a). */
static bool THBlas_(blasGemv)(bool trans, long m, long n, real alpha, const real *a,
                              long lda, const real *x, long incx, real beta, real *y,
                              long incy)
{
    const long rows = trans ? n : m;
    int team;

    if (!TH_FIT(m, n, lda, incx, incy))
        return false;
    team = th_blas_team((double)m * (double)n);
    th_blas_enter();
#pragma omp parallel for num_threads(team) if (team > 1)
    for (int i = 0; i < team; i++) {
        const long begin = th_blas_border(rows, i, team);
        const int count = (int)(th_blas_border(rows, i + 1, team) - begin);

        if (count > 0)
            TH_CBLAS_(gemv)
        (TH_BLAS_COLUMN_MAJOR, TH_CODE(trans), trans ? (int)m : count,
         trans ? count : (int)n, alpha, a + begin * (trans ? lda : 1), (int)lda, x,
         (int)incx, beta, y + begin * incy, (int)incy);
    }
    th_blas_leave();
    return true;
}

/* Each thread has columns of c, or rows where there are more. */
static bool THBlas_(blasGemm)(bool trans_a, bool trans_b, long m, long n, long k,
                              real alpha, const real *a, long lda, const real *b,
                              long ldb, real beta, real *c, long ldc)
{
    const bool by_rows = m > n;
    int team;

    if (!TH_FIT(m, n, k, lda, ldb, ldc))
        return false;
    team = th_blas_team((double)m * (double)n * (double)k);
    th_blas_enter();
#pragma omp parallel for num_threads(team) if (team > 1)
    for (int i = 0; i < team; i++) {
        const long begin = th_blas_border(by_rows ? m : n, i, team);
        const long end = th_blas_border(by_rows ? m : n, i + 1, team);
        const long row = by_rows ? begin : 0, column = by_rows ? 0 : begin;
        const long rows = by_rows ? end - begin : m,
                   columns = by_rows ? n : end - begin;

        if (end > begin)
            TH_CBLAS_(gemm)
        (TH_BLAS_COLUMN_MAJOR, TH_CODE(trans_a), TH_CODE(trans_b), (int)rows,
         (int)columns, (int)k, alpha, a + row * (trans_a ? lda : 1), (int)lda,
         b + column * (trans_b ? 1 : ldb), (int)ldb, beta, c + row + column * ldc,
         (int)ldc);
    }
    th_blas_leave();
    return true;
}

static bool THBlas_(blasGer)(long m, long n, real alpha, const real *x, long incx,
                             const real *y, long incy, real *a, long lda)
{
    if (!TH_FIT(m, n, lda, incx, incy))
        return false;
    th_blas_enter();
    TH_CBLAS_(ger)
    (TH_BLAS_COLUMN_MAJOR, (int)m, (int)n, alpha, x, (int)incx, y, (int)incy, a,
     (int)lda);
    th_blas_leave();
    return true;
}

#else
#define TH_BY_BLAS_(...) false
#endif

/* y = beta * y; with beta = 0 all elements become 0, whatever they were. */
static void THBlas_(scale)(long n, real beta, real *y, long incy)
{
    if (beta == 1)
        return;
    for (long i = 0; i < n; i++)
        y[i * incy] = beta == 0 ? 0 : (real)((TH_WIDE)beta * (TH_WIDE)y[i * incy]);
}

/* y = alpha * op(a) * x + beta * y, by loops. */
static void THBlas_(multiply)(bool trans, long m, long n, real alpha, const real *a,
                              long lda, const real *x, long incx, real beta, real *y,
                              long incy)
{
    THBlas_(scale)(trans ? n : m, beta, y, incy);
    for (long j = 0; j < n; j++) {
        const real *const column = a + j * lda;

        if (trans) {
            TH_WIDE sum = 0;

            for (long i = 0; i < m; i++)
                sum += (TH_WIDE)column[i] * (TH_WIDE)x[i * incx];
            y[j * incy] = (real)((TH_WIDE)y[j * incy] + (TH_WIDE)alpha * sum);
        } else {
            const TH_WIDE factor = (TH_WIDE)alpha * (TH_WIDE)x[j * incx];

            for (long i = 0; i < m; i++)
                y[i * incy] =
                    (real)((TH_WIDE)y[i * incy] + factor * (TH_WIDE)column[i]);
        }
    }
}

void THBlas_(gemv)(char trans, long m, long n, real alpha, real *a, long lda, real *x,
                   long incx, real beta, real *y, long incy)
{
    const bool is_transposed = THBlas_(isTransposed)(trans);

    if (n == 1)
        lda = m;
    if (TH_BY_BLAS_(blasGemv, is_transposed, m, n, alpha, a, lda, x, incx, beta, y,
                    incy))
        return;
    THBlas_(multiply)(is_transposed, m, n, alpha, a, lda, x, incx, beta, y, incy);
}

void THBlas_(ger)(long m, long n, real alpha, real *x, long incx, real *y, long incy,
                  real *a, long lda)
{
    if (n == 1)
        lda = m;
    if (TH_BY_BLAS_(blasGer, m, n, alpha, x, incx, y, incy, a, lda))
        return;
    for (long j = 0; j < n; j++)
        THBlas_(axpy)(m, (real)((TH_WIDE)alpha * (TH_WIDE)y[j * incy]), x, incx,
                      a + j * lda, 1);
}

void THBlas_(gemm)(char transa, char transb, long m, long n, long k, real alpha,
                   real *a, long lda, real *b, long ldb, real beta, real *c, long ldc)
{
    const bool trans_a = THBlas_(isTransposed)(transa);
    const bool trans_b = THBlas_(isTransposed)(transb);

    /* The distance between columns does not matter where there is one. */
    if (n == 1)
        ldc = m;
    if ((trans_a ? m : k) == 1)
        lda = trans_a ? k : m;
    if ((trans_b ? k : n) == 1)
        ldb = trans_b ? n : k;
    if (TH_BY_BLAS_(blasGemm, trans_a, trans_b, m, n, k, alpha, a, lda, b, ldb, beta, c,
                    ldc))
        return;
    for (long j = 0; j < n; j++)
        THBlas_(multiply)(trans_a, trans_a ? k : m, trans_a ? m : k, alpha, a, lda,
                          b + j * (trans_b ? 1 : ldb), trans_b ? ldb : 1, beta,
                          c + j * ldc, 1);
}

#undef TH_CBLAS_
#undef TH_BY_BLAS_
#undef TH_FIT
#undef TH_CODE
