/* SPDX-License-Identifier: BSD-3-Clause */
/* A range of a fusion at addresses, box after box. */
#ifndef BLI_FUSION_BOX_H
#define BLI_FUSION_BOX_H

#include "expr/fusion_plan.h"

/* A fusion's operands at addresses: of their first elements in the loops. */
struct bli_fusion_binding {
    const struct bli_fusion *fusion;
    uint32_t streams; /* results that are written by non-temporal stores */
    char *data[BLI_FUSION_OPERANDS];
};

/* Run a range on the calling thread, with staging memory of its own. */
void bli_fusion_walk(const struct bli_fusion_binding *binding, bl_range range,
                     char *staging);

#endif
