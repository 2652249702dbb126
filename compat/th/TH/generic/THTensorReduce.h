/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions of one type: of all elements, and along one dimension.
 *
 * Reductions along a dimension end in `int keepdim` where BROADLOOM_TH_KEEPDIM is 1:
 * whether the dimension stays, with extent 1.  Without the argument it stays.  The only
 * dimension of a vector always stays.
 */
TH_API accreal THTensor_(dot)(THTensor *t, THTensor *src);
TH_API real THTensor_(minall)(THTensor *t);
TH_API real THTensor_(maxall)(THTensor *t);
TH_API accreal THTensor_(sumall)(THTensor *t);
TH_API accreal THTensor_(prodall)(THTensor *t);
TH_API accreal THTensor_(meanall)(THTensor *t);

#if defined(TH_REAL_IS_BYTE)
TH_API int THTensor_(logicalall)(THTensor *t);
TH_API int THTensor_(logicalany)(THTensor *t);
#endif

/* ---- along a dimension: ...Along is what the function of the short name calls ---- */

TH_API void THTensor_(sumAlong)(THTensor *r_, THTensor *t, int dim, int keepdim);
TH_API void THTensor_(prodAlong)(THTensor *r_, THTensor *t, int dim, int keepdim);
TH_API void THTensor_(maxAlong)(THTensor *values, THLongTensor *indices, THTensor *t,
                                int dim, int keepdim);
TH_API void THTensor_(minAlong)(THTensor *values, THLongTensor *indices, THTensor *t,
                                int dim, int keepdim);

TH_ALONG_ void THTensor_(sum)(THTensor *r_, THTensor *t,
                              int dimension TH_KEEPDIM_PARAMETER_)
{
    TH_KEEPDIM_DEFAULT_("sum")
    THTensor_(sumAlong)(r_, t, dimension, TH_KEEPDIM_);
}

TH_ALONG_ void THTensor_(prod)(THTensor *r_, THTensor *t,
                               int dimension TH_KEEPDIM_PARAMETER_)
{
    TH_KEEPDIM_DEFAULT_("prod")
    THTensor_(prodAlong)(r_, t, dimension, TH_KEEPDIM_);
}

/* The largest or smallest element and its index, counted from 0. */
TH_ALONG_ void THTensor_(max)(THTensor *values, THLongTensor *indices, THTensor *t,
                              int dimension TH_KEEPDIM_PARAMETER_)
{
    TH_KEEPDIM_DEFAULT_("max")
    THTensor_(maxAlong)(values, indices, t, dimension, TH_KEEPDIM_);
}

TH_ALONG_ void THTensor_(min)(THTensor *values, THLongTensor *indices, THTensor *t,
                              int dimension TH_KEEPDIM_PARAMETER_)
{
    TH_KEEPDIM_DEFAULT_("min")
    THTensor_(minAlong)(values, indices, t, dimension, TH_KEEPDIM_);
}

/* ---- by order along a dimension: elements, and their indices from 0 on ---- */

TH_API void THTensor_(kthvalueAlong)(THTensor *values, THLongTensor *indices,
                                     THTensor *t, long k, int dim, int keepdim);
TH_API void THTensor_(medianAlong)(THTensor *values, THLongTensor *indices, THTensor *t,
                                   int dim, int keepdim);
TH_API void THTensor_(modeAlong)(THTensor *values, THLongTensor *indices, THTensor *t,
                                 int dim, int keepdim);

/* The k-th smallest element, k from 1 on. */
TH_ALONG_ void THTensor_(kthvalue)(THTensor *values, THLongTensor *indices, THTensor *t,
                                   long k, int dimension TH_KEEPDIM_PARAMETER_)
{
    TH_KEEPDIM_DEFAULT_("kthvalue")
    THTensor_(kthvalueAlong)(values, indices, t, k, dimension, TH_KEEPDIM_);
}

/* The lower median. */
TH_ALONG_ void THTensor_(median)(THTensor *values, THLongTensor *indices, THTensor *t,
                                 int dimension TH_KEEPDIM_PARAMETER_)
{
    TH_KEEPDIM_DEFAULT_("median")
    THTensor_(medianAlong)(values, indices, t, dimension, TH_KEEPDIM_);
}

/* The element that is there most often, the smallest such, and its last index. */
TH_ALONG_ void THTensor_(mode)(THTensor *values, THLongTensor *indices, THTensor *t,
                               int dimension TH_KEEPDIM_PARAMETER_)
{
    TH_KEEPDIM_DEFAULT_("mode")
    THTensor_(modeAlong)(values, indices, t, dimension, TH_KEEPDIM_);
}

/* Cumulative sums and products. */
TH_API void THTensor_(cumsum)(THTensor *r_, THTensor *t, int dimension);
TH_API void THTensor_(cumprod)(THTensor *r_, THTensor *t, int dimension);

#if defined(TH_REAL_IS_FLOAT) || defined(TH_REAL_IS_DOUBLE)
/* The p-norms (sum |a - b|^p)^(1/p) and (sum |t|^p)^(1/p); p = 0 counts nonzeros. */
TH_API accreal THTensor_(dist)(THTensor *a, THTensor *b, real value);
TH_API accreal THTensor_(normall)(THTensor *t, real value);

/* `biased`: divide by the number of elements, else by one less. */
TH_API accreal THTensor_(varAll)(THTensor *t, int biased);
TH_API accreal THTensor_(stdAll)(THTensor *t, int biased);
TH_API void THTensor_(meanAlong)(THTensor *r_, THTensor *t, int dim, int keepdim);
TH_API void THTensor_(varAlong)(THTensor *r_, THTensor *t, int dim, int biased,
                                int keepdim);
TH_API void THTensor_(stdAlong)(THTensor *r_, THTensor *t, int dim, int biased,
                                int keepdim);
TH_API void THTensor_(normAlong)(THTensor *r_, THTensor *t, real value, int dim,
                                 int keepdim);

#if BROADLOOM_TH_KEEPDIM
static inline accreal THTensor_(varall)(THTensor *t, int biased)
{
    return THTensor_(varAll)(t, biased);
}

static inline accreal THTensor_(stdall)(THTensor *t, int biased)
{
    return THTensor_(stdAll)(t, biased);
}
#else
static inline accreal THTensor_(varall)(THTensor *t)
{
    return THTensor_(varAll)(t, 0);
}

static inline accreal THTensor_(stdall)(THTensor *t)
{
    return THTensor_(stdAll)(t, 0);
}
#endif

TH_ALONG_ void THTensor_(mean)(THTensor *r_, THTensor *t,
                               int dimension TH_KEEPDIM_PARAMETER_)
{
    TH_KEEPDIM_DEFAULT_("mean")
    THTensor_(meanAlong)(r_, t, dimension, TH_KEEPDIM_);
}

TH_ALONG_ void THTensor_(var)(THTensor *r_, THTensor *t, int dimension,
                              int biased TH_KEEPDIM_PARAMETER_)
{
    TH_KEEPDIM_DEFAULT_("var")
    THTensor_(varAlong)(r_, t, dimension, biased, TH_KEEPDIM_);
}

TH_ALONG_ void THTensor_(std)(THTensor *r_, THTensor *t, int dimension,
                              int biased TH_KEEPDIM_PARAMETER_)
{
    TH_KEEPDIM_DEFAULT_("std")
    THTensor_(stdAlong)(r_, t, dimension, biased, TH_KEEPDIM_);
}

TH_ALONG_ void THTensor_(norm)(THTensor *r_, THTensor *t, real value,
                               int dimension TH_KEEPDIM_PARAMETER_)
{
    TH_KEEPDIM_DEFAULT_("norm")
    THTensor_(normAlong)(r_, t, value, dimension, TH_KEEPDIM_);
}
#endif
