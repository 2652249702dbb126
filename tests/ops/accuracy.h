/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For tests/ops/accuracy.c: the arguments that operators are tried on, their exact
 * values, and how far a result is off.
 */
#ifndef TESTS_ACCURACY_H
#define TESTS_ACCURACY_H

#include "reference/ref_value.h"

/* Most inputs of an operator whose accuracy is measured. */
#define ACCURACY_INPUTS 3

/* Sets of arguments: input k of set i is value[k][i], a number of the dtype. */
struct arguments {
    int64_t count;
    double *value[ACCURACY_INPUTS];
};

/*
 * Of one input of 16 bits all patterns; else about `count` sets over all exponents,
 * within the operator's bounds, and beside numbers that are hard for it.
 */
void arguments_open(struct arguments *arguments, bl_op op, bl_dtype dtype,
                    int64_t count);
void arguments_close(struct arguments *arguments);

/*
 * How far `got` is off a value, in units in the last place of that value or of the
 * magnitude that the reference's row names; infinite where only one is NaN, or the
 * value is infinite and `got` is not.
 */
double accuracy_distance(bl_op op, bl_dtype dtype, const double *x, long double value,
                         double got);

/* The same against the exact value, by MPFR; where that is missing, -1. */
double accuracy_error(bl_op op, bl_dtype dtype, const double *x, double got);

/* Sets of arguments with the largest distances, the largest first. */
enum { WORST_KEPT = 12 };
struct worst {
    double distance[WORST_KEPT];
    double x[WORST_KEPT][ACCURACY_INPUTS];
    double got[WORST_KEPT];
};

void worst_add(struct worst *worst, double distance, const double *x, double got);

/* The largest exact error of those kept, by the distance without MPFR; `x` is whose. */
double worst_exact(const struct worst *worst, bl_op op, bl_dtype dtype, double *x);

/*
 * The largest error of a complex operator at a sample, normwise: in units in the last
 * place of the result's modulus.  `x` is the first input of it.
 */
double accuracy_complex(bl_context *ctx, bl_op op, bl_dtype dtype, int64_t count,
                        double *x);

/*
 * Try a function of one input on every number of f32, keeping the worst; false where
 * instruction sets (NULL: not here), or numbers and their negatives, do not agree.
 */
bool accuracy_has_all(bl_op op);
bool accuracy_all(bl_context *const *isa, int32_t isas, bl_op op, struct worst *worst);

#endif
