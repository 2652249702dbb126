/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a fusion moves between the caches and memory, and what that decides: the
 * instruction set, non-temporal stores, small boxes of rows.
 */
#include "expr/fusion_memory.h"
#include "expr/fusion_boxes.h"

#include "context/context.h"
#include "exec/bind/bind.h"
#include "plan/non_temporal.h"

double bli_fusion_own_bytes(const struct bli_fusion_draft *draft, int32_t k)
{
    double bytes = (double)bli_fusion_size(&draft->made, k);

    for (int32_t i = 0; i < draft->frame.loops; i++)
        if (draft->frame.stride[i][k] != 0)
            bytes *= (double)draft->frame.extent[i];
    return bytes;
}

/*
 * Bytes that are read and written, as a part of the last-level caches, from which a
 * fusion of few steps in registers waits for memory, and most steps of one.  With 256
 * bits, one and two threads: (a * b + c) * d - b of f32[16777216] takes .8 of the time
 * that it takes with 512, of [1048576] .92, batch norm of f32[32,64,56,56] .5, the sum
 * of (a - b) ** 2 of 64 MiB .75, sqrt(a * a + b * b) of 12 MiB .7 to 1.04, f32(a) * b +
 * c of 16 MiB .52 to .66; a polynomial of 14 steps 1.03, softmax 1.14 (Zen 4).
 */
#define MEMORY_TRAFFIC 0.5
#define MEMORY_STEPS   10

static bool exceeds(const struct bli_fusion_draft *draft, double part)
{
    return bli_caches_exceeded(bli_team_caches(&draft->making->ctx->team),
                               draft->traffic, part);
}

bool bli_fusion_fills_caches(const struct bli_fusion_draft *draft)
{
    return exceeds(draft, MEMORY_TRAFFIC);
}

bool bli_fusion_is_function(const struct bli_fusion_draft *draft, int32_t i)
{
    const struct bl_plan *const call = bli_fusion_step(draft, i)->plan;

    return call && draft->class[i] < 0 && bli_ops[call->op].impl >= BLI_IMPL_VECTOR;
}

/*
 * Whether a fusion waits for memory: with vector functions its programs do, if it does
 * not reduce.  Of 64 MiB each, one thread and two, sin(a * b + c) takes .61 and .64 of
 * the time that it takes with programs of 512 bits, tanh(a * 2 + b) .73, log(a * a + 1)
 * of f64 .88, a / (1 + exp(-1.702 * a)) .95 and .98 (Zen 4).
 */
static bool waits_for_memory(const struct bli_fusion_draft *draft)
{
    bool has_functions = false, has_programs = false;

    if (draft->phase->count > MEMORY_STEPS || !bli_fusion_fills_caches(draft))
        return false;
    for (int32_t i = 0; i < draft->phase->count; i++) {
        has_functions = has_functions || bli_fusion_is_function(draft, i);
        has_programs = has_programs || draft->class[i] >= 0;
    }
    return !has_functions || (has_programs && !draft->domain);
}

/*
 * Whether a fusion is simple steps over streams of elements of one size, and over
 * numbers and columns, all in one pass.  Zen 5, which does not halve 512 bits, reads
 * these faster by 256, too, one thread and two: (a * b + c) * d - b of f32[16777216]
 * takes .75 and .86 of the time, a * b + c .8, of f64[8388608] .78, a * 2 + 1 of 128
 * MiB .87, batch norm of f32[32,64,56,56] .76 and .83; with rows that are repeated,
 * (a - b) / c * d + e of f32[16384,1024] 1.09, (f32(a) / 255 - b) / c of u8 1.37,
 * sum((a - b) ** 2) 1.05 and .87, softmax and layer norm 1.2 to 1.4.  Emerald Rapids
 * does where results fit in the last-level cache: the first of f32[3145728] to
 * f32[10485760] .64 to .89, a * b + c of f32[4194304] .82, batch norm .83; with
 * non-temporal stores 1.0 to 1.06.
 */
static bool reads_streams(const struct bli_fusion_draft *draft, double largest)
{
    int64_t size = 0;
    bool is_one = !draft->domain;

    for (int32_t k = 0; is_one && k < draft->made.operands; k++) {
        const int64_t own = bli_fusion_size(&draft->made, k);

        if (draft->frame.stride[0][k] == 0)
            continue;
        is_one =
            (size == 0 || size == own) && 2 * bli_fusion_own_bytes(draft, k) >= largest;
        size = own;
    }
    for (int32_t i = 0; is_one && i < draft->phase->count; i++)
        is_one = !bli_fusion_is_function(draft, i);
    return is_one;
}

const struct bli_isa *bli_fusion_usual_isa(const struct bli_fusion_draft *draft)
{
    return bli_isa_pick(bli_context(draft->making->ctx)->isa);
}

/* Whether a result of so many bytes is too large for the caches. */
static bool is_large(const struct bli_fusion_draft *draft, const struct bli_isa *isa,
                     double bytes)
{
    return bli_plan_is_large(isa, bli_team_caches(&draft->making->ctx->team), bytes,
                             draft->traffic, false);
}

void bli_fusion_find_traffic(struct bli_fusion_draft *draft)
{
    const struct bli_isa *const isa = bli_fusion_usual_isa(draft);
    double largest = 0;

    draft->traffic = 0;
    for (int32_t k = 0; k < draft->made.operands; k++) {
        const double own = bli_fusion_own_bytes(draft, k);

        draft->traffic += own;
        largest = own > largest ? own : largest;
    }
    draft->made.isa = !waits_for_memory(draft) ? isa
                      : reads_streams(draft, largest)
                          ? bli_isa_for_streams(isa, !is_large(draft, isa, largest))
                          : bli_isa_for_memory(isa);
}

/* Whether a step reads an operand that is in memory. */
static bool reads_memory(const struct bli_fusion_draft *draft, int32_t i)
{
    const struct bli_fusion *const made = &draft->made;
    bool reads = false;

    for (int32_t k = 0; k < bli_fusion_inputs(bli_fusion_step(draft, i)); k++) {
        const struct bli_fusion_place *const place = &made->place[draft->input[i][k]];

        reads = reads || (draft->input[i][k] < made->operands && place->buffer < 0 &&
                          place->step != 0);
    }
    return reads;
}

bli_kernel *bli_fusion_kernel(const struct bli_fusion_draft *draft, int32_t i)
{
    const struct bl_plan *const call = bli_fusion_step(draft, i)->plan;
    const struct bli_isa *const memory = bli_isa_for_memory(call->isa);

    return memory != call->isa && !draft->domain && !bli_fusion_is_function(draft, i) &&
                   bli_fusion_fills_caches(draft) && reads_memory(draft, i)
               ? bli_isa_kernel(memory, call->op, call->computed[call->inputs],
                                call->computed[0])
               : call->kernel;
}

bool bli_fusion_wants_nt(const struct bli_fusion_draft *draft, int32_t k, int64_t row)
{
    return row >= BLI_NT_ROW &&
           is_large(draft, draft->made.isa, bli_fusion_own_bytes(draft, k));
}

/* ---- boxes of rows ---- */

/*
 * Bytes of a box's rows where operands come from memory, which pass through L1 between
 * the rows of buffers: larger ones are evicted before they are read; and of one row for
 * that. As a part of the last-level caches, traffic from which on it is so.  Zen 4, 64
 * MiB of f32, of the time with 24 KB and 4 rows, one thread and two: max((a - b) * c,
 * 1) of rows of 1000 .60 and .56, of 128 .70 and .67, max(a * b, 1) .77 and .72. From
 * L3 4 KB took 1.1 to 1.5 of the time.
 *
 * Where results of reductions are used inside boxes have their usual size, and the next
 * one is prefetched: see prefetch_boxes(). But rows of fewer bytes, in so few
 * operations, are in small boxes as well: of 32 f32 a / sum(abs(a), 1, keepdim) takes
 * .74 of the time so, (a - mean(a, 1, keepdim)) * b + c .82.
 */
#define FAR_BOX          4096
#define MOST_FAR         6144
#define FAR_PART         0.75
#define SHORT_ROW        256
#define SHORT_OPERATIONS 4

bool bli_fusion_is_from_memory(const struct bli_fusion_draft *draft)
{
    return exceeds(draft, FAR_PART);
}

bool bli_fusion_has_far_boxes(const struct bli_fusion_draft *draft)
{
    const struct bli_fusion *const made = &draft->made;
    const bool is_short = made->length * bli_fusion_size(made, 0) < SHORT_ROW;

    return !draft->is_resident || (is_short && made->operations <= SHORT_OPERATIONS);
}

int64_t bli_fusion_far_box(const struct bli_fusion_draft *draft, int64_t row)
{
    return row < MOST_FAR && bli_fusion_is_from_memory(draft) &&
                   bli_fusion_has_far_boxes(draft) && !bli_fusion_adds_all(draft)
               ? FAR_BOX
               : 0;
}
