/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a fusion moves between the caches and memory, and what that decides: the
 * instruction set, non-temporal stores, what programs prefetch.
 */
#include "expr/fusion_memory.h"

#include "context/context.h"
#include "exec/bind/bind.h"
#include "plan/non_temporal.h"

/* Bytes of an operand's elements, each counted once. */
static double own_bytes(const struct bli_fusion_draft *draft, int32_t k)
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

bool bli_fusion_exceeds(const struct bli_fusion_draft *draft, double part)
{
    return bli_caches_exceeded(bli_team_caches(&draft->making->ctx->team),
                               draft->traffic, part);
}

/* Whether a fusion waits for memory. */
static bool waits_for_memory(const struct bli_fusion_draft *draft)
{
    bool waits = draft->phase->count <= MEMORY_STEPS &&
                 bli_fusion_exceeds(draft, MEMORY_TRAFFIC);

    for (int32_t i = 0; waits && i < draft->phase->count; i++) {
        const struct bl_plan *const call = bli_fusion_step(draft, i)->plan;

        waits =
            !call || draft->class[i] >= 0 || bli_ops[call->op].impl < BLI_IMPL_VECTOR;
    }
    return waits;
}

/* The instruction set of what does not wait for memory. */
static const struct bli_isa *usual_isa(const struct bli_fusion_draft *draft)
{
    return bli_isa_pick(bli_context(draft->making->ctx)->isa);
}

void bli_fusion_find_traffic(struct bli_fusion_draft *draft)
{
    const struct bli_isa *const isa = usual_isa(draft);

    draft->traffic = 0;
    for (int32_t k = 0; k < draft->made.operands; k++)
        draft->traffic += own_bytes(draft, k);
    draft->made.isa = waits_for_memory(draft) ? bli_isa_for_memory(isa) : isa;
}

bool bli_fusion_wants_nt(const struct bli_fusion_draft *draft, int32_t k, int64_t row)
{
    return row >= BLI_NT_ROW &&
           bli_plan_is_large(draft->made.isa,
                             bli_team_caches(&draft->making->ctx->team),
                             own_bytes(draft, k), draft->traffic, false);
}

/* ---- prefetches ---- */

/*
 * Most bytes of operands that stay in an L1 cache beside streams. Programs of 256 bits
 * prefetch one stream from memory (kernels/registers/machine.h), which pays on Zen 4
 * where others are read again from L2: of 64 MiB of f32, (a - b) / c * d + e with rows
 * of 1024 takes 1.04 of the time, of 2048 .9, from 4096 on .8; two threads .96 to 1.0,
 * .9, .78.
 */
#define NEAR (12 << 10)

/* Whether an operand is read where it is, and stays in no L1 cache. */
static bool is_far(const struct bli_fusion_draft *draft, int32_t k)
{
    return draft->made.place[k].buffer < 0 && draft->made.place[k].step != 0 &&
           own_bytes(draft, k) > NEAR;
}

/* Bytes of operands that are read more than once. */
static double again_bytes(const struct bli_fusion_draft *draft)
{
    double bytes = 0;

    for (int32_t k = draft->made.results; k < draft->made.operands; k++) {
        const double own = own_bytes(draft, k);
        const double all =
            (double)draft->frame.count * (double)bli_fusion_size(&draft->made, k);

        bytes += own < all ? own : 0;
    }
    return bytes;
}

/*
 * Whether programs of a fusion prefetch what they read. On Zen 4 alone the instruction
 * set for memory is another one.
 */
static bool prefetches(const struct bli_fusion_draft *draft)
{
    const bool is_zen4 = draft->made.isa != usual_isa(draft);

    return bli_fusion_exceeds(draft, MEMORY_TRAFFIC) &&
           (!is_zen4 || again_bytes(draft) > NEAR);
}

void bli_fusion_choose_prefetches(struct bli_fusion_draft *draft)
{
    const bool any = prefetches(draft);

    for (int32_t o = 0; o < draft->made.operations; o++) {
        const struct bli_fusion_operation *const operation = &draft->operations[o];
        uint32_t far = 0;

        if (!operation->program)
            continue;
        for (int32_t k = 0; any && k < operation->count; k++)
            if (operation->place[k] < draft->made.operands &&
                is_far(draft, operation->place[k]))
                far |= UINT32_C(1) << k;
        bli_program_prefetch(operation->program, far);
    }
}
