/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loops over blocks of f32.  Elements are looked at some hundred at a time: where no
 * infinity, NaN or other rare argument is among them, a shorter way of computing will
 * do, with the same bits.
 */
#ifndef BLI_F32_LOOPS_H
#define BLI_F32_LOOPS_H

#include "kernels/math/f32/core.h"

/* Functions of one element: constants to the loops below, and inlined. */
typedef float bli_one_f32(float a);
typedef float bli_two_f32(float a, float b);

/*
 * A function in two steps, each with a loop of its own: in one loop its chain of
 * operations would be longer than what the processor can look ahead, and tanh takes 1.4
 * times as long.
 */
struct stage32 {
    double u;
    double v;
};
typedef struct stage32 bli_first_f32(float a);
typedef float bli_last_f32(struct stage32 stage, float a);

typedef struct stage32 bli_first_two_f32(float a, float b);
typedef float bli_last_two_f32(struct stage32 stage, float a, float b);

/* Whether the short way will do for all of these, of which there is one or more. */
typedef bool bli_calm_f32(const float *a, int64_t count);

/* Elements that are looked at together. */
enum { BLI_LOOK = 256 };

BLI_INLINE int64_t look_f32(int64_t start, int64_t count)
{
    return count - start < BLI_LOOK ? count - start : BLI_LOOK;
}

/* ---- loops ---- */

BLI_INLINE void each_f32(bli_one_f32 *one, float *r, const float *a, int64_t count)
{
#pragma omp simd
    for (int64_t j = 0; j < count; j++)
        r[j] = one(a[j]);
}

BLI_INLINE void each_two_f32(bli_two_f32 *two, float *r, const float *a, const float *b,
                             int64_t count)
{
#pragma omp simd
    for (int64_t j = 0; j < count; j++)
        r[j] = two(a[j], b[j]);
}

/* At most BLI_LOOK elements. */
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

/* Likewise of two inputs. */
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

/* `calm` where it will do, else `any`. */
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

/* `first` and `last` where they will do, else `any`. */
BLI_INLINE void each_calm_staged_f32(bli_calm_f32 *is_calm, bli_first_f32 *first,
                                     bli_last_f32 *last, bli_one_f32 *any, float *r,
                                     const float *a, int64_t count)
{
    for (int64_t j = 0; j < count; j += BLI_LOOK) {
        const int64_t part = look_f32(j, count);

        if (is_calm(a + j, part))
            each_staged_f32(first, last, r + j, a + j, part);
        else
            each_f32(any, r + j, a + j, part);
    }
}

/* `first` and `last` do for everything. */
BLI_INLINE void all_staged_f32(bli_first_f32 *first, bli_last_f32 *last, float *r,
                               const float *a, int64_t count)
{
    for (int64_t j = 0; j < count; j += BLI_LOOK)
        each_staged_f32(first, last, r + j, a + j, look_f32(j, count));
}

/* ---- looking ---- */

/* The largest of the bits of |a[j]|. */
BLI_INLINE int32_t most_magnitude_f32(const float *a, int64_t count)
{
    int32_t most = 0;

#pragma omp simd reduction(max : most)
    for (int64_t j = 0; j < count; j++) {
        const int32_t magnitude = magnitude_f32(a[j]);

        most = magnitude > most ? magnitude : most;
    }
    return most;
}

/* The smallest and largest of the bits as signed integers: below 0 for negative ones.
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
    return is_positive_range(range_f32(a, count));
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
