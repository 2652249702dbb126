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

/* r_ = op(t) along a dimension, of the elements' type and rounded once; r_ may be t. */
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
            bl_reduce(th_context(), op, &out, &in, 1, &(int32_t){dim}, true, &options));
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

#if defined(TH_REAL_IS_FLOAT) || defined(TH_REAL_IS_DOUBLE)
void THTensor_(meanAlong)(THTensor *r_, THTensor *t, int dim, int keepdim)
{
    long count;

    THArgCheck(dim >= 0 && dim < t->nDimension, 2, "invalid dimension %d",
               dim + TH_INDEX_BASE);
    count = t->size[dim];
    THTensor_(sumAlong)(r_, t, dim, keepdim);
    THTensor_(div)(r_, r_, (real)count);
}
#endif

/* ---- extremes: the first of equal elements, the first NaN ---- */

/* Define a kernel: at[1] = the line's extreme element, at[2] = its index. */
#define TH_EXTREME(name, comparison)                                                   \
    static void THTensor_(name##Kernel)(const void *user, int64_t count,               \
                                        char *const *at, const int64_t *step)          \
    {                                                                                  \
        real best = *(const real *)at[0];                                              \
        int64_t where = 0;                                                             \
                                                                                       \
        for (int64_t i = 1; i < count && best == best; i++) {                          \
            const real value = *(const real *)(at[0] + i * step[0]);                   \
                                                                                       \
            if (!(value comparison best)) {                                            \
                best = value;                                                          \
                where = i;                                                             \
            }                                                                          \
        }                                                                              \
        *(real *)at[1] = best;                                                         \
        (void)user;                                                                    \
        *(long *)at[2] = where;                                                        \
    }

TH_EXTREME(max, <=)
TH_EXTREME(min, >=)

#undef TH_EXTREME

/*
 * values_, indices_ = the extreme elements of t along a dimension, and where they are,
 * by a kernel; values_ may be t.
 */
static void THTensor_(extremeAlong)(THTensor *values_, THLongTensor *indices_,
                                    THTensor *t, int dim, int keepdim, th_kernel kernel)
{
    THTensor *const found = values_ == t ? THTensor_(new)() : values_;

    THTensor_(checkDim)(t, dim);
    THTensor_(resizeReduced)(found, t, dim);
    THLongTensor_resizeNd(indices_, found->nDimension, found->size, NULL);
    {
        const bl_array arrays[] = {TH_ARRAY(t), TH_ARRAY(found),
                                   TH_ARRAY_OF(Long, indices_)};
        const bl_array *const list[] = {&arrays[0], &arrays[1], &arrays[2]};

        th_lines(3, list, dim, kernel, NULL);
        th_carry(list[1], 1, list);
        th_carry(list[2], 1, list);
    }
    if (found != values_) {
        THTensor_(set)(values_, found);
        THTensor_(free)(found);
    }
    if (!keepdim) {
        THTensor_(squeeze1d)(values_, values_, dim);
        THLongTensor_squeeze1d(indices_, indices_, dim);
    }
}

void THTensor_(maxAlong)(THTensor *values_, THLongTensor *indices_, THTensor *t,
                         int dim, int keepdim)
{
    THTensor_(extremeAlong)(values_, indices_, t, dim, keepdim, THTensor_(maxKernel));
}

void THTensor_(minAlong)(THTensor *values_, THLongTensor *indices_, THTensor *t,
                         int dim, int keepdim)
{
    THTensor_(extremeAlong)(values_, indices_, t, dim, keepdim, THTensor_(minKernel));
}

/* ---- cumulative sums and products ---- */

/* Define r_ = the running total of t along a dimension. */
#define TH_SO_FAR(name, start, operation)                                              \
    static void THTensor_(name##Kernel)(const void *user, int64_t count,               \
                                        char *const *at, const int64_t *step)          \
    {                                                                                  \
        accreal total = start;                                                         \
                                                                                       \
        (void)user;                                                                    \
        for (int64_t i = 0; i < count; i++) {                                          \
            total = total operation * (const real *)(at[0] + i * step[0]);             \
            *(real *)(at[1] + i * step[1]) = (real)total;                              \
        }                                                                              \
    }                                                                                  \
    void THTensor_(name)(THTensor * r_, THTensor * t, int dim)                         \
    {                                                                                  \
        THTensor_(checkDim)(t, dim);                                                   \
        THTensor_(resizeAs)(r_, t);                                                    \
        {                                                                              \
            const bl_array out = TH_ARRAY(r_), in = TH_ARRAY(t);                       \
            const bl_array *const both[] = {&in, &out};                                \
                                                                                       \
            th_lines(2, both, dim, THTensor_(name##Kernel), NULL);                     \
            th_carry(&out, 1, both);                                                   \
        }                                                                              \
    }

TH_SO_FAR(cumsum, 0, +)
TH_SO_FAR(cumprod, 1, *)

#undef TH_SO_FAR
