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

static struct number read_number(bl_dtype dtype, const char *element)
{
    const struct bli_dtype *const kind = &bli_dtypes[dtype];
    const int unused = 64 - 8 * kind->size;
    const uint64_t bits = bits_of(element, (size_t)kind->size);
    const int64_t extended = (int64_t)(bits << unused) >> unused;

    if (kind->class == BLI_CLASS_FLOAT) {
        const int64_t magnitude =
            (int64_t)(bits & ~(UINT64_C(1) << (8 * kind->size - 1)));

        return (struct number){float_value(dtype, bits),
                               extended < 0 ? -magnitude : magnitude};
    }
    if (kind->is_signed)
        return (struct number){(double)extended, extended};
    /* Unsigned numbers of 64 bits keep their order. */
    return (struct number){(double)bits, (int64_t)(bits ^ (uint64_t)INT64_MIN)};
}

/* Compare two real numbers; whether they differ. */
static bool compare(struct bli_difference *found, bl_dtype dtype, const char *left,
                    const char *right)
{
    const struct number a = read_number(dtype, left), b = read_number(dtype, right);
    const double larger = fmax(fabs(a.value), fabs(b.value));
    const double difference = fabs(a.value - b.value);
    const uint64_t apart = a.position > b.position
                               ? (uint64_t)a.position - (uint64_t)b.position
                               : (uint64_t)b.position - (uint64_t)a.position;

    if (a.position == b.position || (isnan(a.value) && isnan(b.value)))
        return false;
    if (!isfinite(a.value) || !isfinite(b.value)) {
        found->not_finite++;
        return true;
    }
    found->max_abs = fmax(found->max_abs, fmin(difference, DBL_MAX));
    if (larger > 0)
        found->max_rel =
            fmax(found->max_rel, fabs(a.value / larger - b.value / larger));
    if (apart > (uint64_t)found->max_ulp)
        found->max_ulp = apart > INT64_MAX ? INT64_MAX : (int64_t)apart;
    return true;
}

/* Compare a pair of elements, of which complex ones have two parts. */
static void compare_elements(struct bli_difference *found, bl_dtype dtype,
                             const char *left, const char *right)
{
    const bl_dtype part = bli_dtype_real(dtype);
    const int32_t size = bli_dtypes[dtype].size, step = bli_dtypes[part].size;
    const int64_t not_finite = found->not_finite;
    bool differs = false;

    found->elements++;
    if (memcmp(left, right, (size_t)size) == 0)
        return;
    for (int32_t at = 0; at < size; at += step)
        differs = compare(found, part, left + at, right + at) || differs;
    found->differ += differs;
    if (found->not_finite > not_finite)
        found->not_finite = not_finite + 1;
}

void bli_difference_find(struct bli_difference *found, const bl_array *a,
                         const bl_array *b)
{
    int64_t index[BL_MAX_RANK] = {0}, a_step[BL_MAX_RANK], b_step[BL_MAX_RANK];
    const char *left = a->data, *right = b->data;
    int64_t count = 0;

    *found = (struct bli_difference){.elements = 0};
    (void)bli_shape_numel(a->rank, a->extent, &count);
    bli_array_steps(a, a_step);
    bli_array_steps(b, b_step);
    for (; count > 0; count--) {
        compare_elements(found, a->dtype, left, right);
        for (int32_t d = a->rank - 1; d >= 0; d--) {
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
