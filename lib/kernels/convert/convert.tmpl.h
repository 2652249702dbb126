/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Template: conversions from one dtype to every other.
 *
 *   BLI_T, BLI_KIND   the dtype's name and kind (dtypes.def); undefined at the end
 *
 * element_<to>_from_<T> converts an element; staged_<to>_from_<T> has an f32 where the
 * block of one side is f16 or bf16.
 */
#define BL_DTYPE(name, value, class, stored, computed, ...)                            \
    static inline void BLI_ONE(name##_from)(BLI_AT)                                    \
    {                                                                                  \
        const BLI_COMPUTED x = BLI_LOAD(pa);                                           \
                                                                                       \
        bli_store_##name(r, BLI_CAST_##class(stored, computed, x));                    \
        BLI_IGNORE_AT;                                                                 \
    }                                                                                  \
    static inline void BLI_NAMED(staged, name##_from)(BLI_AT)                          \
    {                                                                                  \
        const bool narrows =                                                           \
            BLI_NARROWS((int)PASTE(value_, BLI_T), BLI_SIZE_SAME, value);              \
        const BLI_COMPUTED x =                                                         \
            narrows ? BLI_LOAD(pa) : *(const BLI_COMPUTED *)(const void *)pa;          \
                                                                                       \
        if (narrows)                                                                   \
            *(computed *)(void *)r = BLI_CAST_##class(stored, computed, x);            \
        else                                                                           \
            bli_store_##name(r, BLI_CAST_##class(stored, computed, x));                \
        BLI_IGNORE_AT;                                                                 \
    }                                                                                  \
    static inline void BLI_BLOCK(name##_from)(BLI_AT)                                  \
    {                                                                                  \
        if (BLI_IS_STAGED((int)PASTE(value_, BLI_T), BLI_SIZE_SAME, value))            \
            staged_block(BLI_NAMED(staged, name##_from), (int)PASTE(value_, BLI_T),    \
                         BLI_SIZE_SAME, value, sizeof(stored), r, pa);                 \
        else                                                                           \
            block_of(                                                                  \
                BLI_ONE(name##_from), BLI_LEAST(sizeof(stored), BLI_SIZE_SAME, false), \
                (const int64_t[BLI_LOOP_OPERANDS]){sizeof(stored), BLI_SIZE_SAME}, r,  \
                pa, pb, pc, pd);                                                       \
    }                                                                                  \
    BLI_SINGLE_LOOP(name##_from, 1)                                                    \
    BLI_BLOCK_KERNEL(name##_from, long_rows,                                           \
                     &bli_conversions_single[(int)PASTE(value_, BLI_T)][value], UNARY, \
                     1,                                                                \
                     BLI_IS_STAGED((int)PASTE(value_, BLI_T), BLI_SIZE_SAME, value)    \
                         ? BLI_STAGED_LEAST((int)PASTE(value_, BLI_T), BLI_SIZE_SAME,  \
                                            value, sizeof(stored))                     \
                         : BLI_LEAST(sizeof(stored), BLI_SIZE_SAME, false),            \
                     sizeof(stored), BLI_SIZE_SAME)
#undef BLI_DTYPE_TEMPLATE
#include "core/tables/dtypes.def"
#undef BL_DTYPE
#define BLI_DTYPE_TEMPLATE "kernels/convert/convert.tmpl.h"
#undef BLI_T
#undef BLI_KIND
