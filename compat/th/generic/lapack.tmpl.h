/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * LAPACK's functions of one type by their Fortran names: every argument is a pointer,
 * and after them come the lengths of those that are characters.
 */
#if defined(TH_REAL_IS_FLOAT)
#define TH_FORTRAN_NAME(name) "s" #name "_"
#else
#define TH_FORTRAN_NAME(name) "d" #name "_"
#endif

/* Call a function whose parameters have these types. */
#define TH_FORTRAN(name, types, ...)                                                   \
    do {                                                                               \
        void(*function) types;                                                         \
                                                                                       \
        if (th_lapack_find(#name, TH_FORTRAN_NAME(name), &function)) {                 \
            th_blas_enter();                                                           \
            function(__VA_ARGS__);                                                     \
            th_blas_leave();                                                           \
        }                                                                              \
    } while (0)

/* ---- systems of equations ---- */

void THLapack_(gesv)(int n, int nrhs, real *a, int lda, int *ipiv, real *b, int ldb,
                     int *info)
{
    TH_FORTRAN(gesv, (int *, int *, real *, int *, int *, real *, int *, int *), &n,
               &nrhs, a, &lda, ipiv, b, &ldb, info);
}

void THLapack_(trtrs)(char uplo, char trans, char diag, int n, int nrhs, real *a,
                      int lda, real *b, int ldb, int *info)
{
    TH_FORTRAN(trtrs,
               (char *, char *, char *, int *, int *, real *, int *, real *, int *,
                int *, size_t, size_t, size_t),
               &uplo, &trans, &diag, &n, &nrhs, a, &lda, b, &ldb, info, 1, 1, 1);
}

void THLapack_(gels)(char trans, int m, int n, int nrhs, real *a, int lda, real *b,
                     int ldb, real *work, int lwork, int *info)
{
    TH_FORTRAN(gels,
               (char *, int *, int *, int *, real *, int *, real *, int *, real *,
                int *, int *, size_t),
               &trans, &m, &n, &nrhs, a, &lda, b, &ldb, work, &lwork, info, 1);
}

void THLapack_(getrf)(int m, int n, real *a, int lda, int *ipiv, int *info)
{
    TH_FORTRAN(getrf, (int *, int *, real *, int *, int *, int *), &m, &n, a, &lda,
               ipiv, info);
}

void THLapack_(getrs)(char trans, int n, int nrhs, real *a, int lda, int *ipiv, real *b,
                      int ldb, int *info)
{
    TH_FORTRAN(
        getrs,
        (char *, int *, int *, real *, int *, int *, real *, int *, int *, size_t),
        &trans, &n, &nrhs, a, &lda, ipiv, b, &ldb, info, 1);
}

void THLapack_(getri)(int n, real *a, int lda, int *ipiv, real *work, int lwork,
                      int *info)
{
    TH_FORTRAN(getri, (int *, real *, int *, int *, real *, int *, int *), &n, a, &lda,
               ipiv, work, &lwork, info);
}

/* ---- symmetric positive definite matrices ---- */

void THLapack_(potrf)(char uplo, int n, real *a, int lda, int *info)
{
    TH_FORTRAN(potrf, (char *, int *, real *, int *, int *, size_t), &uplo, &n, a, &lda,
               info, 1);
}

void THLapack_(potri)(char uplo, int n, real *a, int lda, int *info)
{
    TH_FORTRAN(potri, (char *, int *, real *, int *, int *, size_t), &uplo, &n, a, &lda,
               info, 1);
}

void THLapack_(potrs)(char uplo, int n, int nrhs, real *a, int lda, real *b, int ldb,
                      int *info)
{
    TH_FORTRAN(potrs,
               (char *, int *, int *, real *, int *, real *, int *, int *, size_t),
               &uplo, &n, &nrhs, a, &lda, b, &ldb, info, 1);
}

void THLapack_(pstrf)(char uplo, int n, real *a, int lda, int *piv, int *rank, real tol,
                      real *work, int *info)
{
    TH_FORTRAN(
        pstrf,
        (char *, int *, real *, int *, int *, int *, real *, real *, int *, size_t),
        &uplo, &n, a, &lda, piv, rank, &tol, work, info, 1);
}

/* ---- orthogonal factors, eigenvalues, singular values ---- */

void THLapack_(geqrf)(int m, int n, real *a, int lda, real *tau, real *work, int lwork,
                      int *info)
{
    TH_FORTRAN(geqrf, (int *, int *, real *, int *, real *, real *, int *, int *), &m,
               &n, a, &lda, tau, work, &lwork, info);
}

void THLapack_(orgqr)(int m, int n, int k, real *a, int lda, real *tau, real *work,
                      int lwork, int *info)
{
    TH_FORTRAN(orgqr,
               (int *, int *, int *, real *, int *, real *, real *, int *, int *), &m,
               &n, &k, a, &lda, tau, work, &lwork, info);
}

void THLapack_(ormqr)(char side, char trans, int m, int n, int k, real *a, int lda,
                      real *tau, real *c, int ldc, real *work, int lwork, int *info)
{
    TH_FORTRAN(ormqr,
               (char *, char *, int *, int *, int *, real *, int *, real *, real *,
                int *, real *, int *, int *, size_t, size_t),
               &side, &trans, &m, &n, &k, a, &lda, tau, c, &ldc, work, &lwork, info, 1,
               1);
}

void THLapack_(syev)(char jobz, char uplo, int n, real *a, int lda, real *w, real *work,
                     int lwork, int *info)
{
    TH_FORTRAN(syev,
               (char *, char *, int *, real *, int *, real *, real *, int *, int *,
                size_t, size_t),
               &jobz, &uplo, &n, a, &lda, w, work, &lwork, info, 1, 1);
}

void THLapack_(geev)(char jobvl, char jobvr, int n, real *a, int lda, real *wr,
                     real *wi, real *vl, int ldvl, real *vr, int ldvr, real *work,
                     int lwork, int *info)
{
    TH_FORTRAN(geev,
               (char *, char *, int *, real *, int *, real *, real *, real *, int *,
                real *, int *, real *, int *, int *, size_t, size_t),
               &jobvl, &jobvr, &n, a, &lda, wr, wi, vl, &ldvl, vr, &ldvr, work, &lwork,
               info, 1, 1);
}

void THLapack_(gesvd)(char jobu, char jobvt, int m, int n, real *a, int lda, real *s,
                      real *u, int ldu, real *vt, int ldvt, real *work, int lwork,
                      int *info)
{
    TH_FORTRAN(gesvd,
               (char *, char *, int *, int *, real *, int *, real *, real *, int *,
                real *, int *, real *, int *, int *, size_t, size_t),
               &jobu, &jobvt, &m, &n, a, &lda, s, u, &ldu, vt, &ldvt, work, &lwork,
               info, 1, 1);
}

#undef TH_FORTRAN
#undef TH_FORTRAN_NAME
