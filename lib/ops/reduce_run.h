/* SPDX-License-Identifier: BSD-3-Clause */
/* What the entry points of reductions share: a resolved call, and running it. */
#ifndef BLI_REDUCE_RUN_H
#define BLI_REDUCE_RUN_H

#include <broadloom/reduce.h>

#include "ops/ops.h"
#include "exec/reduce/reduce.h"

struct bli_reduce_call {
    bl_reduction op;
    const bl_array *in; /* checked */
    uint64_t axes;      /* to be reduced */
    bl_dtype as;        /* dtype that elements are treated as */
    bl_dtype to;        /* the result's */
    int32_t rank;       /* of the result */
    int64_t extent[BL_MAX_RANK];
    bool keeps; /* the result has the array's axes from axis `shift` on */
    int32_t shift;
};

/* Reduce into memory at out->data, of the call's shape; out->stride may be NULL. */
bl_status bli_reduce_run(const struct bli_reduce_call *call, bl_context *ctx,
                         const bl_array *out);

#endif
