/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loops over blocks of f32. Some hundred elements at a time are tested: where no
 * infinity, NaN or other rare argument is among them (the block is "calm"), a fast path
 * computes them with the same bits.
 */
#ifndef BLI_F32_LOOPS_H
#define BLI_F32_LOOPS_H

#include "kernels/math/f32/core.h"
#include "kernels/simd_lanes.h"

/* Functions of one element: constants in the loops below, and inlined. */
typedef float bli_one_f32(float a);
typedef float bli_two_f32(float a, float b);

/*
 * A function in two stages, each with its own loop: in one loop its chain of operations
 * would be longer than the processor's out-of-order window, and tanh takes 1.4 times as
 * long. u and v are what the first stage passes to the last.
 */
struct stage32 {
    double u;
    double v;
};
typedef struct stage32 bli_first_f32(float a);
typedef float bli_last_f32(struct stage32 stage, float a);

/*
 * The same in binary32: a logarithm, or the argument of an exponential, as n times
 * log(2), or n for base 2, plus f plus rest. Exponentials have n + 1.5 * 2^23, whose
 * last bits are the integer.
 */
struct parts32 {
    float n;
    float f;
    float rest;
};
typedef struct parts32 bli_split_f32(float a);
typedef float bli_join_f32(struct parts32 parts, float a);

typedef struct stage32 bli_first_two_f32(float a, float b);
typedef float bli_last_two_f32(struct stage32 stage, float a, float b);

/* Whether the fast path takes all of these arguments; count is at least 1. */
typedef bool bli_calm_f32(const float *a, int64_t count);

/* Elements that are tested together. */
enum { BLI_LOOK = 256 };

/* Elements from `start` on that are tested together. */
BLI_INLINE int64_t look_f32(int64_t start, int64_t count)
{
    return count - start < BLI_LOOK ? count - start : BLI_LOOK;
}

/* ---- loops ---- */

/* Apply a function to all elements. */
BLI_INLINE void each_f32(bli_one_f32 *one, float *r, const float *a, int64_t count)
{
#pragma omp simd
    for (int64_t j = 0; j < count; j++)
        r[j] = one(a[j]);
}

/* Apply a function of two inputs to all elements. */
BLI_INLINE void each_two_f32(bli_two_f32 *two, float *r, const float *a, const float *b,
                             int64_t count)
{
#pragma omp simd
    for (int64_t j = 0; j < count; j++)
        r[j] = two(a[j], b[j]);
}

/* Apply a function in two stages to at most BLI_LOOK elements. */
BLI_INLINE void each_staged_f32(bli_first_f32 *first, bli_last_f32 *last, float *r,
                                const float *a, int64_t count)
{
    double u[BLI_LOOK];
    double v[BLI_LOOK];

#pragma omp simd
    for (int64_t j = 0; j < count; j++) {
        const struct stage32 stage = first(a[j]);

        u[j] = stage.u;
        v[j] = stage.v;
    }
#pragma omp simd
    for (int64_t j = 0; j < count; j++)
        r[j] = last((struct stage32){u[j], v[j]}, a[j]);
}

/* Apply a function of two inputs in two stages to at most BLI_LOOK elements. */
BLI_INLINE void each_two_staged_f32(bli_first_two_f32 *first, bli_last_two_f32 *last,
                                    float *r, const float *a, const float *b,
                                    int64_t count)
{
    double u[BLI_LOOK];
    double v[BLI_LOOK];

#pragma omp simd
    for (int64_t j = 0; j < count; j++) {
        const struct stage32 stage = first(a[j], b[j]);

        u[j] = stage.u;
        v[j] = stage.v;
    }
#pragma omp simd
    for (int64_t j = 0; j < count; j++)
        r[j] = last((struct stage32){u[j], v[j]}, a[j], b[j]);
}

/* Apply `calm` where `is_calm` says that it takes all of a piece, else `any`. */
BLI_INLINE void each_calm_f32(bli_calm_f32 *is_calm, bli_one_f32 *calm,
                              bli_one_f32 *any, float *r, const float *a, int64_t count)
{
    for (int64_t j = 0; j < count; j += BLI_LOOK) {
        const int64_t part = look_f32(j, count);

        if (is_calm(a + j, part))
            each_f32(calm, r + j, a + j, part);
        else
            each_f32(any, r + j, a + j, part);
    }
}

/*
 * Apply `first` and `last` where `is_calm` says that they take all of a piece, else to
 * what `guard` makes of each argument; `fix` makes the function's value of the result
 * and the argument.
 */
BLI_INLINE void each_calm_staged_f32(bli_calm_f32 *is_calm, bli_first_f32 *first,
                                     bli_last_f32 *last, bli_one_f32 *guard,
                                     bli_two_f32 *fix, float *r, const float *a,
                                     int64_t count)
{
    float guarded[BLI_LOOK], value[BLI_LOOK];

    for (int64_t j = 0; j < count; j += BLI_LOOK, r += BLI_LOOK, a += BLI_LOOK) {
        const int64_t part = look_f32(j, count);
        const bool calm = is_calm(a, part);

        if (!calm)
            each_f32(guard, guarded, a, part);
        each_staged_f32(first, last, calm ? r : value, calm ? a : guarded, part);
        if (!calm)
            each_two_f32(fix, r, value, a, part);
    }
}

/* Apply `split` and `join`, each in its own loop, to at most BLI_LOOK elements. */
BLI_INLINE void each_parts_f32(bli_split_f32 *split, bli_join_f32 *join, float *r,
                               const float *a, int64_t count)
{
    float n[BLI_LOOK], f[BLI_LOOK], rest[BLI_LOOK];

#pragma omp simd
    for (int64_t j = 0; j < count; j++) {
        const struct parts32 parts = split(a[j]);

        n[j] = parts.n;
        f[j] = parts.f;
        rest[j] = parts.rest;
    }
#pragma omp simd
    for (int64_t j = 0; j < count; j++)
        r[j] = join((struct parts32){n[j], f[j], rest[j]}, a[j]);
}

/*
 * Apply `split` and `join` where `is_calm` says that they take all of a piece, else
 * `split_any` and `join_any`: exp of large arguments takes .77 of the time of one loop
 * with AVX2, .86 with AVX-512 (Zen 4).
 */
BLI_INLINE void each_calm_parts_f32(bli_calm_f32 *is_calm, bli_split_f32 *split,
                                    bli_join_f32 *join, bli_split_f32 *split_any,
                                    bli_join_f32 *join_any, float *r, const float *a,
                                    int64_t count)
{
    for (int64_t j = 0; j < count; j += BLI_LOOK) {
        const int64_t part = look_f32(j, count);

        if (is_calm(a + j, part))
            each_parts_f32(split, join, r + j, a + j, part);
        else
            each_parts_f32(split_any, join_any, r + j, a + j, part);
    }
}

/* Apply `first` and `last`, which take every argument. */
BLI_INLINE void all_staged_f32(bli_first_f32 *first, bli_last_f32 *last, float *r,
                               const float *a, int64_t count)
{
    for (int64_t j = 0; j < count; j += BLI_LOOK)
        each_staged_f32(first, last, r + j, a + j, look_f32(j, count));
}

/* ---- tests of blocks ---- */

/*
 * The largest of the bits of |a[j]|. The two halves, which overlap where they are
 * rounded up to whole vectors, go through one loop: one over a single vector is half
 * control, and costs a tenth of exp.
 */
BLI_INLINE int32_t most_magnitude_f32(const float *a, int64_t count)
{
    const int64_t lanes = BLI_WIDE / 4;
    const int64_t whole = ((count + 1) / 2 + lanes - 1) & -lanes;
    const int64_t half = count < lanes ? count : whole;
    const float *const b = a + count - half;
    int32_t most = 0;

#pragma omp simd reduction(max : most)
    for (int64_t j = 0; j < half; j++) {
        const int32_t magnitude_a = magnitude_f32(a[j]);
        const int32_t magnitude_b = magnitude_f32(b[j]);
        const int32_t larger = magnitude_a > magnitude_b ? magnitude_a : magnitude_b;

        most = larger > most ? larger : most;
    }
    return most;
}

/*
 * The smallest and the largest of the bits, as signed integers: below 0 for negative
 * numbers.
 */
struct range32 {
    int32_t least;
    int32_t most;
};

BLI_INLINE struct range32 range_f32(const float *a, int64_t count)
{
    int32_t least = INT32_MAX;
    int32_t most = INT32_MIN;

#pragma omp simd reduction(min : least) reduction(max : most)
    for (int64_t j = 0; j < count; j++) {
        const int32_t bits = (int32_t)bli_bits_of_f32(a[j]);

        least = bits < least ? bits : least;
        most = bits > most ? bits : most;
    }
    return (struct range32){least, most};
}

/* Whether all are positive, normal and finite. */
BLI_INLINE bool is_positive_range(struct range32 range)
{
    return (range.least >= 0x00800000) & (range.most < 0x7f800000);
}

BLI_INLINE bool all_positive_f32(const float *a, int64_t count)
{
    const int64_t half = (count + 1) / 2;
    const float *const b = a + count - half;
    uint32_t most = 0;

#pragma omp simd reduction(max : most)
    for (int64_t j = 0; j < half; j++) {
        const uint32_t above_a = bli_bits_of_f32(a[j]) - 0x00800000;
        const uint32_t above_b = bli_bits_of_f32(b[j]) - 0x00800000;
        const uint32_t larger = above_a > above_b ? above_a : above_b;

        most = larger > most ? larger : most;
    }
    return most < 0x7f000000;
}

BLI_INLINE bool all_finite_f32(const float *a, int64_t count)
{
    return most_magnitude_f32(a, count) < 0x7f800000;
}

/* Whether all are within +-152: beyond, powers overflow or vanish like that of 152. */
BLI_INLINE bool all_moderate_f32(const float *a, int64_t count)
{
    return most_magnitude_f32(a, count) <= 0x43180000;
}

/* Whether all are less than 1 in magnitude. */
BLI_INLINE bool all_below_one_f32(const float *a, int64_t count)
{
    return most_magnitude_f32(a, count) < 0x3f800000;
}

#endif
