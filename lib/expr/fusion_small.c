/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fusions of few elements, which are one box: offsets of what is not contiguous are in
 * tables, so that an execution goes through no loops.
 */
#include "expr/fusion_box.h"

#include "exec/gather.h"
#include "plan/table.h"

/* ---- the plan ---- */

void bli_fusion_find_small(struct bli_fusion_draft *draft)
{
    struct bli_fusion *const made = &draft->made;
    const struct bli_frame *const frame = &draft->frame;

    made->is_small = frame->count <= BLI_FUSION_SMALL && made->streams == 0 &&
                     made->staging <= BLI_STACK_BYTES &&
                     made->level == frame->loops - 1 &&
                     made->length == frame->extent[made->level];
    for (int32_t k = made->results; made->is_small && k < made->operands; k++) {
        struct bli_fusion_operand *const operand = &made->operand[k];
        const int64_t size = bli_dtypes[operand->dtype].size;
        const int64_t many =
            bli_table_piece(frame->extent[0], frame->stride[0][k], size);

        if (!(made->staged >> k & 1) || made->place[k].step == 0 ||
            operand->dtype != operand->computed)
            continue;
        operand->pieces = (int32_t)(frame->count / many);
        operand->piece = (int32_t)(many * size);
    }
}

void bli_fusion_tabulate(struct bli_fusion_draft *draft)
{
    const struct bli_frame *const frame = &draft->frame;

    for (int32_t k = 0; draft->made.is_small && k < draft->made.operands; k++) {
        struct bli_fusion_operand *const operand = &draft->made.operand[k];

        if (operand->pieces > 0 &&
            bli_table_fill(draft->table[k], frame->loops, frame->extent,
                           &frame->stride[0][k], BLI_FUSION_OPERANDS,
                           frame->count / operand->pieces))
            operand->table = draft->table[k];
    }
}

/* ---- an execution ---- */

void bli_fusion_run_small(const struct bli_fusion_binding *binding, char *staging)
{
    const struct bli_fusion *const fusion = binding->fusion;
    char *at[BLI_FUSION_PLACES];

    for (int32_t k = 0; k < fusion->operands; k++)
        at[k] = binding->data[k];
    for (int32_t k = 0; k < fusion->places; k++)
        if (fusion->place[k].buffer >= 0)
            at[k] = staging + fusion->place[k].buffer;
    for (int32_t k = fusion->results; fusion->staged >> k != 0; k++) {
        const struct bli_fusion_operand *const operand = &fusion->operand[k];

        if (operand->table)
            bli_gather(at[k], binding->data[k], operand->table, operand->pieces,
                       operand->piece);
        else if (fusion->staged >> k & 1)
            bli_fusion_copy(fusion, k, fusion->level, fusion->length, at[k],
                            binding->data[k]);
    }
    for (int32_t o = 0; o < fusion->operations; o++)
        bli_fusion_operate(binding, &fusion->operation[o], at, fusion->count, 1);
    for (int32_t k = 0; k < fusion->results; k++)
        if (fusion->staged >> k & 1)
            bli_fusion_copy(fusion, k, fusion->level, fusion->length, binding->data[k],
                            at[k]);
}
