/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The calls that fault.c makes fail: each one that allocates.
 */
#ifndef FAULT_H
#define FAULT_H

#include <broadloom.h>

/* The operands of the calls: x is a matrix, y another, both in `memory`. */
struct work {
    bl_context *ctx;
    float memory[64];
    bl_tensor *tensor; /* 4 x 4, allocated before faults begin */
    bl_tensor *result; /* what the call created, to be released */
    bl_plan *plan;
};

struct fault_case {
    const char *what;
    bl_status (*call)(struct work *work);
    int64_t allocations; /* at least */
};

extern const struct fault_case fault_cases[];
extern const size_t fault_cases_count;

#endif
