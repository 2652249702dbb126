/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Blocks of doubles through SLEEF's vector functions, and which function is which
 * operator:
 *
 *   BLI_UNARY( operator, SLEEF's name, SLEEF's precision, traits of vector.h )
 */
#ifndef BLI_F64_SLEEF_TABLE_H
#define BLI_F64_SLEEF_TABLE_H

#include "kernels/math/f64/vector.h"

/* Fill a vector from `count` elements, repeating the last one. */
static inline void bli_fill_lanes(double *lane, const double *a, int64_t count)
{
    for (int64_t j = 0; j < BLI_DOUBLES; j++)
        lane[j] = a[j < count ? j : count - 1];
}

/* SLEEF declares const results, which to Clang are a different function type. */
typedef __typeof__(BLI_SLEEF(exp, u10)) bli_unary_vector;
typedef __typeof__(BLI_SLEEF(pow, u10)) bli_binary_vector;

/* ---- of one argument ---- */

/*
 * f of the vector at `a`, with doubtful lanes computed again by `one`. `a` is read
 * again, so the result must not be stored there before.
 */
static inline bli_vector bli_unary_lanes(bli_unary_vector *f, bli_unary_one_f64 *one,
                                         int traits, struct bli_guard *guard,
                                         const double *a)
{
    const bli_vector y = f(BLI_LOAD_VECTOR(a));
    bool repair = bli_any_wild(BLI_LOAD_VECTOR(a), y);

    if ((traits & BLI_TRAIT_TINY) != 0)
        repair |= bli_any_tiny(BLI_LOAD_VECTOR(a));
    return repair ? bli_repair_unary(one, traits, guard, a, y) : y;
}

/* r[j] = f(a[j]), by `one` where f is not accurate enough; `r` may be `a`. */
static void bli_unary_f64(bli_unary_vector *f, bli_unary_one_f64 *one, int traits,
                          double *r, const double *a, int64_t count)
{
    struct bli_guard guard = bli_guard_open();
    const int64_t rest = count % BLI_DOUBLES;
    int64_t j = 0;

    for (; j < count - rest; j += BLI_DOUBLES)
        BLI_STORE_VECTOR(r + j, bli_unary_lanes(f, one, traits, &guard, a + j));
    if (rest > 0) {
        double lane[BLI_DOUBLES];

        bli_fill_lanes(lane, a + j, rest);
        BLI_STORE_VECTOR(lane, bli_unary_lanes(f, one, traits, &guard, lane));
        memcpy(r + j, lane, (size_t)rest * sizeof *lane);
    }
    bli_guard_close(&guard);
}

/* ---- of two arguments ---- */

/* f of the vectors at `a` and `b`, with doubtful lanes computed again by `one`. */
static inline bli_vector bli_binary_lanes(bli_binary_vector *f, bli_binary_one_f64 *one,
                                          int traits, struct bli_guard *guard,
                                          const double *a, const double *b)
{
    const bli_vector y = f(BLI_LOAD_VECTOR(a), BLI_LOAD_VECTOR(b));
    const bli_vector sum = BLI_ADD_VECTORS(BLI_LOAD_VECTOR(a), BLI_LOAD_VECTOR(b));
    bool repair = bli_any_wild(sum, y);

    if ((traits & BLI_TRAIT_TINY_RESULT) != 0)
        repair |= bli_any_tiny(y);
    return repair ? bli_repair_binary(one, traits, guard, a, b, y) : y;
}

/*
 * r[j] = f(a[j], b[j]), by `one` where f is not accurate enough; `r` may be `a` or `b`.
 */
static void bli_binary_f64(bli_binary_vector *f, bli_binary_one_f64 *one, int traits,
                           double *r, const double *a, const double *b, int64_t count)
{
    struct bli_guard guard = bli_guard_open();
    const int64_t rest = count % BLI_DOUBLES;
    int64_t j = 0;

    for (; j < count - rest; j += BLI_DOUBLES)
        BLI_STORE_VECTOR(r + j, bli_binary_lanes(f, one, traits, &guard, a + j, b + j));
    if (rest > 0) {
        double left[BLI_DOUBLES], right[BLI_DOUBLES];

        bli_fill_lanes(left, a + j, rest);
        bli_fill_lanes(right, b + j, rest);
        BLI_STORE_VECTOR(left, bli_binary_lanes(f, one, traits, &guard, left, right));
        memcpy(r + j, left, (size_t)rest * sizeof *left);
    }
    bli_guard_close(&guard);
}

/*
 * The functions. SLEEF's exp, sinh, cosh, pow and lgamma overflow somewhat early, log1p
 * from 2^1023 on, asinh and acosh from 2^512 on: such elements are computed one at a
 * time.
 */
#define BLI_UNARY(name, sleef, precision, traits)                                      \
    static void bli_##name##_f64(double *r, const double *a, int64_t count)            \
    {                                                                                  \
        bli_unary_f64(BLI_SLEEF(sleef, precision), bli_##name##_one_f64, traits, r, a, \
                      count);                                                          \
    }
#define BLI_BINARY(name, sleef, precision, traits)                                     \
    static void bli_##name##_f64(double *r, const double *a, const double *b,          \
                                 int64_t count)                                        \
    {                                                                                  \
        bli_binary_f64(BLI_SLEEF(sleef, precision), bli_##name##_one_f64, traits, r,   \
                       a, b, count);                                                   \
    }

/* clang-format off */
BLI_UNARY( exp,    exp,    u10, 0 )
BLI_UNARY( exp2,   exp2,   u10, 0 )
BLI_UNARY( expm1,  expm1,  u10, 0 )
BLI_UNARY( log,    log,    u10, BLI_TRAIT_POLE )
BLI_UNARY( log2,   log2,   u10, BLI_TRAIT_POLE )
BLI_UNARY( log10,  log10,  u10, BLI_TRAIT_POLE )
BLI_UNARY( log1p,  log1p,  u10, BLI_TRAIT_POLE_BELOW | BLI_TRAIT_TINY )
BLI_UNARY( sin,    sin,    u10, 0 )
BLI_UNARY( cos,    cos,    u10, 0 )
BLI_UNARY( tan,    tan,    u10, BLI_TRAIT_TINY )
BLI_UNARY( asin,   asin,   u10, 0 )
BLI_UNARY( acos,   acos,   u10, 0 )
BLI_UNARY( atan,   atan,   u10, 0 )
BLI_UNARY( sinh,   sinh,   u10, 0 )
BLI_UNARY( cosh,   cosh,   u10, 0 )
BLI_UNARY( tanh,   tanh,   u10, 0 )
BLI_UNARY( asinh,  asinh,  u10, BLI_TRAIT_TINY )
BLI_UNARY( acosh,  acosh,  u10, 0 )
BLI_UNARY( atanh,  atanh,  u10, BLI_TRAIT_POLE )
BLI_UNARY( erf,    erf,    u10, BLI_TRAIT_TINY )
BLI_UNARY( erfc,   erfc,   u15, 0 )
BLI_UNARY( lgamma, lgamma, u10, BLI_TRAIT_POLE_OF_0 )
BLI_BINARY( pow_any, pow,  u10, BLI_TRAIT_POLE_OF_0 )
BLI_BINARY( hypot, hypot,  u05, BLI_TRAIT_TINY_RESULT )
BLI_BINARY( atan2, atan2,  u10, BLI_TRAIT_TINY_RESULT )
/* clang-format on */

#undef BLI_UNARY
#undef BLI_BINARY

#endif
