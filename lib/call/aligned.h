/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls on arrays whose elements are not aligned work on aligned copies.
 */
#ifndef BLI_ALIGNED_H
#define BLI_ALIGNED_H

#include "call/call.h"

/* The operands of a call, those that are not aligned replaced by copies. */
struct bli_aligned {
    const bl_array *out; /* to pass to the call, or NULL */
    int32_t count;
    const bl_array *const *inputs;
    /* If there are copies: */
    bl_context *ctx;
    const bl_array *to; /* the call's result */
    const bl_array *input[BL_MAX_INPUTS];
    bl_tensor *copy[1 + BL_MAX_INPUTS]; /* of each input, and last of the result */
    bl_array array[1 + BL_MAX_INPUTS];
};

/*
 * Whether a call has an operand that is not aligned.  `out` may be NULL; arguments need
 * not be valid.
 */
bool bli_any_unaligned(const bl_array *out, int32_t count,
                       const bl_array *const *inputs);

/* Steps of bli_aligned_open and bli_aligned_close where there are copies. */
bl_status bli_aligned_make(struct bli_aligned *aligned, bl_context *ctx,
                           const char *const *names, const char *result,
                           bool is_sequential);
bl_status bli_aligned_finish(struct bli_aligned *aligned, bl_status status);

/*
 * Copy the operands that are not aligned, if there are any; they are checked first, and
 * called `names` and `result`.  An input that is `out` itself remains so.  Such a
 * result is refused if it repeats elements, and in a sequential call if it may overlap
 * an input. After the call, bli_aligned_close writes the result back if `status` is
 * BL_OK, frees the copies, and returns the status of both.  It must not follow an error
 * here.
 */
static inline bl_status bli_aligned_open(struct bli_aligned *aligned, bl_context *ctx,
                                         const char *const *names, const char *result,
                                         const bl_array *out, int32_t count,
                                         const bl_array *const *inputs,
                                         bool is_sequential)
{
    aligned->out = out;
    aligned->inputs = inputs;
    aligned->count = count;
    return bli_any_unaligned(out, count, inputs)
               ? bli_aligned_make(aligned, ctx, names, result, is_sequential)
               : BL_OK;
}

static inline bl_status bli_aligned_close(struct bli_aligned *aligned, bl_status status)
{
    return aligned->inputs == aligned->input ? bli_aligned_finish(aligned, status)
                                             : status;
}

#endif
