/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Plans: an operation is planned once and executed many times.  A plan is immutable and
 * holds no pointers to data, no threads and no placement; any number of threads may
 * execute one plan at once.
 *
 * Calls without a plan find that of an equal call before, where it is one of the 128
 * that their thread keeps: of up to four inputs and six dimensions, by the library's
 * rules, without a limit of growth.
 */
#ifndef BROADLOOM_PLAN_H
#define BROADLOOM_PLAN_H

#include <broadloom/ops.h>

typedef struct bl_plan bl_plan;
typedef struct bl_plan_begun bl_plan_begun; /* an execution that can fail no more */

/* One loop of a plan's nest. */
typedef struct bl_plan_loop {
    int64_t extent;
    const int64_t *stride; /* in bytes: of the result, and then of each input */
} bl_plan_loop;

/* Description of a plan. */
typedef struct bl_plan_info {
    size_t size; /* set by the caller to sizeof(bl_plan_info); see base.h */
    bl_op op;
    int32_t inputs;
    int32_t rank;          /* of the result */
    const int64_t *extent; /* of the result; as `loop` valid until bl_plan_destroy() */
    bl_dtype dtype;        /* of the result */
    int64_t numel;         /* elements of the result */
    int64_t bytes; /* read and written at least once; INT64_MAX where there are more */
    int32_t loops; /* of the nest, outermost first */
    const bl_plan_loop *loop;
    const char *kernel; /* its access pattern: "contiguous", "scalar", "strided", ... */
    const char *isa;    /* of the kernel: what the context has, or narrower registers */
    /*
     * How all elements are computed: "small", by the fast path of up to 128 elements,
     * one call of the kernel; "nest", by the kernel over the loops; "tiles", tile by
     * tile; "permuted tiles", tiles across the loops along which different operands are
     * contiguous.  Parts of a small plan are computed by tiles or nest.
     */
    const char *method;
    int32_t threads; /* by the cost model, on any machine */
    uint32_t staged; /* bit k set: the result (0) or input k - 1 goes through a staging
                        buffer in the L1 cache: converted, gathered or transposed */
    int64_t tile[2]; /* extents of a tile; both 0 where there is none */
    bool non_temporal; /* the result is written by non-temporal stores, unless an input
                          has its address */
    /*
     * Permuted tiles are used where a thread has at least so many iterations of their
     * outermost loop, else rows of the result; 0 where there are none.
     */
    int64_t min_iterations;
    /*
     * Bytes of the staging buffers that each thread of a call has: of the result and of
     * each input, 0 where it is not staged, valid as long as `loop`; and of all
     * together, which includes one for values between two conversions.
     */
    const int64_t *buffer_bytes;
    int64_t staging_bytes;
} bl_plan_info;

/* Elements begin to end - 1 of the result, in the order of the nest. */
typedef struct bl_range {
    int64_t begin;
    int64_t end;
} bl_range;

BL_BEGIN_DECLS

/*
 * Plan `op` for arrays of these dtypes, shapes and strides; data is not read and may be
 * NULL.  A NULL `out` means a compact result; the plan is in place where `out` is
 * inputs[0].  Free it with bl_plan_destroy(); it may outlive `ctx`.  Errors are those
 * of bl_apply().
 *
 * With alpha the plan is one of add_scaled or sub_scaled and holds the scalar, its
 * third input: bl_plan_execute() is given the addresses of the other two.
 */
BL_API BL_MUST_CHECK bl_status bl_plan_create(bl_context *ctx, bl_op op,
                                              const bl_array *out, int32_t count,
                                              const bl_array *const *inputs,
                                              const bl_options *options,
                                              bl_plan **plan);

/*
 * Execute a plan.  `out` and `data` are the addresses of element (0, ..., 0) of the
 * result and of each input.  Arrays that overlap are treated as by bl_apply(); where
 * they do not overlap, nothing is allocated except staging buffers of a team or of more
 * than 8 KiB, and a team's node ranges on a machine with several NUMA nodes, which the
 * calling thread keeps for its next calls: BL_ERR_MEMORY where there is no memory for
 * them, before anything is written.  Divisors of 0 and negative exponents of integers
 * are refused as by bl_apply().
 */
BL_API BL_MUST_CHECK bl_status bl_plan_execute(bl_context *ctx, const bl_plan *plan,
                                               void *out, const void *const *data);

/*
 * Do all that bl_plan_execute() may refuse, and write nothing: BL_OK where it would
 * succeed with these addresses and values.  Staging buffers stay with the thread; what
 * overlaps is copied, and freed again.
 */
BL_API BL_MUST_CHECK bl_status bl_plan_check(bl_context *ctx, const bl_plan *plan,
                                             void *out, const void *const *data);

/*
 * Begin an execution: do all of it that may fail, and write nothing.  What it needs is
 * reserved, inputs that overlap the result are copied, and values are checked, all
 * until bl_plan_finish(), which the same thread calls while the plan, the context and
 * the arrays are there.  For programs that have to agree before anything is written.
 * `*begun` is written on success only.
 */
BL_API BL_MUST_CHECK bl_status bl_plan_begin(bl_context *ctx, const bl_plan *plan,
                                             void *out, const void *const *data,
                                             bl_plan_begun **begun);

/* Finish an execution that was begun: execute it, or give up what it holds.  NULL:
 * nothing. */
BL_API void bl_plan_finish(bl_plan_begun *begun, bool execute);

/*
 * Execute part `part` of `parts` on the calling thread, for a team of the program's:
 * all parts together are one bl_plan_execute().  Settings of `ctx` that concern teams,
 * memory and overlap have no effect on a part.  Overlapping arrays, which would need a
 * workspace, and divisors of 0 in the range of the part are refused before anything in
 * that range is written.  The calling thread keeps staging buffers of more than 8 KiB:
 * BL_ERR_MEMORY where there is no memory for them, before anything is written.
 */
BL_API BL_MUST_CHECK bl_status bl_plan_execute_part(bl_context *ctx,
                                                    const bl_plan *plan, int32_t part,
                                                    int32_t parts, void *out,
                                                    const void *const *data);

/* The range of part `part` of `parts`; empty where there is less work than parts. */
BL_API BL_MUST_CHECK bl_status bl_plan_range(const bl_plan *plan, int32_t part,
                                             int32_t parts, bl_range *range);

/* Describe a plan in `info`, whose `size` is set. */
BL_API BL_MUST_CHECK bl_status bl_plan_query(const bl_plan *plan, bl_plan_info *info);

/* Free a plan that no thread executes any more; NULL does nothing. */
BL_API void bl_plan_destroy(bl_plan *plan);

BL_END_DECLS

#endif
