/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What moving data stands on: two loops over two operands, pieces of constant size in
 * registers, and the few instructions on them that C has no words for.
 */
#ifndef BLI_PIECES_H
#define BLI_PIECES_H

#include <stdint.h>
#include <string.h>

/* Sizes are constants only after inlining, and loads and stores depend on it. */
#define BLI_MOVE static inline __attribute__((always_inline))

/*
 * r[i, j] = a[i, j] for i < outer, j < inner; steps in bytes, from one j to the next
 * and from one i to the next.  Operands do not overlap.
 */
struct bli_move {
    char *r;
    const char *a;
    int64_t inner, outer;
    int64_t r_step, a_step;
    int64_t r_next, a_next;
};

typedef uint8_t bli_16 __attribute__((vector_size(16)));

/* BLI_WIDE: bytes of the widest register, bli_wide. */
#if defined(__AVX512BW__)
#include <immintrin.h>
#define BLI_WIDE 64
#elif defined(__AVX2__)
#include <immintrin.h>
#define BLI_WIDE 32
#else
#define BLI_WIDE 16
#endif
typedef uint8_t bli_32 __attribute__((vector_size(BLI_WIDE < 32 ? BLI_WIDE : 32)));
typedef uint8_t bli_wide __attribute__((vector_size(BLI_WIDE)));

/* Copy `width` bytes, a constant power of two of at most BLI_WIDE. */
BLI_MOVE void move_piece(char *r, const char *a, int64_t width)
{
    bli_32 half;
    bli_wide wide;

    if (width == BLI_WIDE) {
        memcpy(&wide, a, sizeof wide);
        memcpy(r, &wide, sizeof wide);
    } else if (width == (int64_t)sizeof half) {
        memcpy(&half, a, sizeof half);
        memcpy(r, &half, sizeof half);
    } else {
        memcpy(r, a, (size_t)width);
    }
}

/* Copy `bytes` > BLI_WIDE bytes; the last piece laps over the one before. */
BLI_MOVE void move_run(char *r, const char *a, int64_t bytes)
{
    int64_t at = 0;

    for (; at < bytes - BLI_WIDE; at += BLI_WIDE)
        move_piece(r + at, a + at, BLI_WIDE);
    move_piece(r + bytes - BLI_WIDE, a + bytes - BLI_WIDE, BLI_WIDE);
}

/* ---- what C has no words for ---- */

#if BLI_WIDE == 64
#define BLI_LANE(v, lane) ((bli_16)_mm512_extracti32x4_epi32((__m512i)(v), lane))
#define BLI_WIDEN(v)      ((bli_wide)_mm512_castsi128_si512((__m128i)(v)))
#define BLI_SPREAD(v)     ((bli_wide)_mm512_broadcast_i32x4((__m128i)(v)))
#define BLI_PERMUTE(v, w) ((bli_wide)_mm512_shuffle_epi8((__m512i)(v), (__m512i)(w)))
#define BLI_UNPACK(half, bits, v, w)                                                   \
    ((bli_wide)_mm512_unpack##half##_epi##bits((__m512i)(v), (__m512i)(w)))
#elif BLI_WIDE == 32
#define BLI_LANE(v, lane) ((bli_16)_mm256_extracti128_si256((__m256i)(v), (lane)&1))
#define BLI_WIDEN(v)      ((bli_wide)_mm256_castsi128_si256((__m128i)(v)))
#define BLI_SPREAD(v)     ((bli_wide)_mm256_broadcastsi128_si256((__m128i)(v)))
#define BLI_PERMUTE(v, w) ((bli_wide)_mm256_shuffle_epi8((__m256i)(v), (__m256i)(w)))
#define BLI_UNPACK(half, bits, v, w)                                                   \
    ((bli_wide)_mm256_unpack##half##_epi##bits((__m256i)(v), (__m256i)(w)))
#else
#define BLI_LANE(v, lane) (v)
#define BLI_WIDEN(v)      (v)
#define BLI_SPREAD(v)     (v)
#if defined(__aarch64__)
#include <arm_neon.h>
#define BLI_PERMUTE(v, w) ((bli_wide)vqtbl1q_u8((uint8x16_t)(v), (uint8x16_t)(w)))
#endif
#define BLI_UNPACK(half, bits, v, w) unpack_##half##_##bits(v, w)
#endif

BLI_MOVE bli_16 unpack_lo_8(bli_16 v, bli_16 w)
{
    return __builtin_shufflevector(v, w, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6,
                                   22, 7, 23);
}

BLI_MOVE bli_16 unpack_hi_8(bli_16 v, bli_16 w)
{
    return __builtin_shufflevector(v, w, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29,
                                   14, 30, 15, 31);
}

BLI_MOVE bli_16 unpack_lo_16(bli_16 v, bli_16 w)
{
    return __builtin_shufflevector(v, w, 0, 1, 16, 17, 2, 3, 18, 19, 4, 5, 20, 21, 6, 7,
                                   22, 23);
}

BLI_MOVE bli_16 unpack_hi_16(bli_16 v, bli_16 w)
{
    return __builtin_shufflevector(v, w, 8, 9, 24, 25, 10, 11, 26, 27, 12, 13, 28, 29,
                                   14, 15, 30, 31);
}

BLI_MOVE bli_16 unpack_lo_32(bli_16 v, bli_16 w)
{
    return __builtin_shufflevector(v, w, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21,
                                   22, 23);
}

BLI_MOVE bli_16 unpack_hi_32(bli_16 v, bli_16 w)
{
    return __builtin_shufflevector(v, w, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15,
                                   28, 29, 30, 31);
}

BLI_MOVE bli_16 unpack_lo_64(bli_16 v, bli_16 w)
{
    return __builtin_shufflevector(v, w, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21,
                                   22, 23);
}

BLI_MOVE bli_16 unpack_hi_64(bli_16 v, bli_16 w)
{
    return __builtin_shufflevector(v, w, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27,
                                   28, 29, 30, 31);
}

/* Of two registers the elements by turns: of the lower (upper) 8 bytes of each 16, size
 * constant, < 16. */
BLI_MOVE bli_wide unpack_low(bli_wide v, bli_wide w, int64_t size)
{
    return size == 1   ? BLI_UNPACK(lo, 8, v, w)
           : size == 2 ? BLI_UNPACK(lo, 16, v, w)
           : size == 4 ? BLI_UNPACK(lo, 32, v, w)
                       : BLI_UNPACK(lo, 64, v, w);
}

BLI_MOVE bli_wide unpack_high(bli_wide v, bli_wide w, int64_t size)
{
    return size == 1   ? BLI_UNPACK(hi, 8, v, w)
           : size == 2 ? BLI_UNPACK(hi, 16, v, w)
           : size == 4 ? BLI_UNPACK(hi, 32, v, w)
                       : BLI_UNPACK(hi, 64, v, w);
}

/* Store the 16 bytes of each lane, `next` apart; of a `width` of 16 only the first. */
BLI_MOVE void move_lanes(char *r, int64_t next, bli_wide v, int64_t width)
{
    const bli_16 lane[] = {BLI_LANE(v, 0), BLI_LANE(v, 1), BLI_LANE(v, 2),
                           BLI_LANE(v, 3)};

    memcpy(r, &lane[0], 16);
    if (width >= 32)
        memcpy(r + next, &lane[1], 16);
    if (width >= 64) {
        memcpy(r + 2 * next, &lane[2], 16);
        memcpy(r + 3 * next, &lane[3], 16);
    }
}

#endif
