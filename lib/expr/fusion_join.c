/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Joins loops that are reduced together to one, of elements in logical order: sums of
 * all elements of an expression in which a row or a column is repeated, or of each
 * channel of images.
 */
#include "expr/fusion_boxes.h"

#include <string.h>

/* Copy a loop to place `to` of another frame. */
static void put(struct bli_frame *frame, int32_t to, const struct bli_frame *from,
                int32_t i)
{
    frame->extent[to] = from->extent[i];
    memcpy(frame->stride[to], from->stride[i], sizeof frame->stride[to]);
}

/*
 * Put the reduced loops, and then the others, into another frame; returns how many the
 * first are.
 */
static int32_t gather_reduced(struct bli_frame *to, const struct bli_frame *frame,
                              uint64_t reduced)
{
    int32_t loops = 0, all;

    for (int32_t i = 0; i < frame->loops; i++)
        if ((reduced >> i & 1) != 0)
            put(to, loops++, frame, i);
    all = loops;
    for (int32_t i = 0; i < frame->loops; i++)
        if ((reduced >> i & 1) == 0)
            put(to, all++, frame, i);
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
    struct bli_frame *const apart = &draft->apart;
    const uint64_t reduced = bli_frame_reduced(frame);
    int32_t loops;

    made->pieced = 0;
    made->joined = 0;
    if (reduced == 1 || !(reduced & 1))
        return true;
    loops = gather_reduced(apart, frame, reduced);
    for (int32_t k = 0; k < made->operands; k++)
        if (!is_linear(apart, loops, k))
            made->pieced |= UINT32_C(1) << k;
    if (draft->is_resident || (made->pieced & ((UINT32_C(1) << made->results) - 1)))
        return false;
    made->joined = loops;
    put(frame, 0, apart, 0);
    for (int32_t i = 1; i < loops; i++)
        frame->extent[0] *= apart->extent[i];
    for (int32_t k = 0; k < made->operands; k++)
        if (made->pieced >> k & 1)
            frame->stride[0][k] = 0;
    for (int32_t i = loops; i < frame->loops; i++)
        put(frame, i - loops + 1, apart, i);
    frame->loops -= loops - 1;
    frame->reduced = 1;
    return true;
}
