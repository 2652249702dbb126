/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What programs of a fusion, and boxes of rows, prefetch: what the hardware does not
 * find by itself.
 */
#include "expr/fusion_memory.h"

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
           bli_fusion_own_bytes(draft, k) > NEAR;
}

/* Bytes of operands that are read more than once. */
static double again_bytes(const struct bli_fusion_draft *draft)
{
    double bytes = 0;

    for (int32_t k = draft->made.results; k < draft->made.operands; k++) {
        const double own = bli_fusion_own_bytes(draft, k);
        const double all =
            (double)draft->frame.count * (double)bli_fusion_size(&draft->made, k);

        bytes += own < all ? own : 0;
    }
    return bytes;
}

/*
 * Whether programs of a fusion prefetch what they read. On Zen 4 alone the instruction
 * set for memory is always another one.
 */
static bool prefetches(const struct bli_fusion_draft *draft)
{
    const struct bli_isa *const usual = bli_fusion_usual_isa(draft);
    const bool is_zen4 = draft->made.isa != usual && bli_isa_for_memory(usual) != usual;

    return bli_fusion_fills_caches(draft) && (!is_zen4 || again_bytes(draft) > NEAR);
}

/*
 * The operation of rows during which the next box is prefetched: the first vector
 * function, or else the first one that is no reduction; NULL: there is none.
 */
static struct bli_fusion_operation *find_longest(struct bli_fusion_draft *draft)
{
    struct bli_fusion_operation *first = NULL;

    for (int32_t o = 0; o < draft->made.operations; o++) {
        struct bli_fusion_operation *const operation = &draft->operations[o];

        if (operation->is_row || operation->fold)
            continue;
        if (bli_fusion_is_function(draft, draft->member[draft->first[o]]))
            return operation;
        first = first ? first : operation;
    }
    return first;
}

/*
 * Several operations go over a box of rows, one after the other, and the hardware
 * prefetches what the first one reads next: memory is idle during the others, unless
 * the next box is prefetched.  Of 64 MiB of f32, Zen 4, of the time without, one thread
 * and two: softmax in rows of 128 .77, of 256 .80 and .77, of 1024 .89 and .85, of 4096
 * .91 and .87; layer norm of 256 .75 and .78, of 1024 .95 and .92, the variance of 256
 * .68 and .71; (a - min(a)) / (max(a) - min(a)) .6, of 1024 .91 and .92, of 2048 1.05
 * to 1.12; with 256 bits softmax of 256 .8 and .78, of 1024 .87 and .88.
 */
static void prefetch_boxes(struct bli_fusion_draft *draft)
{
    const struct bli_fusion *const made = &draft->made;
    struct bli_fusion_operation *longest;

    if (made->order != BLI_ORDER_ROWS || draft->frame.loops != 2 ||
        bli_fusion_has_far_boxes(draft) || !bli_fusion_is_from_memory(draft))
        return;
    longest = find_longest(draft);
    for (int32_t k = made->results; longest && k < made->operands; k++)
        if (made->place[k].buffer < 0 && made->place[k].step != 0 && draft->row[k] != 0)
            longest->ahead |= UINT32_C(1) << k;
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
        if (operation->in_place)
            bli_program_prefetch(operation->in_place, far);
    }
    prefetch_boxes(draft);
}
