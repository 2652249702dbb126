/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The loops of a fusion, as shape/nest.c makes those of a call: collected from the
 * axes, turned so that the first result rises, ordered, and fused.
 */
#include "expr/frame.h"

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

static void turn(struct bli_frame *frame)
{
    for (int32_t i = 0; i < frame->loops; i++)
        for (int32_t k = frame->operands - 1; frame->stride[i][0] < 0 && k >= 0; k--) {
            frame->offset[k] += frame->stride[i][k] * (frame->extent[i] - 1);
            frame->stride[i][k] = -frame->stride[i][k];
        }
}

static bool is_inner_of(const struct bli_frame *frame, const int64_t *a,
                        const int64_t *b)
{
    for (int32_t k = 0; k < frame->operands; k++) {
        const int64_t size_a = a[k] < 0 ? -a[k] : a[k];
        const int64_t size_b = b[k] < 0 ? -b[k] : b[k];

        if (size_a != size_b)
            return size_a < size_b;
    }
    return false;
}

static void exchange(int64_t *a, int64_t *b)
{
    const int64_t kept = *a;

    *a = *b;
    *b = kept;
}

static void order(struct bli_frame *frame)
{
    for (int32_t i = 1; i < frame->loops; i++)
        for (int32_t j = i;
             j > 0 && is_inner_of(frame, frame->stride[j], frame->stride[j - 1]); j--) {
            exchange(&frame->extent[j - 1], &frame->extent[j]);
            for (int32_t k = 0; k < frame->operands; k++)
                exchange(&frame->stride[j - 1][k], &frame->stride[j][k]);
        }
}

static void fuse(struct bli_frame *frame)
{
    int32_t last = 0;

    for (int32_t i = 1; i < frame->loops; i++) {
        const uint64_t reduced = frame->reduced >> i & 1;
        bool is_one = reduced == (frame->reduced >> last & 1);

        for (int32_t k = 0; k < frame->operands; k++)
            is_one = is_one && frame->stride[i][k] ==
                                   frame->stride[last][k] * frame->extent[last];
        if (is_one) {
            frame->extent[last] *= frame->extent[i];
            continue;
        }
        frame->extent[++last] = frame->extent[i];
        frame->reduced &= ~(UINT64_C(1) << last);
        frame->reduced |= reduced << last;
        for (int32_t k = 0; k < frame->operands; k++)
            frame->stride[last][k] = frame->stride[i][k];
    }
    frame->loops = last + 1;
}

/* Make one loop of operands that are one element, and fuse loops. */
static void finish(struct bli_frame *frame, const struct bli_strided *operand)
{
    if (frame->loops == 0) {
        frame->extent[0] = frame->loops = 1;
        for (int32_t k = 0; k < frame->operands; k++)
            frame->stride[0][k] = operand[k].size;
    }
    fuse(frame);
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

    begin(frame, operands);
    collect(frame, operand, &shape);
    turn(frame);
    order(frame);
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
