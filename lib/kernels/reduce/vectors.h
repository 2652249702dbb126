/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Numbers in memory and in lanes, registers of them, and the operations on registers.
 */
#ifndef BLI_REDUCE_VECTORS_H
#define BLI_REDUCE_VECTORS_H

#include "kernels/reduce/integers.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* ---- numbers: the components of an element ---- */

typedef uint8_t number_bool, number_u8;
typedef int8_t number_i8;
typedef uint16_t number_u16, number_f16, number_bf16;
typedef int16_t number_i16;
typedef uint32_t number_u32;
typedef int32_t number_i32;
typedef uint64_t number_u64;
typedef int64_t number_i64;
typedef float number_f32, number_c64, number_single;
typedef double number_f64, number_c128;

/*
 * Types of lanes: a register of them, the same at any address, and 16 bytes of them.
 */
#define BLI_LANES_OF(name)                                                             \
    typedef number_##name lanes_##name __attribute__((vector_size(BLI_REGISTER)));     \
    typedef number_##name any_lanes_##name __attribute__((                             \
        vector_size(BLI_REGISTER), aligned(sizeof(number_##name)), may_alias));        \
    typedef number_##name small_##name __attribute__((vector_size(16)));
BLI_LANES_OF(u8)
BLI_LANES_OF(u16)
BLI_LANES_OF(u32)
BLI_LANES_OF(u64)
BLI_LANES_OF(i8)
BLI_LANES_OF(i16)
BLI_LANES_OF(i32)
BLI_LANES_OF(i64)
BLI_LANES_OF(f32)
BLI_LANES_OF(f64)
BLI_LANES_OF(c128)
#undef BLI_LANES_OF

/* As many f32 as a register holds f64. */
typedef float narrow __attribute__((vector_size(BLI_REGISTER / 2)));
typedef float any_narrow
    __attribute__((vector_size(BLI_REGISTER / 2), aligned(sizeof(float)), may_alias));

typedef int64_t bits16 __attribute__((vector_size(16)));
typedef uint8_t bytes16 __attribute__((vector_size(16)));

/* ---- load_<numbers>_<lanes>: a register of lanes from numbers in memory ---- */

#define load_u8_u8(x)      (*(const any_lanes_u8 *)(const void *)(x))
#define load_u16_u16(x)    (*(const any_lanes_u16 *)(const void *)(x))
#define load_u32_u32(x)    (*(const any_lanes_u32 *)(const void *)(x))
#define load_u64_u64(x)    (*(const any_lanes_u64 *)(const void *)(x))
#define load_i8_i8(x)      (*(const any_lanes_i8 *)(const void *)(x))
#define load_i16_i16(x)    (*(const any_lanes_i16 *)(const void *)(x))
#define load_i32_i32(x)    (*(const any_lanes_i32 *)(const void *)(x))
#define load_i64_i64(x)    (*(const any_lanes_i64 *)(const void *)(x))
#define load_f32_f32(x)    (*(const any_lanes_f32 *)(const void *)(x))
#define load_f16_f32(x)    load_singles_f16(x)
#define load_bf16_f32(x)   load_singles_bf16(x)
#define load_f64_f64(x)    (*(const any_lanes_f64 *)(const void *)(x))
#define load_f32_f64(x)    load_f32(x)
#define load_single_f64(x) load_f32(x)
#define load_f16_f64(x)    load_f16(x)
#define load_bf16_f64(x)   load_bf16(x)
#define load_c64_c128(x)   load_f32(x)
#define load_c128_c128(x)  load_f64(x)

/* ---- sums of lanes and numbers that are widened ---- */

/*
 * The product by 1 is exact, so these are the bits of an addition. Processors convert
 * where they add, and multiply elsewhere: from L1, f32 is summed in 0.55 of the time by
 * 8 registers of 256 bits, in 0.8 by 8 of 512. An addition takes a cycle less where
 * there are fewer registers that do not wait for each other.
 */
#if BLI_REGISTER >= 32
/* The compiler's flags of AVX2 do not enable FMA, which its row of isa.def asks for. */
static inline parts add_widened(parts acc, parts x)
{
    const parts one = (parts){0} + 1;

    __asm__("vfmadd231pd %1, %2, %0" : "+v"(acc) : "v"(x), "v"(one));
    return acc;
}
#define BLI_ADD_WIDENED(acc, x) add_widened(acc, x)
#else
#define BLI_ADD_WIDENED(acc, x) ((acc) + (x))
#endif

/* ---- operations on vectors of any length ---- */

#define BLI_PLUS(a, b)  ((a) + (b))
#define BLI_TIMES(a, b) ((a) * (b))
#define BLI_PICK(mask, a, b)                                                           \
    ((__typeof__(a))(((mask) & (__typeof__(mask))(b)) |                                \
                     (~(mask) & (__typeof__(mask))(a))))
/* The larger or smaller one, and of equal ones the first; the last NaN. */
#define BLI_PICK_max(a, b) BLI_PICK(((b) > (a)) | ((b) != (b)), a, b)
#define BLI_PICK_min(a, b) BLI_PICK(((b) < (a)) | ((b) != (b)), a, b)

/* Larger or smaller ones, by op, max or min, of registers of each type. */
#if BLI_REGISTER == 64
#define BLI_EXTREME(op, type, a, b)                                                    \
    PASTE4(_mm512_, op, _, type)((__m512i)(a), (__m512i)(b))
#define BLI_EXTREME_64(op, type, a, b) BLI_EXTREME(op, type, a, b)
#elif BLI_REGISTER == 32
#define BLI_EXTREME(op, type, a, b)                                                    \
    PASTE4(_mm256_, op, _, type)((__m256i)(a), (__m256i)(b))
#define BLI_EXTREME_64(op, type, a, b) PASTE4(BLI_, PICK, _, op)(a, b)
#else
#define BLI_EXTREME(op, type, a, b)    PASTE4(BLI_, PICK, _, op)(a, b)
#define BLI_EXTREME_64(op, type, a, b) PASTE4(BLI_, PICK, _, op)(a, b)
#endif
#if BLI_REGISTER == 16 && defined(__SSE2__)
#define BLI_EXTREME_u8(op, a, b)                                                       \
    ((lanes_u8)PASTE4(_mm_, op, _, epu8)((__m128i)(a), (__m128i)(b)))
#else
#define BLI_EXTREME_u8(op, a, b) ((lanes_u8)BLI_EXTREME(op, epu8, a, b))
#endif
#define BLI_EXTREME_u16(op, a, b) ((lanes_u16)BLI_EXTREME(op, epu16, a, b))
#define BLI_EXTREME_u32(op, a, b) ((lanes_u32)BLI_EXTREME(op, epu32, a, b))
#define BLI_EXTREME_u64(op, a, b) ((lanes_u64)BLI_EXTREME_64(op, epu64, a, b))
#define BLI_EXTREME_i8(op, a, b)  ((lanes_i8)BLI_EXTREME(op, epi8, a, b))
#define BLI_EXTREME_i16(op, a, b) ((lanes_i16)BLI_EXTREME(op, epi16, a, b))
#define BLI_EXTREME_i32(op, a, b) ((lanes_i32)BLI_EXTREME(op, epi32, a, b))
#define BLI_EXTREME_i64(op, a, b) ((lanes_i64)BLI_EXTREME_64(op, epi64, a, b))
/*
 * Of real numbers: the machine's instruction has the second operand of equal ones, and
 * where one is NaN. One comparison more is half of what two, and no such instruction,
 * would be: max of f64[65536] takes .54 of the time, with 256 bits .75 (Zen 4).
 */
#if BLI_REGISTER == 64
#define BLI_OR_NAN(real, v, w)                                                         \
    _mm512_mask_mov_##real(v, _mm512_cmp_##real##_mask(w, w, _CMP_UNORD_Q), w)
#define BLI_REAL_OP(op, real) _mm512_##op##_##real
typedef __m512 real_f32;
typedef __m512d real_f64;
#elif BLI_REGISTER == 32
#define BLI_OR_NAN(real, v, w)                                                         \
    _mm256_blendv_##real(v, w, _mm256_cmp_##real(w, w, _CMP_UNORD_Q))
#define BLI_REAL_OP(op, real) _mm256_##op##_##real
typedef __m256 real_f32;
typedef __m256d real_f64;
#elif defined(__SSE2__)
#define BLI_OR_NAN(real, v, w) BLI_PICK((bits)_mm_cmpunord_##real(w, w), v, w)
#define BLI_REAL_OP(op, real)  _mm_##op##_##real
typedef __m128 real_f32;
typedef __m128d real_f64;
#endif
#ifdef BLI_REAL_OP
#define BLI_REAL_EXTREME(op, type, real)                                               \
    BLI_INLINE lanes_##type op##_##type(lanes_##type a, lanes_##type b)                \
    {                                                                                  \
        const real_##type x = (real_##type)a, y = (real_##type)b;                      \
                                                                                       \
        return (lanes_##type)BLI_OR_NAN(real, BLI_REAL_OP(op, real)(y, x), y);         \
    }
BLI_REAL_EXTREME(max, f32, ps)
BLI_REAL_EXTREME(min, f32, ps)
BLI_REAL_EXTREME(max, f64, pd)
BLI_REAL_EXTREME(min, f64, pd)
#define BLI_EXTREME_f32(op, a, b) PASTE4(op, _, f, 32)(a, b)
#define BLI_EXTREME_f64(op, a, b) PASTE4(op, _, f, 64)(a, b)
#else
#define BLI_EXTREME_f32(op, a, b) PASTE4(BLI_, PICK, _, op)(a, b)
#define BLI_EXTREME_f64(op, a, b) PASTE4(BLI_, PICK, _, op)(a, b)
#endif

/* 16 bytes without the first n, and with zeros after the others. */
#define BLI_SHIFTED_8(v)                                                               \
    __builtin_shufflevector((bytes16)(v), (bytes16){0}, 8, 9, 10, 11, 12, 13, 14, 15,  \
                            16, 16, 16, 16, 16, 16, 16, 16)
#define BLI_SHIFTED_4(v)                                                               \
    __builtin_shufflevector((bytes16)(v), (bytes16){0}, 4, 5, 6, 7, 8, 9, 10, 11, 12,  \
                            13, 14, 15, 16, 16, 16, 16)
#define BLI_SHIFTED_2(v)                                                               \
    __builtin_shufflevector((bytes16)(v), (bytes16){0}, 2, 3, 4, 5, 6, 7, 8, 9, 10,    \
                            11, 12, 13, 14, 15, 16, 16)
#define BLI_SHIFTED_1(v)                                                               \
    __builtin_shufflevector((bytes16)(v), (bytes16){0}, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, \
                            11, 12, 13, 14, 15, 16)

/* ---- lanes of eight rows ---- */

#if BLI_REGISTER == 64
#define BLI_CLOSES_ROWS   1
#define BLI_LOWER_4(a, b) __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11)
#define BLI_UPPER_4(a, b) __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15)
#define BLI_LOWER_2(a, b) __builtin_shufflevector(a, b, 0, 1, 4, 5, 8, 9, 12, 13)
#define BLI_UPPER_2(a, b) __builtin_shufflevector(a, b, 2, 3, 6, 7, 10, 11, 14, 15)
#define BLI_LOWER_1(a, b) __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14)
#define BLI_UPPER_1(a, b) __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15)

/* Store the first `size` bytes, a constant, of each 64 bits. */
BLI_INLINE void store_narrow(void *to, bits v, size_t size)
{
    if (size == 8)
        memcpy(to, &v, sizeof v);
    else if (size == 4)
        _mm256_storeu_si256(to, _mm512_cvtepi64_epi32((__m512i)v));
    else if (size == 2)
        _mm_storeu_si128(to, _mm512_cvtepi64_epi16((__m512i)v));
    else
        _mm_storel_epi64(to, _mm512_cvtepi64_epi8((__m512i)v));
}
#else
#define BLI_CLOSES_ROWS 0
#endif

/* ---- products of complex numbers ---- */

/* re = ar * br - ai * bi, im = ar * bi + ai * br. */

#if BLI_REGISTER == 64
#define BLI_REAL(v) __builtin_shufflevector(v, v, 0, 0, 2, 2, 4, 4, 6, 6)
#define BLI_IMAG(v) __builtin_shufflevector(v, v, 1, 1, 3, 3, 5, 5, 7, 7)
#define BLI_SWAP(v) __builtin_shufflevector(v, v, 1, 0, 3, 2, 5, 4, 7, 6)
#define BLI_MINUS                                                                      \
    (parts)                                                                            \
    {                                                                                  \
        -0.0, 0, -0.0, 0, -0.0, 0, -0.0, 0                                             \
    }
#elif BLI_REGISTER == 32
#define BLI_REAL(v) __builtin_shufflevector(v, v, 0, 0, 2, 2)
#define BLI_IMAG(v) __builtin_shufflevector(v, v, 1, 1, 3, 3)
#define BLI_SWAP(v) __builtin_shufflevector(v, v, 1, 0, 3, 2)
#define BLI_MINUS                                                                      \
    (parts)                                                                            \
    {                                                                                  \
        -0.0, 0, -0.0, 0                                                               \
    }
#else
#define BLI_REAL(v) __builtin_shufflevector(v, v, 0, 0)
#define BLI_IMAG(v) __builtin_shufflevector(v, v, 1, 1)
#define BLI_SWAP(v) __builtin_shufflevector(v, v, 1, 0)
#define BLI_MINUS                                                                      \
    (parts)                                                                            \
    {                                                                                  \
        -0.0, 0                                                                        \
    }
#endif

/* Products of the complex numbers in two registers. */
static inline parts times_complex(parts a, parts b)
{
    const parts crossed = BLI_IMAG(a) * BLI_SWAP(b);

    return BLI_REAL(a) * b + (parts)((bits)crossed ^ (bits)BLI_MINUS);
}

/* Product of two complex numbers. */
static inline small_c128 times_one_complex(small_c128 a, small_c128 b)
{
    const small_c128 swapped = {b[1], b[0]}, minus = {-0.0, 0};
    const small_c128 crossed = (small_c128){a[1], a[1]} * swapped;

    return (small_c128){a[0], a[0]} * b + (small_c128)((bits16)crossed ^ (bits16)minus);
}

/* Prefetch a cache line of each of `rows` rows, a constant. */
BLI_INLINE void prefetch_rows(const char *data, int64_t step, int64_t rows)
{
#pragma GCC unroll 8
    for (int64_t r = 0; r < rows; r++)
        __builtin_prefetch(data + r * step);
}

/* What becomes of partial results that are stored, in registers. */
struct ending {
    double divisor;
    bool is_result;
    bool divides;
    bool is_narrow;
};

BLI_INLINE struct ending ending_of(const struct bli_finish *finish)
{
    if (!finish)
        return (struct ending){0};
    return (struct ending){finish->divisor, true, finish->divisor != 1,
                           finish->is_narrow};
}

#endif
