/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What two arrays of one shape and dtype differ in.  Elements are equal where they are
 * equal numbers, or both NaN.
 */
#include "call/shadow.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A real number: its value, and its position among the numbers of its dtype. */
struct number {
    double value;
    int64_t position;
};

/* The bits of an element of up to 8 bytes. */
static uint64_t bits_of(const char *element, size_t size)
{
    uint8_t one;
    uint16_t two;
    uint32_t four;
    uint64_t eight = 0;

    switch (size) {
    case 1:
        memcpy(&one, element, size);
        return one;
    case 2:
        memcpy(&two, element, size);
        return two;
    case 4:
        memcpy(&four, element, size);
        return four;
    default:
        memcpy(&eight, element, sizeof eight);
        return eight;
    }
}

/* The value of the bits of a number of 5 and 10 bits (f16). */
static double half_value(uint64_t bits)
{
    const int exponent = (int)(bits >> 10 & 31);
    const double fraction = (double)(bits & 1023);
    const double magnitude = exponent == 31
                                 ? (fraction == 0 ? (double)INFINITY : (double)NAN)
                             : exponent == 0 ? ldexp(fraction, -24)
                                             : ldexp(fraction + 1024, exponent - 25);

    return bits >> 15 & 1 ? -magnitude : magnitude;
}

static double float_value(bl_dtype dtype, uint64_t bits)
{
    const uint32_t low = (uint32_t)(dtype == BL_DTYPE_BF16 ? bits << 16 : bits);
    double wide;
    float narrow;

    if (dtype == BL_DTYPE_F16)
        return half_value(bits);
    memcpy(&wide, &bits, sizeof wide);
    memcpy(&narrow, &low, sizeof narrow);
    return dtype == BL_DTYPE_F64 ? wide : (double)narrow;
}

/*
 * The position of a floating-point number among those of its width, by its bits; that
 * of both zeros is 0.
 */
static inline int64_t position_of(uint64_t bits, int width)
{
    const int64_t magnitude = (int64_t)(bits & ~(UINT64_C(1) << (width - 1)));

    return bits >> (width - 1) & 1 ? -magnitude : magnitude;
}

static struct number read_number(bl_dtype dtype, const char *element)
{
    const struct bli_dtype *const kind = &bli_dtypes[dtype];
    const int unused = 64 - 8 * kind->size;
    const uint64_t bits = bits_of(element, (size_t)kind->size);
    const int64_t extended = (int64_t)(bits << unused) >> unused;

    if (kind->class == BLI_CLASS_FLOAT)
        return (struct number){float_value(dtype, bits),
                               position_of(bits, 8 * kind->size)};
    if (kind->is_signed)
        return (struct number){(double)extended, extended};
    /* Unsigned numbers of 64 bits keep their order. */
    return (struct number){(double)bits, (int64_t)(bits ^ (uint64_t)INT64_MIN)};
}

/* Note what two numbers that may differ do so by; whether they differ. */
static inline bool note(struct bli_difference *found, struct number a, struct number b)
{
    const double left = fabs(a.value), right = fabs(b.value);
    const double larger = left > right ? left : right;
    const double difference = fabs(a.value - b.value);
    const uint64_t apart = a.position > b.position
                               ? (uint64_t)a.position - (uint64_t)b.position
                               : (uint64_t)b.position - (uint64_t)a.position;

    if (apart == 0 || (isnan(a.value) && isnan(b.value)))
        return false;
    if (!isfinite(a.value) || !isfinite(b.value)) {
        found->not_finite++;
        return true;
    }
    if (difference > found->max_abs)
        found->max_abs = difference < DBL_MAX ? difference : DBL_MAX;
    /* A division only where it raises the maximum. */
    if (difference > found->max_rel * larger)
        found->max_rel = fabs(a.value / larger - b.value / larger);
    if (apart > (uint64_t)found->max_ulp)
        found->max_ulp = apart > INT64_MAX ? INT64_MAX : (int64_t)apart;
    return true;
}

/* Compare `count` elements at these steps in bytes. */
typedef void compare_row(struct bli_difference *found, bl_dtype dtype, int64_t count,
                         const char *left, int64_t left_step, const char *right,
                         int64_t right_step);

/* Of any dtype; complex elements have two parts. */
static void compare_any(struct bli_difference *found, bl_dtype dtype, int64_t count,
                        const char *left, int64_t left_step, const char *right,
                        int64_t right_step)
{
    const bl_dtype part = bli_dtype_real(dtype);
    const int32_t size = bli_dtypes[dtype].size, step = bli_dtypes[part].size;

    for (; count > 0; count--, left += left_step, right += right_step) {
        const int64_t not_finite = found->not_finite;
        bool differs = false;

        if (memcmp(left, right, (size_t)size) == 0)
            continue;
        for (int32_t at = 0; at < size; at += step)
            differs = note(found, read_number(part, left + at),
                           read_number(part, right + at)) ||
                      differs;
        found->differ += differs;
        if (found->not_finite > not_finite)
            found->not_finite = not_finite + 1;
    }
}

static void compare_f32(struct bli_difference *found, bl_dtype dtype, int64_t count,
                        const char *left, int64_t left_step, const char *right,
                        int64_t right_step)
{
    (void)dtype;
    for (; count > 0; count--, left += left_step, right += right_step) {
        float a, b;
        uint32_t bits[2];

        memcpy(&a, left, sizeof a);
        memcpy(&b, right, sizeof b);
        if (a == b)
            continue;
        memcpy(&bits[0], left, sizeof bits[0]);
        memcpy(&bits[1], right, sizeof bits[1]);
        found->differ += note(found, (struct number){a, position_of(bits[0], 32)},
                              (struct number){b, position_of(bits[1], 32)});
    }
}

static void compare_f64(struct bli_difference *found, bl_dtype dtype, int64_t count,
                        const char *left, int64_t left_step, const char *right,
                        int64_t right_step)
{
    (void)dtype;
    for (; count > 0; count--, left += left_step, right += right_step) {
        double a, b;
        uint64_t bits[2];

        memcpy(&a, left, sizeof a);
        memcpy(&b, right, sizeof b);
        if (a == b)
            continue;
        memcpy(&bits[0], left, sizeof bits[0]);
        memcpy(&bits[1], right, sizeof bits[1]);
        found->differ += note(found, (struct number){a, position_of(bits[0], 64)},
                              (struct number){b, position_of(bits[1], 64)});
    }
}

void bli_difference_find(struct bli_difference *found, const bl_array *a,
                         const bl_array *b)
{
    compare_row *const compare = a->dtype == BL_DTYPE_F32   ? compare_f32
                                 : a->dtype == BL_DTYPE_F64 ? compare_f64
                                                            : compare_any;
    const int32_t last = a->rank - 1;
    const int64_t length = last < 0 ? 1 : a->extent[last];
    int64_t index[BL_MAX_RANK] = {0}, a_step[BL_MAX_RANK] = {0},
            b_step[BL_MAX_RANK] = {0};
    const char *left = a->data, *right = b->data;

    *found = (struct bli_difference){.elements = 0};
    (void)bli_shape_numel(a->rank, a->extent, &found->elements);
    bli_array_steps(a, a_step);
    bli_array_steps(b, b_step);
    for (int64_t rows = length > 0 ? found->elements / length : 0; rows > 0; rows--) {
        compare(found, a->dtype, length, left, last < 0 ? 0 : a_step[last], right,
                last < 0 ? 0 : b_step[last]);
        for (int32_t d = last - 1; d >= 0; d--) {
            left += a_step[d];
            right += b_step[d];
            if (++index[d] < a->extent[d])
                break;
            left -= a_step[d] * a->extent[d];
            right -= b_step[d] * b->extent[d];
            index[d] = 0;
        }
    }
}
