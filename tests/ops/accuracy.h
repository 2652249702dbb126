/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For tests/ops/accuracy.c and every_f32.c: arguments, exact values, and the error of a
 * result.
 */
#ifndef TESTS_ACCURACY_H
#define TESTS_ACCURACY_H

#include "reference/ref_value.h"

/* Most inputs of an operator whose accuracy is measured. */
#define ACCURACY_INPUTS 3

/* Sets of arguments: input k of set i is value[k][i], representable in the dtype. */
struct arguments {
    int64_t count;
    double *value[ACCURACY_INPUTS];
};

/*
 * Choose arguments: every pattern for one 16-bit input; otherwise about `count` sets
 * over all exponents, within the operator's bounds, and near arguments that are hard
 * for it.
 */
void arguments_open(struct arguments *arguments, bl_op op, bl_dtype dtype,
                    int64_t count);
void arguments_close(struct arguments *arguments);

/*
 * The distance of `got` from a value in ulp of that value, or of the magnitude that the
 * reference's row specifies; infinite where only one is NaN, or the value is infinite
 * and `got` is not.
 */
double accuracy_distance(bl_op op, bl_dtype dtype, const double *x, long double value,
                         double got);

/* The error of `got` in ulp of the exact value computed by MPFR; -1 without MPFR. */
double accuracy_error(bl_op op, bl_dtype dtype, const double *x, double got);

/* The sets of arguments with the largest distances, in descending order. */
enum { WORST_KEPT = 12 };
struct worst {
    double distance[WORST_KEPT];
    double x[WORST_KEPT][ACCURACY_INPUTS];
    double got[WORST_KEPT];
};

void worst_add(struct worst *worst, double distance, const double *x, double got);

/*
 * The largest exact error of the stored sets, or distance without MPFR; `x` is its
 * arguments.
 */
double worst_exact(const struct worst *worst, bl_op op, bl_dtype dtype, double *x);

/*
 * The largest normwise error of a complex operator at a sample, in ulp of the result's
 * modulus.  `x` is its first input.
 */
double accuracy_complex(bl_context *ctx, bl_op op, bl_dtype dtype, int64_t count,
                        double *x);

/* Instruction sets, of which "base" is the first. */
enum { ACCURACY_ISAS = 3 };
extern const char *const accuracy_isa_name[ACCURACY_ISAS];

/* A context of each instruction set; NULL: this machine lacks it. */
void accuracy_isa_open(bl_context *isa[ACCURACY_ISAS]);
void accuracy_isa_close(bl_context *isa[ACCURACY_ISAS]);

#endif
