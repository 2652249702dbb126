/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Template: the entries of one dtype in the table that is being made.
 *
 *   BLI_T          the dtype's name; undefined at the end
 *   BLI_TABLE_OPS  1: entries [op][BLI_T] of kernels; 0: [BLI_T][to] of conversions
 */
#if BLI_TABLE_OPS
#define BLI_ENTRY_UNARY(name, domain)                                                  \
    BLI_TAKES(domain, BLI_T) ? PASTE3(name, _, BLI_T) : NULL
#define BLI_ENTRY_BINARY                BLI_ENTRY_UNARY
#define BLI_ENTRY_SELECT                BLI_ENTRY_UNARY
#define BLI_ENTRY_CONVERT(name, domain) NULL
#define BL_OP(name, value, inputs, domain, result, expression, doc)                    \
    [value][PASTE(value_, BLI_T)] = BLI_ENTRY_##inputs(name, domain),
#include "core/ops.def"
#undef BL_OP
#undef BLI_ENTRY_UNARY
#undef BLI_ENTRY_BINARY
#undef BLI_ENTRY_SELECT
#undef BLI_ENTRY_CONVERT
#else
#define BL_DTYPE(name, value, class, stored, computed, npy, doc)                       \
    [PASTE(value_, BLI_T)][value] = PASTE3(convert_##name, _from_, BLI_T),
#undef BLI_DTYPE_TEMPLATE
#include "core/dtypes.def"
#undef BL_DTYPE
#define BLI_DTYPE_TEMPLATE "isa/table.tmpl.h"
#endif
#undef BLI_T
