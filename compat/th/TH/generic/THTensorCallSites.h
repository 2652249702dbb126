/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions of one type that the macros of THCallSites.h call: each sets the line of
 * the call and calls the function of the same name.  The line is set after the
 * arguments are evaluated, since they may call functions of TH themselves.
 */
#define TH_SITE_(result, name, parameters, arguments)                                  \
    static inline result THTensor_(name##At_)(const char *file, int line,              \
                                              TH_UNWRAP_ parameters)                   \
    {                                                                                  \
        THCallSite(file, line);                                                        \
        TH_RETURN_##result THTensor_(name) arguments;                                  \
    }
#define TH_UNWRAP_(...) __VA_ARGS__
#define TH_RETURN_void
#define TH_RETURN_accreal return

#define TH_PAIRED_(name)                                                               \
    TH_SITE_(void, name, (THTensor * r_, THTensor * t, THTensor * src), (r_, t, src))
#define TH_COMPARE_(name)                                                              \
    TH_SITE_(void, name##Tensor, (THByteTensor * r_, THTensor * ta, THTensor * tb),    \
             (r_, ta, tb))                                                             \
    TH_SITE_(void, name##TensorT, (THTensor * r_, THTensor * ta, THTensor * tb),       \
             (r_, ta, tb))
#define TH_PRODUCT_(name)                                                              \
    TH_SITE_(                                                                          \
        void, name,                                                                    \
        (THTensor * r_, THTensor * t, real value, THTensor * src1, THTensor * src2),   \
        (r_, t, value, src1, src2))
#define TH_SCALED_(name)                                                               \
    TH_SITE_(void, name, (THTensor * r_, THTensor * t, real value, THTensor * src),    \
             (r_, t, value, src))
#define TH_COPY_(From)                                                                 \
    TH_SITE_(void, copy##From, (THTensor * self, TH##From##Tensor * src), (self, src))

TH_SITE_(void, copy, (THTensor * self, THTensor *src), (self, src))
TH_SITE_(void, freeCopyTo, (THTensor * self, THTensor *dst), (self, dst))
TH_COPY_(Byte)
TH_COPY_(Char)
TH_COPY_(Short)
TH_COPY_(Int)
TH_COPY_(Long)
TH_COPY_(Float)
TH_COPY_(Double)
TH_COPY_(Half)

#ifndef TH_REAL_IS_HALF
TH_SCALED_(cadd)
TH_SCALED_(csub)
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
TH_PAIRED_(cmax)
TH_PAIRED_(cmin)
TH_PRODUCT_(addcmul)
TH_PRODUCT_(addcdiv)
TH_COMPARE_(lt)
TH_COMPARE_(le)
TH_COMPARE_(gt)
TH_COMPARE_(ge)
TH_COMPARE_(ne)
TH_COMPARE_(eq)
TH_SITE_(void, maskedFill, (THTensor * tensor, THByteTensor *mask, real value),
         (tensor, mask, value))
TH_SITE_(void, maskedCopy, (THTensor * tensor, THByteTensor *mask, THTensor *src),
         (tensor, mask, src))
TH_SITE_(void, maskedSelect, (THTensor * tensor, THTensor *src, THByteTensor *mask),
         (tensor, src, mask))
TH_SITE_(accreal, dot, (THTensor * t, THTensor *src), (t, src))
#endif

#if defined(TH_REAL_IS_FLOAT) || defined(TH_REAL_IS_DOUBLE)
TH_PAIRED_(atan2)
TH_SITE_(void, lerp, (THTensor * r_, THTensor *t, THTensor *src, real weight),
         (r_, t, src, weight))
TH_SITE_(accreal, dist, (THTensor * a, THTensor *b, real value), (a, b, value))
#endif

/* ---- reductions without keepdim ---- */

#if !BROADLOOM_TH_KEEPDIM && !defined(TH_REAL_IS_HALF)
TH_SITE_(void, sum, (THTensor * r_, THTensor *t, int dimension), (r_, t, dimension))
TH_SITE_(void, prod, (THTensor * r_, THTensor *t, int dimension), (r_, t, dimension))
TH_SITE_(void, max,
         (THTensor * values, THLongTensor *indices, THTensor *t, int dimension),
         (values, indices, t, dimension))
TH_SITE_(void, min,
         (THTensor * values, THLongTensor *indices, THTensor *t, int dimension),
         (values, indices, t, dimension))
TH_SITE_(void, kthvalue,
         (THTensor * values, THLongTensor *indices, THTensor *t, long k, int dimension),
         (values, indices, t, k, dimension))
TH_SITE_(void, median,
         (THTensor * values, THLongTensor *indices, THTensor *t, int dimension),
         (values, indices, t, dimension))
TH_SITE_(void, mode,
         (THTensor * values, THLongTensor *indices, THTensor *t, int dimension),
         (values, indices, t, dimension))
#if defined(TH_REAL_IS_FLOAT) || defined(TH_REAL_IS_DOUBLE)
TH_SITE_(void, mean, (THTensor * r_, THTensor *t, int dimension), (r_, t, dimension))
TH_SITE_(void, var, (THTensor * r_, THTensor *t, int dimension, int biased),
         (r_, t, dimension, biased))
TH_SITE_(void, std, (THTensor * r_, THTensor *t, int dimension, int biased),
         (r_, t, dimension, biased))
TH_SITE_(void, norm, (THTensor * r_, THTensor *t, real value, int dimension),
         (r_, t, value, dimension))
#endif
#endif

/*
 * ---- elements that leave TH, whose lines shadow runs alone need ----
 *
 * Functions that TH always had: programs may define later ones themselves.
 */

#define TH_READS_(result, name, parameters, arguments)                                 \
    static inline result TH_CONCAT_2(name, At_)(const char *file, int line,            \
                                                TH_UNWRAP_ parameters)                 \
    {                                                                                  \
        if (TH_HAS_SHADOWS_)                                                           \
            THCallSite(file, line);                                                    \
        return name arguments;                                                         \
    }

TH_READS_(real *, THTensor_(data), (const THTensor *self), (self))
TH_READS_(real, THTensor_(get1d), (const THTensor *self, long i0), (self, i0))
TH_READS_(real, THTensor_(get2d), (const THTensor *self, long i0, long i1),
          (self, i0, i1))
TH_READS_(real, THTensor_(get3d), (const THTensor *self, long i0, long i1, long i2),
          (self, i0, i1, i2))
TH_READS_(real, THTensor_(get4d),
          (const THTensor *self, long i0, long i1, long i2, long i3),
          (self, i0, i1, i2, i3))
TH_READS_(real *, THStorage_(data), (const THStorage *self), (self))
TH_READS_(real, THStorage_(get), (const THStorage *self, ptrdiff_t index),
          (self, index))

#ifndef TH_REAL_IS_HALF
TH_READS_(accreal, THTensor_(trace), (THTensor * t), (t))
TH_READS_(real, THTensor_(minall), (THTensor * t), (t))
TH_READS_(real, THTensor_(maxall), (THTensor * t), (t))
TH_READS_(accreal, THTensor_(sumall), (THTensor * t), (t))
TH_READS_(accreal, THTensor_(meanall), (THTensor * t), (t))
#endif

#if defined(TH_REAL_IS_FLOAT) || defined(TH_REAL_IS_DOUBLE)
TH_READS_(accreal, THTensor_(normall), (THTensor * t, real value), (t, value))
#if BROADLOOM_TH_KEEPDIM
TH_READS_(accreal, THTensor_(varall), (THTensor * t, int biased), (t, biased))
TH_READS_(accreal, THTensor_(stdall), (THTensor * t, int biased), (t, biased))
#else
TH_READS_(accreal, THTensor_(varall), (THTensor * t), (t))
TH_READS_(accreal, THTensor_(stdall), (THTensor * t), (t))
#endif
#endif

#undef TH_READS_
#undef TH_SITE_
#undef TH_UNWRAP_
#undef TH_RETURN_void
#undef TH_RETURN_accreal
#undef TH_PAIRED_
#undef TH_COMPARE_
#undef TH_PRODUCT_
#undef TH_SCALED_
#undef TH_COPY_
