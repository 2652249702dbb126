/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Element-wise operations of one type, masks and comparisons.
 *
 * Operands of an operation must have the same number of elements, whatever their
 * shapes: the k-th is paired with the k-th, in row-major order.  The result, first, is
 * resized to the shape of the operand after it, unless it has that shape; it may be
 * that operand.  Nothing is written where an error is found, except with overlapping
 * operands, which give the result of the sequential loop over all elements.
 */
TH_API void THTensor_(fill)(THTensor *r_, real value);
TH_API void THTensor_(zero)(THTensor *r_);

/* ---- of one tensor ---- */

#define TH_UNARY_(name) TH_API void THTensor_(name)(THTensor * r_, THTensor * t);

TH_UNARY_(neg)
TH_UNARY_(sign)
TH_UNARY_(abs)
TH_UNARY_(cinv) /* 1 / t; integers are truncated, and 0 is an error */

#if defined(TH_REAL_IS_FLOAT) || defined(TH_REAL_IS_DOUBLE)
TH_UNARY_(sigmoid)
TH_UNARY_(log)
TH_UNARY_(log10)
TH_UNARY_(log1p)
TH_UNARY_(log2)
TH_UNARY_(exp)
TH_UNARY_(expm1)
TH_UNARY_(cos)
TH_UNARY_(acos)
TH_UNARY_(cosh)
TH_UNARY_(sin)
TH_UNARY_(asin)
TH_UNARY_(sinh)
TH_UNARY_(tan)
TH_UNARY_(atan)
TH_UNARY_(tanh)
TH_UNARY_(erf)
TH_UNARY_(erfc)
TH_UNARY_(lgamma)
TH_UNARY_(sqrt)
TH_UNARY_(rsqrt)
TH_UNARY_(ceil)
TH_UNARY_(floor)
TH_UNARY_(round) /* halves away from 0 */
TH_UNARY_(trunc)
TH_UNARY_(frac)
#endif

/* ---- of a tensor and a scalar ---- */

#define TH_SCALAR_(name)                                                               \
    TH_API void THTensor_(name)(THTensor * r_, THTensor * t, real value);

TH_SCALAR_(add)
TH_SCALAR_(sub)
TH_SCALAR_(mul)
TH_SCALAR_(div)
TH_SCALAR_(fmod)
TH_SCALAR_(remainder)
TH_SCALAR_(lshift)
TH_SCALAR_(rshift) /* of integers: a logical shift */
TH_SCALAR_(bitand)
TH_SCALAR_(bitor)
TH_SCALAR_(bitxor)
TH_SCALAR_(pow)
TH_SCALAR_(cmaxValue)
TH_SCALAR_(cminValue)

TH_API void THTensor_(tpow)(THTensor *r_, real value, THTensor *t);
TH_API void THTensor_(clamp)(THTensor *r_, THTensor *t, real min_value, real max_value);

/* ---- of two tensors ---- */

#define TH_PAIRED_(name)                                                               \
    TH_API void THTensor_(name)(THTensor * r_, THTensor * t, THTensor * src);

TH_PAIRED_(cmul)
TH_PAIRED_(cdiv)
TH_PAIRED_(cpow)
TH_PAIRED_(cfmod)
TH_PAIRED_(cremainder)
TH_PAIRED_(clshift)
TH_PAIRED_(crshift)
TH_PAIRED_(cbitand)
TH_PAIRED_(cbitor)
TH_PAIRED_(cbitxor)
TH_PAIRED_(cmax) /* t > src ? t : src */
TH_PAIRED_(cmin) /* t < src ? t : src */

/* t + value * src, t - value * src */
TH_API void THTensor_(cadd)(THTensor *r_, THTensor *t, real value, THTensor *src);
TH_API void THTensor_(csub)(THTensor *r_, THTensor *t, real value, THTensor *src);

#if defined(TH_REAL_IS_FLOAT) || defined(TH_REAL_IS_DOUBLE)
TH_PAIRED_(atan2)
/* t + weight * (src - t) */
TH_API void THTensor_(lerp)(THTensor *r_, THTensor *t, THTensor *src, real weight);
#endif

/* ---- of three tensors: t + value * src1 * src2, t + value * src1 / src2 ---- */

TH_API void THTensor_(addcmul)(THTensor *r_, THTensor *t, real value, THTensor *src1,
                               THTensor *src2);
TH_API void THTensor_(addcdiv)(THTensor *r_, THTensor *t, real value, THTensor *src1,
                               THTensor *src2);

/* ---- comparisons: 0 or 1, as bytes or as elements ---- */

#define TH_COMPARE_(name)                                                              \
    TH_API void THTensor_(name##Value)(THByteTensor * r_, THTensor * t, real value);   \
    TH_API void THTensor_(name##ValueT)(THTensor * r_, THTensor * t, real value);      \
    TH_API void THTensor_(name##Tensor)(THByteTensor * r_, THTensor * ta,              \
                                        THTensor * tb);                                \
    TH_API void THTensor_(name##TensorT)(THTensor * r_, THTensor * ta, THTensor * tb);

TH_COMPARE_(lt)
TH_COMPARE_(le)
TH_COMPARE_(gt)
TH_COMPARE_(ge)
TH_COMPARE_(ne)
TH_COMPARE_(eq)

/* Whether both have the same shape and elements. */
TH_API int THTensor_(equal)(THTensor *ta, THTensor *tb);

/* ---- masks: bytes of 0 and 1 ---- */

TH_API void THTensor_(maskedFill)(THTensor *tensor, THByteTensor *mask, real value);

/* Write elements of `src` in logical order where the mask is 1; an error if too few. */
TH_API void THTensor_(maskedCopy)(THTensor *tensor, THByteTensor *mask, THTensor *src);

/* A vector of the elements of `src` where the mask is 1. */
TH_API void THTensor_(maskedSelect)(THTensor *tensor, THTensor *src,
                                    THByteTensor *mask);

/* ---- products of matrices ----
 *
 * Operands are views of any strides; those that a BLAS takes are not copied.  Nothing
 * is written where shapes are refused.  With beta = 0, elements of `t` have no effect.
 * r_ may be any operand, or share memory with it.  Products of floats and doubles are
 * the BLAS's, in its order of summation; without one they are loops on the calling
 * thread.
 */

/* r_ = beta * t + alpha * mat * vec */
TH_API void THTensor_(addmv)(THTensor *r_, real beta, THTensor *t, real alpha,
                             THTensor *mat, THTensor *vec);
/* r_ = beta * t + alpha * mat1 * mat2 */
TH_API void THTensor_(addmm)(THTensor *r_, real beta, THTensor *t, real alpha,
                             THTensor *mat1, THTensor *mat2);
/* r_ = beta * t + alpha * vec1 * vec2', a matrix */
TH_API void THTensor_(addr)(THTensor *r_, real beta, THTensor *t, real alpha,
                            THTensor *vec1, THTensor *vec2);
/* r_ = beta * t + alpha * the sum of batch1[i] * batch2[i], a matrix */
TH_API void THTensor_(addbmm)(THTensor *r_, real beta, THTensor *t, real alpha,
                              THTensor *batch1, THTensor *batch2);
/* r_[i] = beta * t[i] + alpha * batch1[i] * batch2[i] */
TH_API void THTensor_(baddbmm)(THTensor *r_, real beta, THTensor *t, real alpha,
                               THTensor *batch1, THTensor *batch2);
/* r_[i][j] = gain * the sum of squares of m1[i] - m2[j], all their elements */
TH_API void THTensor_(match)(THTensor *r_, THTensor *m1, THTensor *m2, real gain);

/* ---- matrices, and tensors joined ---- */

/* 1 on the main diagonal of a matrix of n by m, m <= 0: by n, else 0 */
TH_API void THTensor_(eye)(THTensor *r_, long n, long m);
/* The k-th diagonal of a matrix, counted to the right, or a matrix with that diagonal;
 * an error where the matrix has no such diagonal. */
TH_API void THTensor_(diag)(THTensor *r_, THTensor *t, int k);
TH_API accreal THTensor_(trace)(THTensor *t);
/* The elements of a matrix below its k-th diagonal or above it, and on it, else 0 */
TH_API void THTensor_(tril)(THTensor *r_, THTensor *t, long k);
TH_API void THTensor_(triu)(THTensor *r_, THTensor *t, long k);
/* Cross products of vectors along a dimension, of extent 3; < 0: the first such. */
TH_API void THTensor_(cross)(THTensor *r_, THTensor *a, THTensor *b, int dimension);

/*
 * Tensors one after the other along a dimension; -2: the last one.  Other extents must
 * be the same; a tensor of lower rank has extents 1 at its end, an empty one is left
 * out.  The result may be an input.
 */
TH_API void THTensor_(cat)(THTensor *r_, THTensor *ta, THTensor *tb, int dimension);
TH_API void THTensor_(catArray)(THTensor *result, THTensor **inputs, int numInputs,
                                int dimension);

/*
 * Slices along a dimension whose p-norm, p = value, is above maxnorm, scaled to it; of
 * integers truncated.
 */
TH_API void THTensor_(renorm)(THTensor *r_, THTensor *t, real value, int dimension,
                              real maxnorm);

/*
 * Numbers of elements in `nbins` equal parts from minvalue to maxvalue, that included;
 * where these are equal, from the smallest to the largest element.  bhistc: of each row
 * of a matrix.
 */
TH_API void THTensor_(histc)(THTensor *hist, THTensor *tensor, long nbins,
                             real minvalue, real maxvalue);
TH_API void THTensor_(bhistc)(THTensor *hist, THTensor *tensor, long nbins,
                              real minvalue, real maxvalue);

/* ---- order ---- */

/*
 * Elements along a dimension in ascending or descending order, and their indices, from
 * 0 on.  Equal elements stay in their order; NaN counts as the largest.  Results may be
 * operands.
 */
TH_API void THTensor_(sort)(THTensor *rt_, THLongTensor *ri_, THTensor *t,
                            int dimension, int descendingOrder);
/* The k smallest along a dimension, or largest where `dir` is not 0, always sorted. */
TH_API void THTensor_(topk)(THTensor *rt_, THLongTensor *ri_, THTensor *t, long k,
                            int dim, int dir, int sorted);
/* The lower median of all elements. */
TH_API real THTensor_(medianall)(THTensor *t);

/* ---- shapes and sequences ---- */

TH_API ptrdiff_t THTensor_(numel)(THTensor *t);
TH_API void THTensor_(zeros)(THTensor *r_, THLongStorage *size);
TH_API void THTensor_(zerosLike)(THTensor *r_, THTensor *input);
TH_API void THTensor_(ones)(THTensor *r_, THLongStorage *size);
TH_API void THTensor_(onesLike)(THTensor *r_, THTensor *input);
TH_API void THTensor_(reshape)(THTensor *r_, THTensor *t, THLongStorage *size);

/* xmin, xmin + step, ... up to xmax, included (range) or excluded (arange) */
TH_API void THTensor_(range)(THTensor *r_, accreal xmin, accreal xmax, accreal step);
TH_API void THTensor_(arange)(THTensor *r_, accreal xmin, accreal xmax, accreal step);
#if defined(TH_REAL_IS_FLOAT) || defined(TH_REAL_IS_DOUBLE)
TH_API void THTensor_(linspace)(THTensor *r_, real a, real b, long n);
TH_API void THTensor_(logspace)(THTensor *r_, real a, real b, long n);
#endif

#undef TH_UNARY_
#undef TH_SCALAR_
#undef TH_PAIRED_
#undef TH_COMPARE_
