/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * LAPACK's functions of one type, with matrices in column-major order: left out.
 */
#define TH_NO_LAPACK_(name, parameters)                                                \
    TH_LEFT_OUT_(void, THLapack_(name), parameters,                                    \
                 call_the_LAPACK_that_the_program_links)

TH_NO_LAPACK_(gesv, (int n, int nrhs, real *a, int lda, int *ipiv, real *b, int ldb,
                     int *info));
TH_NO_LAPACK_(trtrs, (char uplo, char trans, char diag, int n, int nrhs, real *a,
                      int lda, real *b, int ldb, int *info));
TH_NO_LAPACK_(gels, (char trans, int m, int n, int nrhs, real *a, int lda, real *b,
                     int ldb, real *work, int lwork, int *info));
TH_NO_LAPACK_(syev, (char jobz, char uplo, int n, real *a, int lda, real *w, real *work,
                     int lwork, int *info));
TH_NO_LAPACK_(geev, (char jobvl, char jobvr, int n, real *a, int lda, real *wr,
                     real *wi, real *vl, int ldvl, real *vr, int ldvr, real *work,
                     int lwork, int *info));
TH_NO_LAPACK_(gesvd,
              (char jobu, char jobvt, int m, int n, real *a, int lda, real *s, real *u,
               int ldu, real *vt, int ldvt, real *work, int lwork, int *info));
TH_NO_LAPACK_(getrf, (int m, int n, real *a, int lda, int *ipiv, int *info));
TH_NO_LAPACK_(getrs, (char trans, int n, int nrhs, real *a, int lda, int *ipiv, real *b,
                      int ldb, int *info));
TH_NO_LAPACK_(getri,
              (int n, real *a, int lda, int *ipiv, real *work, int lwork, int *info));
TH_NO_LAPACK_(potrf, (char uplo, int n, real *a, int lda, int *info));
TH_NO_LAPACK_(potri, (char uplo, int n, real *a, int lda, int *info));
TH_NO_LAPACK_(potrs, (char uplo, int n, int nrhs, real *a, int lda, real *b, int ldb,
                      int *info));
TH_NO_LAPACK_(pstrf, (char uplo, int n, real *a, int lda, int *piv, int *rank, real tol,
                      real *work, int *info));
TH_NO_LAPACK_(geqrf, (int m, int n, real *a, int lda, real *tau, real *work, int lwork,
                      int *info));
TH_NO_LAPACK_(orgqr, (int m, int n, int k, real *a, int lda, real *tau, real *work,
                      int lwork, int *info));
TH_NO_LAPACK_(ormqr, (char side, char trans, int m, int n, int k, real *a, int lda,
                      real *tau, real *c, int ldc, real *work, int lwork, int *info));

#undef TH_NO_LAPACK_
