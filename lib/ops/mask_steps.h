/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The steps that operations with a mask have in common: checking, pairing, counting.
 */
#ifndef BLI_MASK_STEPS_H
#define BLI_MASK_STEPS_H

#include <broadloom/mask.h>

#include "ops/ops.h"
#include "exec/pack.h"

/* Counts of so many blocks need no workspace: those of two million elements. */
#define BLI_STACK_BLOCKS 512

/* An array and its mask, with the shape that they broadcast to. */
struct bli_mask_steps {
    bl_context *ctx;
    const bl_array *mask;
    const bl_array *array;
    bl_rules_answer answer;
    bl_pairing mask_pairing;
    bl_pairing array_pairing;
    bl_tensor *copy[2]; /* of the mask and the array, paired as 1-D; else NULL */
    bl_array shaped[2]; /* them, in the answer's shape */
    struct bli_pack pack;
    struct bli_storage storage;
    int64_t few[BLI_STACK_BLOCKS + 1];
};

/*
 * No answer and no workspace yet, in memory that the thread lends until it is closed;
 * `ctx` may be NULL.  BL_ERR_MEMORY.
 */
bl_status bli_mask_open(struct bli_mask_steps **out, bl_context *ctx,
                        const bl_array *array, const bl_array *mask);

/* Check both arrays; `what` is the operation, `name` the array, in messages. */
bl_status bli_mask_check(const char *what, const bl_array *array, const char *name,
                         const bl_array *mask);

/*
 * Ask the rules; an array that is written in place comes first and keeps its shape.
 * `function` is PyTorch's name of the call that returns to `address`.
 */
bl_status bli_mask_pair(struct bli_mask_steps *steps, const char *function,
                        const void *address, bool is_in_place);

/* An array as nests take it. */
struct bli_strided bli_mask_operand(const bl_array *array, bl_pairing pairing);

/*
 * Make the nests and count the true ones, once the arrays are what is read and written.
 * BL_ERR_MEMORY.
 */
bl_status bli_mask_count(struct bli_mask_steps *steps, int64_t *total);

void bli_mask_close(struct bli_mask_steps *steps);

#endif
