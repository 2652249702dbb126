/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Plans: an operation decided once and run many times.  A plan is immutable and holds
 * no pointers to data, no threads and no placement; any number of threads may run one
 * plan at once.
 */
#ifndef BROADLOOM_PLAN_H
#define BROADLOOM_PLAN_H

#include <broadloom/ops.h>

typedef struct bl_plan bl_plan;

/* One loop of a plan's nest; `stride` in bytes, of the result and then each input. */
typedef struct bl_plan_loop {
    int64_t extent;
    int64_t stride[1 + BL_MAX_INPUTS];
} bl_plan_loop;

/* What a plan will do. */
typedef struct bl_plan_info {
    size_t size; /* set by the caller to sizeof(bl_plan_info) */
    bl_op op;
    int32_t inputs;
    int32_t rank;          /* of the result */
    const int64_t *extent; /* of the result, as `loop` the plan's */
    bl_dtype dtype;        /* of the result */
    int64_t count;         /* elements of the result */
    int64_t bytes; /* read and written at least once; at most INT64_MAX is told */
    int32_t loops; /* of the nest, outermost first */
    const bl_plan_loop *loop; /* valid until bl_plan_destroy() */
    const char *kernel;       /* its form: "contiguous", "scalar", "strided", ... */
    const char *isa;
    int32_t threads; /* that the work is worth, on any machine */
    uint32_t staged; /* bit k set: the result (0) or input k - 1 comes through a tile in
                        the first cache, converted, gathered or transposed on its way */
    int64_t tile[2]; /* extents of a tile; both 0 where there is none */
    bool streams;    /* the result is written past the caches */
    int64_t staging; /* bytes of tiles that each thread of a call has */
} bl_plan_info;

/* A contiguous range of the result's elements in the nest's order. */
typedef struct bl_range {
    int64_t begin;
    int64_t end;
} bl_range;

BL_BEGIN_DECLS

/*
 * Decide how `op` is done on arrays like these: only dtype, shape and strides are
 * looked at, data may be NULL.  `out` NULL stands for a compact result.  In place where
 * `out` is inputs[0].  Free with bl_plan_destroy().  Errors as bl_apply.
 *
 * With alpha the plan is one of add_scaled or sub_scaled, and has the number, its third
 * input, within it: bl_plan_execute() is given the addresses of the other two.
 */
BL_API BL_MUST_CHECK bl_status bl_plan_create(bl_context *ctx, bl_op op,
                                              const bl_array *out, int32_t count,
                                              const bl_array *const *inputs,
                                              const bl_options *options,
                                              bl_plan **plan);

/*
 * Do it.  `data` are the addresses of element (0, ..., 0) of each input.  Arrays that
 * overlap are treated as by bl_apply; where they do not, nothing is allocated but what
 * the calling thread keeps for its next calls: staging of a team, and of more than 8
 * KiB.  BL_ERR_MEMORY where there is none, before anything is written.  Values of
 * integers are refused as by bl_apply.
 */
BL_API BL_MUST_CHECK bl_status bl_plan_execute(bl_context *ctx, const bl_plan *plan,
                                               void *out, const void *const *data);

/*
 * Do part `part` of `parts` on the calling thread, for a team of the caller's own: the
 * parts together are one bl_plan_execute().  Refuses overlapping arrays, which would
 * need a workspace, and divisors of 0 in the part's own range, before it writes any of
 * it. Staging of more than 8 KiB is the calling thread's own, which it keeps:
 * BL_ERR_MEMORY where there is none, before any of the part is written.
 */
BL_API BL_MUST_CHECK bl_status bl_plan_execute_part(const bl_plan *plan, void *out,
                                                    const void *const *data,
                                                    int32_t part, int32_t parts);

/* The range that part `part` of `parts` does, empty where work is short of parts. */
BL_API BL_MUST_CHECK bl_status bl_plan_range(const bl_plan *plan, int32_t part,
                                             int32_t parts, bl_range *range);

/* Fill `info`, whose size is set. */
BL_API BL_MUST_CHECK bl_status bl_plan_query(const bl_plan *plan, bl_plan_info *info);

/* Free a plan that no thread runs any more; NULL does nothing. */
BL_API void bl_plan_destroy(bl_plan *plan);

BL_END_DECLS

#endif
