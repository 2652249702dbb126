/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions of TH that libbroadloom-th leaves out: the program defines what it calls.
 */
#define TH_NO_(name, parameters, why)                                                  \
    TH_LEFT_OUT_(void, THTensor_(name), parameters, why)

/* ---- convolutions: of plain memory, and of tensors ---- */

#define TH_NO_PLANES_(name)                                                            \
    TH_NO_(name,                                                                       \
           (real * r_, real alpha, real * t_, long ir, long ic, real *k_, long kr,     \
            long kc, long sr, long sc),                                                \
           it_has_no_convolutions)
#define TH_NO_VOLUMES_(name)                                                           \
    TH_NO_(name,                                                                       \
           (real * r_, real alpha, real * t_, long it, long ir, long ic, real *k_,     \
            long kt, long kr, long kc, long st, long sr, long sc),                     \
           it_has_no_convolutions)
#define TH_NO_CONV_(name, ...)                                                         \
    TH_NO_(name,                                                                       \
           (THTensor * r_, real beta, real alpha, THTensor * t_, THTensor * k_,        \
            __VA_ARGS__),                                                              \
           it_has_no_convolutions)

TH_NO_PLANES_(validXCorr2Dptr);
TH_NO_PLANES_(validConv2Dptr);
TH_NO_PLANES_(fullXCorr2Dptr);
TH_NO_PLANES_(fullConv2Dptr);
TH_NO_PLANES_(validXCorr2DRevptr);
TH_NO_VOLUMES_(validXCorr3Dptr);
TH_NO_VOLUMES_(validConv3Dptr);
TH_NO_VOLUMES_(fullXCorr3Dptr);
TH_NO_VOLUMES_(fullConv3Dptr);
TH_NO_VOLUMES_(validXCorr3DRevptr);
TH_NO_CONV_(conv2DRevger, long srow, long scol);
TH_NO_CONV_(conv2DRevgerm, long srow, long scol);
TH_NO_CONV_(conv2Dger, long srow, long scol, const char *vf, const char *xc);
TH_NO_CONV_(conv2Dmv, long srow, long scol, const char *vf, const char *xc);
TH_NO_CONV_(conv2Dmm, long srow, long scol, const char *vf, const char *xc);
TH_NO_CONV_(conv2Dmul, long srow, long scol, const char *vf, const char *xc);
TH_NO_CONV_(conv2Dcmul, long srow, long scol, const char *vf, const char *xc);
TH_NO_CONV_(conv3DRevger, long sdepth, long srow, long scol);
TH_NO_CONV_(conv3Dger, long sdepth, long srow, long scol, const char *vf,
            const char *xc);
TH_NO_CONV_(conv3Dmv, long sdepth, long srow, long scol, const char *vf,
            const char *xc);
TH_NO_CONV_(conv3Dmul, long sdepth, long srow, long scol, const char *vf,
            const char *xc);
TH_NO_CONV_(conv3Dcmul, long sdepth, long srow, long scol, const char *vf,
            const char *xc);

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

#define TH_NO_ALIAS_(name, parameters) TH_NO_(name, parameters, call_multinomial)

TH_NO_ALIAS_(multinomialAliasSetup, (THTensor * probs, THLongTensor *J, THTensor *q));
TH_NO_ALIAS_(multinomialAliasDraw, (THLongTensor * self, THGenerator *generator,
                                    THLongTensor *J, THTensor *q));

#define TH_NO_FUNCTION_(name, parameters)                                              \
    TH_NO_(name, parameters, it_has_no_such_function)

TH_NO_FUNCTION_(digamma, (THTensor * r_, THTensor *t));
TH_NO_FUNCTION_(trigamma, (THTensor * r_, THTensor *t));
TH_NO_FUNCTION_(polygamma, (THTensor * r_, int64_t n, THTensor *t));
TH_NO_FUNCTION_(erfinv, (THTensor * r_, THTensor *t));

#undef TH_NO_LAPACK_
#undef TH_NO_ALIAS_
#undef TH_NO_FUNCTION_

#endif

#undef TH_NO_
#undef TH_NO_PLANES_
#undef TH_NO_VOLUMES_
#undef TH_NO_CONV_
