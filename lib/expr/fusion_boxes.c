/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Decides which operands of a fusion are copied to or from buffers: those that
 * operations cannot take as they are in memory.
 */
#include "expr/fusion_boxes.h"

#include "expr/fusion_memory.h"

/* ---- buffers ---- */

/* Whether an operation reads a value that is at a place. */
static bool is_read(const struct bli_fusion_draft *draft, int32_t o, int32_t place)
{
    bool is_read = false;

    for (int32_t m = 0; m < draft->count[o]; m++) {
        const int32_t i = draft->member[draft->first[o] + m];
        const struct bli_expr_step *const step = bli_fusion_step(draft, i);

        for (int32_t k = 0; k < bli_fusion_inputs(step); k++)
            is_read =
                is_read ||
                (draft->input[i][k] == place &&
                 !(place < draft->made.results &&
                   draft->operation[bli_fusion_member(draft, step->operand[k])] == o));
    }
    return is_read;
}

/* Whether the operation that makes a result may write it by non-temporal stores. */
bool bli_fusion_can_be_nt(const struct bli_fusion_draft *draft, int32_t r)
{
    const int32_t i = bli_fusion_member(draft, draft->made.operand[r].value);
    const struct bl_plan *const call = bli_fusion_step(draft, i)->plan;
    bool can = draft->class[i] >= 0 ||
               (bli_ops[call->op].impl < BLI_IMPL_VECTOR && call->op != BL_OP_COPY);

    for (int32_t o = draft->operation[i] + 1; o < draft->made.operations; o++)
        can = can && !is_read(draft, o, r);
    return can;
}

/*
 * Whether a result may be copied from a buffer by non-temporal stores: that of a vector
 * function may where it may in calls, see plan/non_temporal.c.  exp(-a) of
 * f32[16777216] takes .87 and .91 of the time without, one thread and two, with a row
 * of 1024 .86 and .92, log(a * a + 1) of f64 .92; with 256 bits .9, .9, .96;
 * hypot(a - b, c) 1.06 and 1.12, .91 and 1.07 (Zen 4).
 */
static bool may_copy_nt(const struct bli_fusion_draft *draft, int32_t r)
{
    const int32_t i = bli_fusion_member(draft, draft->made.operand[r].value);

    return !bli_fusion_is_function(draft, i) ||
           bli_isa_has_512_bits(bli_isa_for_memory(draft->made.isa));
}

/* Bytes of one contiguous segment of a result, as far as boxes go. */
static int64_t segment(const struct bli_fusion_draft *draft, int32_t r)
{
    const struct bli_frame *const frame = &draft->frame;
    int64_t bytes = bli_fusion_size(&draft->made, r);

    for (int32_t i = 0; i <= draft->made.level && frame->stride[i][r] == bytes; i++)
        bytes *= frame->extent[i];
    return bytes;
}

static void choose_streams(struct bli_fusion_draft *draft)
{
    struct bli_fusion *const made = &draft->made;

    made->streams = made->streamed_buffers = 0;
    for (int32_t r = 0; r < made->results; r++) {
        if (draft->frame.stride[0][r] != bli_fusion_size(made, r) ||
            !bli_fusion_wants_nt(draft, r, segment(draft, r)) || !may_copy_nt(draft, r))
            continue;
        made->streams |= UINT32_C(1) << r;
        if (!bli_fusion_can_be_nt(draft, r))
            made->streamed_buffers |= UINT32_C(1) << r;
    }
}

/* Results are written as they are computed: only inputs are converted. */
bli_kernel *bli_fusion_copying(const struct bli_fusion_draft *draft, int32_t k)
{
    const struct bli_fusion_operand *const operand = &draft->made.operand[k];
    const struct bli_isa *const isa = draft->made.isa;

    for (int32_t bits = 0; operand->dtype == operand->computed && bits < 5; bits++)
        if (bli_dtypes[operand->dtype].size == (int64_t)1 << bits)
            return isa->move[bits];
    return isa->convert[operand->dtype][operand->computed];
}

/* The kernel and the strides that copy operand `k` between memory and its buffer. */
static void stage(struct bli_fusion_draft *draft, int32_t k)
{
    struct bli_fusion *const made = &draft->made;
    struct bli_fusion_operand *const operand = &made->operand[k];
    const int64_t size = bli_dtypes[operand->computed].size;
    const int32_t buffer = k < made->results, memory = 1 - buffer;
    int64_t below = made->place[k].step == 0 ? 0 : size;
    int64_t(*const stride)[BLI_MAX_OPERANDS] = draft->stage_stride[k];

    for (int32_t i = 0; i < BLI_TILE_LOOPS; i++) {
        const bool has = i <= made->level;

        stride[i][buffer] = has ? below : 0;
        stride[i][memory] = has ? draft->frame.stride[i][k] : 0;
        below *= has ? draft->frame.extent[i] : 1;
    }
    operand->convert = bli_fusion_copying(draft, k);
}

/* Whether kernels would not take rows of operand `k` where they are, as in calls. */
static bool is_unsuited(const struct bli_fusion_draft *draft, int32_t k)
{
    const int64_t size = bli_fusion_size(&draft->made, k),
                  step = draft->frame.stride[0][k];
    bool unsuited =
        (step != size && step != 0) || bli_fusion_has_short_halves(draft, k);

    for (int32_t i = 0; !unsuited && i < draft->phase->count; i++) {
        const struct bli_expr_step *const step = bli_fusion_step(draft, i);

        for (int32_t n = 0; n < bli_fusion_inputs(step); n++)
            unsuited |= draft->input[i][n] == k &&
                        (step->plan->tiling.staged >> (1 + n) & 1) != 0;
    }
    return unsuited;
}

/* Whether operations take operand `k` where it is. */
static bool is_suited(const struct bli_fusion_draft *draft, int32_t k)
{
    if (bli_fusion_is_converted(&draft->made, k) ||
        (draft->made.streamed_buffers >> k & 1) != 0)
        return false;
    return bli_fusion_is_still(draft, k) || bli_fusion_is_dense(draft, k) ||
           (draft->made.takes_rows && (draft->takes_all || !is_unsuited(draft, k)));
}

/* Find the bytes from row to row of all places: several rows, which are not small. */
static void find_rows(struct bli_fusion_draft *draft)
{
    struct bli_fusion *const made = &draft->made;

    made->is_small = false;
    for (int32_t k = 0; k < made->places; k++) {
        struct bli_fusion_place *const place = &made->place[k];

        draft->row[k] = place->step * draft->frame.extent[0];
        if (k < made->operands && place->buffer < 0) {
            place->step = (int32_t)draft->frame.stride[0][k];
            draft->row[k] = draft->frame.stride[1][k];
        }
    }
}

bool bli_fusion_boxes(struct bli_fusion_draft *draft)
{
    struct bli_fusion *const made = &draft->made;
    int64_t elements;

    bli_fusion_cut(draft);
    choose_streams(draft);
    bli_fusion_end_on_lines(draft);
    elements = bli_fusion_box(draft);
    made->staged = 0;
    made->staging = 0;
    for (int32_t k = 0; k < made->places; k++) {
        struct bli_fusion_place *const place = &made->place[k];
        const bool is_operand = k < made->operands;
        const bool still = is_operand && bli_fusion_is_still(draft, k);
        const int32_t size = (int32_t)bli_dtypes[place->dtype].size;

        place->step = still ? 0 : size;
        place->buffer = -1;
        if (is_operand)
            made->operand[k].pieces = 0;
        if (is_operand && is_suited(draft, k))
            continue;
        place->buffer =
            (int32_t)bli_fusion_reserve(made, (still ? 1 : elements) * size);
        if (is_operand) {
            made->staged |= UINT32_C(1) << k;
            stage(draft, k);
        }
    }
    if (made->takes_rows)
        find_rows(draft);
    else
        bli_fusion_find_small(draft);
    return made->staging <= INT32_MAX;
}
