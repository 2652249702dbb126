/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contents of the operands of problems: values that identify their position, in a range
 * where the operator's results differ.
 */
#include "problem.h"

#include <string.h>

#include "reference/ref.h"

/* An integer that is a bit count, a factor or a divisor: small, of either sign. */
static int64_t small_integer(bl_dtype dtype, int64_t i, bool divides)
{
    const int64_t bits = 8 * (int64_t)ref_size(dtype);
    const bool is_signed = ref_class(dtype) == REF_SIGNED;

    if (divides)
        return is_signed && i / 3 % 2 != 0 ? -(i % 61) - 1 : i % 61 + 1;
    return is_signed ? i % (bits + 6) - 3 : i % (bits + 3);
}

/*
 * Write a value within the operator's bounds; a complex imaginary part differs from the
 * real part.
 */
static void put_bounded(const struct ref_contents *contents, bl_dtype dtype, int64_t i,
                        int64_t period, void *memory)
{
    const double width = contents->high - contents->low;
    const double real = (double)(i % period) + 0.5;
    const double imaginary = (double)((i + period / 3) % period) + 0.5;

    ref_make(dtype, contents->low + width * real / (double)period,
             contents->low + width * imaginary / (double)period, memory);
}

/*
 * Write a value that repeats with a prime period in `i`, so that an index that is wrong
 * by a power of two reads a different one.
 */
void problem_put(bl_op op, bl_dtype dtype, int32_t k, int64_t i, void *memory)
{
    const struct ref_contents *contents = ref_contents(op);
    static const int64_t short_period[] = {251, 241, 239, 233};
    static const int64_t long_period[] = {65521, 65519, 65497, 65479};
    const bool is_short = ref_size(dtype) == 1 || dtype == BL_DTYPE_BF16;
    const bool is_half = dtype == BL_DTYPE_F16;
    const int64_t period = contents->few ? 3 - k % 2
                           : is_short    ? short_period[k]
                           : is_half     ? 2 * short_period[k] + 1
                                         : long_period[k];
    const double number = (double)(i % period + 1);
    const double sign = i / 2 % 2 ? -1 : 1;
    int64_t integer = (int64_t)number;

    switch (ref_class(dtype)) {
    case REF_TRUTH:
        integer = (int64_t)((uint64_t)(i + 1) * 0x9e3779b97f4a7c15u >> (40 + k) & 1);
        memcpy(memory, &integer, 1);
        break;
    case REF_UNSIGNED:
    case REF_SIGNED:
        if (ref_size(dtype) >= 4 && !contents->few)
            integer = (int64_t)((uint64_t)integer * 0xd1342543de82ef95u);
        if (k > 0 && (contents->counts || contents->divides))
            integer = small_integer(dtype, i, contents->divides);
        memcpy(memory, &integer, ref_size(dtype));
        break;
    case REF_REAL:
    case REF_COMPLEX:
        if (contents->high > contents->low)
            put_bounded(contents, dtype, i, period, memory);
        else
            ref_make(dtype, contents->few ? number : sign * number / 7,
                     1.5 - number / 3, memory);
        break;
    }
}
