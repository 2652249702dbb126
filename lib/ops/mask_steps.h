/* SPDX-License-Identifier: BSD-3-Clause */
/* The steps that masked operations share: checks, broadcasting, counting. */
#ifndef BLI_MASK_STEPS_H
#define BLI_MASK_STEPS_H

#include <broadloom/mask.h>

#include "ops/ops.h"
#include "exec/pack.h"

/* Counts of so many blocks, those of two million elements, need no workspace. */
#define BLI_STACK_BLOCKS 512

/* An array and its mask, with the shape that they broadcast to. */
struct bli_mask_steps {
    bl_context *ctx;
    const bl_array *mask;
    const bl_array *array;
    bl_rules_answer answer;
    bl_pairing mask_pairing;
    bl_pairing array_pairing;
    bl_tensor
        *copy[2]; /* copies of the mask and the array if paired linearly, else NULL */
    bl_array shaped[2]; /* the copies, in the answer's shape */
    struct bli_pack pack;
    struct bli_storage storage;
    int64_t counts[BLI_STACK_BLOCKS + 1];
};

/*
 * Begin a masked operation, without an answer or a workspace yet, in memory that the
 * thread lends until bli_mask_close.  `ctx` may be NULL.  BL_ERR_MEMORY.
 */
bl_status bli_mask_open(struct bli_mask_steps **out, bl_context *ctx,
                        const bl_array *array, const bl_array *mask);

/* Check both arrays.  Messages name the operation `what` and the array `name`. */
bl_status bli_mask_check(const char *what, const bl_array *array, const char *name,
                         const bl_array *mask);

/*
 * Broadcast the array and the mask by the rules in force.  An array that is written in
 * place comes first and keeps its shape.  `function` is PyTorch's name of the call,
 * which returns to `address`, and `name` the array's in messages.
 */
bl_status bli_mask_pair(struct bli_mask_steps *steps, const char *function,
                        const char *name, const void *address, bool is_in_place);

/*
 * Make the nests and count the true elements of the mask, once the arrays to read and
 * write are final.  BL_ERR_MEMORY.
 */
bl_status bli_mask_count(struct bli_mask_steps *steps, int64_t *total);

/*
 * Move the elements that were counted: from the array into `row`, or from the row into
 * the array.  BL_ERR_MEMORY before anything is written.
 */
bl_status bli_mask_move(struct bli_mask_steps *steps, char *row, bool unpacks);

void bli_mask_close(struct bli_mask_steps *steps);

#endif
