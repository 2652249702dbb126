/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Joins loops that are reduced together to one, of elements in logical order: sums of
 * all elements of an expression in which a row or a column is repeated.
 */
#include "expr/fusion_boxes.h"

/* The innermost loops, all that are reduced; 0 where others are, too. */
static int32_t count_reduced(const struct bli_frame *frame)
{
    int32_t loops = 0;

    while (loops < frame->loops && (frame->reduced >> loops & 1) != 0)
        loops++;
    for (int32_t i = loops; i < frame->loops; i++)
        if ((frame->reduced >> i & 1) != 0)
            return 0;
    return loops;
}

/* Whether one stride goes through an operand's elements along the first loops. */
static bool is_linear(const struct bli_frame *frame, int32_t loops, int32_t k)
{
    bool is_linear = true;

    for (int32_t i = 1; i < loops; i++)
        is_linear = is_linear && frame->stride[i][k] ==
                                     frame->stride[i - 1][k] * frame->extent[i - 1];
    return is_linear;
}

bool bli_fusion_join(struct bli_fusion_draft *draft)
{
    struct bli_fusion *const made = &draft->made;
    struct bli_frame *const frame = &draft->frame;
    const int32_t loops = count_reduced(frame);

    made->pieced = 0;
    made->joined = 0;
    if (loops < 2)
        return true;
    for (int32_t k = 0; k < made->operands; k++)
        if (!is_linear(frame, loops, k))
            made->pieced |= UINT32_C(1) << k;
    if (draft->is_resident || (made->pieced & ((UINT32_C(1) << made->results) - 1)))
        return false;
    draft->apart = *frame;
    made->joined = loops;
    for (int32_t i = 1; i < loops; i++)
        frame->extent[0] *= frame->extent[i];
    for (int32_t k = 0; k < made->operands; k++)
        if (made->pieced >> k & 1)
            frame->stride[0][k] = 0;
    for (int32_t i = loops; i < frame->loops; i++) {
        frame->extent[i - loops + 1] = frame->extent[i];
        for (int32_t k = 0; k < made->operands; k++)
            frame->stride[i - loops + 1][k] = frame->stride[i][k];
    }
    frame->loops -= loops - 1;
    frame->reduced = 1;
    return true;
}
