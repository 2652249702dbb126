/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Template: the conversions from one dtype, as entries of their table.
 *
 *   BLI_T, BLI_KIND   the dtype's name and kind (dtypes.def); undefined at the end
 */
#define BL_DTYPE(name, value, ...)                                                     \
    [PASTE(value_, BLI_T)][value] = BLI_CONVERSION(BLI_T, name),
#undef BLI_DTYPE_TEMPLATE
#include "core/tables/dtypes.def"
#undef BL_DTYPE
#define BLI_DTYPE_TEMPLATE "kernels/convert/conversions.tmpl.h"

#undef BLI_T
#undef BLI_KIND
