/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The machine's memory bandwidth, which no element-wise operation can pass.
 */
#ifndef BANDWIDTH_H
#define BANDWIDTH_H

#include "tool.h"

enum { LIMITS = 4 };

struct limit {
    const char *name; /* of a mix of reads and writes: fill, copy, add, read */
    double bandwidth; /* bytes in a nanosecond; best of several passes */
};

/*
 * Measure with the team of `ctx`, on arrays of 256 MiB that it allocates and frees:
 * plain loops, with stores past the caches where the machine has them.
 */
bl_status bandwidth_measure(bl_context *ctx, struct limit limit[LIMITS]);

#endif
