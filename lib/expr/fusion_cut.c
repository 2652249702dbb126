/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides how many elements of a fusion are computed at a time. */
#include "expr/fusion_boxes.h"
#include "expr/fusion_memory.h"

/*
 * Elements of 4 bytes in a box, where operands are in the caches, and where they are
 * not: the hardware prefetches some 2 KiB ahead of what it sees.  Larger elements are
 * fewer.
 */
#define BOX_CACHE  1024
#define BOX_MEMORY 512

/*
 * The same where there is one loop, and the bytes that its operands and buffers may
 * have together, beyond which a box is shorter.  Zen 5, f64(a) * 2 + 1 of u8[200000]:
 * .85 of the time that it takes with 1024, with AVX2 .90; (a & b) | (c ^ d) of u8 .79;
 * but a + b * c of i64, which are 40 bytes an element, 1.12 with 4096.
 */
#define BOX_FLAT   4096
#define FLAT_BYTES (40 << 10)

/*
 * Of rows that kernels take where they are.  (a - b) * c of f64[3000,50], a row and a
 * column: Zen 5 takes .84 of the time that it takes with half as many
 * elements, .79 of that with twice as many.
 */
#define BOX_ROWS 2048

/*
 * Rows of fewer halves are staged.  Zen 5, relu(a + b) of f16[8000,64] and a row: .88
 * of the time, with AVX2 .91.
 */
#define SHORT_HALF_ROW 256

/*
 * An operand comes from memory that is such a part of what all have there.  Where none
 * does, boxes are those of one loop: of i64, a row and a column, Emerald Rapids takes
 * for where(a >= b, 0.0, -inf) of 4096 times 4096 1.0 of the time that calls take, with
 * half as many elements 1.15 and with a quarter 1.3; 1.8 with boxes for i64 that
 * stream.
 */
#define STREAMED 16

/* Boxes need not have several rows of so many elements. */
#define LONG_ROW 1024

/*
 * Bytes of buffers that a thread has in its L1 cache beside what it streams: Zen 5 has
 * 48 KiB there, most processors without 512 bits 32.  (a - b) / c * d + e of rows of
 * 16, where b and c are columns, Zen 3: f32[2000,16] takes .75 of the time with 12 KiB
 * that it takes with 20, f64[20000,16] .65.
 */
#define BUFFER_BYTES(isa) (bli_isa_has_512_bits(isa) ? 20 << 10 : 12 << 10)

bool bli_fusion_is_still(const struct bli_fusion_draft *draft, int32_t k)
{
    bool still = k >= draft->made.results;

    for (int32_t i = 0; still && i <= draft->made.level; i++)
        still = draft->frame.stride[i][k] == 0;
    return still;
}

bool bli_fusion_is_dense(const struct bli_fusion_draft *draft, int32_t k)
{
    const struct bli_frame *const frame = &draft->frame;
    bool dense = frame->stride[0][k] == bli_fusion_size(&draft->made, k);

    for (int32_t i = 1; dense && i <= draft->made.level; i++)
        dense = frame->stride[i][k] == frame->stride[i - 1][k] * frame->extent[i - 1];
    return dense;
}

bool bli_fusion_has_short_halves(const struct bli_fusion_draft *draft, int32_t k)
{
    const bl_dtype dtype = draft->made.operand[k].dtype;

    return bli_dtype_widened(dtype) != dtype && draft->frame.extent[0] < SHORT_HALF_ROW;
}

/* Whether a box of several rows has a copy of an operand: a row, or a column. */
static bool is_spread(const struct bli_fusion_draft *draft, int32_t k)
{
    const struct bli_frame *const frame = &draft->frame;

    return frame->loops > 1 && frame->extent[0] < LONG_ROW && !draft->has_rows &&
           !draft->made.takes_rows &&
           (frame->stride[0][k] == 0) != (frame->stride[1][k] == 0);
}

/* Bytes of an element of those copies, if there is one that each box makes again. */
static int64_t spread_bytes(const struct bli_fusion_draft *draft)
{
    int64_t bytes = 0;
    bool moves = false;

    for (int32_t k = 0; k < draft->made.operands; k++)
        if (is_spread(draft, k) && !bli_fusion_is_converted(&draft->made, k)) {
            bytes += bli_fusion_size(&draft->made, k);
            moves = moves || draft->frame.stride[0][k] == 0;
        }
    return moves ? bytes : 0;
}

/* Whether what an operand has is so much of all that it comes from memory. */
static bool is_streamed(const struct bli_fusion_draft *draft, int32_t k)
{
    return bli_fusion_own_bytes(draft, k) * STREAMED >= draft->traffic;
}

/* Elements of a box of at most 2^10 of 4 bytes, whose buffers fit in the cache. */
static int64_t box_elements(const struct bli_fusion_draft *draft)
{
    const struct bli_fusion *const made = &draft->made;
    const bool is_near = draft->traffic <= BLI_FUSION_CACHE;
    bool is_flat = draft->frame.loops == 1 || !is_near;
    int64_t widest = 4, buffers = spread_bytes(draft), all = 0, most;

    for (int32_t k = 0; k < made->places; k++) {
        const bool is_operand = k < made->operands;
        const int64_t size = bli_dtypes[made->place[k].dtype].size;

        if (!is_operand || is_near || is_streamed(draft, k))
            widest = size > widest ? size : widest;
        if (is_operand && !is_near && k >= made->results)
            is_flat = is_flat && !is_streamed(draft, k);
        all += is_operand ? bli_fusion_size(made, k) : 0;
        if (!is_operand || bli_fusion_is_converted(made, k))
            buffers += size;
    }
    most = (made->takes_rows && is_near ? BOX_ROWS
            : is_flat                   ? BOX_FLAT
            : is_near                   ? BOX_CACHE
                                        : BOX_MEMORY) *
           4 / widest;
    while (is_flat && is_near && most > BOX_CACHE * 4 / widest &&
           most * (all + buffers) > FLAT_BYTES)
        most /= 2;
    while (most > BLI_FUSION_SMALL && most * buffers > BUFFER_BYTES(made->isa))
        most /= 2;
    return most;
}

void bli_fusion_cut(struct bli_fusion_draft *draft)
{
    const struct bli_frame *const frame = &draft->frame;
    struct bli_fusion *const made = &draft->made;
    const bool is_program =
        made->operations == 1 && draft->class[draft->member[0]] >= 0;
    const int64_t most = box_elements(draft);
    int64_t below = 1;
    bool is_long = is_program;

    made->level = 0;
    made->length = frame->extent[0];
    for (int32_t k = 0; k < made->operands; k++)
        is_long =
            is_long &&
            (bli_fusion_is_still(draft, k) ||
             (bli_fusion_is_dense(draft, k) && !bli_fusion_is_converted(made, k))) &&
            !(made->takes_rows && bli_fusion_has_short_halves(draft, k));
    draft->takes_all = false;
    if (made->takes_rows) {
        made->level = 1;
        made->length = bli_least(frame->extent[1], most / frame->extent[0]);
        made->length += made->length == 0;
        draft->takes_all = is_long && made->length < frame->extent[1];
        if (draft->takes_all)
            made->length = frame->extent[1];
        return;
    }
    if (draft->has_rows || frame->extent[0] >= LONG_ROW || frame->loops == 1) {
        if (!is_long)
            made->length = bli_least(most, made->length);
        return;
    }
    while (made->level + 1 < frame->loops && made->level + 1 < BLI_TILE_LOOPS &&
           frame->extent[made->level] <= most / below)
        below *= frame->extent[made->level++];
    made->length = bli_least(most / below, frame->extent[made->level]);
}
