/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The calls of a workload, which a measurement repeats.
 */
#ifndef TIME_RUN_CALLS_H
#define TIME_RUN_CALLS_H

#include "functions.h"
#include "workload.h"

struct time_run;

/* Make `times` calls in sequence. */
typedef bl_status (*time_run_loop)(const struct time_run *timed, long times);

/* One workload, prepared for repeated calls. */
struct time_run {
    bl_context *ctx;
    time_run_loop run;
    struct function function;
    bool writes_first; /* the first operand is the result */
    uint32_t reads;    /* bit k set: operand k is read */
    const bl_options *options;
    bl_array scalar[BL_MAX_INPUTS]; /* constant inputs, which are no operands */
    const bl_array *operand[BL_MAX_INPUTS];
    const bl_array *in[BL_MAX_INPUTS]; /* the operator's inputs */
    const void *data[BL_MAX_INPUTS];
    const bl_array *out;
    bl_plan *plan;
};

/*
 * Choose the function to call and the operands that it reads.  Fails as function_find()
 * does.
 */
bl_status time_run_choose(const struct workload *workload, struct time_run *timed);

/* Whether the workload is a sum to a shape, which has no plan. */
bool time_run_is_sum(const struct time_run *timed);

#endif
