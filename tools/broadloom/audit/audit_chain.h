/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A chain of calls: one call repeated over the same memory, each on the previous
 * result.
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
    int32_t linked; /* input that the previous result replaces; -1: none */
    struct memory memory[BL_MAX_INPUTS]; /* of the operands at the first call */
    struct memory result[2];             /* written alternately; none in place */
    int64_t
        first[1 + BL_MAX_INPUTS]; /* bytes up to element (0, ..., 0), result first */
    int32_t calls;                /* made so far */
    const struct memory
        *now[1 + BL_MAX_INPUTS]; /* used by the last call, result first */
};

/*
 * Allocate and touch memory for the operands and two results; free with
 * audit_chain_close().  From the second call on, the previous result replaces the first
 * compact operand that has its shape and dtype.  BL_ERR_UNSUPPORTED for a result in
 * place with negative strides.
 */
bl_status audit_chain_open(struct audit_chain *chain, bl_context *ctx,
                           const struct call *call, enum touch touch);
void audit_chain_close(struct audit_chain *chain);

/* Make the next call of the chain. */
bl_status audit_chain_next(struct audit_chain *chain);

/* Element size in bytes of the result (0) or of an input. */
int64_t audit_chain_size(const struct audit_chain *chain, int32_t k);

#endif
