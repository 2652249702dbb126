/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Workloads of the benchmark: lines of name, operator or expression, mode and operands
 * between tabs.
 */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include "operand.h"

enum workload_mode {
    WORKLOAD_OUT,     /* write into an existing contiguous result */
    WORKLOAD_INPLACE, /* write into the first operand */
    WORKLOAD_NEW,     /* allocate a result in each call */
    WORKLOAD_PLAN,    /* plan once, time only the execution */
    WORKLOAD_FIRST,   /* as `out`, each call makes its plan */
    WORKLOAD_RUN      /* as `out`, by the call that takes no plan */
};

/* Most operands: those of an expression are "a" to "z". */
enum { WORKLOAD_OPERANDS = 26 };

struct workload {
    const char *name, *op; /* pointers into the line */
    enum workload_mode mode;
    bool is_expression;
    int32_t count;
    struct operand operand[WORKLOAD_OPERANDS];
};

/*
 * Parse one line, which is modified and must outlive the workload.  BL_ERR_FORMAT for
 * missing fields, an unknown mode, and malformed operands.  An operator that is no word
 * is an expression.
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
