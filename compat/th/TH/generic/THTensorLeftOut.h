/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What TH has and libbroadloom-th has not: calls do not compile, and say why.
 */
#define TH_NO_BLAS_                                                                    \
    TH_LEFT_OUT_("libbroadloom-th has no matrix products: call the BLAS that the "     \
                 "program links")
#define TH_NO_LAPACK_                                                                  \
    TH_LEFT_OUT_("libbroadloom-th has no LAPACK: call the one that the program links")
#define TH_NO_ALIAS_ TH_LEFT_OUT_("libbroadloom-th has no alias tables: multinomial")
#define TH_NO_CONV_  TH_LEFT_OUT_("libbroadloom-th has no convolutions")
#define TH_NO_SORT_  TH_LEFT_OUT_("libbroadloom-th does not sort")
#define TH_NO_INDEX_ TH_LEFT_OUT_("libbroadloom-th takes no elements by number")
#define TH_NO_MATRIX_                                                                  \
    TH_LEFT_OUT_("libbroadloom-th has no operations of matrices and lists")

TH_API void THTensor_(addmv)(THTensor *r_, real beta, THTensor *t, real alpha,
                             THTensor *mat, THTensor *vec) TH_NO_BLAS_;
TH_API void THTensor_(addmm)(THTensor *r_, real beta, THTensor *t, real alpha,
                             THTensor *mat1, THTensor *mat2) TH_NO_BLAS_;
TH_API void THTensor_(addr)(THTensor *r_, real beta, THTensor *t, real alpha,
                            THTensor *vec1, THTensor *vec2) TH_NO_BLAS_;
TH_API void THTensor_(addbmm)(THTensor *r_, real beta, THTensor *t, real alpha,
                              THTensor *batch1, THTensor *batch2) TH_NO_BLAS_;
TH_API void THTensor_(baddbmm)(THTensor *r_, real beta, THTensor *t, real alpha,
                               THTensor *batch1, THTensor *batch2) TH_NO_BLAS_;
TH_API void THTensor_(match)(THTensor *r_, THTensor *m1, THTensor *m2,
                             real gain) TH_NO_BLAS_;

TH_API void THTensor_(validXCorr2Dptr)(THTensor *r_, ...) TH_NO_CONV_;
TH_API void THTensor_(validConv2Dptr)(THTensor *r_, ...) TH_NO_CONV_;
TH_API void THTensor_(fullXCorr2Dptr)(THTensor *r_, ...) TH_NO_CONV_;
TH_API void THTensor_(fullConv2Dptr)(THTensor *r_, ...) TH_NO_CONV_;
TH_API void THTensor_(validXCorr2DRevptr)(THTensor *r_, ...) TH_NO_CONV_;
TH_API void THTensor_(conv2DRevger)(THTensor *r_, ...) TH_NO_CONV_;
TH_API void THTensor_(conv2DRevgerm)(THTensor *r_, ...) TH_NO_CONV_;
TH_API void THTensor_(conv2Dger)(THTensor *r_, ...) TH_NO_CONV_;
TH_API void THTensor_(conv2Dmv)(THTensor *r_, ...) TH_NO_CONV_;
TH_API void THTensor_(conv2Dmm)(THTensor *r_, ...) TH_NO_CONV_;
TH_API void THTensor_(conv2Dmul)(THTensor *r_, ...) TH_NO_CONV_;
TH_API void THTensor_(conv2Dcmul)(THTensor *r_, ...) TH_NO_CONV_;
TH_API void THTensor_(validXCorr3Dptr)(THTensor *r_, ...) TH_NO_CONV_;
TH_API void THTensor_(validConv3Dptr)(THTensor *r_, ...) TH_NO_CONV_;
TH_API void THTensor_(fullXCorr3Dptr)(THTensor *r_, ...) TH_NO_CONV_;
TH_API void THTensor_(fullConv3Dptr)(THTensor *r_, ...) TH_NO_CONV_;
TH_API void THTensor_(validXCorr3DRevptr)(THTensor *r_, ...) TH_NO_CONV_;
TH_API void THTensor_(conv3DRevger)(THTensor *r_, ...) TH_NO_CONV_;
TH_API void THTensor_(conv3Dger)(THTensor *r_, ...) TH_NO_CONV_;
TH_API void THTensor_(conv3Dmv)(THTensor *r_, ...) TH_NO_CONV_;
TH_API void THTensor_(conv3Dmul)(THTensor *r_, ...) TH_NO_CONV_;
TH_API void THTensor_(conv3Dcmul)(THTensor *r_, ...) TH_NO_CONV_;

TH_API void THTensor_(sort)(THTensor *rt_, THLongTensor *ri_, THTensor *t,
                            int dimension, int descendingOrder) TH_NO_SORT_;
TH_API void THTensor_(topk)(THTensor *rt_, THLongTensor *ri_, THTensor *t, long k,
                            int dim, int dir, int sorted) TH_NO_SORT_;
TH_API void THTensor_(kthvalue)(THTensor *values_, THLongTensor *indices_, THTensor *t,
                                long k,
                                int dimension TH_KEEPDIM_PARAMETER_) TH_NO_SORT_;
TH_API void THTensor_(mode)(THTensor *values_, THLongTensor *indices_, THTensor *t,
                            int dimension TH_KEEPDIM_PARAMETER_) TH_NO_SORT_;
TH_API void THTensor_(median)(THTensor *values_, THLongTensor *indices_, THTensor *t,
                              int dimension TH_KEEPDIM_PARAMETER_) TH_NO_SORT_;

TH_API void THTensor_(take)(THTensor *tensor, THTensor *src,
                            THLongTensor *index) TH_NO_INDEX_;
TH_API void THTensor_(put)(THTensor *tensor, THLongTensor *index, THTensor *src,
                           int accumulate) TH_NO_INDEX_;

TH_API void THTensor_(cross)(THTensor *r_, THTensor *a, THTensor *b,
                             int dimension) TH_NO_MATRIX_;
TH_API void THTensor_(diag)(THTensor *r_, THTensor *t, int k) TH_NO_MATRIX_;
TH_API void THTensor_(eye)(THTensor *r_, long n, long m) TH_NO_MATRIX_;
TH_API void THTensor_(tril)(THTensor *r_, THTensor *t, long k) TH_NO_MATRIX_;
TH_API void THTensor_(triu)(THTensor *r_, THTensor *t, long k) TH_NO_MATRIX_;
TH_API void THTensor_(cat)(THTensor *r_, THTensor *ta, THTensor *tb,
                           int dimension) TH_NO_MATRIX_;
TH_API void THTensor_(catArray)(THTensor *result, THTensor **inputs, int numInputs,
                                int dimension) TH_NO_MATRIX_;
TH_API void THTensor_(renorm)(THTensor *r_, THTensor *t, real value, int dimension,
                              real maxnorm) TH_NO_MATRIX_;
TH_API void THTensor_(histc)(THTensor *hist, THTensor *tensor, long nbins,
                             real minvalue, real maxvalue) TH_NO_MATRIX_;
TH_API void THTensor_(bhistc)(THTensor *hist, THTensor *tensor, long nbins,
                              real minvalue, real maxvalue) TH_NO_MATRIX_;

TH_API accreal THTensor_(trace)(THTensor *t) TH_NO_MATRIX_;
TH_API real THTensor_(medianall)(THTensor *t) TH_NO_SORT_;

#if defined(TH_REAL_IS_FLOAT) || defined(TH_REAL_IS_DOUBLE)
TH_API void THTensor_(gesv)(THTensor *r_, ...) TH_NO_LAPACK_;
TH_API void THTensor_(trtrs)(THTensor *r_, ...) TH_NO_LAPACK_;
TH_API void THTensor_(gels)(THTensor *r_, ...) TH_NO_LAPACK_;
TH_API void THTensor_(syev)(THTensor *r_, ...) TH_NO_LAPACK_;
TH_API void THTensor_(geev)(THTensor *r_, ...) TH_NO_LAPACK_;
TH_API void THTensor_(gesvd)(THTensor *r_, ...) TH_NO_LAPACK_;
TH_API void THTensor_(gesvd2)(THTensor *r_, ...) TH_NO_LAPACK_;
TH_API void THTensor_(getri)(THTensor *r_, ...) TH_NO_LAPACK_;
TH_API void THTensor_(potrf)(THTensor *r_, ...) TH_NO_LAPACK_;
TH_API void THTensor_(potrs)(THTensor *r_, ...) TH_NO_LAPACK_;
TH_API void THTensor_(potri)(THTensor *r_, ...) TH_NO_LAPACK_;
TH_API void THTensor_(qr)(THTensor *r_, ...) TH_NO_LAPACK_;
TH_API void THTensor_(geqrf)(THTensor *r_, ...) TH_NO_LAPACK_;
TH_API void THTensor_(orgqr)(THTensor *r_, ...) TH_NO_LAPACK_;
TH_API void THTensor_(ormqr)(THTensor *r_, ...) TH_NO_LAPACK_;
TH_API void THTensor_(pstrf)(THTensor *r_, ...) TH_NO_LAPACK_;
TH_API void THTensor_(btrifact)(THTensor *r_, ...) TH_NO_LAPACK_;
TH_API void THTensor_(btrisolve)(THTensor *r_, ...) TH_NO_LAPACK_;

TH_API void THTensor_(multinomialAliasSetup)(THTensor *probs, THLongTensor *J,
                                             THTensor *q) TH_NO_ALIAS_;
TH_API void THTensor_(multinomialAliasDraw)(THLongTensor *self, THGenerator *generator,
                                            THLongTensor *J, THTensor *q) TH_NO_ALIAS_;
#endif

#undef TH_NO_BLAS_
#undef TH_NO_LAPACK_
#undef TH_NO_ALIAS_
#undef TH_NO_CONV_
#undef TH_NO_SORT_
#undef TH_NO_INDEX_
#undef TH_NO_MATRIX_
