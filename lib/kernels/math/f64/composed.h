/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions of doubles that are composed of SLEEF's: computed a block at a time in a
 * buffer, by loops that are vectorized; the few elements for which the composition is
 * not accurate enough are computed one at a time.
 */
#ifndef BLI_F64_COMPOSED_H
#define BLI_F64_COMPOSED_H

#include "kernels/math/f64/sleef_table.h"

/* ---- of one argument ---- */

/*
 * Compute t[j] from a[j], accurately except between `low` and `high` and at -infinity.
 */
typedef void bli_unary_block(double *t, const double *a, int64_t count);

/* A composed function: `one` computes the elements that `block` does not do well. */
struct bli_unary_compound {
    bli_unary_block *block;
    bli_unary_one_f64 *one;
    double low, high;
};

/* Whether any element is between `low` and `high`, or -infinity. */
BLI_SEARCH bli_any_between(const double *a, int64_t count, double low, double high)
{
    uint64_t any = 0;

#pragma omp simd reduction(| : any)
    for (int64_t j = 0; j < count; j++)
        any |= (((a[j] > low) & (a[j] < high)) | (a[j] < -DBL_MAX)) != 0 ? 1 : 0;
    return any != 0;
}

/*
 * r = function(a), for any count; `r` may be `a`. Raises only exceptions of `one`, and
 * "inexact".
 */
static void bli_compound_f64(const struct bli_unary_compound *function, double *r,
                             const double *a, int64_t count)
{
    const double low = function->low, high = function->high;
    struct bli_guard guard = bli_guard_open();

    while (count > 0) {
        const int64_t n = bli_chunk(count);
        double t[BLI_CHUNK];

        function->block(t, a, n);
        if (bli_any_between(a, n, low, high)) {
            const int kept = bli_guard_pause(&guard);

            for (int64_t j = 0; j < n; j++)
                if (isless(a[j], -DBL_MAX) ||
                    (isgreater(a[j], low) && isless(a[j], high)))
                    t[j] = function->one(a[j]);
            bli_guard_resume(&guard, kept);
        }
        memcpy(r, t, (size_t)n * sizeof *t);
        r += n;
        a += n;
        count -= n;
    }
    bli_guard_close(&guard);
}

/* t = exp(-|a|) of a chunk, which does not overflow. */
static void bli_exp_below(double *t, const double *a, int64_t count)
{
    double below[BLI_CHUNK];

#pragma omp simd
    for (int64_t j = 0; j < count; j++)
        below[j] = -fabs(a[j]);
    bli_exp_f64(t, below, count);
}

/*
 * sigmoid, as e^a / (1 + e^a) for negative a, so that nothing overflows, and -infinity
 * needs nothing else; `r` may be `a`. Raises no exception but "inexact".
 */
static void bli_sigmoid_f64(double *r, const double *a, int64_t count)
{
    const struct bli_guard guard = bli_guard_open();

    for (int64_t n; count > 0; r += n, a += n, count -= n) {
        double t[BLI_CHUNK];

        n = bli_chunk(count);
        bli_exp_below(t, a, n);
#pragma omp simd
        for (int64_t j = 0; j < n; j++)
            r[j] = bli_choose_f64(a[j] < 0, t[j], 1) / (1 + t[j]);
    }
    bli_guard_close(&guard);
}

/*
 * silu, except where exp(a) is subnormal: it has lost bits that the product with a
 * needs.
 */
static void bli_silu_block(double *t, const double *a, int64_t count)
{
    bli_exp_below(t, a, count);
#pragma omp simd
    for (int64_t j = 0; j < count; j++)
        t[j] = a[j] * bli_choose_f64(a[j] < 0, t[j], 1) / (1 + t[j]);
}

/*
 * gelu as a / 2 * erfc(x), x = -a / sqrt(2), corrected for the rounding of x: the
 * derivative of log(erfc) is -(x + sqrt(x * x + 2)) within 4 % for x > 0, close enough
 * for a correction of some units in the last place; for x below 0 it would be a
 * fraction of a unit, and is omitted. Where erfc is subnormal it has lost bits that the
 * product needs.
 */
static void bli_gelu_block(double *t, const double *a, int64_t count)
{
    const double high = 0x1.6a09e667f3bcdp-1, low = -0x1.bdd3413b26456p-55;
    const double half = 0x1p27 + 1;
    double lost[BLI_CHUNK];

#pragma omp simd
    for (int64_t j = 0; j < count; j++) {
        const double above = a[j] < -40 ? -40 : a[j];
        const double b = -(above > 40 ? 40 : above);
        const double x = b * high;
        const double b1 = half * b - (half * b - b), b2 = b - b1;
        const double c1 = half * high - (half * high - high), c2 = high - c1;
        const double rest = ((b1 * c1 - x) + b1 * c2 + b2 * c1) + b2 * c2;

        t[j] = x;
        lost[j] = x > 0 ? (rest + b * low) * (x + sqrt(x * x + 2)) : 0;
    }
    bli_erfc_f64(t, t, count);
#pragma omp simd
    for (int64_t j = 0; j < count; j++)
        t[j] = a[j] / 2 * (t[j] - t[j] * lost[j]);
}

#define BLI_COMPOUND(name, low, high)                                                  \
    static void bli_##name##_f64(double *r, const double *a, int64_t count)            \
    {                                                                                  \
        static const struct bli_unary_compound function = {                            \
            bli_##name##_block, bli_##name##_one_f64, low, high};                      \
                                                                                       \
        bli_compound_f64(&function, r, a, count);                                      \
    }
BLI_COMPOUND(silu, -760, -700)
BLI_COMPOUND(gelu, -40, -37)
#undef BLI_COMPOUND

/* ---- of two arguments ---- */

/*
 * Compute t[j] from a[j] and b[j]; sets odd[j] to 1 where the element's own function
 * has to compute it, else to 0.
 */
typedef void bli_binary_block(double *t, double *odd, const double *a, const double *b,
                              int64_t count);

/* Whether any element, none of which is negative, is more than 0. */
BLI_SEARCH bli_any_more_than_0(const double *odd, int64_t count)
{
    double sum = 0;

#pragma omp simd reduction(+ : sum)
    for (int64_t j = 0; j < count; j++)
        sum += odd[j];
    return sum > 0;
}

/*
 * r = function(a, b), for any count, by `block`, and by `one` for odd elements; `r` may
 * be `a` or `b`.
 */
static void bli_compound2_f64(bli_binary_block *block, bli_binary_one_f64 *one,
                              double *r, const double *a, const double *b,
                              int64_t count)
{
    struct bli_guard guard = bli_guard_open();

    while (count > 0) {
        const int64_t n = bli_chunk(count);
        double t[BLI_CHUNK], odd[BLI_CHUNK];

        block(t, odd, a, b, n);
        if (bli_any_more_than_0(odd, n)) {
            const int kept = bli_guard_pause(&guard);

            for (int64_t j = 0; j < n; j++)
                if (odd[j] > 0)
                    t[j] = one(a[j], b[j]);
            bli_guard_resume(&guard, kept);
        }
        memcpy(r, t, (size_t)n * sizeof *t);
        r += n;
        a += n;
        b += n;
        count -= n;
    }
    bli_guard_close(&guard);
}

/*
 * logaddexp: the larger argument plus log(1 + exp(-distance)); raises no exception. The
 * distance has been rounded: the exponential is corrected by its rounding error.
 */
static void bli_logaddexp_block(double *t, double *odd, const double *a,
                                const double *b, int64_t count)
{
    double lost[BLI_CHUNK];

#pragma omp simd
    for (int64_t j = 0; j < count; j++) {
        const double larger = a[j] > b[j] ? a[j] : b[j];
        const double smaller = a[j] > b[j] ? b[j] : a[j];
        const double distance = smaller - larger;
        const double back = distance + larger;
        const double rest = (smaller - back) - (larger - (back - distance));

        t[j] = a[j] == b[j] ? 0 : distance;
        lost[j] = distance > -800 ? rest : 0;
        odd[j] = 0;
    }
    bli_exp_f64(t, t, count);
#pragma omp simd
    for (int64_t j = 0; j < count; j++)
        t[j] += t[j] * lost[j];
    bli_log1p_f64(t, t, count);
#pragma omp simd
    for (int64_t j = 0; j < count; j++)
        t[j] += a[j] > b[j] ? a[j] : b[j];
}

/* 2^k for an integer k from -1022 to 1023. */
static inline double bli_power_of_two(double k)
{
    return bli_f64_of_bits(bli_bits_of_f64(k + (0x1.8p52 + 1023)) << 52);
}

/*
 * a * 2^b in three multiplications, of which only the last one rounds: factors below 1
 * are so large that what is subnormal after one of them is 0 in the end. Elements are
 * odd where b is not an integer, and where an exception has to be raised.
 */
static void bli_ldexp_block(double *t, double *odd, const double *a, const double *b,
                            int64_t count)
{
#pragma omp simd
    for (int64_t j = 0; j < count; j++) {
        const double above = b[j] > -2200 ? b[j] : -2200;
        const double k = above < 2200 ? above : 2200;
        const double first = k < -1022 ? -969 : k > 1023 ? 1023 : 0;
        const double k1 = k - first;
        const double second = k1 < -1022 ? -969 : k1 > 1023 ? 1023 : 0;
        const double scaled = a[j] * bli_power_of_two(first) *
                              bli_power_of_two(second) * bli_power_of_two(k1 - second);
        const double integer = (k + 0x1.8p52) - 0x1.8p52;
        const bool is_whole = (integer == k) & (fabs(b[j]) <= DBL_MAX);
        const bool is_new = !(fabs(scaled) <= DBL_MAX) & (fabs(a[j]) <= DBL_MAX);
        const bool is_nan = (a[j] != a[j]) | (b[j] != b[j]);

        t[j] = is_nan ? a[j] + b[j] : scaled;
        odd[j] = is_nan < (!is_whole | is_new) ? 1.0 : 0.0;
    }
}

static void bli_logaddexp_f64(double *r, const double *a, const double *b,
                              int64_t count)
{
    bli_compound2_f64(bli_logaddexp_block, bli_logaddexp_one_f64, r, a, b, count);
}

static void bli_ldexp_f64(double *r, const double *a, const double *b, int64_t count)
{
    bli_compound2_f64(bli_ldexp_block, bli_ldexp_one_f64, r, a, b, count);
}

#endif
