/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arithmetic, comparisons, masks and indices on tensors of one type.
 */
#ifndef TH_GENERIC_FILE
#define TH_GENERIC_FILE "th_math.tmpl.h"
#else

/* A call that writes `r`, which has these elements then. */
#define GIVES(call, ...)                                                               \
    do {                                                                               \
        call;                                                                          \
        TH_HAS(r, V, __VA_ARGS__);                                                     \
    } while (0)

static THTensor *TH_CONCAT_2(make_, Real)(long count, real first, real step)
{
    THTensor *const t = THTensor_(newWithSize1d)(count);

    for (long i = 0; i < count; i++)
        THTensor_(set1d)(t, i, (real)(first + (real)i * step));
    return t;
}

static void TH_CONCAT_2(check_arithmetic_, Real)(THTensor *r, THTensor *t, THTensor *s)
{
    GIVES(THTensor_(fill)(r, 5), 5, 5, 5, 5);
    GIVES(THTensor_(zero)(r), 0, 0, 0, 0);
    GIVES(THTensor_(sign)(r, t), 1, 1, 1, 1);
    GIVES(THTensor_(abs)(r, t), 4, 5, 6, 7);
    GIVES(THTensor_(add)(r, t, 2), 6, 7, 8, 9);
    GIVES(THTensor_(sub)(r, t, 2), 2, 3, 4, 5);
    GIVES(THTensor_(mul)(r, t, 2), 8, 10, 12, 14);
    GIVES(THTensor_(mul)(r, t, 2); THTensor_(div)(r, r, 2), 4, 5, 6, 7);
    GIVES(THTensor_(fmod)(r, t, 3), 1, 2, 0, 1);
    GIVES(THTensor_(remainder)(r, t, 3), 1, 2, 0, 1);
    GIVES(THTensor_(lshift)(r, t, 1), 8, 10, 12, 14);
    GIVES(THTensor_(rshift)(r, r, 1); THTensor_(lshift)(r, t, 1), 8, 10, 12, 14);
    GIVES(THTensor_(pow)(r, t, 2), 16, 25, 36, 49);
    GIVES(THTensor_(tpow)(r, 2, t), 16, 32, 64, (real)128);
    GIVES(THTensor_(cmaxValue)(r, t, 5), 5, 5, 6, 7);
    GIVES(THTensor_(cminValue)(r, t, 5), 4, 5, 5, 5);
    GIVES(THTensor_(clamp)(r, t, 5, 6), 5, 5, 6, 6);
    GIVES(THTensor_(cadd)(r, t, 2, s), 6, 9, 12, 15);
    GIVES(THTensor_(csub)(r, t, 1, s), 3, 3, 3, 3);
    GIVES(THTensor_(cmul)(r, t, s), 4, 10, 18, 28);
    GIVES(THTensor_(cdiv)(r, r, s), 4, 5, 6, 7);
    GIVES(THTensor_(cpow)(r, s, s), 1, 4, 27, (real)256);
    GIVES(THTensor_(cfmod)(r, t, s), 0, 1, 0, 3);
    GIVES(THTensor_(cremainder)(r, t, s), 0, 1, 0, 3);
    GIVES(THTensor_(clshift)(r, t, s), 8, 20, 48, 112);
    GIVES(THTensor_(crshift)(r, t, s); THTensor_(cmax)(r, t, s), 4, 5, 6, 7);
    GIVES(THTensor_(cmin)(r, t, s), 1, 2, 3, 4);
    GIVES(THTensor_(addcmul)(r, t, 2, s, s), 6, 13, 24, 39);
    GIVES(THTensor_(addcdiv)(r, t, 2, s, s), 6, 7, 8, 9);
}

#if defined(TH_REAL_IS_FLOAT) || defined(TH_REAL_IS_DOUBLE)
/* Bits of these types are refused, by errors that count_error() counts. */
static void TH_CONCAT_2(check_bits_, Real)(THTensor *r, THTensor *t, THTensor *s)
{
    THTensor_ (bitand)(r, t, 3);
    THTensor_(bitor)(r, t, 3);
    THTensor_(bitxor)(r, t, 3);
    THTensor_(cbitand)(r, t, s);
    THTensor_(cbitor)(r, t, s);
    THTensor_(cbitxor)(r, t, s);
    CHECK(raised == 6);
    raised = 0;
    GIVES(THTensor_(neg)(r, t), -4, -5, -6, -7);
}
#else
static void TH_CONCAT_2(check_bits_, Real)(THTensor *r, THTensor *t, THTensor *s)
{
    GIVES(THTensor_(bitand)(r, t, 3), 0, 1, 2, 3);
    GIVES(THTensor_(bitor)(r, t, 3), 7, 7, 7, 7);
    GIVES(THTensor_(bitxor)(r, t, 3), 7, 6, 5, 4);
    GIVES(THTensor_(cbitand)(r, t, s), 0, 0, 2, 4);
    GIVES(THTensor_(cbitor)(r, t, s), 5, 7, 7, 7);
    GIVES(THTensor_(cbitxor)(r, t, s), 5, 7, 5, 3);
    GIVES(THTensor_(neg)(r, t); THTensor_(neg)(r, r), 4, 5, 6, 7);
}
#endif

/* A comparison of 4 5 6 7 with 5, and with 7 6 5 4, in four forms. */
#define COMPARE(name, v0, v1, v2, v3, t0, t1, t2, t3)                                  \
    do {                                                                               \
        THTensor_(name##Value)(mask, t, 5);                                            \
        CHECK(memcmp(THByteTensor_data(mask), (unsigned char[]){v0, v1, v2, v3}, 4) == \
              0);                                                                      \
        GIVES(THTensor_(name##ValueT)(r, t, 5), v0, v1, v2, v3);                       \
        THTensor_(name##Tensor)(mask, t, turned);                                      \
        CHECK(memcmp(THByteTensor_data(mask), (unsigned char[]){t0, t1, t2, t3}, 4) == \
              0);                                                                      \
        GIVES(THTensor_(name##TensorT)(r, t, turned), t0, t1, t2, t3);                 \
    } while (0)

static void TH_CONCAT_2(check_masks_, Real)(THTensor *r, THTensor *t, THTensor *s)
{
    THTensor *const turned = TH_CONCAT_2(make_, Real)(4, 7, 0);
    THByteTensor *const mask = THByteTensor_new();

    for (long i = 0; i < 4; i++)
        THTensor_(set1d)(turned, i, (real)(7 - i));
    COMPARE(lt, 1, 0, 0, 0, 1, 1, 0, 0);
    COMPARE(le, 1, 1, 0, 0, 1, 1, 0, 0);
    COMPARE(ge, 0, 1, 1, 1, 0, 0, 1, 1);
    COMPARE(eq, 0, 1, 0, 0, 0, 0, 0, 0);
    COMPARE(ne, 1, 0, 1, 1, 1, 1, 1, 1);
    COMPARE(gt, 0, 0, 1, 1, 0, 0, 1, 1);
    CHECK(THTensor_(equal)(t, t) && !THTensor_(equal)(t, s));
    GIVES(THTensor_(maskedSelect)(r, t, mask), 6, 7);
    THTensor_(resize1d)(r, 4);
    THTensor_(copy)(r, t);
    GIVES(THTensor_(maskedFill)(r, mask, 9), 4, 5, 9, 9);
    GIVES(THTensor_(maskedCopy)(r, mask, s), 4, 5, 1, 2);
    THByteTensor_free(mask);
    THTensor_(free)(turned);
}

static void TH_CONCAT_2(check_indices_, Real)(THTensor *r, THTensor *t, THTensor *s)
{
    THLongTensor *const index = THLongTensor_newWithSize1d(2);
    THLongTensor *const found = THLongTensor_new();
    THTensor *const two = TH_CONCAT_2(make_, Real)(2, 8, 1);

    THLongTensor_set1d(index, 0, 4);
    THLongTensor_set1d(index, 1, 2);
    GIVES(THTensor_(indexSelect)(r, t, 0, index), 7, 5);
    THTensor_(resize1d)(r, 4);
    THTensor_(copy)(r, t);
    GIVES(THTensor_(indexCopy)(r, 0, index, two), 4, 9, 6, 8);
    GIVES(THTensor_(indexAdd)(r, 0, index, two), 4, 18, 6, 16);
    GIVES(THTensor_(indexFill)(r, 0, index, 1), 4, 1, 6, 1);
    GIVES(THTensor_(scatter)(r, 0, index, two), 4, 9, 6, 8);
    GIVES(THTensor_(scatterAdd)(r, 0, index, two), 4, 18, 6, 16);
    GIVES(THTensor_(scatterFill)(r, 0, index, 0), 4, 0, 6, 0);
    THTensor_(nonzero)(found, r);
    CHECK(found->size[0] == 2 && THLongTensor_get2d(found, 1, 0) == 2);
    THTensor_(resize1d)(r, 2);
    GIVES(THTensor_(gather)(r, s, 0, index), 4, 2);
    THTensor_(free)(two);
    THLongTensor_free(found);
    THLongTensor_free(index);
}

static void TH_CONCAT_2(check_making_, Real)(THTensor *r, THTensor *t)
{
    THLongStorage *const size = THLongStorage_newWithSize2(2, 2);

    CHECK(THTensor_(numel)(t) == 4);
    GIVES(THTensor_(zeros)(r, size), 0, 0, 0, 0);
    GIVES(THTensor_(ones)(r, size), 1, 1, 1, 1);
    GIVES(THTensor_(zerosLike)(r, t), 0, 0, 0, 0);
    GIVES(THTensor_(onesLike)(r, t), 1, 1, 1, 1);
    GIVES(THTensor_(reshape)(r, t, size), 4, 5, 6, 7);
    CHECK(r->nDimension == 2);
    GIVES(THTensor_(range)(r, 1, 5, 2), 1, 3, 5);
    GIVES(THTensor_(arange)(r, 1, 5, 2), 1, 3);
    THLongStorage_free(size);
}

static void TH_CONCAT_2(check_math_, Real)(void)
{
    THTensor *const t = TH_CONCAT_2(make_, Real)(4, 4, 1);
    THTensor *const s = TH_CONCAT_2(make_, Real)(4, 1, 1);
    THTensor *const r = THTensor_(newWithSize1d)(4);

    TH_CONCAT_2(check_arithmetic_, Real)(r, t, s);
    TH_CONCAT_2(check_bits_, Real)(r, t, s);
    TH_CONCAT_2(check_masks_, Real)(r, t, s);
    TH_CONCAT_2(check_indices_, Real)(r, t, s);
    TH_CONCAT_2(check_making_, Real)(r, t);
    THTensor_(free)(r);
    THTensor_(free)(s);
    THTensor_(free)(t);
}

#undef COMPARE
#undef GIVES
#endif
