/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The BLAS of libbroadloom-th. It is loaded when a product first needs it: OpenBLAS
 * starts threads where it is loaded, and takes 60 KiB of the stack of every thread that
 * is made while it is linked, also of programs that multiply nothing. The declarations
 * are the library's own: names of headers and of their types differ between BLAS
 * libraries, the functions do not. Integers have 32 bits.
 */
#ifndef BROADLOOM_TH_BLAS_H
#define BROADLOOM_TH_BLAS_H

#include <stdbool.h>

/* Codes of the CBLAS interface. */
enum { TH_BLAS_COLUMN_MAJOR = 102, TH_BLAS_PLAIN = 111, TH_BLAS_TRANSPOSED = 112 };

#define TH_BLAS_DECLARE(letter, real)                                                  \
    void (*letter##gemv)(int order, int trans, int m, int n, real alpha,               \
                         const real *a, int lda, const real *x, int incx, real beta,   \
                         real *y, int incy);                                           \
    void (*letter##ger)(int order, int m, int n, real alpha, const real *x, int incx,  \
                        const real *y, int incy, real *a, int lda);                    \
    void (*letter##gemm)(int order, int transa, int transb, int m, int n, int k,       \
                         real alpha, const real *a, int lda, const real *b, int ldb,   \
                         real beta, real *c, int ldc);

struct th_blas {
    TH_BLAS_DECLARE(s, float)
    TH_BLAS_DECLARE(d, double)
    /* OpenBLAS's; not all are set where it is another BLAS. */
    int (*get_parallel)(void); /* 0: it has no threads, 1: its own, 2: OpenMP's */
    int (*get_threads)(void);
    void (*set_threads)(int threads);
};

#undef TH_BLAS_DECLARE

/* The BLAS, loaded by the first call; NULL where there is none. From any thread. */
const struct th_blas *th_blas(void);

/*
 * Find a function of the library that the BLAS is in, or of those that it needs, as a
 * pointer of any type at `place`; false where there is none.  From any thread.
 */
bool th_blas_find(const char *name, void *place);

/*
 * Find a function of LAPACK by its Fortran name, as a pointer of any type at `place`:
 * in the BLAS's library, else in liblapack.  An error that names `call`, and false,
 * where there is none.  From any thread.
 */
bool th_lapack_find(const char *call, const char *name, void *place);

/* ---- threads ----
 *
 * OpenBLAS on threads of its own lets them spin after a product, beside those of
 * OpenMP: products and element-wise calls in turn then have more running threads than
 * processors. Products are therefore split here, over a team of OpenMP, and each thread
 * calls an OpenBLAS that is limited to one. Any other BLAS uses its own threads: there
 * is no such function, or it is OpenBLAS on OpenMP, whose team is the same.
 */

/* Number of threads for a product of so many multiplications, or 1. */
int th_blas_team(double multiplications);

/* Begin and end a call of a BLAS or LAPACK: OpenBLAS has one thread between them. From
 * any thread. */
void th_blas_enter(void);
void th_blas_leave(void);

/* The first of `count` rows or columns that thread `number` of a team computes. */
static inline long th_blas_border(long count, int number, int team)
{
    const long unit = 16; /* whole registers, and no cache line of two threads */
    const long units = (count + unit - 1) / unit;
    const long border = units * number / team * unit;

    return border < count ? border : count;
}

#endif
