/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions of TH that libbroadloom-th leaves out: the program defines what it calls.
 */
#define TH_NO_(name, parameters, why)                                                  \
    TH_LEFT_OUT_(void, THTensor_(name), parameters, why)

/* ---- floating-point numbers ---- */

#if defined(TH_REAL_IS_FLOAT) || defined(TH_REAL_IS_DOUBLE)

#define TH_NO_LAPACK_(name, parameters)                                                \
    TH_NO_(name, parameters, call_the_LAPACK_that_the_program_links)

TH_NO_LAPACK_(gesv, (THTensor * rb_, THTensor *ra_, THTensor *b_, THTensor *a_));
TH_NO_LAPACK_(trtrs, (THTensor * rb_, THTensor *ra_, THTensor *b_, THTensor *a_,
                      const char *uplo, const char *trans, const char *diag));
TH_NO_LAPACK_(gels, (THTensor * rb_, THTensor *ra_, THTensor *b_, THTensor *a_));
TH_NO_LAPACK_(syev, (THTensor * re_, THTensor *rv_, THTensor *a_, const char *jobz,
                     const char *uplo));
TH_NO_LAPACK_(geev, (THTensor * re_, THTensor *rv_, THTensor *a_, const char *jobvr));
TH_NO_LAPACK_(gesvd, (THTensor * ru_, THTensor *rs_, THTensor *rv_, THTensor *a,
                      const char *jobu));
TH_NO_LAPACK_(gesvd2, (THTensor * ru_, THTensor *rs_, THTensor *rv_, THTensor *ra_,
                       THTensor *a, const char *jobu));
TH_NO_LAPACK_(getri, (THTensor * ra_, THTensor *a));
TH_NO_LAPACK_(potrf, (THTensor * ra_, THTensor *a, const char *uplo));
TH_NO_LAPACK_(potrs, (THTensor * rb_, THTensor *b_, THTensor *a_, const char *uplo));
TH_NO_LAPACK_(potri, (THTensor * ra_, THTensor *a, const char *uplo));
TH_NO_LAPACK_(qr, (THTensor * rq_, THTensor *rr_, THTensor *a));
TH_NO_LAPACK_(geqrf, (THTensor * ra_, THTensor *rtau_, THTensor *a));
TH_NO_LAPACK_(orgqr, (THTensor * ra_, THTensor *a, THTensor *tau));
TH_NO_LAPACK_(ormqr, (THTensor * ra_, THTensor *a, THTensor *tau, THTensor *c,
                      const char *side, const char *trans));
TH_NO_LAPACK_(pstrf, (THTensor * ra_, THIntTensor *rpiv_, THTensor *a, const char *uplo,
                      real tol));
TH_NO_LAPACK_(btrifact, (THTensor * ra_, THIntTensor *rpivots_, THIntTensor *rinfo_,
                         int pivot, THTensor *a));
TH_NO_LAPACK_(btrisolve,
              (THTensor * rb_, THTensor *b, THTensor *atf, THIntTensor *pivots));

#define TH_NO_FUNCTION_(name, parameters)                                              \
    TH_NO_(name, parameters, it_has_no_such_function)

TH_NO_FUNCTION_(digamma, (THTensor * r_, THTensor *t));
TH_NO_FUNCTION_(trigamma, (THTensor * r_, THTensor *t));
TH_NO_FUNCTION_(polygamma, (THTensor * r_, int64_t n, THTensor *t));
TH_NO_FUNCTION_(erfinv, (THTensor * r_, THTensor *t));

#undef TH_NO_LAPACK_
#undef TH_NO_FUNCTION_

#endif

#undef TH_NO_
