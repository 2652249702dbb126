/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The reference of reductions.
 */
#include "reduce_model.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "ref.h"
#include "ref_value.h"
#include "harness/tap.h"

int32_t reduce_shape(const bl_array *in, uint64_t axes, bool keepdim, int64_t *extent)
{
    int32_t rank = 0;

    for (int32_t d = 0; d < in->rank; d++)
        if ((axes >> d & 1) == 0 || keepdim)
            extent[rank++] = (axes >> d & 1) != 0 ? 1 : in->extent[d];
    return rank;
}

bl_dtype reduce_dtype(bl_reduction op, bl_dtype dtype)
{
    const enum ref_class class = ref_class(dtype);
    const bool is_whole = (class & (REF_TRUTH | REF_UNSIGNED | REF_SIGNED)) != 0;

    switch (op) {
    case BL_REDUCTION_SUM:
    case BL_REDUCTION_PROD:
        return is_whole ? BL_DTYPE_I64 : dtype;
    case BL_REDUCTION_MEAN:
        return is_whole ? BL_DTYPE_NONE : dtype;
    case BL_REDUCTION_MAX:
    case BL_REDUCTION_MIN:
        return class == REF_COMPLEX ? BL_DTYPE_NONE : dtype;
    case BL_REDUCTION_VAR:
    case BL_REDUCTION_STD:
        return is_whole                 ? BL_DTYPE_NONE
               : dtype == BL_DTYPE_C64  ? BL_DTYPE_F32
               : dtype == BL_DTYPE_C128 ? BL_DTYPE_F64
                                        : dtype;
    default:
        return dtype == BL_DTYPE_U8 ? BL_DTYPE_U8 : BL_DTYPE_BOOL;
    }
}

/* Accumulated data about the elements of one result. */
struct tally {
    int64_t count;
    uint64_t whole_sum, whole_product; /* integers and booleans */
    long double sum[2];                /* real and imaginary part */
    long double product[2];
    long double size; /* sum of absolute values */
    long double squares;
    bool any, all, has_nan;
    struct ref_value largest, smallest;
};

static bool is_less(bl_dtype dtype, struct ref_value a, struct ref_value b)
{
    switch (ref_class(dtype)) {
    case REF_TRUTH:
        return a.truth < b.truth;
    case REF_UNSIGNED:
        return a.integer < b.integer;
    case REF_SIGNED:
        return (int64_t)a.integer < (int64_t)b.integer;
    default:
        return a.real < b.real;
    }
}

static void add_element(struct tally *tally, bl_dtype dtype, struct ref_value x)
{
    const enum ref_class class = ref_class(dtype);
    const bool is_inexact = (class & (REF_REAL | REF_COMPLEX)) != 0;
    const uint64_t whole = class == REF_TRUTH ? x.truth : x.integer;
    const long double re = x.real, im = class == REF_COMPLEX ? x.imaginary : 0;
    const long double product = tally->product[0] * re - tally->product[1] * im;
    const bool holds = is_inexact ? re != 0 || im != 0 : whole != 0;

    tally->whole_sum += whole;
    tally->whole_product *= whole;
    if (is_inexact) {
        tally->sum[0] += re;
        tally->sum[1] += im;
        tally->product[1] = tally->product[0] * im + tally->product[1] * re;
        tally->product[0] = product;
        tally->size += class == REF_COMPLEX ? hypotl(re, im) : fabsl(re);
        tally->squares += re * re + im * im;
    }
    tally->any = tally->any || holds;
    tally->all = tally->all && holds;
    tally->has_nan = tally->has_nan || (is_inexact && isnan(x.real));
    if (tally->count == 0 || is_less(dtype, tally->largest, x))
        tally->largest = x;
    if (tally->count == 0 || is_less(dtype, x, tally->smallest))
        tally->smallest = x;
    tally->count++;
}

/* Index of the result, in row-major order, that element `i` contributes to. */
static int64_t result_of(const bl_array *in, uint64_t axes, int64_t i)
{
    int64_t result = 0, scale = 1;

    for (int32_t d = in->rank - 1; d >= 0; d--) {
        if ((axes >> d & 1) == 0) {
            result += i % in->extent[d] * scale;
            scale *= in->extent[d];
        }
        i /= in->extent[d];
    }
    return result;
}

/* Accumulate the elements of each result. */
static struct tally *tally_results(const bl_array *in, uint64_t axes, int64_t results)
{
    struct tally *const tally = malloc(((size_t)results + 1) * sizeof *tally);
    const int64_t elements = ref_count(in);

    if (!tally)
        abort();
    for (int64_t i = 0; i < results; i++)
        tally[i] = (struct tally){.whole_product = 1, .product = {1, 0}, .all = true};
    for (int64_t i = 0; i < elements; i++)
        add_element(&tally[result_of(in, axes, i)], in->dtype,
                    ref_load(in->dtype, ref_at(in, i)));
    return tally;
}

/* Relative error of one rounding to the dtype. */
static long double unit_of(bl_dtype dtype)
{
    return ref_unit(dtype, 1) / 2;
}

/* Whether a number rounds to infinity in the dtype. */
static bool is_past(bl_dtype dtype, long double number)
{
    char value[REF_ELEMENT];

    ref_make(dtype, (double)number, 0, value);
    return isinf(ref_load(dtype, value).real);
}

/*
 * Whether a part of a result is infinite where the expected value exceeds the largest
 * number.
 */
static bool is_past_too(bl_dtype dtype, long double want, long double bound,
                        long double got)
{
    return isinf(got) && (got < 0) == (want < 0) && is_past(dtype, fabsl(want) + bound);
}

static bool is_close(bl_reduction op, bl_dtype dtype, const struct tally *tally,
                     struct ref_value got)
{
    const bool is_complex = ref_class(dtype) == REF_COMPLEX;
    const long double n = op == BL_REDUCTION_MEAN ? (long double)tally->count : 1;
    const long double *const want =
        op == BL_REDUCTION_PROD ? tally->product : tally->sum;
    const long double re = want[0] / n, im = is_complex ? want[1] / n : 0;
    const long double got_im = is_complex ? got.imaginary : 0;
    const long double logarithm = log2l((long double)tally->count + 1);
    const long double tree = ((is_complex ? 264 : 136) + logarithm) * 0x1p-53L;
    const long double bound =
        op == BL_REDUCTION_PROD
            ? 2 * (long double)(tally->count + 1) * 0x1p-53L * hypotl(re, im)
            : tree * tally->size / n;

    if (op == BL_REDUCTION_MEAN && tally->count == 0)
        return isnan(got.real);

    const long double off = is_past_too(dtype, re, bound, got.real) ? 0 : got.real - re;
    const long double off_im = is_past_too(dtype, im, bound, got_im) ? 0 : got_im - im;

    return hypotl(off, off_im) <=
           bound + 2 * unit_of(dtype) * hypotl(re, im) + ref_unit(dtype, 0);
}

/* Whether a variance with a correction of 1, or its root, is as exact as its sums. */
static bool is_close_variance(bl_reduction op, bl_dtype dtype,
                              const struct tally *tally, long double got)
{
    const long double n = (long double)tally->count;
    const long double mean[] = {tally->sum[0] / n, tally->sum[1] / n};
    const long double squares =
        tally->squares - n * (mean[0] * mean[0] + mean[1] * mean[1]);
    const long double var = squares > 0 ? squares / (n - 1) : 0;
    const long double want = op == BL_REDUCTION_STD ? sqrtl(var) : var;

    if (tally->count < 2)
        return isnan(got);
    return fabsl(got - want) <=
           (264 + log2l(n)) * 0x1p-53L * (want + 1) + 2 * unit_of(dtype) * want;
}

static bool result_is_right(bl_reduction op, bl_dtype dtype, const struct tally *tally,
                            const void *got)
{
    const bool is_whole = (ref_class(dtype) & (REF_REAL | REF_COMPLEX)) == 0;
    const bl_dtype to = reduce_dtype(op, dtype);
    const struct ref_value value = ref_load(to, got);

    switch (op) {
    case BL_REDUCTION_ANY:
        return *(const uint8_t *)got == tally->any;
    case BL_REDUCTION_ALL:
        return *(const uint8_t *)got == tally->all;
    case BL_REDUCTION_MAX:
    case BL_REDUCTION_MIN: {
        const struct ref_value want =
            op == BL_REDUCTION_MAX ? tally->largest : tally->smallest;

        if (tally->has_nan)
            return isnan(value.real);
        return !is_less(to, value, want) && !is_less(to, want, value);
    }
    case BL_REDUCTION_VAR:
    case BL_REDUCTION_STD:
        return is_close_variance(op, to, tally, value.real);
    default:
        if (is_whole)
            return value.integer ==
                   (op == BL_REDUCTION_SUM ? tally->whole_sum : tally->whole_product);
        return is_close(op, to, tally, value);
    }
}

bool reduce_is_right(bl_reduction op, const bl_array *in, uint64_t axes,
                     const void *got)
{
    const int64_t size = (int64_t)ref_size(reduce_dtype(op, in->dtype));
    int64_t extent[BL_MAX_RANK], results = 1;
    const int32_t rank = reduce_shape(in, axes, false, extent);

    for (int32_t d = 0; d < rank; d++)
        results *= extent[d];

    struct tally *const tally = tally_results(in, axes, results);
    bool pass = true;

    for (int64_t i = 0; pass && i < results; i++) {
        char text[64];

        pass = result_is_right(op, in->dtype, &tally[i], (const char *)got + i * size);
        if (pass)
            continue;
        ref_print(reduce_dtype(op, in->dtype), (const char *)got + i * size, text,
                  sizeof text);
        tap_note("%s of %" PRId64 " elements, axes %" PRIx64 ": result %" PRId64
                 " is %s, the sum %Lg, the product %Lg",
                 bl_reduction_name(op), tally[i].count, axes, i, text, tally[i].sum[0],
                 tally[i].product[0]);
    }
    free(tally);
    return pass;
}
