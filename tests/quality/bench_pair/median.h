/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Medians.
 */
#ifndef BENCH_PAIR_MEDIAN_H
#define BENCH_PAIR_MEDIAN_H

/* The median of `count` values, which are put into ascending order. */
double median(double *values, int count);

#endif
