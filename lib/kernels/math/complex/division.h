/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Quotients of registers of complex elements, with the bits of bli_div_<dtype>.
 * Compilers move elements across lanes to separate the parts, and choose three times
 * more often, for divisors of 0.
 */
#ifndef BLI_COMPLEX_DIVISION_H
#define BLI_COMPLEX_DIVISION_H

#include "kernels/copy/copy_core.h"
#include "kernels/math/complex/arithmetic.h"
#include "kernels/math/complex/product.h"

/*
 * BLI_REALS and BLI_IMAGINARIES have the real and the imaginary parts, `size` bytes
 * each, of the elements in v and w, in an order that unpack_low and unpack_high
 * restore. BLI_ANY_ZERO is whether a real and an imaginary part in the same place are
 * both 0, as are subnormal numbers where the caller has operands flushed.
 */
#if BLI_WIDE == 64
#define BLI_SHUFFLE(v, w, k) ((bli_wide)_mm512_shuffle_ps((__m512)(v), (__m512)(w), k))
/* Both are 0 if their bits together are those of a 0, of either sign. */
#define BLI_ANY_ZERO(re, im, size)                                                     \
    ((size) == 4 ? _mm512_fpclass_ps_mask((__m512)((re) | (im)), 0x06) != 0            \
                 : _mm512_fpclass_pd_mask((__m512d)((re) | (im)), 0x06) != 0)
#elif BLI_WIDE == 32
#define BLI_SHUFFLE(v, w, k) ((bli_wide)_mm256_shuffle_ps((__m256)(v), (__m256)(w), k))
#define BLI_IS_ZERO(v, real, type)                                                     \
    _mm256_cmp_##real((type)(v), _mm256_setzero_##real(), _CMP_EQ_OQ)
#define BLI_ANY_ZERO(re, im, size)                                                     \
    ((size) == 4                                                                       \
         ? !_mm256_testz_ps(BLI_IS_ZERO(re, ps, __m256), BLI_IS_ZERO(im, ps, __m256))  \
         : !_mm256_testz_pd(BLI_IS_ZERO(re, pd, __m256d),                              \
                            BLI_IS_ZERO(im, pd, __m256d)))
#else
#define BLI_SHUFFLE(v, w, k)       ((void)(w), v)
#define BLI_ANY_ZERO(re, im, size) ((void)(re), (void)(im), true)
#endif
#define BLI_REALS(v, w, size)                                                          \
    ((size) == 4 ? BLI_SHUFFLE(v, w, 0x88) : unpack_low(v, w, 8))
#define BLI_IMAGINARIES(v, w, size)                                                    \
    ((size) == 4 ? BLI_SHUFFLE(v, w, 0xdd) : unpack_high(v, w, 8))

/*
 * bli_block_div_<dtype>: r = a / b, two registers, as bli_div_<dtype> does where no
 * divisor is 0.
 */
#define BLI_DEFINE_QUOTIENT(name, part, real, abs_of)                                  \
    static __attribute__((noinline)) void bli_each_div_##name(char *r, const char *a,  \
                                                              const char *b)           \
    {                                                                                  \
        for (int64_t at = 0; at < 2 * BLI_WIDE; at += sizeof(real _Complex)) {         \
            real _Complex x, y;                                                        \
                                                                                       \
            memcpy(&x, a + at, sizeof x);                                              \
            memcpy(&y, b + at, sizeof y);                                              \
            x = bli_div_##name(x, y);                                                  \
            memcpy(r + at, &x, sizeof x);                                              \
        }                                                                              \
    }                                                                                  \
    BLI_INLINE void bli_block_div_##name(char *r, const char *a, const char *b)        \
    {                                                                                  \
        enum { SIZE = sizeof(real), LANES = BLI_WIDE / SIZE };                         \
        real ar[LANES], ai[LANES], br[LANES], bi[LANES], re[LANES], im[LANES];         \
        bli_wide x, y, v, w, re_b, im_b;                                               \
                                                                                       \
        memcpy(&x, a, BLI_WIDE);                                                       \
        memcpy(&y, a + BLI_WIDE, BLI_WIDE);                                            \
        memcpy(&v, b, BLI_WIDE);                                                       \
        memcpy(&w, b + BLI_WIDE, BLI_WIDE);                                            \
        re_b = BLI_REALS(v, w, SIZE);                                                  \
        im_b = BLI_IMAGINARIES(v, w, SIZE);                                            \
        memcpy(br, &re_b, sizeof re_b);                                                \
        memcpy(bi, &im_b, sizeof im_b);                                                \
        if (__builtin_expect(BLI_ANY_ZERO(re_b, im_b, SIZE), 0)) {                     \
            bli_each_div_##name(r, a, b);                                              \
            return;                                                                    \
        }                                                                              \
        v = BLI_REALS(x, y, SIZE);                                                     \
        w = BLI_IMAGINARIES(x, y, SIZE);                                               \
        memcpy(ar, &v, sizeof v);                                                      \
        memcpy(ai, &w, sizeof w);                                                      \
        _Pragma("omp simd") for (int32_t j = 0; j < LANES; j++)                        \
        {                                                                              \
            const bool by_real = abs_of(br[j]) >= abs_of(bi[j]);                       \
            const real larger = bli_choose_##part(by_real, br[j], bi[j]);              \
            const real smaller = bli_choose_##part(by_real, bi[j], br[j]);             \
            const real p = bli_choose_##part(by_real, ar[j], ai[j]);                   \
            const real q = bli_choose_##part(by_real, ai[j], ar[j]);                   \
            const real ratio = smaller / larger;                                       \
            const real scale = 1 / (larger + smaller * ratio);                         \
            const real pr = p * ratio;                                                 \
            const real one = q - pr;                                                   \
            const real other = pr - q;                                                 \
                                                                                       \
            re[j] = (p + q * ratio) * scale;                                           \
            im[j] = bli_choose_##part(by_real, one, other) * scale;                    \
        }                                                                              \
        memcpy(&v, re, sizeof v);                                                      \
        memcpy(&w, im, sizeof w);                                                      \
        x = unpack_low(v, w, SIZE);                                                    \
        y = unpack_high(v, w, SIZE);                                                   \
        memcpy(r, &x, sizeof x);                                                       \
        memcpy(r + BLI_WIDE, &y, sizeof y);                                            \
    }

/* bli_block_reciprocal_<dtype>: r = 1 / a, two registers. */
#define BLI_DEFINE_RECIPROCAL(name)                                                    \
    BLI_INLINE void bli_block_reciprocal_##name(char *r, const char *a)                \
    {                                                                                  \
        bli_wide_##name one[2];                                                        \
                                                                                       \
        for (size_t k = 0; k < sizeof one[0] / sizeof one[0][0]; k++)                  \
            one[0][k] = one[1][k] = k % 2 == 0;                                        \
        bli_block_div_##name(r, (const char *)one, a);                                 \
    }

BLI_DEFINE_QUOTIENT(c64, f32, float, fabsf)
BLI_DEFINE_QUOTIENT(c128, f64, double, fabs)
BLI_DEFINE_RECIPROCAL(c64)
BLI_DEFINE_RECIPROCAL(c128)

#undef BLI_DEFINE_QUOTIENT
#undef BLI_DEFINE_RECIPROCAL

#endif
