/* SPDX-License-Identifier: BSD-3-Clause */
/* The loops of a fusion: those of a nest (shape.h), for more operands. */
#ifndef BLI_EXPR_FRAME_H
#define BLI_EXPR_FRAME_H

#include "shape/reduce.h"

enum { BLI_FUSION_OPERANDS = 32 };

/* Loops, the innermost first; strides in bytes. */
struct bli_frame {
    int32_t loops, operands;
    uint64_t reduced; /* loops of reduced axes */
    int64_t count;
    int64_t offset[BLI_FUSION_OPERANDS];
    int64_t extent[BL_MAX_RANK];
    int64_t stride[BL_MAX_RANK][BLI_FUSION_OPERANDS];
};

/* The loops that are reduced, as bits. */
static inline uint64_t bli_frame_reduced(const struct bli_frame *frame)
{
    return frame->loops < 64 ? frame->reduced & ((UINT64_C(1) << frame->loops) - 1)
                             : frame->reduced;
}

/*
 * Make the loops of operands that are broadcast to the shape of the first one, the
 * result, in the order of its strides, then of the others'; at least one.
 */
void bli_frame_make(struct bli_frame *frame, int32_t operands,
                    const struct bli_strided *operand);

/*
 * Make the loops of operands that are broadcast to a shape, in logical order; those of
 * its reduced axes are apart from the others.
 */
void bli_frame_make_reduced(struct bli_frame *frame, int32_t operands,
                            const struct bli_strided *operand,
                            const struct bli_reduction_shape *shape);

#endif
