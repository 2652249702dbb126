/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Applies the reference: finds the position of every element by division and remainder,
 * and compares a result with the expected one.
 */
#include <math.h>
#include <string.h>

#include "ref_value.h"

int64_t ref_count(const bl_array *array)
{
    int64_t count = 1;

    for (int32_t d = 0; d < array->rank; d++)
        count *= array->extent[d];
    return count;
}

/*
 * Bytes from one element to the next along dimension `d`; `compact` where rows follow
 * each other.
 */
static int64_t stride_of(const bl_array *array, int32_t d, int64_t compact)
{
    if (array->stride == NULL)
        return compact;
    return (array->flags & BL_ARRAY_BYTE_STRIDES) != 0
               ? array->stride[d]
               : array->stride[d] * (int64_t)ref_size(array->dtype);
}

char *ref_at(const bl_array *array, int64_t i)
{
    int64_t compact = (int64_t)ref_size(array->dtype), offset = 0;

    for (int32_t d = array->rank - 1; d > 0; d--) {
        offset += i % array->extent[d] * stride_of(array, d, compact);
        i /= array->extent[d];
        compact *= array->extent[d];
    }
    if (array->rank > 0)
        offset += i * stride_of(array, 0, compact);
    return (char *)array->data + offset;
}

const char *ref_meeting(const bl_array *array, const bl_array *out, int64_t i)
{
    int64_t compact = (int64_t)ref_size(array->dtype), offset = 0;
    const int32_t missing = out->rank - array->rank;

    for (int32_t d = out->rank - 1; d >= missing; d--) {
        const int64_t extent = array->extent[d - missing];

        if (extent != 1)
            offset += i % extent * stride_of(array, d - missing, compact);
        i /= out->extent[d];
        compact *= extent;
    }
    return (const char *)array->data + offset;
}

static enum ref_order order_of(bl_dtype dtype, struct ref_value a, struct ref_value b)
{
    switch (ref_class(dtype)) {
    case REF_TRUTH:
        return a.truth == b.truth ? REF_EQUAL : b.truth ? REF_LESS : REF_GREATER;
    case REF_UNSIGNED:
        if (a.integer == b.integer)
            return REF_EQUAL;
        return a.integer < b.integer ? REF_LESS : REF_GREATER;
    case REF_SIGNED:
        if (a.integer == b.integer)
            return REF_EQUAL;
        return (int64_t)a.integer < (int64_t)b.integer ? REF_LESS : REF_GREATER;
    case REF_REAL:
        if (isunordered(a.real, b.real))
            return REF_UNORDERED;
        if (isless(a.real, b.real))
            return REF_LESS;
        return isgreater(a.real, b.real) ? REF_GREATER : REF_EQUAL;
    case REF_COMPLEX:
        break;
    }
    return a.real == b.real && a.imaginary == b.imaginary ? REF_EQUAL : REF_UNORDERED;
}

/*
 * The error bound that remains where the exact result is rounded to the nearest number.
 */
static double slack_of(const struct ref_row *row, bl_dtype from, bl_dtype to,
                       const struct ref_value *x, const long double *part)
{
    const bool is_complex = ref_class(from) == REF_COMPLEX;
    const double ulp = is_complex ? row->complex_ulp : row->ulp;
    double magnitude = (double)(isnan(part[0])   ? fabsl(part[1])
                                : isnan(part[1]) ? fabsl(part[0])
                                                 : hypotl(part[0], part[1]));

    if (ulp == 0 || isnan(magnitude) || (isinf(part[0]) && !is_complex))
        return 0;
    if (row->scale != NULL && (is_complex || row->pair == NULL))
        magnitude = fmax(magnitude, row->scale(from, x));
    /* Half a unit is for the expected result's own rounding. */
    return magnitude == 0 ? 0 : (ulp + 0.5) * ref_unit(to, magnitude);
}

static void write_number(const struct ref_row *row, bl_dtype from, bl_dtype to,
                         const struct ref_value *x, char *want, double *slack)
{
    long double part[2] = {0, 0};
    double real[REF_INPUTS] = {0};
    double pair[REF_INPUTS][2] = {{0}};

    for (int32_t k = 0; k < row->inputs; k++) {
        real[k] = pair[k][0] = x[k].real;
        pair[k][1] = x[k].imaginary;
    }
    if (ref_class(from) == REF_COMPLEX)
        row->pair(from, (const double(*)[2])pair, part);
    else
        part[0] = row->real(from, real);
    ref_store_real(to, part[0], part[1], want);
    *slack = slack_of(row, from, to, x, part);
}

/*
 * Write the element of `to` at `want` for the inputs of `from`; returns its error
 * bound.
 */
static double write_value(const struct ref_row *row, bl_dtype from, bl_dtype to,
                          const struct ref_value *x, char *want)
{
    struct ref_value value = {0};
    bool truth[REF_INPUTS] = {false};
    uint64_t integer[REF_INPUTS] = {0};
    double slack = 0;

    for (int32_t k = 0; k < row->inputs; k++) {
        truth[k] = x[k].truth;
        integer[k] = x[k].integer;
    }
    if (row->holds != NULL) {
        value.truth = row->holds(order_of(from, x[0], x[1]));
    } else if (row->test != NULL) {
        slack = row->test(from, x);
        value.truth = slack > 0;
        slack = fmin(slack, 0);
    } else if (ref_class(from) == REF_TRUTH) {
        value.truth = row->truth(truth);
    } else if (ref_class(from) & REF_INTEGERS) {
        value.integer = row->integer(integer, ref_class(from) == REF_SIGNED);
    } else {
        write_number(row, from, to, x, want, &slack);
        return slack;
    }
    ref_store(to, value, want);
    return slack;
}

static double apply_one(bl_op op, const bl_array *const *in, const bl_array *out,
                        int64_t i, char *want)
{
    const struct ref_row *row = ref_rows[op];
    const bl_array *last = in[row->inputs - 1];
    struct ref_value x[REF_INPUTS] = {{0}};

    if (row->picks) {
        const bool is_first = !row->selects || *ref_meeting(in[0], out, i) != 0;
        const bl_array *picked = row->selects && is_first ? in[1] : last;

        ref_convert(picked->dtype, ref_meeting(picked, out, i), out->dtype, want);
        return 0;
    }
    for (int32_t k = 0; k < row->inputs; k++)
        x[k] = ref_load(in[k]->dtype, ref_meeting(in[k], out, i));
    return write_value(row, last->dtype, out->dtype, x, want);
}

void ref_apply(bl_op op, const bl_array *const *in, const bl_array *out, void *want,
               double *slack)
{
    const int64_t count = ref_count(out);
    const int64_t size = (int64_t)ref_size(out->dtype);

    for (int64_t i = 0; i < count; i++) {
        const double off = apply_one(op, in, out, i, (char *)want + i * size);

        if (slack != NULL)
            slack[i] = off;
    }
}

/* ---- comparing ---- */

/* Whether one number of a result has equal bits, or both are NaN. */
static bool same_number(double want, double got)
{
    if (isnan(want) || isnan(got))
        return isnan(want) && isnan(got);
    return want == got && !signbit(want) == !signbit(got);
}

/* Distance of two numbers, where infinity counts as the number after the largest. */
static long double distance(bl_dtype dtype, double want, double got)
{
    const long double top = ref_top(dtype);
    const long double a = isinf(want) ? copysignl(top, want) : want;
    const long double b = isinf(got) ? copysignl(top, got) : got;

    return isnan(want) && isnan(got) ? 0 : a - b;
}

bool ref_same(bl_dtype dtype, const void *want, const void *got, double slack)
{
    const struct ref_value a = ref_load(dtype, want);
    const struct ref_value b = ref_load(dtype, got);
    const bool is_complex = ref_class(dtype) == REF_COMPLEX;

    if (slack == REF_EITHER)
        return *(const unsigned char *)got <= 1;
    if (!(ref_class(dtype) & REF_INEXACT))
        return memcmp(want, got, ref_size(dtype)) == 0;
    if (same_number(a.real, b.real) && same_number(a.imaginary, b.imaginary))
        return true;
    if (slack == 0 || (!is_complex && a.real == 0 && b.real == 0))
        return false;
    return hypotl(distance(dtype, a.real, b.real),
                  distance(dtype, a.imaginary, b.imaginary)) <= slack;
}
