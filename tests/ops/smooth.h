/* SPDX-License-Identifier: BSD-3-Clause */
/* For tests/ops/every_f32.c: values of a function at neighbouring arguments, by few
 * calls. */
#ifndef TESTS_SMOOTH_H
#define TESTS_SMOOTH_H

#include <stdbool.h>

/* Arguments of a block: numbers of one sign that are evenly spaced. */
enum { SMOOTH_BLOCK = 1024 };

/*
 * Compute values of `function`, to 36 bits at least; true where they come from a
 * polynomial through a few of them.  `*least` is then a magnitude that no value is
 * below, else 0.
 */
bool smooth_values(double (*function)(double a), const double *x, double *value,
                   double *least);

#endif
