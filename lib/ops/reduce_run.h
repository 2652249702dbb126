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
    const bl_range *part; /* of struct bli_reduce_problem */
    bool is_first;        /* likewise */
    bool keeps;           /* the result has the array's axes from axis `shift` on */
    int32_t shift;
    double correction; /* of var and std */
    bool is_centred;   /* their second pass: see struct bli_reduce_problem */
    double divisor;
};

/*
 * Read options, or NULL, of a valid reduction into `*known`.  Errors as from
 * bli_sized_read, and where they are wrong for any array: BL_ERR_ARGUMENT,
 * BL_ERR_DTYPE.
 */
bl_status bli_reduce_options_read(bl_reduction op, const bl_reduce_options *options,
                                  bl_reduce_options *known);

/*
 * Steps of an entry point: check the operation and the array; resolve the dtypes, with
 * `options` or NULL, or with them the axes and the shape, without reading data; reduce
 * a call whose axes and shape are resolved, too, into an array that is checked here, or
 * into a new tensor.
 */
bl_status bli_reduce_check(bl_reduction op, const bl_array *in);
bl_status bli_reduce_dtypes(struct bli_reduce_call *call,
                            const bl_reduce_options *options);
bl_status bli_reduce_resolve(struct bli_reduce_call *call, int32_t axes_count,
                             const int32_t *axes, bool keepdim,
                             const bl_reduce_options *options);
bl_status bli_reduce_into(const struct bli_reduce_call *call, bl_context *ctx,
                          const bl_array *out);
bl_status bli_reduce_make(const struct bli_reduce_call *call, bl_context *ctx,
                          bl_tensor **out);

/* Check that `out` takes the call's result: its dtype and its shape. */
bl_status bli_reduce_check_result(const struct bli_reduce_call *call,
                                  const bl_array *out);

/*
 * Reduce into memory at out->data, of the call's shape; out->stride may be NULL.  A
 * pass is any reduction but var and std, or the second one of these.
 */
bl_status bli_reduce_run(const struct bli_reduce_call *call, bl_context *ctx,
                         const bl_array *out);
bl_status bli_reduce_pass(const struct bli_reduce_call *call, bl_context *ctx,
                          const bl_array *out);

#endif
