/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes fusions: of what has been decided, a block. */
#include "expr/fusion_cost.h"
#include "expr/fusion_memory.h"

#include "context/context.h"
#include "core/lend.h"
#include "plan/cost.h"

#include <string.h>

/* ---- the block ---- */

/* Take memory of a block at `*at`, and copy there what it is to hold. */
static void *keep(char *block, size_t *at, const void *from, size_t bytes)
{
    char *const memory = block ? block + *at : NULL;

    if (block && bytes > 0)
        memcpy(memory, from, bytes);
    *at += (bytes + 7) / 8 * 8;
    return memory;
}

/* Keep a fusion's operations, with pointers into the block. */
static void keep_operations(struct bli_fusion *made,
                            const struct bli_fusion_draft *draft, char *block,
                            size_t *at)
{
    made->operation = keep(block, at, draft->operations,
                           (size_t)made->operations * sizeof draft->operations[0]);
    made->program = keep(block, at, draft->program,
                         (size_t)made->programs * sizeof draft->program[0]);
    made->fold =
        keep(block, at, draft->fold, (size_t)made->folds * sizeof draft->fold[0]);
    if (draft->domain || draft->made.takes_rows)
        made->row =
            keep(block, at, draft->row, (size_t)made->places * sizeof draft->row[0]);
    for (int32_t o = 0; o < made->operations; o++) {
        const struct bli_fusion_operation *const from = &draft->operations[o];
        int64_t(*const stride)[BLI_MAX_OPERANDS] =
            from->kernel ? keep(block, at, draft->kernel_stride[o],
                                sizeof draft->kernel_stride[o])
                         : NULL;

        if (!block)
            continue;
        made->operation[o].stride = stride;
        if (from->program)
            made->operation[o].program =
                made->program + (from->program - draft->program);
        if (from->in_place)
            made->operation[o].in_place =
                made->program + (from->in_place - draft->program);
        if (from->fold)
            made->operation[o].fold = made->fold + (from->fold - draft->fold);
    }
}

/* Put the loops that are joined to one into a block. */
static void keep_joined(struct bli_fusion *made, const struct bli_fusion_draft *draft,
                        char *block, size_t *at)
{
    const struct bli_frame *const apart = &draft->apart;

    made->joined_extent =
        keep(block, at, apart->extent, (size_t)made->joined * sizeof apart->extent[0]);
    made->joined_stride = (int64_t *)(void *)(block ? block + *at : NULL);
    for (int32_t i = 0; i < made->joined; i++)
        (void)keep(block, at, apart->stride[i],
                   (size_t)made->operands * sizeof apart->stride[i][0]);
}

/* Put a fusion into a block; with NULL find its bytes, in the draft. */
static size_t put(struct bli_fusion_draft *draft, char *block)
{
    const struct bli_frame *const frame = &draft->frame;
    struct bli_fusion *made = &draft->made;
    size_t at = 0;

    if (block)
        made = (struct bli_fusion *)(void *)block;
    (void)keep(block, &at, &draft->made, sizeof draft->made);
    keep_operations(made, draft, block, &at);
    for (int32_t k = 0; k < made->operands; k++)
        if (made->staged >> k & 1 && !draft->domain)
            made->operand[k].stride =
                keep(block, &at, draft->stage_stride[k], sizeof draft->stage_stride[k]);
    for (int32_t k = 0; k < made->operands; k++)
        if (draft->made.operand[k].table) {
            int32_t *const table =
                keep(block, &at, draft->table[k],
                     ((size_t)made->operand[k].pieces + BLI_SMALL_BATCH - 1) /
                         BLI_SMALL_BATCH * BLI_SMALL_BATCH * sizeof draft->table[k][0]);

            if (block)
                made->operand[k].table = table;
        }
    if (draft->made.source) {
        struct bli_fusion_source *const source =
            keep(block, &at, draft->source,
                 (size_t)made->operands * sizeof draft->source[0]);

        if (block)
            made->source = source;
    }
    made->loops = frame->loops;
    made->count = frame->count;
    memcpy(made->offset, frame->offset, sizeof made->offset);
    made->extent =
        keep(block, &at, frame->extent, (size_t)frame->loops * sizeof frame->extent[0]);
    made->stride = (int64_t *)(void *)(block ? block + at : NULL);
    for (int32_t i = 0; i < frame->loops; i++)
        (void)keep(block, &at, frame->stride[i],
                   (size_t)made->operands * sizeof frame->stride[i][0]);
    keep_joined(made, draft, block, &at);
    made->bytes = at;
    return at;
}

/* ---- the partition ---- */

/*
 * A plan that copies the largest input to the first result: threads' shares and node
 * ranges are those of its loops, which are in the same order.
 */
static bl_status make_lead(struct bli_fusion *made, const bl_expr_plan *plan,
                           bool is_direct)
{
    const bl_pairing pairing = {BL_PAIRING_BROADCAST, 0};
    const int32_t v = made->operand[0].value;
    const struct bli_expr_value *const value = &plan->value[v];
    const bl_array out =
        is_direct && value->output >= 0
            ? plan->out[value->output].array
            : (bl_array){NULL, value->dtype, value->rank, value->extent, NULL, 0};
    struct bli_problem problem = {.op = BL_OP_COPY,
                                  .inputs = 1,
                                  .isa = made->isa,
                                  .dtype = {out.dtype, out.dtype},
                                  .common = out.dtype,
                                  .rank = out.rank,
                                  .extent = out.extent};

    problem.operand[0] = problem.operand[1] = bli_array_operand(&out, pairing);
    return bli_plan_keep(&made->lead, &plan->allocator, &problem);
}

/* Iterations of which each result fills whole cache lines. */
static int64_t line_of(const struct bli_fusion *made)
{
    int64_t line = 1;

    for (int32_t r = 0; r < made->results; r++) {
        const int64_t own = BLI_ALIGNMENT / bli_fusion_size(made, r);

        line = own > line ? own : line;
    }
    return line;
}

/* ---- fusions ---- */

/* Put a fusion that is decided into memory of its own. */
static bl_status finish(struct bli_fusion_draft *draft, double ns,
                        struct bli_fusion **fusion)
{
    const bl_allocator *const allocator = &draft->plan->allocator;
    struct bli_fusion *made;
    char *block;
    bl_status status = BL_OK;

    draft->made.threads =
        draft->made.is_small ? 1 : bli_threads_for(ns + bli_fusion_common_ns(draft));
    if (!draft->domain)
        draft->made.line = line_of(&draft->made);
    bli_fusion_tabulate(draft);
    if (draft->made.staging > BLI_FUSION_STACK &&
        draft->made.staging <= BLI_STACK_BYTES)
        draft->made.staging = BLI_STACK_BYTES + 1;
    bli_fusion_find_sources(draft);
    bli_fusion_choose_prefetches(draft);
    block = bli_allocate_object(allocator, put(draft, NULL));
    if (!block)
        return BL_ERR_MEMORY;
    (void)put(draft, block);
    made = (struct bli_fusion *)(void *)block;
    for (int32_t p = 0; p < made->programs; p++)
        made->isa->prepare_program(&made->program[p]);
    if (made->threads > 1 && !draft->domain)
        status = make_lead(made, draft->plan, draft->is_direct);
    if (status == BL_OK)
        *fusion = made;
    else
        bli_fusion_free(made, allocator);
    return status;
}

bl_status bli_fusion_make(const struct bli_expr_making *making,
                          const struct bli_expr_phase *phase, bool is_direct,
                          struct bli_fusion **fusion)
{
    struct bli_fusion_draft *const draft = bli_thread_lend(sizeof *draft);
    bl_status status = BL_OK;
    double ns = 0;

    if (!draft)
        return BL_ERR_MEMORY;
    *fusion = NULL;
    if (bli_fusion_begin(draft, making, phase, is_direct) &&
        bli_fusion_choose(draft, &ns))
        status = finish(draft, ns, fusion);
    bli_thread_return(draft);
    return status;
}

void bli_fusion_free(struct bli_fusion *fusion, const bl_allocator *allocator)
{
    if (!fusion)
        return;
    bli_plan_free(fusion->lead, allocator);
    bli_release_object(allocator, fusion, fusion->bytes);
}
