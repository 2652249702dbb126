/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows of the reference: bits and shifts, rounding, and the parts of complex numbers.
 */
#include "ref_value.h"

#include <math.h>

enum { BITS = REF_TRUTH | REF_INTEGERS };

/* Compute bit by bit, from sums of powers of two. */
static uint64_t each_bit(uint64_t a, uint64_t b, bool both, bool one)
{
    uint64_t result = 0;

    for (int32_t i = 63; i >= 0; i--) {
        const bool p = a >> i & 1;
        const bool q = b >> i & 1;

        result = 2 * result + ((p && q && both) || (p != q && one) ? 1 : 0);
    }
    return result;
}

/* Shift by doubling, as often as the count says: nothing remains after 64 times. */
static uint64_t shifted_left(uint64_t a, uint64_t b, bool is_signed)
{
    if (ref_is_less(b, 0, is_signed))
        return 0;
    for (uint64_t i = 0; i < b && i < 64; i++)
        a += a;
    return a;
}

/* Shift by halving, rounded down. */
static uint64_t shifted_right(uint64_t a, uint64_t b, bool is_signed)
{
    const uint64_t sign = is_signed && (int64_t)a < 0 ? UINT64_C(1) << 63 : 0;
    const uint64_t count = ref_is_less(b, 0, is_signed) || b > 64 ? 64 : b;

    for (uint64_t i = 0; i < count; i++)
        a = a / 2 + sign;
    return a;
}

REF_DEFINE_TRUTH(bitwise_and, a ? b : false)
REF_DEFINE_INTEGER(bitwise_and, each_bit(a, b, true, false))
REF_DEFINE_TRUTH(bitwise_or, a ? true : b)
REF_DEFINE_INTEGER(bitwise_or, each_bit(a, b, true, true))
REF_DEFINE_TRUTH(bitwise_xor, a ? !b : b)
REF_DEFINE_INTEGER(bitwise_xor, each_bit(a, b, false, true))
REF_DEFINE_TRUTH(bitwise_not, !a)
REF_DEFINE_INTEGER(bitwise_not, UINT64_MAX - a)
REF_DEFINE_INTEGER(left_shift, shifted_left(a, b, is_signed))
REF_DEFINE_INTEGER(right_shift, shifted_right(a, b, is_signed))

#define OF_BITS(NAME) .truth = NAME##_truth, .integer = NAME##_integer

REF_ROW(bitwise_and, 2, BITS, OF_BITS(bitwise_and))
REF_ROW(bitwise_or, 2, BITS, OF_BITS(bitwise_or))
REF_ROW(bitwise_xor, 2, BITS, OF_BITS(bitwise_xor))
REF_ROW(bitwise_not, 1, BITS, OF_BITS(bitwise_not))
REF_ROW(left_shift, 2, REF_INTEGERS, .integer = left_shift_integer,
        .contents = {.counts = true})
REF_ROW(right_shift, 2, REF_INTEGERS, .integer = right_shift_integer,
        .contents = {.counts = true})

/* ---- rounding ---- */

static double to_even(double a)
{
    const double below = floor(a);
    const double rest = a - below;
    const bool is_down = rest < 0.5 || (rest == 0.5 && fmod(below, 2) == 0);

    return isfinite(a) ? copysign(is_down ? below : below + 1, a) : a;
}

REF_DEFINE_INTEGER(floor, a)
REF_DEFINE_REAL(floor, floor(a))
REF_DEFINE_REAL(ceil, ceil(a))
REF_DEFINE_REAL(trunc, trunc(a))
REF_DEFINE_REAL(round, to_even(a))

REF_ROW(floor, 1, REF_ORDERED, .integer = floor_integer, .real = floor_real)
REF_ROW(ceil, 1, REF_ORDERED, .integer = floor_integer, .real = ceil_real)
REF_ROW(trunc, 1, REF_ORDERED, .integer = floor_integer, .real = trunc_real)
REF_ROW(round, 1, REF_ORDERED, .integer = floor_integer, .real = round_real)

/* ---- parts of complex numbers ---- */

REF_DEFINE_INTEGER(real, a)
REF_DEFINE_REAL(real, a)
REF_DEFINE_INTEGER(imag, 0)
REF_DEFINE_REAL(imag, 0)
REF_DEFINE_REAL(angle, isnan(a) ? a : a < 0 ? acosl(-1) : 0)

REF_ROW(conj, 1, REF_NUMBERS, .integer = real_integer, .real = real_real,
        .pair = ref_conj_complex)
REF_ROW(real, 1, REF_NUMBERS, .integer = real_integer, .real = real_real,
        .pair = ref_real_complex, .result = REF_AS_REAL_PART)
REF_ROW(imag, 1, REF_NUMBERS, .integer = imag_integer, .real = imag_real,
        .pair = ref_imag_complex, .result = REF_AS_REAL_PART)
REF_ROW(angle, 1, REF_INEXACT, .real = angle_real, .pair = ref_angle_complex,
        .result = REF_AS_REAL_PART, .ulp = 1, .complex_ulp = 1)
