/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Registers of integers: loads that widen numbers to i64, and sums of narrow ones.
 */
#ifndef BLI_REDUCE_INTEGERS_H
#define BLI_REDUCE_INTEGERS_H

#include <string.h>

#include "kernels/convert/widen.h"

typedef uint64_t ubits __attribute__((vector_size(BLI_REGISTER)));

/* ---- load_<type>_i64: as many numbers as a register holds of i64 ---- */

#if BLI_REGISTER == 64
#define BLI_WIDE(from, load, x)                                                        \
    ((bits)_mm512_cvt##from##_epi64(load((const void *)(x))))
#define BLI_LOAD_8  _mm_loadl_epi64
#define BLI_LOAD_16 _mm_loadu_si128
#define BLI_LOAD_32 _mm256_loadu_si256
#elif BLI_REGISTER == 32
#define BLI_WIDE(from, load, x)                                                        \
    ((bits)_mm256_cvt##from##_epi64(load((const void *)(x))))
#define BLI_LOAD_8  _mm_loadu_si32
#define BLI_LOAD_16 _mm_loadl_epi64
#define BLI_LOAD_32 _mm_loadu_si128
#else
#define BLI_WIDE(from, load, x) ((bits){(int64_t)(x)[0], (int64_t)(x)[1]})
#endif
#define load_u8_i64(x)  BLI_WIDE(epu8, BLI_LOAD_8, x)
#define load_i8_i64(x)  BLI_WIDE(epi8, BLI_LOAD_8, x)
#define load_u16_i64(x) BLI_WIDE(epu16, BLI_LOAD_16, x)
#define load_i16_i64(x) BLI_WIDE(epi16, BLI_LOAD_16, x)
#define load_u32_i64(x) BLI_WIDE(epu32, BLI_LOAD_32, x)
#define load_i32_i64(x) BLI_WIDE(epi32, BLI_LOAD_32, x)

/* 1 for any byte except 0. */
#if BLI_REGISTER == 16
#define load_bool_i64(x) ((load_u8_i64(x) != 0) & 1)
#else
#define BLI_LOAD_TRUTH(x) _mm_min_epu8(BLI_LOAD_8(x), _mm_set1_epi8(1))
#define load_bool_i64(x)  BLI_WIDE(epu8, BLI_LOAD_TRUTH, x)
#endif

/* ---- the value of a number ---- */

#define value_bool(x) ((x) != 0)
#define value_u8(x)   (x)
#define value_i8(x)   (x)
#define value_u16(x)  (x)
#define value_i16(x)  (x)
#define value_u32(x)  (x)
#define value_i32(x)  (x)

/* ---- sums of rows ---- */

BLI_INLINE bits load_bits(const void *x)
{
    bits v;

    memcpy(&v, x, sizeof v);
    return v;
}

/*
 * Load the bytes from `done` on of `bytes` at `x`, fewer than a register, in any place
 * for numbers, and combine them with `flip`; the other bytes of the register are 0.
 */
#if BLI_REGISTER == 64
BLI_INLINE bits load_last_bits(const char *x, int64_t done, int64_t bytes, bits flip)
{
    const __mmask64 some = (UINT64_C(1) << (bytes - done)) - 1;

    return (bits)_mm512_maskz_mov_epi8(some, _mm512_maskz_loadu_epi8(some, x + done) ^
                                                 (__m512i)flip);
}
#else
BLI_INLINE bits load_last_bits(const char *x, int64_t done, int64_t bytes, bits flip)
{
    static const int64_t keep[8] = {0, 0, 0, 0, -1, -1, -1, -1};
    const int64_t count = bytes - done, before = BLI_REGISTER - count;
    bits v = {0};

    if (done > 0)
        v = load_bits(x + done - before);
    else
        memcpy((char *)&v + before, x, (size_t)count);
    return (v ^ flip) & load_bits((const char *)keep + 32 - before);
}
#endif

/* Add the neighbours of a register's numbers of `size` bytes until they are 64 bits. */
BLI_INLINE bits widen_sums(bits v, size_t size)
{
    if (size <= 2)
        v = (v & 0x0000ffff0000ffff) + (bits)((ubits)v >> 16 & 0x0000ffff0000ffff);
    if (size <= 4)
        v = (v & 0xffffffff) + (bits)((ubits)v >> 32);
    return v;
}

#endif
