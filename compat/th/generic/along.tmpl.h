/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions along a dimension of tensors of one type.
 */

/* Refuse a dimension that `t` does not have. */
static void THTensor_(checkDim)(const THTensor *t, int dim)
{
    THArgCheck(dim >= 0 && dim < t->nDimension, 2, "dimension %d out of range",
               dim + TH_INDEX_BASE);
}

/* The extents of `t` with 1 along a dimension, in a new list. */
static THLongStorage *THTensor_(newReducedSize)(THTensor *t, int dim)
{
    THLongStorage *const size = THTensor_(newSizeOf)(t);

    size->data[dim] = 1;
    return size;
}

/* Resize a result to the extents of `t` with 1 along a dimension. */
static void THTensor_(resizeReduced)(THTensor *r_, THTensor *t, int dim)
{
    THLongStorage *const size = THTensor_(newReducedSize)(t, dim);

    THTensor_(resize)(r_, size, NULL);
    THLongStorage_free(size);
}

/* r_ = op(t) along a dimension, in TH's words: of the elements' type, rounded once. */
static void THTensor_(reduceAlong)(bl_reduction op, THTensor *r_, THTensor *t, int dim,
                                   int keepdim)
{
    bl_reduce_options options = BL_REDUCE_OPTIONS_DEFAULT;

    THTensor_(checkDim)(t, dim);
    if (r_ == t) { /* which must not be resized before it is read */
        THTensor *const result = THTensor_(new)();

        THTensor_(reduceAlong)(op, result, t, dim, keepdim);
        THTensor_(set)(r_, result);
        THTensor_(free)(result);
        return;
    }
    options.dtype = TH_DTYPE;
    THTensor_(resizeReduced)(r_, t, dim);
    {
        const bl_array out = TH_ARRAY(r_), in = TH_ARRAY(t);

        th_check(
            bl_reduce(th_context(), op, &in, 1, &(int32_t){dim}, true, &out, &options));
    }
    if (!keepdim)
        THTensor_(squeeze1d)(r_, r_, dim);
}

void THTensor_(sumAlong)(THTensor *r_, THTensor *t, int dim, int keepdim)
{
    THTensor_(reduceAlong)(BL_REDUCTION_SUM, r_, t, dim, keepdim);
}

void THTensor_(prodAlong)(THTensor *r_, THTensor *t, int dim, int keepdim)
{
    THTensor_(reduceAlong)(BL_REDUCTION_PROD, r_, t, dim, keepdim);
}

void THTensor_(meanAlong)(THTensor *r_, THTensor *t, int dim, int keepdim)
{
    const long count = THTensor_(size)(t, dim);

    THTensor_(sumAlong)(r_, t, dim, keepdim);
    THTensor_(div)(r_, r_, (real)count);
}

/* ---- extremes: of equal elements the first, of several NaN the first ---- */

#define TH_EXTREME(name, comparison)                                                   \
    void THTensor_(name)(THTensor * values_, THLongTensor * indices_, THTensor * t,    \
                         int dim, int keepdim, int base)                               \
    {                                                                                  \
        THTensor *const found = values_ == t ? THTensor_(new)() : values_;             \
        THLongStorage *size;                                                           \
                                                                                       \
        THTensor_(checkDim)(t, dim);                                                   \
        size = THTensor_(newReducedSize)(t, dim);                                      \
        THTensor_(resize)(found, size, NULL);                                          \
        THLongTensor_resize(indices_, size, NULL);                                     \
        THLongStorage_free(size);                                                      \
        TH_TENSOR_DIM_APPLY3(                                                          \
            real, t, real, found, long, indices_, dim, real best = *t_data;            \
            long where = 0; for (long i = 1; i < t_size && best == best; i++) {        \
                const real value = t_data[i * t_stride];                               \
                                                                                       \
                if (!(value comparison best)) {                                        \
                    best = value;                                                      \
                    where = i;                                                         \
                }                                                                      \
            } *found_data = best;                                                      \
            *indices__data = where + base;)                                            \
        if (found != values_) {                                                        \
            THTensor_(set)(values_, found);                                            \
            THTensor_(free)(found);                                                    \
        }                                                                              \
        if (!keepdim) {                                                                \
            THTensor_(squeeze1d)(values_, values_, dim);                               \
            THLongTensor_squeeze1d(indices_, indices_, dim);                           \
        }                                                                              \
    }

TH_EXTREME(maxAlong, <=)
TH_EXTREME(minAlong, >=)

#undef TH_EXTREME

/* ---- sums so far ---- */

#define TH_SO_FAR(name, start, operation)                                              \
    void THTensor_(name)(THTensor * r_, THTensor * t, int dim)                         \
    {                                                                                  \
        THTensor_(checkDim)(t, dim);                                                   \
        THTensor_(resizeAs)(r_, t);                                                    \
        TH_TENSOR_DIM_APPLY2(                                                          \
            real, t, real, r_, dim, accreal total = start;                             \
            for (long i = 0; i < t_size; i++) {                                        \
                total = total operation t_data[i * t_stride];                          \
                r__data[i * r__stride] = (real)total;                                  \
            })                                                                         \
    }

TH_SO_FAR(cumsum, 0, +)
TH_SO_FAR(cumprod, 1, *)

#undef TH_SO_FAR
