/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernels of a part of the dtypes for one instruction set, for a source file that
 * says which: BLI_TABLE, the name of the table that it exports, and what of dtypes.def
 * to skip, and BLI_MORE_ENTRIES, kernels of its own.  BLI_ISA_NAME, a row of isa.def,
 * comes with the compiler's flags for it.
 *
 * ops.def x dtypes.def become element functions (expand.h), the loops around them are
 * in loops.h, what expressions call in arithmetic.h and math.h.
 */
#include "kernels/expand.h"

#define BLI_DTYPE_TEMPLATE "kernels/kernels.tmpl.h"
#include "core/tables/dtypes.def"
#undef BLI_DTYPE_TEMPLATE

/* Entries [op][dtype].  Functions of blocks take f16 and bf16 by way of f32. */
#define BLI_ENTRY(impl, name, domain)                                                  \
    BLI_TAKES(domain, BLI_T) &&                                                        \
            (PASTE(computes_, BLI_T) || BLI_IMPL_##impl < BLI_IMPL_VECTOR)             \
        ? BLI_NAME(name)                                                               \
        : NULL
#define BLI_ENTRY_UNARY                       BLI_ENTRY
#define BLI_ENTRY_BINARY                      BLI_ENTRY
#define BLI_ENTRY_TERNARY                     BLI_ENTRY
#define BLI_ENTRY_QUATERNARY                  BLI_ENTRY
#define BLI_ENTRY_SELECT                      BLI_ENTRY
#define BLI_ENTRY_CONVERT(impl, name, domain) NULL

extern bli_kernel *const PASTE3(BLI_TABLE, _, BLI_ISA_NAME)[][BLI_DTYPES];
bli_kernel *const PASTE3(BLI_TABLE, _, BLI_ISA_NAME)[][BLI_DTYPES] = {
#define BL_OP(name, value, inputs, domain, result, impl, expression, doc)              \
    [value][PASTE(value_, BLI_T)] = BLI_ENTRY_##inputs(impl, name, domain),
#define BLI_DTYPE_TEMPLATE "kernels/table.tmpl.h"
#include "core/tables/dtypes.def"
#undef BLI_DTYPE_TEMPLATE
#undef BL_OP
};
