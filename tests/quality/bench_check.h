/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of few elements that bench_check.c makes, and their operands. */
#ifndef BENCH_CHECK_H
#define BENCH_CHECK_H

#include <broadloom.h>

enum { NUMBER = -1 };

/* An operand's view of its memory; NULL strides: compact. */
struct operand {
    bl_dtype dtype;
    int32_t rank; /* NUMBER: a scalar */
    const int64_t *extent, *stride;
};

struct call {
    const char *name;
    bool (*run)(const struct call *call, long times);
    int32_t op;
    int32_t inputs;
    struct operand out, in[3]; /* in place where in[0] has no dtype */
};

extern const struct call bench_calls[];
extern const int bench_calls_count;

/* The result and the inputs of the call that is made. */
extern bl_array bench_out, bench_array[3];
extern const bl_array *bench_in[3];
extern const bl_scalar bench_half;
extern bl_plan *bench_plan; /* where the call is planned */

bool bench_is_planned(const struct call *call);

#endif
