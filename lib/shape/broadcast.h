/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Broadcasting one shape with another, and the checks and error texts for shapes:
 * building blocks of rules.
 */
#ifndef BLI_BROADCAST_H
#define BLI_BROADCAST_H

#include "core/error.h"
#include "shape/shape.h"

/* Size of the buffer for a shape in an error text; a longer text is cut. */
#define BLI_SHAPE_TEXT 448

/* Write a shape as PyTorch prints it, "[2, 3]", to `buffer`, and return `buffer`. */
const char *bli_shape_text(char buffer[BLI_SHAPE_TEXT], int32_t rank,
                           const int64_t *extent);

/*
 * Whether a shape is valid: bli_shape_check without an error text, inline because every
 * call runs it.
 */
static inline bool bli_shape_is_valid(int32_t rank, const int64_t *extent)
{
    bool valid = rank >= 0 && rank <= BL_MAX_RANK && (rank == 0 || extent != NULL);

    for (int32_t d = 0; valid && d < rank; d++)
        valid = extent[d] >= 0;
    return valid;
}

/*
 * Check a rank and its extent pointer.  BL_ERR_ARGUMENT if the rank is out of range or
 * the extents are missing; `name` is the argument and begins the error text.  NULL: the
 * arguments are `rank` and `extent`.
 */
bl_status bli_rank_check(const char *name, int32_t rank, const int64_t *extent);

/*
 * Check a shape.  BL_ERR_ARGUMENT if the rank is out of range or extents are missing or
 * negative; `name` as in bli_rank_check().
 */
bl_status bli_shape_check(const char *name, int32_t rank, const int64_t *extent);

/*
 * Broadcast the shape in (*rank, extent), which has room for BL_MAX_RANK, with one more
 * shape: aligned at the last dimension, missing dimensions are 1, and 1 matches any
 * extent, 0 included.  BL_ERR_SHAPE in PyTorch's words for the rightmost pair that does
 * not match; the accumulated shape is then undefined.
 */
bl_status bli_broadcast_with(int32_t *rank, int64_t *extent, const bl_shape *shape);

/*
 * Add to the error of bli_broadcast_with() for operand k of a query which extents of
 * which operands do not match: its own, and that of the first operand before it which
 * has another than 1 there.  Returns BL_ERR_SHAPE.
 */
bl_status bli_broadcast_mismatch(const bl_rules_query *query, int32_t k);

/*
 * bl_rules_resolve() and bl_sum_to_shape_check() for other functions, which have names
 * for the shapes; NULL: as in bli_shape_check().
 */
bl_status bli_rules_resolve(const bl_rules *rules, const bl_rules_query *query,
                            bl_rules_answer *answer);
bl_status bli_sum_to_shape_check(const char *from_name, bl_shape from,
                                 const char *to_name, bl_shape to);

/*
 * Add to an error that the argument `name` has the shape `own`, not `wanted`: the last
 * axis along which they differ, if they have the same rank.  Returns `status`.
 */
bl_status bli_fault_shape(bl_status status, const char *name, bl_shape own,
                          bl_shape wanted);

/* Compute the result's numel; BL_ERR_OVERFLOW naming its shape if it does not fit. */
bl_status bli_result_count(int32_t rank, const int64_t *extent, int64_t *count);

/* Operand k's name for error texts: the one in the query, or "a", "b", ... */
const char *bli_operand_name(const bl_rules_query *query, int32_t k);

#endif
