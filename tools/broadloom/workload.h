/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Workloads of the benchmark: lines of name, operator, mode and operands between tabs.
 */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include "operand.h"

enum workload_mode {
    WORKLOAD_OUT,     /* write into an existing contiguous result */
    WORKLOAD_INPLACE, /* write into the first operand */
    WORKLOAD_NEW,     /* allocate a result in each call */
    WORKLOAD_PLAN,    /* plan once, time only the execution */
    WORKLOAD_FIRST    /* as `out`, each call makes its plan */
};

struct workload {
    const char *name, *op; /* pointers into the line */
    enum workload_mode mode;
    int32_t count;
    struct operand operand[BL_MAX_INPUTS];
};

/*
 * Parse one line, which is modified and must outlive the workload.  BL_ERR_FORMAT for
 * missing fields, an unknown mode, and malformed operands.
 */
bl_status workload_parse(char *line, struct workload *out);

/* The data of an operand. */
struct workload_data {
    bl_tensor *tensor;
    bl_array array;
};

/*
 * Allocate and fill memory for an operand, which must outlive the data: uniform in [1,
 * 4), converted; random booleans.  The same seed gives the same data.  Release
 * data->tensor.
 */
bl_status workload_fill(bl_context *ctx, const struct operand *operand, uint64_t seed,
                        struct workload_data *data);

#endif
