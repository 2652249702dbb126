/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arguments that accuracy is measured on: patterns over all exponents, numbers within
 * an operator's bounds, and neighbours of hard arguments.
 */
#include "accuracy.h"

#include <math.h>
#include <stdlib.h>

#include "harness/problem.h"

/* Where functions overflow, underflow, cross 0 or switch algorithms. */
static const double edges[] = {
    0,
    0.25,
    0.5,
    0.6875,
    1,
    1.5,
    2,
    2.71828182845904523536,
    4,
    9,
    11.0899,
    16.6,
    17.3287,
    22,
    26.5432,
    27.2263,
    87.3365,
    88.0297,
    88.7228,
    89.4159,
    103.2789,
    103.9721,
    126,
    127,
    128,
    149,
    150,
    708.3964,
    709.0895,
    709.7827,
    710.4758,
    744.4401,
    745.1332,
    1022,
    1024,
    1074,
    1075,
    /* lgamma passes through 0 */
    -2.4570247382208005,
    -2.7476826467274127,
    -3.1435808883499798,
    -3.9552942848585979,
    -4.0393618397405254,
    -4.9915445640560048,
    -5.0082181688225931,
    -9.9999997244266300,
    -20.5,
    /* close to multiples of pi / 2 */
    0x1.6ac5b262ca1ffp+849,
    0x1.921fb54442d18p+1,
    11.0,
    22.0,
    344.0,
    355.0,
    710.0,
    51416.0,
    103993.0,
    245850922.0,
    411557987.0,
    5293386250278608690.0,
    16367173 * 0x1p72,
};
enum { EDGES = sizeof edges / sizeof edges[0], BESIDE = 24 };

/* The number with those bits of the dtype, left-aligned in a 64-bit word. */
static double number_of_bits(bl_dtype dtype, uint64_t bits)
{
    const uint64_t moved = bits >> (64 - 8 * ref_size(dtype));

    return ref_load(dtype, &moved).real;
}

static double rounded(bl_dtype dtype, double value)
{
    unsigned char memory[REF_ELEMENT];

    ref_make(dtype, value, 0, memory);
    return ref_load(dtype, memory).real;
}

/* The number that is `steps` ulp of the dtype away from `edge`. */
static double step_from(bl_dtype dtype, double edge, int64_t steps)
{
    const double number = rounded(dtype, edge);

    return rounded(dtype, number + (double)steps * ref_unit(dtype, fabs(number) / 2));
}

/* One argument: from all patterns, within bounds, or near an edge. */
static double one_number(struct rng *rng, bl_op op, bl_dtype dtype, int64_t i,
                         int64_t count)
{
    const struct ref_contents *contents = ref_contents(op);
    const uint64_t spread = UINT64_MAX / (uint64_t)count * (uint64_t)i;
    const double share =
        (double)rng_below(rng, INT64_C(1) << 53) / (double)(INT64_C(1) << 53);
    const int64_t edge = rng_below(rng, EDGES);
    const double sign = rng_one_in(rng, 2) ? -1 : 1;

    switch (i % 4) {
    case 0:
    case 1:
        return number_of_bits(dtype,
                              spread + (uint64_t)rng_below(rng, INT64_C(1) << 62) /
                                           (uint64_t)count);
    case 2:
        if (contents->high > contents->low)
            return rounded(dtype,
                           contents->low + share * (contents->high - contents->low));
        return rounded(dtype, sign * share * 100);
    default:
        return rng_one_in(rng, 3)
                   ? step_from(dtype, (double)rng_below(rng, 4000) * sign * acos(0),
                               rng_below(rng, 3) - 1)
                   : step_from(dtype, sign * edges[edge],
                               rng_below(rng, 2 * BESIDE) - BESIDE);
    }
}

/* A second argument for which the result is not trivial. */
static double other_number(struct rng *rng, bl_op op, bl_dtype dtype, double a,
                           double b)
{
    const double most = dtype == BL_DTYPE_F64                             ? 1074
                        : dtype == BL_DTYPE_F32 || dtype == BL_DTYPE_BF16 ? 149
                                                                          : 24;
    const double share = (double)rng_below(rng, 2000001) / 1000000 - 1;
    const int32_t kind = (int32_t)rng_below(rng, 3);

    if (kind == 0)
        return b;
    if (op == BL_OP_POW && a < 0)
        return rounded(dtype, nearbyint(share * 40));
    if (op == BL_OP_POW && a > 0 && a != 1 && isfinite(a))
        return rounded(dtype, share * most / log2(a));
    if (op == BL_OP_LDEXP)
        return rounded(dtype, kind == 1 ? nearbyint(share * most) : share * most);
    if (op == BL_OP_LOGADDEXP)
        return rounded(dtype, a + share * (kind == 1 ? 40 : 2));
    return rounded(dtype, a * exp2(nearbyint(share * 10)) * (1 + fabs(share)));
}

/* A third argument; for half of the sets it nearly cancels the product. */
static double third_number(struct rng *rng, bl_dtype dtype, double a, double b,
                           double c)
{
    if (rng_one_in(rng, 2))
        return c;
    return step_from(dtype, -(a * b), rng_below(rng, 5) - 2);
}

void arguments_open(struct arguments *arguments, bl_op op, bl_dtype dtype,
                    int64_t count)
{
    struct rng rng = {42};
    const int32_t inputs = ref_inputs(op);
    const bool is_all = inputs == 1 && ref_size(dtype) == 2;

    arguments->count = is_all ? 65536 : count;
    for (int32_t k = 0; k < ACCURACY_INPUTS; k++) {
        arguments->value[k] =
            calloc((size_t)arguments->count, sizeof *arguments->value[k]);
        if (arguments->value[k] == NULL)
            abort();
    }
    for (int64_t i = 0; i < arguments->count; i++) {
        double *const *value = arguments->value;

        if (is_all) {
            value[0][i] = number_of_bits(dtype, (uint64_t)i << 48);
            continue;
        }
        value[0][i] = one_number(&rng, op, dtype, i, count);
        for (int32_t k = 1; k < inputs; k++) {
            const int64_t j = rng_below(&rng, count);

            value[k][i] = one_number(&rng, op, dtype, j, count);
            value[k][i] =
                k == 1
                    ? other_number(&rng, op, dtype, value[0][i], value[1][i])
                    : third_number(&rng, dtype, value[0][i], value[1][i], value[2][i]);
        }
    }
}

void arguments_close(struct arguments *arguments)
{
    for (int32_t k = 0; k < ACCURACY_INPUTS; k++)
        free(arguments->value[k]);
}
