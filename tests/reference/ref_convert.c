/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Conversion between dtypes in the reference: the value in extended precision, which
 * represents every value of every dtype, then rounded or truncated once.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "ref_value.h"

_Static_assert(LDBL_MANT_DIG >= 64, "64-bit integers are exact in long double");

static long double number_of(bl_dtype dtype, struct ref_value value)
{
    switch (ref_class(dtype)) {
    case REF_TRUTH:
        return value.truth ? 1 : 0;
    case REF_UNSIGNED:
        return (long double)value.integer;
    case REF_SIGNED:
        return (long double)(int64_t)value.integer;
    case REF_REAL:
    case REF_COMPLEX:
        break;
    }
    return value.real;
}

/*
 * Convert real to integer by way of a wider integer: 32 bits for the narrow types, 64
 * for u32 and i64.  Numbers out of its range, and NaN, become its lowest value.
 */
static uint64_t truncated(bl_dtype to, long double number)
{
    const bool is_narrow = ref_size(to) < 4 || to == BL_DTYPE_I32;
    const long double limit = is_narrow ? 0x1p31L : 0x1p63L;
    const long double whole = truncl(number);

    if (to == BL_DTYPE_U64 && whole >= 0x1p63L && whole < 0x1p64L)
        return (uint64_t)whole;
    if (!(whole >= -limit && whole < limit))
        return (uint64_t)(int64_t)-limit;
    return (uint64_t)(int64_t)whole;
}

void ref_convert(bl_dtype from, const void *memory, bl_dtype to, void *want)
{
    const struct ref_value value = ref_load(from, memory);
    const long double number = number_of(from, value);
    const bool is_real = ref_class(from) == REF_REAL || ref_class(from) == REF_COMPLEX;
    struct ref_value result = {.real = (double)number, .imaginary = value.imaginary};

    if (from == to) {
        memcpy(want, memory, ref_size(from));
        return;
    }
    switch (ref_class(to)) {
    case REF_TRUTH:
        result.truth = number != 0 || value.imaginary != 0;
        break;
    case REF_UNSIGNED:
    case REF_SIGNED:
        result.integer =
            is_real ? truncated(to, number) : value.integer | (value.truth ? 1 : 0);
        break;
    case REF_REAL:
    case REF_COMPLEX:
        ref_store_real(to, number, value.imaginary, want);
        return;
    }
    ref_store(to, result, want);
}
