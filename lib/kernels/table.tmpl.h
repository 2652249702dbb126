/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Template: the expansion of BL_OP for every operator, for one dtype.
 *
 *   BLI_T, BLI_KIND   the dtype's name and kind (dtypes.def); undefined at the end
 */
#include "core/tables/ops.def"
BLI_SWAPPED_ENTRIES

#undef BLI_T
#undef BLI_KIND
