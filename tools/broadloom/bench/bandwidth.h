/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The machine's memory bandwidth, the upper bound of every element-wise operation.
 */
#ifndef BANDWIDTH_H
#define BANDWIDTH_H

#include "tool.h"

enum { LIMITS = 4 };

struct limit {
    const char *name; /* name of a mix of reads and writes: fill, copy, add, read */
    double bandwidth; /* bytes per nanosecond; best of several passes */
};

/*
 * Measure with the team of `ctx`, on arrays of 256 MiB that are allocated and freed
 * here: plain loops, with non-temporal stores where the machine has them.
 */
bl_status bandwidth_measure(bl_context *ctx, struct limit limit[LIMITS]);

#endif
