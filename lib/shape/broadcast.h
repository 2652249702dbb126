/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Broadcasting one shape with another, and the texts in which shapes are refused: what
 * rules are made of.
 */
#ifndef BLI_BROADCAST_H
#define BLI_BROADCAST_H

#include "shape/shape.h"

/* Room for a shape in an error text; a longer one is cut. */
#define BLI_SHAPE_TEXT 448

/* The shape as PyTorch prints it, "[2, 3]", in `buffer`, which is returned. */
const char *bli_shape_text(char buffer[BLI_SHAPE_TEXT], int32_t rank,
                           const int64_t *extent);

/*
 * Whether a shape is one: bli_shape_check without a text, for the path of every call.
 */
static inline bool bli_shape_is_valid(int32_t rank, const int64_t *extent)
{
    bool valid = rank >= 0 && rank <= BL_MAX_RANK && (rank == 0 || extent != NULL);

    for (int32_t d = 0; valid && d < rank; d++)
        valid = extent[d] >= 0;
    return valid;
}

/*
 * BL_ERR_ARGUMENT for a rank out of range or missing extents.  `name` begins the text.
 */
bl_status bli_rank_check(const char *name, int32_t rank, const int64_t *extent);

/* The same, and for a negative extent. */
bl_status bli_shape_check(const char *name, int32_t rank, const int64_t *extent);

/*
 * Broadcast the shape in (*rank, extent), which has room for BL_MAX_RANK, with one
 * more: aligned at the last dimension, missing ones are 1, and 1 meets any extent, 0
 * included. BL_ERR_SHAPE in PyTorch's words for the rightmost pair that does not fit;
 * then the accumulated shape is lost.
 */
bl_status bli_broadcast_with(int32_t *rank, int64_t *extent, const bl_shape *shape);

/* Where the result's count does not fit: BL_ERR_OVERFLOW naming its shape. */
bl_status bli_result_count(int32_t rank, const int64_t *extent, int64_t *count);

/* Operand k's name in texts: the one it came with, or "a", "b", ... */
const char *bli_operand_name(const bl_rules_query *query, int32_t k);

#endif
