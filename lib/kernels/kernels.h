/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernels of some of the dtypes for one instruction set. The including source file
 * says which: it defines BLI_TABLE, the name of the table that it exports, and the
 * dtypes of dtypes.def to skip. BLI_ISA_NAME, a row of isa.def, comes with the
 * compiler's flags for it.
 *
 * ops.def x dtypes.def become element functions (expand.h); the loops around them are
 * in loops/loops.h, what expressions call in arithmetic.h and math/math.h.
 */
#include "kernels/by_kind.h"

/* Values of operators by their names. */
#define BL_OP(name, value, ...) enum { op_##name = (value) };
#include "core/tables/ops.def"
#undef BL_OP

/* Loops of single elements, [op][dtype], of the first instruction set. */
#define BLI_SINGLE_TABLE PASTE(BLI_TABLE, _single)
extern bli_loop *const BLI_SINGLE_TABLE[][BLI_DTYPES];

#define BLI_DTYPE_TEMPLATE "kernels/kernels.tmpl.h"
#include "core/tables/dtypes.def"
#undef BLI_DTYPE_TEMPLATE

/* Entries [op][dtype]. Block functions take f16 and bf16 through f32. */
#define BLI_ENTRY(impl, name, domain)                                                  \
    BLI_TAKES(domain, BLI_T) &&                                                        \
            (PASTE(computes_, BLI_T) || BLI_IMPL_##impl < BLI_IMPL_VECTOR)             \
        ? BLI_KERNEL_AT(BLI_KERNEL(name))                                              \
        : NULL
#define BLI_ENTRY_UNARY                       BLI_ENTRY
#define BLI_ENTRY_BINARY                      BLI_ENTRY
#define BLI_ENTRY_TERNARY                     BLI_ENTRY
#define BLI_ENTRY_QUATERNARY                  BLI_ENTRY
#define BLI_ENTRY_SELECT                      BLI_ENTRY
#define BLI_ENTRY_CONVERT(impl, name, domain) NULL

/* a > b is b < a. */
#define BLI_SWAPPED_ENTRY(op, name)                                                    \
    [op][PASTE(value_, BLI_T)] =                                                       \
        BLI_TAKES(REAL, BLI_T) ? &BLI_NAMED(swapped, name).kernel : NULL,
#define BLI_SWAPPED_ENTRIES                                                            \
    BLI_SWAPPED_ENTRY(BL_OP_GT, gt) BLI_SWAPPED_ENTRY(BL_OP_GE, ge)

/* Entries of meaning.def come after those of ops.def, and replace them. */
#if defined(__clang__)
#pragma clang diagnostic ignored "-Winitializer-overrides"
#else
#pragma GCC diagnostic ignored "-Woverride-init"
#endif

extern bli_kernel *const PASTE3(BLI_TABLE, _, BLI_ISA_NAME)[][BLI_DTYPES];
bli_kernel *const PASTE3(BLI_TABLE, _, BLI_ISA_NAME)[][BLI_DTYPES] = {
#define BL_OP(name, value, inputs, domain, result, impl, expression, doc)              \
    [value][PASTE(value_, BLI_T)] = BLI_ENTRY_##inputs(impl, name, domain),
#define BLI_DTYPE_TEMPLATE "kernels/table.tmpl.h"
#include "core/tables/dtypes.def"
#undef BLI_DTYPE_TEMPLATE
#undef BL_OP
#define SAME(name, dtype, other, kernel_dtype)                                         \
    [BL_OP_##name][BL_DTYPE_##dtype] = BLI_KERNEL_AT(kernel_##other##_##kernel_dtype),
#include "kernels/meaning.def"
};

#if defined BLI_ISA_IS_FIRST
#undef BLI_ENTRY
#undef BLI_SWAPPED_ENTRY
#define BLI_SWAPPED_ENTRY(op, name) [op][PASTE(value_, BLI_T)] = NULL,
#define BLI_ENTRY(impl, name, domain)                                                  \
    BLI_TAKES(domain, BLI_T) &&                                                        \
            (PASTE(computes_, BLI_T) || BLI_IMPL_##impl < BLI_IMPL_VECTOR)             \
        ? (bli_loop *)BLI_SINGLE(name)                                                 \
        : NULL

bli_loop *const BLI_SINGLE_TABLE[][BLI_DTYPES] = {
#define BL_OP(name, value, inputs, domain, result, impl, expression, doc)              \
    [value][PASTE(value_, BLI_T)] = BLI_ENTRY_##inputs(impl, name, domain),
#define BLI_DTYPE_TEMPLATE "kernels/table.tmpl.h"
#include "core/tables/dtypes.def"
#undef BLI_DTYPE_TEMPLATE
#undef BL_OP
#define SAME(name, dtype, ...) [BL_OP_##name][BL_DTYPE_##dtype] = NULL,
#include "kernels/meaning.def"
};
#endif
