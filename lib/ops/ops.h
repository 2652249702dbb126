/* SPDX-License-Identifier: BSD-3-Clause */
/* What operations that make tensors share: sequences of values. */
#ifndef BLI_OPS_H
#define BLI_OPS_H

#include "call/call.h"

/*
 * Write values first, ..., first + count - 1 of a sequence: a pure function of
 * `argument` and their indices.
 */
typedef void bli_sequence(const void *argument, int64_t first, int64_t count,
                          double *values);

/*
 * Fill a compact array with a sequence, in order, on the context's threads.  Each
 * complex element takes two values.  The number of threads does not affect any value,
 * nor, where `is_nearest`, do the thread's rounding direction and flushing.
 * BL_ERR_MEMORY.
 */
bl_status bli_fill(bl_context *ctx, const bl_array *out, bli_sequence *sequence,
                   const void *argument, bool is_nearest);

/*
 * A new tensor of a box of one whose values are a sequence, in logical order: indices
 * begin[d] to end[d] - 1 of each dimension, all of them where `end` is `extent`.
 * BL_ERR_ARGUMENT for other indices, and errors of bl_tensor_empty().
 */
struct bli_sequence_box {
    bli_sequence *sequence;
    const void *argument;
    int32_t rank;
    const int64_t *extent, *begin, *end;
    bool is_whole; /* `begin` and `end` are not read */
};
bl_status bli_tensor_of_box(bl_context *ctx, bl_dtype dtype,
                            const struct bli_sequence_box *of, bl_tensor **out);

/* Philox4x32-10: a random block from a counter and a key.  Pure. */
void bli_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);

#endif
