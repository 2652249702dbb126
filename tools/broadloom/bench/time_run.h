/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Times one workload of the benchmark.
 */
#ifndef TIME_RUN_H
#define TIME_RUN_H

#include "workload.h"

struct time_run_result {
    double nanoseconds; /* of the fastest call */
    double bytes;       /* of the result and each operand, each moved once */
};

/* Make `times` calls in sequence. */
typedef bl_status (*time_loop)(const void *work, long times);

/*
 * Measure the best time of one call in nanoseconds.  Short calls are repeated in a loop
 * so that the clock's cost is negligible; the first call, on cold memory, does not
 * count.
 */
bl_status time_best(time_loop run, const void *work, double seconds, double *best_ns);

/*
 * Create the workload's data, run it for `seconds` and at least five times, free the
 * data.  Returns BL_ERR_UNSUPPORTED or BL_ERR_DTYPE, before anything is allocated, for
 * what the library lacks, and BL_ERR_FORMAT for another number of operands than the
 * function takes; *result is written on success.
 */
bl_status time_run_workload(bl_context *ctx, const struct workload *workload,
                            double seconds, struct time_run_result *result);

/*
 * As time_run_workload(), of an expression, which is planned once, but each time in
 * the mode `first`; `unfused`, with BL_EXPR_UNFUSED.  BL_ERR_FORMAT for a malformed
 * expression, and several results in the mode `inplace`.
 */
bl_status time_run_expression(bl_context *ctx, const struct workload *workload,
                              double seconds, bool unfused,
                              struct time_run_result *result);

#endif
