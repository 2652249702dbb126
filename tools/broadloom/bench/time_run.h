/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One measurement of the benchmark.
 */
#ifndef TIME_RUN_H
#define TIME_RUN_H

#include "workload.h"

struct time_run_result {
    double nanoseconds; /* of the best call */
    double bytes;       /* of the result and each operand, moved once */
};

/*
 * Make the workload's data, try for `seconds`, at least five times, free the data.
 * BL_ERR_UNSUPPORTED and BL_ERR_DTYPE, before anything is allocated, for what the
 * library lacks; *result is written on success.
 */
bl_status time_run_workload(bl_context *ctx, const struct workload *workload,
                            double seconds, struct time_run_result *result);

#endif
