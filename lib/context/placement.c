/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which placements of memory exist on this machine.
 */
#include "context/context.h"

#include <inttypes.h>

bool bli_placement_exists(const bl_placement *placement)
{
    if (placement->kind == BL_PLACEMENT_NODE)
        return placement->node >= 0 && placement->node < bli_machine()->nodes;
    return placement->kind >= BL_PLACEMENT_FIRST_TOUCH &&
           placement->kind <= BL_PLACEMENT_BIND_RANGE;
}

bl_status bli_placement_check(const bl_placement *placement)
{
    if (bli_placement_exists(placement))
        return BL_OK;
    if (placement->kind != BL_PLACEMENT_NODE)
        return bli_error_argument("placement", "unknown placement: %" PRId32,
                                  placement->kind);
    return bli_error_argument("placement",
                              "placement on node %" PRId32
                              ": the machine has nodes 0 to "
                              "%" PRId32,
                              placement->node, bli_machine()->nodes - 1);
}
