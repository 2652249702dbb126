/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For tests/ops/nan.c: elements of which about half are NaN, of both signs and many
 * payloads, and the result of a NaN where its bits are guaranteed.
 */
#ifndef TESTS_NAN_BITS_H
#define TESTS_NAN_BITS_H

#include "harness/problem.h"

/*
 * Fill with `count` elements: quiet and signalling NaN, infinities, zeros, small
 * numbers.
 */
void nan_fill(bl_dtype dtype, void *elements, int64_t count, uint64_t seed);

/*
 * Whether the bits of a NaN are guaranteed for an operator that computes in `from`: it
 * moves elements, only changes their sign, or converts them.
 */
bool nan_is_preserved(bl_op op, bl_dtype from);

/*
 * Compute the element of `to` that such an operator makes from the elements at `x`;
 * without NaN in them, the reference's.
 */
void nan_want(bl_op op, bl_dtype from, bl_dtype to, const char *const *x, char *want);

/*
 * Replace NaN by one value: each part that is NaN becomes the quiet one without
 * payload, and everything else is kept, or becomes 0.
 */
void nan_unify(bl_dtype dtype, void *elements, int64_t count, bool keeps_numbers);

/* ---- operands of problem.h ---- */

/* Allocate an operand's memory and fill it with such elements; free it with free(). */
void nan_open(struct problem_operand *operand, uint64_t seed);

/* Copy the elements of an array, compact, in logical order. */
void nan_gather(const bl_array *array, char *to);

/* ---- calls other than operators: nan_calls.c ---- */

/* Check that masks move elements bit for bit, and that a fill value is converted. */
void nan_check_masks(const struct setting *settings, bl_dtype dtype);

/* Check that reductions are bitwise equal with every setting and in every layout. */
void nan_check_reductions(const struct setting *settings, bl_dtype dtype);

#endif
