/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Registers of f32 from and to f16, bf16 and u8, and rounded to halves.
 */
#ifndef BLI_REGISTER_HALVES_H
#define BLI_REGISTER_HALVES_H

#include "kernels/convert/half_vector.h"

/* Instructions of the machine convert a register at a time; else lanes do. */
#define BLI_HAS_F16 (BLI_HALVES == BLI_WIDE / 4)
#if BLI_HAS_F16
#define BLI_WIDEN_LANES(name, s, p) bli_widen_halves_##name(s, (const char *)(p))
#define BLI_NARROW_LANES(name, s, p)                                                   \
    do {                                                                               \
        const bli_halves all = bli_narrow_halves_##name(p);                            \
        memcpy(s, &all, sizeof all);                                                   \
    } while (0)
#define BLI_NT_LANES(name, at, p) bli_nt_store_halves(at, bli_narrow_halves_##name(p))
#else
#define BLI_NT_LANES(name, at, p) lanes_store_##name##_f32(at, x)
#define BLI_WIDEN_LANES(name, s, p)                                                    \
    _Pragma("omp simd") for (int32_t k = 0; k < BLI_WIDE / 4; k++)                     \
    {                                                                                  \
        (s)[k] = bli_f32_of_##name((p)[k]);                                            \
    }
#define BLI_NARROW_LANES(name, s, p)                                                   \
    do {                                                                               \
        int32_t wide[BLI_WIDE / 4];                                                    \
        bli_wide lanes;                                                                \
                                                                                       \
        _Pragma("omp simd") for (int32_t k = 0; k < BLI_WIDE / 4; k++) wide[k] =       \
            (int16_t)bli_##name##_of_f32((p)[k]);                                      \
        memcpy(&lanes, wide, sizeof wide);                                             \
        bli_store_words((char *)(s), lanes);                                           \
    } while (0)
#endif

#define BLI_HALF_LANES(name)                                                           \
    BLI_INLINE vector_f32 lanes_load_##name##_f32(const char *at)                      \
    {                                                                                  \
        uint16_t p[BLI_WIDE / 4];                                                      \
        float s[BLI_WIDE / 4];                                                         \
        vector_f32 x;                                                                  \
                                                                                       \
        memcpy(p, at, sizeof p);                                                       \
        BLI_WIDEN_LANES(name, s, p);                                                   \
        memcpy(&x, s, sizeof x);                                                       \
        return x;                                                                      \
    }                                                                                  \
    BLI_INLINE void lanes_store_##name##_f32(char *at, vector_f32 x)                   \
    {                                                                                  \
        float p[BLI_WIDE / 4];                                                         \
        uint16_t s[BLI_WIDE / 4];                                                      \
                                                                                       \
        memcpy(p, &x, sizeof x);                                                       \
        BLI_NARROW_LANES(name, s, p);                                                  \
        memcpy(at, s, sizeof s);                                                       \
    }                                                                                  \
    BLI_INLINE void lanes_nt_store_##name##_f32(char *at, vector_f32 x)                \
    {                                                                                  \
        float p[BLI_WIDE / 4];                                                         \
                                                                                       \
        memcpy(p, &x, sizeof x);                                                       \
        BLI_NT_LANES(name, at, p);                                                     \
    }

BLI_HALF_LANES(bf16)
#if BLI_HAS_F16
BLI_HALF_LANES(f16)

BLI_INLINE vector_f32 lanes_round_f16_f32(vector_f32 x, vector_f32 y)
{
    uint16_t s[BLI_WIDE / 4];

    (void)y;
    lanes_store_f16_f32((char *)s, x);
    return lanes_load_f16_f32((const char *)s);
}
#else
/*
 * A bank from f16, to f16, and rounded to it. These are called with all banks in
 * memory, and nothing is known to the caller of what they do there: inlined, or with
 * banks in registers, machines would weigh twice as much.
 */
#if defined(__clang__)
#define BLI_OPAQUE __attribute__((noinline))
#else
#define BLI_OPAQUE __attribute__((noinline, noipa))
#endif
#define BLI_F16_CALL(name, type, ...)                                                  \
    BLI_OPAQUE __attribute__((unused)) static void name(type *at, float *x)            \
    {                                                                                  \
        _Pragma("omp simd") for (int32_t k = 0; k < BLI_WIDE; k++)                     \
        {                                                                              \
            __VA_ARGS__;                                                               \
        }                                                                              \
        (void)at;                                                                      \
    }
BLI_F16_CALL(call_load_f16, const uint16_t, x[k] = bli_f32_of_f16(at[k]))
BLI_F16_CALL(call_store_f16, uint16_t, at[k] = bli_f16_of_f32(x[k]))
BLI_F16_CALL(call_round_f16, const uint16_t,
             x[k] = bli_f32_of_f16(bli_f16_of_f32(x[k])))
#endif

/* As bli_bf16_of_f32() rounds: to even, and NaN stays NaN; a lane need not move. */
BLI_INLINE vector_f32 lanes_round_bf16_f32(vector_f32 x, vector_f32 y)
{
    const truth_f32 bits = (truth_f32)x;
    const truth_f32 nan = (bits & 0x7fffffff) > 0x7f800000;
    const truth_f32 rounded = bits + 0x7fff + (bits >> 16 & 1);

    (void)y;
    return (vector_f32)(((nan & (bits | 0x400000)) | (~nan & rounded)) & -0x10000);
}

BLI_INLINE vector_f32 lanes_load_u8_f32(const char *at)
{
    return __builtin_convertvector((truth_f32)bli_load_bytes_32(at), vector_f32);
}

BLI_INLINE void lanes_store_u8_f32(char *at, vector_f32 x)
{
    float p[BLI_WIDE / 4];
    int32_t s[BLI_WIDE / 4];
    bli_wide bytes;

    memcpy(p, &x, sizeof x);
#pragma omp simd
    for (int32_t k = 0; k < BLI_WIDE / 4; k++)
        s[k] = BLI_CAST_INT(uint8_t, uint8_t, p[k]);
    memcpy(&bytes, s, sizeof s);
    bli_store_bytes_32(at, bytes);
}

#endif
