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

/*
 * Create the workload's data, run it for `seconds` and at least five times, free the
 * data.  Returns BL_ERR_UNSUPPORTED or BL_ERR_DTYPE, before anything is allocated, for
 * what the library lacks; *result is written on success.
 */
bl_status time_run_workload(bl_context *ctx, const struct workload *workload,
                            double seconds, struct time_run_result *result);

#endif
