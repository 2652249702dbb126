/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For tests/ops/nan.c: elements that are NaN as often as not, of both signs and many
 * payloads, and what a NaN becomes where its bits are promised.
 */
#ifndef TESTS_NAN_BITS_H
#define TESTS_NAN_BITS_H

#include "harness/problem.h"

/* `count` elements: NaN, quiet and signalling, infinities, zeros and small numbers. */
void nan_fill(bl_dtype dtype, void *elements, int64_t count, uint64_t seed);

/*
 * Whether the bits of a NaN are promised of an operator that computes in `from`: it
 * moves elements, changes their sign alone, or converts them.
 */
bool nan_is_preserved(bl_op op, bl_dtype from);

/*
 * The element of `to` that such an operator makes of the elements at `x`, or, without
 * NaN in them, that the reference has.
 */
void nan_want(bl_op op, bl_dtype from, bl_dtype to, const char *const *x, char *want);

/*
 * One NaN for all: each part that is NaN becomes the quiet one without payload, and all
 * else stays as it is, or becomes 0.
 */
void nan_unify(bl_dtype dtype, void *elements, int64_t count, bool keeps_numbers);

/* ---- operands that are described: problem.h ---- */

/* Memory and such elements for it; free it with free(). */
void nan_open(struct problem_operand *operand, uint64_t seed);

/* The elements of an array, compact, in logical order. */
void nan_gather(const bl_array *array, char *to);

/* ---- calls that are not of an operator: nan_calls.c ---- */

/* Masks move elements, bit for bit; a value that fills is converted. */
void nan_check_masks(const struct setting *settings, bl_dtype dtype);

/* The same bits under every setting and in every layout. */
void nan_check_reductions(const struct setting *settings, bl_dtype dtype);

#endif
