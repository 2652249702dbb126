/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Decides how a fusion with reductions goes through its elements: in which order, and
 * what of them a thread has in buffers.
 */
#include "expr/fusion_boxes.h"
#include "expr/fusion_memory.h"

/*
 * Bytes of several rows, which are reduced at once, in buffers and in operands that are
 * read again: the sums of one row wait for each other.  Zen 5 with AVX-512, 16 rows and
 * 32 KB of buffers before: sum(a * b, 1) of f64[2000,300] takes .85 of the time,
 * any(a > b, 1) of f32[1000,100] .72, max((a - b) * c, 1) of rows of 30 .71; 128 rows
 * are 1.14 times as slow for sum(a * b, 1) of f64[3000,30].  Emerald Rapids, in L2,
 * with 24 KB: sum(a * b, 1) and max(a * b, 1) of f32 of rows of 64 to 1024 take 1.07 to
 * 1.19 of the time of calls, with 12 .83 to 1.09, with 16 .94 to 1.13, with 6 .84 to
 * 1.09; where rows are resident 16 is better than 12, layer norm of f32[65536,64] takes
 * .45 and .51.  From memory, where the next box is prefetched, 24 was measured alone.
 * Most bytes for one row: half of an L2 cache of 512 KiB.
 */
#define ROWS_BYTES     (12 << 10)
#define HELD_BYTES     (16 << 10)
#define MEMORY_ROWS    (24 << 10)
#define RESIDENT_BYTES (256 << 10)
#define MOST_ROWS      64
#define AT_ONCE        4

/*
 * Most bytes of a buffer's row that begins where the one before it ends: several are
 * one row of what computes them.  Others begin where cache lines do.
 */
#define DENSE_ROW 512

/* Most bytes of an item where borders between nodes are computed. */
#define ITEM_BYTES 4096

/* ---- buffers ---- */

/* Bytes from row to row of an operand in memory. */
static int64_t across(const struct bli_fusion_draft *draft, int32_t k)
{
    const struct bli_frame *const frame = &draft->frame;

    if (draft->made.order == BLI_ORDER_BLOCKS)
        return frame->stride[0][k] * BLI_REDUCE_BLOCK;
    return frame->loops > 1 ? frame->stride[1][k] : 0;
}

static int64_t size_at(const struct bli_fusion_draft *draft, int32_t place)
{
    return bli_dtypes[draft->made.place[place].dtype].size;
}

/* The step whose value is at an intermediate place. */
static int32_t step_at(const struct bli_fusion_draft *draft, int32_t place)
{
    int32_t i = 0;

    while (draft->result[i] != place)
        i++;
    return i;
}

/* Whether a reduction takes what is at a place. */
static bool is_reduced(const struct bli_fusion_draft *draft, int32_t place)
{
    bool is_reduced = false;

    for (int32_t i = 0; i < draft->phase->count; i++)
        is_reduced = is_reduced ||
                     (bli_fusion_step(draft, i)->reduce && draft->input[i][0] == place);
    return is_reduced;
}

/* Whether an operand in memory is a result that has one element for each row. */
static bool is_row_result(const struct bli_fusion_draft *draft, int32_t k)
{
    return k < draft->made.results && draft->is_row[step_at(draft, k)];
}

/*
 * Decide how a place is used: its step, 1 where it has elements along a row, else 0;
 * its row, 1 where it has some for each row of a box.  True where it is a buffer.
 */
static bool shape_place(struct bli_fusion_draft *draft, int32_t k)
{
    struct bli_fusion *const made = &draft->made;
    struct bli_fusion_place *const place = &made->place[k];
    const int64_t along = k < made->operands ? draft->frame.stride[0][k] : 0;
    const bool is_filled = is_reduced(draft, k);

    place->buffer = -1;
    if (k >= made->operands || (made->pieced >> k & 1)) {
        place->step = k < made->operands || !draft->is_row[step_at(draft, k)];
        draft->row[k] = 1;
        return true;
    }
    if (is_row_result(draft, k)) {
        place->step = 0;
        draft->row[k] = across(draft, k);
        return false;
    }
    place->step = along != 0 || is_filled;
    draft->row[k] = across(draft, k);
    if (made->operand[k].dtype == made->operand[k].computed &&
        along == (place->step ? size_at(draft, k) : 0)) {
        place->step *= (int32_t)size_at(draft, k);
        return false;
    }
    draft->row[k] = draft->row[k] != 0;
    return true;
}

/* Bytes of a row in a buffer. */
static int64_t pitch(const struct bli_fusion_draft *draft, int32_t k)
{
    const int64_t bytes = draft->made.length * size_at(draft, k);

    return draft->made.place[k].step == 0 ? size_at(draft, k)
           : bytes <= DENSE_ROW           ? bytes
                                          : bli_align_up(bytes);
}

/* The operations that read a place. */
static int32_t count_reads(const struct bli_fusion_draft *draft, int32_t place)
{
    int32_t reads = 0, last = -1;

    for (int32_t i = 0; i < draft->phase->count; i++)
        for (int32_t k = 0; k < bli_fusion_inputs(bli_fusion_step(draft, i)); k++)
            if (draft->input[i][k] == place && draft->operation[i] != last) {
                last = draft->operation[i];
                reads++;
            }
    return reads;
}

/* Rows of so many bytes in buffers, and in operands that are read again, for a box. */
static int64_t many_rows(const struct bli_fusion_draft *draft, int64_t bytes,
                         int64_t again)
{
    const int64_t box = bli_fusion_far_box(draft, bytes);
    const int64_t most = bli_fusion_is_from_memory(draft) ? MEMORY_ROWS
                         : draft->is_resident             ? HELD_BYTES
                                                          : ROWS_BYTES;
    const int64_t rows = most / (bytes + again);

    if (box > 0)
        return box / (bytes + again);
    return rows < AT_ONCE && draft->made.joined == 0 &&
                   AT_ONCE * bytes <= RESIDENT_BYTES / 2
               ? AT_ONCE
               : rows;
}

/* Choose the rows of a box, of which those in `is_buffer` have memory. */
static bool choose_rows(struct bli_fusion_draft *draft, const bool *is_buffer)
{
    struct bli_fusion *const made = &draft->made;
    const struct bli_frame *const frame = &draft->frame;
    int64_t bytes = 1, again = 0;
    int64_t most = made->order == BLI_ORDER_BLOCKS ? made->blocks
                   : frame->loops > 1              ? frame->extent[1]
                                                   : 1;

    for (int32_t k = 0; k < made->places; k++) {
        bytes += is_buffer[k] ? pitch(draft, k) : 0;
        if (!is_buffer[k] && draft->row[k] != 0 && count_reads(draft, k) > 1)
            again += pitch(draft, k);
    }
    if (bytes > RESIDENT_BYTES)
        return false;
    if (made->order == BLI_ORDER_COLUMNS) {
        made->rows = bli_fusion_columns_rows(draft, bytes, most);
        return true;
    }
    most = most < MOST_ROWS ? most : MOST_ROWS;
    made->rows = many_rows(draft, bytes, again);
    made->rows = made->rows < 1 ? 1 : made->rows < most ? made->rows : most;
    return true;
}

static void make_buffers(struct bli_fusion_draft *draft, const bool *is_buffer)
{
    struct bli_fusion *const made = &draft->made;

    made->staged = 0;
    made->staging = 0;
    for (int32_t k = 0; k < made->places; k++) {
        struct bli_fusion_place *const place = &made->place[k];
        const int64_t row = pitch(draft, k);

        if (!is_buffer[k])
            continue;
        place->buffer =
            (int32_t)bli_fusion_reserve(made, draft->row[k] ? row * made->rows : row);
        place->step *= (int32_t)size_at(draft, k);
        draft->row[k] *= row;
        if (k < made->operands) {
            made->staged |= UINT32_C(1) << k;
            made->operand[k].convert = bli_fusion_copying(draft, k);
        }
    }
}

/* ---- order ---- */

/* Whether an operand's rows are read in the order of memory. */
static bool is_in_order(const struct bli_fusion_draft *draft, int32_t k)
{
    const struct bli_frame *const frame = &draft->frame;
    bool is_in_order = true;
    int64_t inner = 0;

    for (int32_t i = 0; i < frame->loops; i++) {
        const int64_t stride = frame->stride[i][k];
        const int64_t size = stride < 0 ? -stride : stride;

        is_in_order = is_in_order && (size == 0 || size >= inner);
        inner = size > 0 ? size : inner;
    }
    return is_in_order;
}

static bool choose_order(struct bli_fusion_draft *draft)
{
    struct bli_fusion *const made = &draft->made;
    const struct bli_frame *const frame = &draft->frame;
    uint64_t reduced;

    for (int32_t k = 0; k < made->operands; k++)
        if (!is_in_order(draft, k))
            return false;
    if (!bli_fusion_join(draft))
        return false;
    reduced = bli_frame_reduced(frame);
    if ((reduced != 1 && reduced != 2) || (reduced == 2 && draft->is_resident))
        return false;
    made->reduced = frame->extent[reduced - 1];
    made->outputs = frame->count / made->reduced;
    made->blocks = (made->reduced - 1) / BLI_REDUCE_BLOCK + 1;
    made->order = reduced == 2 ? BLI_ORDER_COLUMNS
                  : made->joined == 0 && (draft->is_resident || made->blocks == 1)
                      ? BLI_ORDER_ROWS
                      : BLI_ORDER_BLOCKS;
    return bli_fusion_choose_folds(draft);
}

/* Choose the results that are written by non-temporal stores, and count items. */
static void finish(struct bli_fusion_draft *draft)
{
    struct bli_fusion *const made = &draft->made;
    const struct bli_frame *const frame = &draft->frame;

    made->level = 0;
    made->streams = made->streamed_buffers = 0;
    for (int32_t k = 0; k < made->results; k++)
        if (made->place[k].buffer < 0 && made->place[k].step > 0 &&
            bli_fusion_wants_nt(draft, k, made->length * made->place[k].step) &&
            bli_fusion_can_be_nt(draft, k) && bli_fusion_row_pays(draft, k))
            made->streams |= UINT32_C(1) << k;
    made->line = 1;
    made->items = made->outputs;
    if (made->order == BLI_ORDER_BLOCKS)
        made->items *= made->blocks;
    if (made->order == BLI_ORDER_COLUMNS)
        made->items = made->outputs / frame->extent[0] * made->blocks *
                      ((frame->extent[0] - 1) / made->length + 1);
    made->item_bytes = (int64_t)(draft->traffic / (double)made->items) + 1;
    if (made->item_bytes > ITEM_BYTES)
        made->item_bytes = ITEM_BYTES;
}

bool bli_fusion_rows(struct bli_fusion_draft *draft)
{
    struct bli_fusion *const made = &draft->made;
    bool is_buffer[BLI_FUSION_PLACES];

    if (!choose_order(draft))
        return false;
    made->length = made->order == BLI_ORDER_BLOCKS
                       ? bli_least(made->reduced, BLI_REDUCE_BLOCK)
                   : made->order == BLI_ORDER_COLUMNS ? bli_fusion_columns(draft)
                                                      : draft->frame.extent[0];
    for (int32_t k = 0; k < made->places; k++)
        is_buffer[k] = shape_place(draft, k);
    if (!choose_rows(draft, is_buffer))
        return false;
    make_buffers(draft, is_buffer);
    bli_fusion_place_folds(draft);
    finish(draft);
    return made->staging <= INT32_MAX;
}
