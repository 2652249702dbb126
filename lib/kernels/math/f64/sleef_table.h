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

/* SLEEF declares const results, which to Clang are a different function type. */
typedef __typeof__(BLI_SLEEF(exp, u10)) bli_unary_vector;
typedef __typeof__(BLI_SLEEF(pow, u10)) bli_binary_vector;

/* A function of SLEEF's, of one argument or of two, and what computes one element. */
struct bli_sleef {
    bli_unary_vector *unary;
    bli_binary_vector *binary;
    bli_unary_one_f64 *unary_one;
    bli_binary_one_f64 *binary_one;
    int traits;
};

/* Compute whole vectors; a function of one argument does not look at b. */
static inline void bli_sleef_vectors(const struct bli_sleef *function, double *t,
                                     const double *a, const double *b, int64_t count)
{
    bli_unary_vector *const unary = function->unary;
    bli_binary_vector *const binary = function->binary;

    if (unary)
        for (int64_t j = 0; j < count; j += BLI_DOUBLES)
            BLI_STORE_VECTOR(t + j, unary(BLI_LOAD_VECTOR(a + j)));
    else
        for (int64_t j = 0; j < count; j += BLI_DOUBLES)
            BLI_STORE_VECTOR(t + j,
                             binary(BLI_LOAD_VECTOR(a + j), BLI_LOAD_VECTOR(b + j)));
}

/* Fill a vector from `count` elements, repeating the last one. */
static inline void bli_fill_lanes(double *lane, const double *a, int64_t count)
{
    for (int64_t j = 0; j < BLI_DOUBLES; j++)
        lane[j] = a[j < count ? j : count - 1];
}

/* Compute fewer elements than a vector has; whether any is infinite or NaN. */
static inline bool bli_sleef_rest(const struct bli_sleef *function, double *t,
                                  const double *a, const double *b, int64_t count)
{
    double left[BLI_DOUBLES], right[BLI_DOUBLES];

    bli_fill_lanes(left, a, count);
    if (function->binary)
        bli_fill_lanes(right, b, count);
    bli_sleef_vectors(function, left, left, right, BLI_DOUBLES);
    for (int64_t j = 0; j < count; j++)
        t[j] = left[j];
    return bli_any_wild(left, BLI_DOUBLES);
}

/* What is among results, some of which are infinite or NaN. */
enum bli_wild {
    BLI_WILD_INVALID = 1, /* NaN of arguments that are not */
    BLI_WILD_INFINITE = 2 /* infinite of finite arguments */
};

/*
 * What of `enum bli_wild` is among results. NaN of NaN and infinities of infinite
 * arguments are what they should be: data may be full of them.
 */
static __attribute__((noinline)) int bli_wild_of(const double *y, const double *a,
                                                 const double *b, int64_t count)
{
    bli_mask invalid = {0}, infinite = {0};
    bool any_invalid, any_infinite;
    int64_t j = 0;

    for (; j <= count - BLI_DOUBLES; j += BLI_DOUBLES) {
        const bli_vector p = BLI_LOAD_VECTOR(a + j), q = BLI_LOAD_VECTOR(b + j);
        const bli_vector t = BLI_LOAD_VECTOR(y + j);
        const bli_vector zero = (p - p) + (q - q); /* NaN unless both are finite */

        invalid |= BLI_UNORDERED(t, t) & ~BLI_UNORDERED(p, q);
        infinite |= BLI_UNORDERED(t - t, t - t) & ~BLI_UNORDERED(zero, t);
    }
    any_invalid = BLI_ANY(invalid);
    any_infinite = BLI_ANY(infinite);
    for (; j < count; j++) {
        any_invalid |= (y[j] != y[j]) & (a[j] == a[j]) & (b[j] == b[j]);
        any_infinite |=
            (fabs(y[j]) > DBL_MAX) & (fabs(a[j]) <= DBL_MAX) & (fabs(b[j]) <= DBL_MAX);
    }
    return (any_invalid ? BLI_WILD_INVALID : 0) |
           (any_infinite ? BLI_WILD_INFINITE : 0);
}

/* Compute doubtful results again, one at a time. */
static __attribute__((noinline, cold)) void bli_repair(const struct bli_sleef *function,
                                                       struct bli_guard *guard,
                                                       double *t, const double *a,
                                                       const double *b, int64_t count)
{
    for (int64_t j = 0; j < count; j++)
        if (bli_is_doubtful(a[j], b[j], t[j], function->traits, guard)) {
            const int kept = bli_guard_pause(guard);

            t[j] = function->unary ? function->unary_one(a[j])
                                   : function->binary_one(a[j], b[j]);
            bli_guard_resume(guard, kept);
        }
}

/* Whether results are to be computed again; records that any is "invalid". */
static inline bool bli_has_doubtful(struct bli_guard *guard, int traits, bool is_wild,
                                    const double *t, const double *a, const double *b,
                                    int64_t count)
{
    int wild = 0;

    if (is_wild)
        wild = bli_wild_of(t, a, b, count);
    if ((wild & BLI_WILD_INVALID) != 0)
        guard->raised |= FE_INVALID;
    return (wild & BLI_WILD_INFINITE) != 0 ||
           ((traits & BLI_TRAIT_TINY) != 0 && bli_any_tiny(a, count)) ||
           ((traits & BLI_TRAIT_TINY_RESULT) != 0 && bli_any_tiny(t, count));
}

/*
 * r[j] = f(a[j], b[j]), by functions of one element where SLEEF's is not accurate
 * enough; `r` may be `a` or `b`, and of a function of one argument b is a. Results are
 * looked at when a chunk is computed: a look at each vector takes .04 to .1 of the time
 * of exp, sin and log (Zen 3).
 */
static void bli_sleef_f64(const struct bli_sleef *function, double *r, const double *a,
                          const double *b, int64_t count)
{
    struct bli_guard guard = bli_guard_open();
    const int traits = function->traits;

    for (int64_t n; count > 0; r += n, a += n, b += n, count -= n) {
        double t[BLI_CHUNK];
        double *const to = r == a || r == b ? t : r;
        int64_t whole;
        bool is_wild;

        n = bli_chunk(count);
        whole = n - n % BLI_DOUBLES;
        bli_sleef_vectors(function, to, a, b, whole);
        is_wild = bli_any_wild(to, whole);
        if (whole < n)
            is_wild |=
                bli_sleef_rest(function, to + whole, a + whole, b + whole, n - whole);
        if (bli_has_doubtful(&guard, traits, is_wild, to, a, b, n))
            bli_repair(function, &guard, to, a, b, n);
        if (to == t)
            memcpy(r, t, (size_t)n * sizeof *t);
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
        static const struct bli_sleef function = {BLI_SLEEF(sleef, precision), NULL,   \
                                                  bli_##name##_one_f64, NULL, traits}; \
                                                                                       \
        bli_sleef_f64(&function, r, a, a, count);                                      \
    }
#define BLI_BINARY(name, sleef, precision, traits)                                     \
    static void bli_##name##_f64(double *r, const double *a, const double *b,          \
                                 int64_t count)                                        \
    {                                                                                  \
        static const struct bli_sleef function = {NULL, BLI_SLEEF(sleef, precision),   \
                                                  NULL, bli_##name##_one_f64, traits}; \
                                                                                       \
        bli_sleef_f64(&function, r, a, b, count);                                      \
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
