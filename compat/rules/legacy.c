/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rules of Torch7 and of PyTorch up to 0.1.12: only numel must agree.  Elements are
 * paired in the logical (row-major) order of each operand, and the result has the shape
 * of the first.
 */
#include "torch_shape.h"

static bl_status resolve_legacy(const bl_rules *rules, const bl_rules_query *query,
                                bl_rules_answer *answer)
{
    struct bli_torch torch;
    const bl_status status = bli_torch_read(&torch, rules, query);

    if (status != BL_OK)
        return status;
    if (!bli_torch_same_counts(&torch))
        return bli_torch_refuse(&torch, false);
    bli_torch_pair_flat(&torch, answer);
    return BL_OK;
}

static const bl_rules rules_legacy = {.size = sizeof(bl_rules),
                                      .name = "legacy",
                                      .resolve = resolve_legacy,
                                      .flags = BL_RULES_SEQUENTIAL};

const bl_rules *bl_rules_legacy(void)
{
    return &rules_legacy;
}
