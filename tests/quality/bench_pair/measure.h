/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The measurement of one cell with both libraries, in one process.
 */
#ifndef BENCH_PAIR_MEASURE_H
#define BENCH_PAIR_MEASURE_H

#include "operation.h"

/*
 * Write nanoseconds of the old library for one element, and the ratio of speeds, new to
 * old.  Returns false where a call fails.
 */
bool measure(const struct operation *operation, double *old, double *ratio);

#endif
