/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parts of a register's numbers: fewer than it holds, without reading or writing
 * memory next to them. Sizes are constants, at most 64 bytes in all.
 */
#ifndef BLI_EDGE_H
#define BLI_EDGE_H

#include <string.h>

#include "kernels/reduce/reduce.h"
#include "kernels/reduce/vectors.h"

/* A register of 16 bytes, repeated. */
#if BLI_REGISTER == 64
#define BLI_REPEAT(x) ((bits)_mm512_broadcast_i64x2(_mm_loadu_si128(x)))
#elif BLI_REGISTER == 32
#define BLI_REPEAT(x) ((bits)_mm256_broadcastsi128_si256(_mm_loadu_si128(x)))
#else
#define BLI_REPEAT(x) load_bits(x)
#endif

/* A register of the identity of each lane. */
BLI_INLINE bits identity_of(const struct bli_reducer *how)
{
    return BLI_REPEAT((const void *)how->identity);
}

#if BLI_REGISTER == 32
/* Mask of the elements first, ..., first + count - 1 of those from `from` on. */
BLI_INLINE bits edge_mask(int64_t from, int64_t first, int64_t count, size_t size)
{
    typedef int32_t words __attribute__((vector_size(32)));
    const words narrow = {0, 1, 2, 3, 4, 5, 6, 7};
    const bits wide = {0, 1, 2, 3};

    if (size == 4) {
        const words at = narrow + (int32_t)(from - first);

        return (bits)((at >= 0) & (at < (int32_t)count));
    }
    return (wide + (from - first) >= 0) & (wide + (from - first) < count);
}
#endif

/* Bytes of a buffer for such a part: what is behind the numbers may be written, too. */
#define BLI_EDGE 64

/*
 * Write `most` numbers of `size` bytes to `to`: `count` of those at `x`, from number
 * `first` on, and copies of `padding` around them.
 */
#if BLI_REGISTER == 64
BLI_INLINE void load_edge(void *to, const void *x, int64_t first, int64_t count,
                          int64_t most, size_t size, uint64_t padding)
{
    /* The address that number 0 would have. */
    const void *const begin = (const void *)((uintptr_t)x - (uintptr_t)first * size);
    const uint64_t some = ((UINT64_C(1) << count) - 1) << first;
    const bits rest = (bits){0} + (int64_t)padding;
    const bits all = choose_some(rest, load_some(begin, some, size), some, size);

    (void)most;
    memcpy(to, &all, sizeof all);
}
#else
/* Such numbers of 4 or 8 bytes, by masks. */
#if BLI_REGISTER == 32
BLI_INLINE void load_masked(char *to, const void *x, int64_t first, int64_t count,
                            int64_t most, size_t size, bits rest)
{
    const uintptr_t begin = (uintptr_t)x - (uintptr_t)first * size;
    const int64_t per = (int64_t)(sizeof(bits) / size);

    for (int64_t k = 0; k < most; k += per) {
        const bits mask = edge_mask(k, first, count, size);
        const void *const from = (const void *)(begin + (uintptr_t)k * size);
        const bits all = size == 4 ? (bits)_mm256_maskload_epi32(from, (__m256i)mask)
                                   : (bits)_mm256_maskload_epi64(from, (__m256i)mask);

        *(bits *)(void *)(to + (size_t)k * size) = (mask & all) | (~mask & rest);
    }
}
#define BLI_LOADS_MASKED(size) ((size) >= 4)
#else
#define load_masked(...)       ((void)0)
#define BLI_LOADS_MASKED(size) false
#endif

BLI_INLINE void load_edge(void *to, const void *x, int64_t first, int64_t count,
                          int64_t most, size_t size, uint64_t padding)
{
    const size_t bytes = (size_t)most * size;

    if (BLI_LOADS_MASKED(size)) {
        load_masked(to, x, first, count, most, size, (bits){0} + (int64_t)padding);
        return;
    }
    for (size_t done = 0; done < bytes; done += sizeof padding)
        memcpy((char *)to + done, &padding, sizeof padding);
    for (int64_t i = 0; i < count; i++)
        memcpy((char *)to + (size_t)(first + i) * size,
               (const char *)x + (size_t)i * size, size);
}
#endif

/*
 * Exchange places of the 8 lanes of 64 bits of a row, in registers from v on, so that
 * lane l + by comes to lane l, modulo 8.
 */
#if BLI_REGISTER == 64
#define BLI_ROTATES 1
BLI_INLINE void rotate_lanes(bits *v, int64_t by)
{
    const bits from = ((bits){0, 1, 2, 3, 4, 5, 6, 7} + by) & 7;

    v[0] = (bits)_mm512_permutexvar_epi64((__m512i)from, (__m512i)v[0]);
}
#elif BLI_REGISTER == 32
#define BLI_ROTATES 1
BLI_INLINE void rotate_lanes(bits *v, int64_t by)
{
    const __m256i lower = (__m256i)v[0], upper = (__m256i)v[1];

#pragma GCC unroll 2
    for (int64_t k = 0; k < 2; k++) {
        const bits from = ((bits){0, 1, 2, 3} + 4 * k + by) & 7;
        const bits words = ((from & 3) << 1 | (from & 3) << 33) + (INT64_C(1) << 32);
        const __m256i in_lower = _mm256_permutevar8x32_epi32(lower, (__m256i)words);
        const __m256i in_upper = _mm256_permutevar8x32_epi32(upper, (__m256i)words);

        v[k] = (bits)_mm256_blendv_pd((__m256d)in_lower, (__m256d)in_upper,
                                      (__m256d)(from << 61));
    }
}
#else
#define BLI_ROTATES 0
BLI_INLINE void rotate_lanes(bits *v, int64_t by)
{
    (void)v, (void)by;
}
#endif

/*
 * Write 8 numbers of 16 bits to `to`: the last `count` of the 8 before `end`, and
 * copies of `padding` behind them.
 */
#if BLI_REGISTER == 32
#define BLI_HAS_ENDS 1
BLI_INLINE void load_end(void *to, const void *end, int64_t count, uint64_t padding)
{
    static const uint8_t places[2][32] = {
        {0,   1,   2,   3,   4,   5,   6,   7,   8,   9,   10,
         11,  12,  13,  14,  15,  128, 128, 128, 128, 128, 128,
         128, 128, 128, 128, 128, 128, 128, 128, 128, 128},
        {128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128,
         128, 128, 128, 128, 128, 0,   1,   2,   3,   4,   5,
         6,   7,   8,   9,   10,  11,  12,  13,  14,  15}};
    const int64_t skipped = 16 - 2 * count;
    const __m128i some = _mm_loadu_si128((const void *)((const char *)end - 16));
    const __m128i left =
        _mm_shuffle_epi8(some, _mm_loadu_si128((const void *)(places[0] + skipped)));
    const __m128i rest =
        _mm_shuffle_epi8(_mm_set1_epi64x((int64_t)padding),
                         _mm_loadu_si128((const void *)(places[1] + skipped)));

    _mm_storeu_si128(to, left | rest);
}
#else
#define BLI_HAS_ENDS 0
BLI_INLINE void load_end(void *to, const void *end, int64_t count, uint64_t padding)
{
    (void)to, (void)end, (void)count, (void)padding;
}
#endif

/* Write the first `count` numbers of a register at `from` to `to`. */
BLI_INLINE void store_edge(void *to, const void *from, int64_t count, size_t size)
{
    memcpy(to, from, (size_t)count * size);
}

/*
 * Of functions whose loops of a few instructions take up to 1.45 times as long where
 * they cross a cache line, as largest elements of u8[500,90] by columns do and sums of
 * u8[9,64,64] (1.2) on Zen 3: where these begin must not depend on other code.
 */
#define BLI_ON_A_LINE __attribute__((aligned(64)))

/* The number after l among the numbers below `count`, in order of their reversed bits.
 */
BLI_INLINE int64_t next_reversed(int64_t l, int64_t count)
{
    int64_t bit = count / 2;

    for (; (l & bit) != 0; bit /= 2)
        l ^= bit;
    return l | bit;
}

#endif
