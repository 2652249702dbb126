/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One call made again and again over the same memory, each on the result of the one
 * before.
 */
#ifndef AUDIT_CHAIN_H
#define AUDIT_CHAIN_H

#include "call.h"
#include "memory.h"

struct audit_chain {
    bl_context *ctx;
    const struct call *call;
    bl_plan *plan;
    bl_plan_info info;
    int32_t linked;                      /* input that becomes the last result; -1 */
    struct memory memory[BL_MAX_INPUTS]; /* of the operands as they began */
    struct memory result[2];             /* written in turn; none in place */
    int64_t first[1 + BL_MAX_INPUTS]; /* bytes to element (0, ..., 0), result first */
    int32_t calls;                    /* made so far */
    const struct memory *now[1 + BL_MAX_INPUTS]; /* of the last call, result first */
};

/*
 * Make and touch memory for the operands and two results; free with
 * audit_chain_close().  The first compact operand of the result's shape and dtype is,
 * from the second call on, the result of the call before.  BL_ERR_UNSUPPORTED for a
 * result in place whose strides are negative.
 */
bl_status audit_chain_open(struct audit_chain *chain, bl_context *ctx,
                           const struct call *call, enum touch touch);
void audit_chain_close(struct audit_chain *chain);

/* Make the next call. */
bl_status audit_chain_next(struct audit_chain *chain);

/* Bytes of an element of the result (0) or of an input. */
int64_t audit_chain_size(const struct audit_chain *chain, int32_t k);

#endif
