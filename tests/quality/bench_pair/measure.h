/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The measurement of one cell with both libraries.
 */
#ifndef BENCH_PAIR_MEASURE_H
#define BENCH_PAIR_MEASURE_H

#include "operation.h"

enum { MAX_ROUNDS = 99 };

struct measurement {
    double nanoseconds; /* of the old library for one element */
    double ratio;       /* of speeds, new to old: above 1 the new one is faster */
};

/* Measure in so many rounds, at most MAX_ROUNDS. */
bool measure(const struct operation *operation, int rounds, struct measurement *result);

#endif
