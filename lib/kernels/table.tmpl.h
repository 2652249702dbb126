/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Template: the expansion of BL_OP for every operator, for one dtype.
 *
 *   BLI_T, BLI_KIND   the dtype's name and kind (dtypes.def); undefined at the end
 */
#include "core/tables/ops.def"
[BL_OP_GT][PASTE(value_, BLI_T)] = BLI_SWAPPED_ENTRY(gt),
[BL_OP_GE][PASTE(value_, BLI_T)] = BLI_SWAPPED_ENTRY(ge),

#undef BLI_T
#undef BLI_KIND
