/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random segments for tests/ops/registers.c.
 */
#include "segments.h"

static const bl_dtype dtypes[] = {BL_DTYPE_BOOL, BL_DTYPE_U8,   BL_DTYPE_I32,
                                  BL_DTYPE_F16,  BL_DTYPE_BF16, BL_DTYPE_F32,
                                  BL_DTYPE_F64};
enum { DTYPES = sizeof dtypes / sizeof dtypes[0] };

/* A value so far of `dtype`; -1 if there is none. */
static int16_t pick(struct rng *rng, const struct bli_segment *segment, bl_dtype dtype)
{
    int16_t found = -1;
    int64_t count = 0;

    for (int16_t v = 0; v < segment->count; v++)
        if (segment->value[v].dtype == (int16_t)dtype && rng_one_in(rng, ++count))
            found = v;
    return found;
}

/* Make the last value, and some others, outputs; conversions of the last too. */
static void random_outputs(struct rng *rng, struct bli_segment *segment)
{
    const int32_t count = segment->count;

    for (int16_t v = (int16_t)(count - 1); v >= 0; v--) {
        const struct bli_value *const value = &segment->value[v];
        const bl_dtype dtype = (bl_dtype)value->dtype;

        if (value->kind != BLI_VALUE_OPERATOR ||
            (v != count - 1 && !rng_one_in(rng, 8)) || segment->operands > 20)
            continue;
        if (dtype == segment->computes && rng_one_in(rng, 4))
            segment_output(
                segment, segment_op(segment, BL_OP_COPY,
                                    dtype == BL_DTYPE_F32 ? BL_DTYPE_U8 : BL_DTYPE_F32,
                                    v, -1, -1, -1));
        else
            segment_output(segment, v);
    }
}

void segment_random(struct rng *rng, struct bli_segment *segment, int64_t most)
{
    const bool is_f32 = rng_below(rng, 2) == 0;
    const bl_dtype computes = is_f32 ? BL_DTYPE_F32 : BL_DTYPE_F64;
    const bool is_mixed = rng_one_in(rng, 3);
    const int64_t operands = 1 + rng_below(rng, 5);

    segment_begin(segment, computes);
    for (int64_t k = 0; k < operands; k++) {
        const bl_dtype dtype = is_mixed ? dtypes[rng_below(rng, DTYPES)] : computes;

        segment_operand(segment,
                        rng_one_in(rng, 3) ? BLI_VALUE_STILL : BLI_VALUE_STREAM,
                        bli_can_stream(computes, dtype) ? dtype : computes);
    }
    for (int64_t tries = 40 * most; tries > 0 && segment->count < operands + most;
         tries--) {
        const bl_op op = (bl_op)rng_below(rng, bli_ops_count);
        const bl_dtype from = is_mixed             ? dtypes[rng_below(rng, DTYPES)]
                              : rng_one_in(rng, 4) ? BL_DTYPE_BOOL
                                                   : computes;
        const bl_dtype to = dtypes[rng_below(rng, DTYPES)];
        int16_t in[4] = {-1, -1, -1, -1};
        bool all =
            bli_op_is_valid(op) && bli_has_register_form(op, computes, from, to) &&
            (op != BL_OP_COPY || (to != BL_DTYPE_U8 && (to != BL_DTYPE_F32 || is_f32)));

        for (int32_t k = 0; all && k < bli_ops[op].count; k++) {
            in[k] =
                pick(rng, segment, op == BL_OP_WHERE && k == 0 ? BL_DTYPE_BOOL : from);
            all = in[k] >= 0;
        }
        if (all)
            segment_op(segment, op, to, in[0], in[1], in[2], in[3]);
    }
    random_outputs(rng, segment);
}
