/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Accuracy of complex operators: results for arguments of moderate magnitude and within
 * the operator's bounds, compared with the reference's in extended precision.
 */
#include <math.h>
#include <stdlib.h>

#include "accuracy.h"
#include "harness/problem.h"
#include "harness/tap.h"

static void put_complex(struct rng *rng, bl_op op, bl_dtype dtype, void *memory)
{
    const struct ref_contents *contents = ref_contents(op);
    const double most = contents->high > contents->low ? contents->high : 100;
    double part[2];

    for (int32_t k = 0; k < 2; k++) {
        const double share = (double)rng_below(rng, 2000001) / 1000000 - 1;

        part[k] = rng_one_in(rng, 2) ? share * most
                                     : share * exp2((double)rng_below(rng, 40) - 36);
    }
    ref_make(dtype, part[0], part[1], memory);
}

/* The error of one element, by the reference's exact value. */
static double error_of(bl_op op, bl_dtype from, bl_dtype to, const struct ref_value *x,
                       const void *memory)
{
    const struct ref_row *row = ref_rows[op];
    const struct ref_value got = ref_load(to, memory);
    double pair[REF_INPUTS][2] = {{0}};
    long double want[2];

    for (int32_t k = 0; k < row->inputs; k++) {
        pair[k][0] = x[k].real;
        pair[k][1] = x[k].imaginary;
    }
    row->pair(from, (const double(*)[2])pair, want);
    double magnitude = (double)hypotl(want[0], want[1]);
    if (!isfinite(magnitude) || magnitude > ref_top(to) / 4)
        return 0; /* special values are tested elsewhere */
    if (row->scale != NULL)
        magnitude = fmax(magnitude, row->scale(from, x));
    return (double)hypotl(want[0] - got.real, want[1] - got.imaginary) /
           ref_unit(to, magnitude);
}

double accuracy_complex(bl_context *ctx, bl_op op, bl_dtype dtype, int64_t count,
                        double *x)
{
    struct rng rng = {7};
    unsigned char *const memory =
        malloc((size_t)count * REF_ELEMENT * (REF_INPUTS + 1));
    bl_array in[REF_INPUTS];
    const bl_array *input[REF_INPUTS];
    const bl_array out = {.data = memory,
                          .dtype = ref_result_dtype(op, dtype),
                          .rank = 1,
                          .extent = &count};
    double worst = 0;

    if (memory == NULL)
        return (double)INFINITY;
    for (int32_t k = 0; k < ref_inputs(op); k++) {
        in[k] = out;
        in[k].dtype = dtype;
        in[k].data = memory + (size_t)count * REF_ELEMENT * (size_t)(k + 1);
        input[k] = &in[k];
        for (int64_t i = 0; i < count; i++)
            put_complex(&rng, op, dtype, ref_at(&in[k], i));
    }
    if (bl_apply(ctx, op, &out, ref_inputs(op), input, NULL) != BL_OK) {
        tap_note("%s: %s", ref_name(op), bl_error_message());
        worst = (double)INFINITY;
    }
    for (int64_t i = 0; isfinite(worst) && i < count; i++) {
        struct ref_value value[REF_INPUTS] = {{0}};

        for (int32_t k = 0; k < ref_inputs(op); k++)
            value[k] = ref_load(dtype, ref_at(&in[k], i));
        const double error = error_of(op, dtype, out.dtype, value, ref_at(&out, i));
        if (error <= worst)
            continue;
        worst = isnan(error) ? (double)INFINITY : error;
        x[0] = value[0].real;
        x[1] = value[0].imaginary;
    }
    free(memory);
    return worst;
}
