/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Workloads of the benchmark: lines of name, operator, mode and operands between tabs.
 */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include "operand.h"

enum workload_mode {
    WORKLOAD_OUT,     /* write an existing contiguous result */
    WORKLOAD_INPLACE, /* write the first operand */
    WORKLOAD_NEW,     /* allocate a result each call */
    WORKLOAD_PLAN     /* prepare once, time only the execution */
};

struct workload {
    const char *name, *op; /* within the line */
    enum workload_mode mode;
    int32_t count;
    struct operand operand[BL_MAX_INPUTS];
};

/*
 * Read one line, which is changed and must live as long as the workload.  BL_ERR_FORMAT
 * for fields that are missing, an unknown mode, and operands that cannot be read.
 */
bl_status workload_parse(char *line, struct workload *out);

/* The data of an operand. */
struct workload_data {
    bl_tensor *tensor;
    bl_array array;
};

/*
 * Fill memory for an operand, which must outlive the data: uniform in [1, 4),
 * converted; truth values at random.  The same numbers for the same seed.  Release
 * data->tensor.
 */
bl_status workload_fill(bl_context *ctx, const struct operand *operand, uint64_t seed,
                        struct workload_data *data);

#endif
