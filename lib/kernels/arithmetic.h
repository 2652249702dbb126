/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the expressions of ops.def call: operations that C has no operator for, or whose
 * C operator does more than NumPy and PyTorch do. Each macro here selects a function by
 * the operand's type; the functions are in the headers included. A type outside an
 * operator's domain is replaced by int, for which the expression only has to compile.
 */
#ifndef BLI_ARITHMETIC_H
#define BLI_ARITHMETIC_H

#include <complex.h>
#include <math.h>
#include <stdint.h>

#include "kernels/math/complex/arithmetic.h"
#include "kernels/integer/arithmetic.h"
#include "kernels/math/nextafter.h"
#include "kernels/integer/integer_division.h"
#include "kernels/math/real.h"
#include "kernels/math/round.h"

/* The function for the inexact dtype of `a`; for other types the one for f64. */
#define BLI_OF_FLOAT(a, function)                                                      \
    _Generic((a), float : function##_f32, default : function##_f64)
#define BLI_OF_INEXACT(a, function)                                                    \
    _Generic((a), float                                                                \
             : function##_f32, float _Complex                                          \
             : function##_c64, double _Complex                                         \
             : function##_c128, default                                                \
             : function##_f64)

/* A value for each kind of dtype: integers may differ in width from `integer`. */
#define BLI_BY_FLOAT(a, f32, f64, integer)                                             \
    _Generic((a), float : (f32), double : (f64), default : (integer))
#define BLI_BY_KIND(a, f32, f64, c64, c128, integer)                                   \
    _Generic((a), float                                                                \
             : (f32), double                                                           \
             : (f64), float _Complex                                                   \
             : (c64), double _Complex                                                  \
             : (c128), default                                                         \
             : (integer))

/* ---- arithmetic ---- */

#define BLI_ABS(a)                                                                     \
    _Generic((a), float                                                                \
             : fabsf((float)(a)), double                                               \
             : fabs((double)(a)), float _Complex                                       \
             : bli_abs_c64(a), double _Complex                                         \
             : bli_abs_c128(a), int8_t                                                 \
             : bli_abs_i32((int32_t)(a)), int16_t                                      \
             : bli_abs_i32((int32_t)(a)), int32_t                                      \
             : bli_abs_i32((int32_t)(a)), int64_t                                      \
             : bli_abs_i64((int64_t)(a)), default                                      \
             : (a))
#define BLI_SIGN(a)                                                                    \
    BLI_BY_KIND(a, bli_sign_f32((float)(a)), bli_sign_f64((double)(a)),                \
                bli_sign_c64(a), bli_sign_c128(a), BLI_OF_INTEGER(a, bli_sign)(a))
#define BLI_MUL(a, b)                                                                  \
    _Generic((a) + (b), float _Complex                                                 \
             : bli_mul_c64(a, b), double _Complex                                      \
             : bli_mul_c128(a, b), default                                             \
             : (a) * (b))
#define BLI_DIV(a, b)                                                                  \
    _Generic((a) + (b), float _Complex                                                 \
             : bli_div_c64(a, b), double _Complex                                      \
             : bli_div_c128(a, b), default                                             \
             : (a) / (b))
#define BLI_SQRT(a)         BLI_OF_INEXACT(a, bli_sqrt)(a)
#define BLI_RSQRT(a)        BLI_OF_INEXACT(a, bli_rsqrt)(a)
#define BLI_FMA(a, b, c)    BLI_OF_FLOAT(a, bli_fma)(a, b, c)
#define BLI_LERP(a, b, c)   BLI_OF_INEXACT(a, bli_lerp)(a, b, c)
#define BLI_COPYSIGN(a, b)  BLI_OF_FLOAT(a, bli_copysign)(a, b)
#define BLI_NEXTAFTER(a, b) BLI_OF_FLOAT(a, bli_nextafter)(a, b)
#define BLI_HEAVISIDE(a, b)                                                            \
    BLI_BY_FLOAT(a, bli_heaviside_f32(a, b), bli_heaviside_f64(a, b),                  \
                 (a) == 0 ? (b) : (a) > 0)
#define BLI_CHOICE(choice, than, a, b)                                                 \
    BLI_BY_FLOAT(a, bli_##choice##_f32(a, b), bli_##choice##_f64(a, b),                \
                 (b)than(a) ? (b) : (a))
#define BLI_LARGER(a, b)  BLI_CHOICE(larger, >, a, b)
#define BLI_SMALLER(a, b) BLI_CHOICE(smaller, <, a, b)
#define BLI_FMAX(a, b)    BLI_CHOICE(fmax, >, a, b)
#define BLI_FMIN(a, b)    BLI_CHOICE(fmin, <, a, b)
#define BLI_CLAMP(a, b, c)                                                             \
    BLI_BY_FLOAT(a, bli_clamp_f32(a, b, c), bli_clamp_f64(a, b, c),                    \
                 (c) < ((a) < (b) ? (b) : (a)) ? (c)                                   \
                 : (a) < (b)                   ? (b)                                   \
                                               : (a))

/* ---- division and powers of integers; blocks of floats: math/division.h ---- */

#define BLI_FLOOR_DIVIDE(a, b) BLI_OF_INTEGER(a, bli_floor_divide_one)(a, b)
#define BLI_TRUNC_DIVIDE(a, b)                                                         \
    BLI_BY_FLOAT(a, bli_trunc_f32((float)(a) / (float)(b)),                            \
                 bli_trunc_f64((double)(a) / (double)(b)),                             \
                 BLI_OF_INTEGER(a, bli_trunc_divide_one)(a, b))
#define BLI_REMAINDER(a, b) BLI_OF_INTEGER(a, bli_remainder_one)(a, b)
#define BLI_FMOD(a, b)      BLI_OF_INTEGER(a, bli_fmod_one)(a, b)
#define BLI_POW(a, b)       BLI_OF_INTEGER(a, bli_pow_one)(a, b)

/* ---- classes ---- */

#define BLI_ISCLOSE(a, b, c, d) BLI_OF_INEXACT(a, bli_isclose)(a, b, c, d)
#define BLI_ISNAN(a)                                                                   \
    BLI_BY_KIND(a, bli_isnan_f32((float)(a)), bli_isnan_f64((double)(a)),              \
                bli_isnan_c64(a), bli_isnan_c128(a), 0)
#define BLI_ISINF(a)                                                                   \
    BLI_BY_KIND(a, bli_isinf_f32((float)(a)), bli_isinf_f64((double)(a)),              \
                bli_isinf_c64(a), bli_isinf_c128(a), 0)
#define BLI_ISFINITE(a)                                                                \
    BLI_BY_KIND(a, bli_isfinite_f32((float)(a)), bli_isfinite_f64((double)(a)),        \
                bli_isfinite_c64(a), bli_isfinite_c128(a), 1)
#define BLI_SIGNBIT(a)                                                                 \
    BLI_BY_FLOAT(a, bli_signbit_f32((float)(a)), bli_signbit_f64((double)(a)),         \
                 BLI_OF_INTEGER(a, bli_is_negative)(a))

/* ---- bits ---- */

#define BLI_LEFT_SHIFT(a, b)  BLI_OF_INTEGER(a, bli_left_shift)(a, b)
#define BLI_RIGHT_SHIFT(a, b) BLI_OF_INTEGER(a, bli_right_shift)(a, b)

/* ---- rounding, and parts of complex numbers ---- */

#define BLI_FLOOR(a)                                                                   \
    BLI_BY_FLOAT(a, bli_floor_f32((float)(a)), bli_floor_f64((double)(a)), a)
#define BLI_CEIL(a)                                                                    \
    BLI_BY_FLOAT(a, bli_ceil_f32((float)(a)), bli_ceil_f64((double)(a)), a)
#define BLI_TRUNC(a)                                                                   \
    BLI_BY_FLOAT(a, bli_trunc_f32((float)(a)), bli_trunc_f64((double)(a)), a)
#define BLI_ROUND(a)                                                                   \
    BLI_BY_FLOAT(a, bli_round_f32((float)(a)), bli_round_f64((double)(a)), a)

#define BLI_CONJ(a) BLI_BY_KIND(a, a, a, bli_conj_c64(a), bli_conj_c128(a), a)
#define BLI_REAL(a) BLI_BY_KIND(a, a, a, crealf(a), creal(a), a)
#define BLI_IMAG(a) BLI_BY_KIND(a, 0, 0, cimagf(a), cimag(a), 0)

#endif
