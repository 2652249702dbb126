/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The reference applied: where each element lies, found by division and remainder for
 * every element anew, and how a result is held against the expected one.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "ref_value.h"

int32_t ref_ops_end(void)
{
    return ref_rows_count;
}

const char *ref_name(bl_op op)
{
    return ref_rows[op]->name;
}

int32_t ref_inputs(bl_op op)
{
    return ref_rows[op]->inputs;
}

bool ref_takes(bl_op op, bl_dtype dtype)
{
    return (ref_rows[op]->classes & (int32_t)ref_class(dtype)) != 0;
}

bl_dtype ref_input_dtype(bl_op op, bl_dtype dtype, int32_t k)
{
    return ref_rows[op]->inputs == 3 && k == 0 ? BL_DTYPE_BOOL : dtype;
}

bl_dtype ref_result_dtype(bl_op op, bl_dtype dtype)
{
    if (ref_rows[op]->result == REF_AS_TRUTH)
        return BL_DTYPE_BOOL;
    if (ref_rows[op]->result == REF_AS_MAGNITUDE && dtype == BL_DTYPE_C64)
        return BL_DTYPE_F32;
    if (ref_rows[op]->result == REF_AS_MAGNITUDE && dtype == BL_DTYPE_C128)
        return BL_DTYPE_F64;
    return dtype;
}

int64_t ref_count(const bl_array *array)
{
    int64_t count = 1;

    for (int32_t d = 0; d < array->rank; d++)
        count *= array->extent[d];
    return count;
}

/* Elements from one index of dimension `d` to the next. */
static int64_t stride_of(const bl_array *array, int32_t d)
{
    int64_t stride = 1;

    if (array->stride != NULL)
        return array->stride[d];
    for (int32_t e = d + 1; e < array->rank; e++)
        stride *= array->extent[e];
    return stride;
}

char *ref_at(const bl_array *array, int64_t i)
{
    int64_t offset = 0;

    for (int32_t d = array->rank - 1; d >= 0; d--) {
        offset += i % array->extent[d] * stride_of(array, d);
        i /= array->extent[d];
    }
    return (char *)array->data + offset * (int64_t)ref_size(array->dtype);
}

/* The element of `array` that meets element `i` of a result like `out`. */
static const char *paired(const bl_array *array, const bl_array *out, int64_t i)
{
    int64_t offset = 0;
    const int32_t missing = out->rank - array->rank;

    for (int32_t d = out->rank - 1; d >= missing; d--) {
        if (array->extent[d - missing] != 1)
            offset += i % out->extent[d] * stride_of(array, d - missing);
        i /= out->extent[d];
    }
    return (const char *)array->data + offset * (int64_t)ref_size(array->dtype);
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

static struct ref_value value_of(const struct ref_row *row, bl_dtype dtype,
                                 struct ref_value a, struct ref_value b)
{
    struct ref_value value = {0};
    const double first[2] = {a.real, a.imaginary};
    const double second[2] = {b.real, b.imaginary};
    double result[2];

    if (row->holds != NULL) {
        value.truth = row->holds(order_of(dtype, a, b));
        return value;
    }
    switch (ref_class(dtype)) {
    case REF_TRUTH:
        value.truth = row->truth(a.truth, b.truth);
        break;
    case REF_UNSIGNED:
    case REF_SIGNED:
        value.integer =
            row->integer(a.integer, b.integer, ref_class(dtype) == REF_SIGNED);
        break;
    case REF_REAL:
        value.real = ref_round(dtype, row->real(a.real, b.real));
        break;
    case REF_COMPLEX:
        row->complex(dtype, first, second, result);
        value.real = result[0];
        value.imaginary = result[1];
        break;
    }
    return value;
}

static void apply_one(bl_op op, const bl_array *const *in, const bl_array *out,
                      int64_t i, char *want)
{
    const struct ref_row *row = ref_rows[op];
    const bl_array *a = in[row->inputs == 3 ? 1 : 0];
    const char *first = paired(a, out, i);
    const char *second = row->inputs > 1 ? paired(in[row->inputs - 1], out, i) : first;

    if (row->inputs == 1 && row->picks) {
        ref_convert(a->dtype, first, out->dtype, want);
        return;
    }
    if (row->picks) {
        const bool is_first = *paired(in[0], out, i) != 0;

        memcpy(want, is_first ? first : second, ref_size(out->dtype));
        return;
    }
    const struct ref_value value =
        value_of(row, a->dtype, ref_load(a->dtype, first), ref_load(a->dtype, second));
    ref_store(out->dtype, value, want);
}

void ref_apply(bl_op op, const bl_array *const *in, const bl_array *out, void *want)
{
    const int64_t count = ref_count(out);
    const int64_t size = (int64_t)ref_size(out->dtype);

    for (int64_t i = 0; i < count; i++)
        apply_one(op, in, out, i, (char *)want + i * size);
}

/* One number of a result: the same bits, or both NaN. */
static bool same_number(double want, double got)
{
    if (isnan(want) || isnan(got))
        return isnan(want) && isnan(got);
    return want == got && !signbit(want) == !signbit(got);
}

/*
 * Units in the last place of the modulus that a complex quotient or modulus may be off:
 * Smith's division rounds seven times, a scaled square root four times.
 */
static double tolerance(bl_op op, bl_dtype from)
{
    if (ref_class(from) != REF_COMPLEX)
        return 0;
    return op == BL_OP_DIV ? 8 : op == BL_OP_ABS ? 2 : 0;
}

bool ref_same(bl_op op, bl_dtype from, bl_dtype dtype, const void *want,
              const void *got)
{
    const struct ref_value a = ref_load(dtype, want);
    const struct ref_value b = ref_load(dtype, got);
    const bool is_wide = dtype == BL_DTYPE_F64 || dtype == BL_DTYPE_C128;
    const double unit = is_wide ? DBL_EPSILON : (double)FLT_EPSILON;

    if (ref_class(dtype) != REF_REAL && ref_class(dtype) != REF_COMPLEX)
        return memcmp(want, got, ref_size(dtype)) == 0;
    if (same_number(a.real, b.real) && same_number(a.imaginary, b.imaginary))
        return true;
    if (tolerance(op, from) == 0)
        return false;
    const double modulus = hypot(a.real, a.imaginary);
    return isfinite(modulus) && hypot(a.real - b.real, a.imaginary - b.imaginary) <=
                                    tolerance(op, from) * unit * modulus;
}
