/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For tests/ops/kernels.c: elements to compute with, their comparison, and the tests of
 * the 16-bit floating-point types.
 */
#ifndef TESTS_KERNELS_DATA_H
#define TESTS_KERNELS_DATA_H

#include <broadloom.h>

#include "kernels/kernel.h"

/*
 * Fill with `count` elements: random bytes, small numbers, and each type's special
 * values.
 */
void kernels_fill(bl_dtype dtype, char *elements, size_t count, uint64_t seed);

/* Replace zeros, by which integers must not be divided. */
void kernels_remove_zeros(bl_dtype dtype, char *elements, size_t count);

/* Whether bits are equal, or NaN is in the same places. */
bool kernels_same(bl_dtype dtype, const char *a, const char *b);

/* Call a kernel for contiguous or still operands, in the rounding that it needs. */
void kernels_call(bli_kernel *kernel, bool needs_nearest, char **operand,
                  int64_t (*stride)[BLI_MAX_OPERANDS], int64_t count);

/* Test f16 and bf16: every pattern, and every tie between two. */
void kernels_test_halves(void);

#endif
