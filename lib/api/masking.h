/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The steps that operations with a mask have in common: checking, pairing, counting.
 */
#ifndef BLI_MASKING_H
#define BLI_MASKING_H

#include <broadloom/mask.h>

#include "api/api.h"
#include "exec/pack.h"

/* Counts of so many blocks lie on the stack: those of two million elements. */
#define BLI_FEW_BLOCKS 512

/* An array and its mask, with the shape that they broadcast to. */
struct bli_masking {
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
    int64_t few[BLI_FEW_BLOCKS + 1];
};

/* No answer and no workspace yet; `ctx` may be NULL. */
void bli_masking_open(struct bli_masking *masking, bl_context *ctx,
                      const bl_array *array, const bl_array *mask);

/* Check both arrays; `what` is the operation, `name` the array, in messages. */
bl_status bli_masking_check(const char *what, const bl_array *array, const char *name,
                            const bl_array *mask);

/*
 * Ask the rules; an array that is written in place comes first and keeps its shape.
 * `function` is PyTorch's name of the call that returns to `address`.
 */
bl_status bli_masking_pair(struct bli_masking *masking, const char *function,
                           const void *address, bool is_in_place);

/* An array as nests take it. */
struct bli_strided bli_masking_operand(const bl_array *array, bl_pairing pairing);

/*
 * Make the nests and count the true ones, once the arrays are what is read and written.
 * BL_ERR_MEMORY.
 */
bl_status bli_masking_count(struct bli_masking *masking, int64_t *total);

void bli_masking_close(struct bli_masking *masking);

#endif
