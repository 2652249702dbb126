/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Half-precision elements, IEEE 754 binary16: for storage and copies, not arithmetic.
 */
#ifndef TH_HALF_H
#define TH_HALF_H

#include "THGeneral.h"

typedef struct {
    unsigned short x;
} __THHalf;

typedef struct {
    unsigned int x;
} __THHalf2;

typedef __THHalf THHalf;
typedef __THHalf2 THHalf2;

TH_API THHalf TH_float2half(float value);
TH_API float TH_half2float(THHalf value);
TH_API void TH_float2halfbits(float *value, unsigned short *bits);
TH_API void TH_halfbits2float(unsigned short *bits, float *value);

#define TH_HALF_MAX  TH_float2half(65504.f)
#define TH_HALF_ZERO 0x0U
#define TH_HALF_INF  0x7C00U

/* An initialiser: a half of these bits. */
#define TH_HALF_BITS_TO_LITERAL(bits)                                                  \
    {                                                                                  \
        bits                                                                           \
    }

#endif
