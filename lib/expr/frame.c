/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The loops of a fusion: collected from the axes, then made as those of a call are, by
 * shape/loops.h.
 */
#include "expr/frame.h"

#include "shape/loops.h"

/* The stride in bytes along axis `d` of the result; `*compact` is the next one's. */
static int64_t stride_of(const struct bli_strided *operand, int64_t d, int64_t *compact)
{
    const int64_t own = d - operand->pairing.shift;

    if (own < 0 || own >= operand->rank || operand->extent[own] == 1)
        return 0;
    if (operand->stride)
        return operand->stride[own] * operand->unit;

    const int64_t stride = *compact;

    *compact *= operand->extent[own];
    return stride;
}

static void collect(struct bli_frame *frame, const struct bli_strided *operand,
                    const struct bli_reduction_shape *shape)
{
    int64_t compact[BLI_FUSION_OPERANDS];

    for (int32_t k = 0; k < frame->operands; k++)
        compact[k] = operand[k].size;
    for (int32_t d = shape->rank - 1; d >= 0; d--) {
        frame->extent[frame->loops] = shape->extent[d];
        for (int32_t k = 0; k < frame->operands; k++)
            frame->stride[frame->loops][k] = stride_of(&operand[k], d, &compact[k]);
        if (shape->extent[d] == 1)
            continue;
        frame->reduced |= (shape->axes >> d & 1) << frame->loops;
        frame->loops++;
    }
}

static struct bli_loop_rows rows_of(struct bli_frame *frame)
{
    return (struct bli_loop_rows){frame->loops, frame->operands, frame->extent,
                                  frame->stride[0], frame->offset};
}

/* Make one loop of operands that are one element, and fuse loops. */
static void finish(struct bli_frame *frame, const struct bli_strided *operand)
{
    struct bli_loop_rows rows;

    if (frame->loops == 0) {
        frame->extent[0] = frame->loops = 1;
        for (int32_t k = 0; k < frame->operands; k++)
            frame->stride[0][k] = operand[k].size;
    }
    rows = rows_of(frame);
    bli_loop_rows_fuse(&rows, BLI_FUSION_OPERANDS, &frame->reduced);
    frame->loops = rows.loops;
    for (int32_t i = 0; i < frame->loops; i++)
        frame->count *= frame->extent[i];
}

static void begin(struct bli_frame *frame, int32_t operands)
{
    frame->operands = operands;
    frame->loops = 0;
    frame->reduced = 0;
    frame->count = 1;
    for (int32_t k = 0; k < operands; k++)
        frame->offset[k] = 0;
}

void bli_frame_make(struct bli_frame *frame, int32_t operands,
                    const struct bli_strided *operand)
{
    const struct bli_reduction_shape shape = {operand[0].rank, 0, operand[0].extent,
                                              NULL, NULL};
    struct bli_loop_rows rows;

    begin(frame, operands);
    collect(frame, operand, &shape);
    rows = rows_of(frame);
    bli_loop_rows_turn(&rows, BLI_FUSION_OPERANDS);
    bli_loop_rows_order(&rows, BLI_FUSION_OPERANDS);
    finish(frame, operand);
}

void bli_frame_make_reduced(struct bli_frame *frame, int32_t operands,
                            const struct bli_strided *operand,
                            const struct bli_reduction_shape *shape)
{
    begin(frame, operands);
    collect(frame, operand, shape);
    finish(frame, operand);
}
