/* SPDX-License-Identifier: BSD-3-Clause */
/* What fusions tell of themselves. */
#include "expr/fusion_plan.h"

bool bli_fusion_may_overwrite(const struct bli_fusion *fusion, int32_t result,
                              int32_t v)
{
    uint32_t later = 0;
    bool may = true;

    for (int32_t r = 0; r < fusion->results; r++)
        if (fusion->operand[r].value == result)
            later = fusion->operand[r].read_after;
    for (int32_t k = fusion->results; k < fusion->operands; k++)
        may = may && (fusion->operand[k].value != v || !(later >> k & 1));
    return may;
}

void bli_fusion_query(const struct bli_fusion *fusion, struct bli_fusion_info *info)
{
    static const char *const order[] = {[BLI_ORDER_BOXES] = NULL,
                                        [BLI_ORDER_ROWS] = "resident rows",
                                        [BLI_ORDER_BLOCKS] = "blocks of rows",
                                        [BLI_ORDER_COLUMNS] = "parts of rows"};

    *info = (struct bli_fusion_info){.reductions = fusion->folds,
                                     .order = order[fusion->order],
                                     .row = fusion->length,
                                     .box = fusion->length,
                                     .threads = fusion->threads,
                                     .streams = fusion->streams != 0};
    for (int32_t o = 0; o < fusion->operations; o++) {
        info->programs += fusion->operation[o].program != NULL;
        info->kernels += fusion->operation[o].kernel != NULL;
        info->is_ahead = info->is_ahead || fusion->operation[o].ahead != 0;
    }
    for (int32_t i = 0; i < fusion->level; i++)
        info->box *= fusion->extent[i];
    if (fusion->order != BLI_ORDER_BOXES)
        info->box *= fusion->rows;
    else if (fusion->length == fusion->extent[fusion->level] &&
             (fusion->level == 0 || fusion->staging == 0))
        info->box = 0;
}
