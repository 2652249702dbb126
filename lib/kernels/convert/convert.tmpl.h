/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Template: conversions from one dtype to every other.
 *
 *   BLI_T, BLI_KIND   the dtype's name and kind (dtypes.def); undefined at the end
 *
 * element_<to>_from_<T> converts an element; staged_<to>_from_<T> has an f32 where one
 * side is f16.
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
        const BLI_COMPUTED x = bli_staged_##name                                       \
                                   ? BLI_LOAD(pa)                                      \
                                   : *(const BLI_COMPUTED *)(const void *)pa;          \
                                                                                       \
        if (bli_staged_##name)                                                         \
            *(computed *)(void *)r = BLI_CAST_##class(stored, computed, x);            \
        else                                                                           \
            bli_store_##name(r, BLI_CAST_##class(stored, computed, x));                \
        BLI_IGNORE_AT;                                                                 \
    }                                                                                  \
    static inline void BLI_BLOCK(name##_from)(BLI_AT)                                  \
    {                                                                                  \
        if (bli_staged_##name || PASTE(bli_staged_, BLI_T))                            \
            staged_block(BLI_NAMED(staged, name##_from),                               \
                         (value) == BL_DTYPE_F32 ||                                    \
                             (int)PASTE(value_, BLI_T) == BL_DTYPE_F32,                \
                         bli_staged_##name, sizeof(stored), BLI_SIZE_SAME, r, pa);     \
        else                                                                           \
            block_of(                                                                  \
                BLI_ONE(name##_from), BLI_LEAST(sizeof(stored), BLI_SIZE_SAME, false), \
                (const int64_t[BLI_LOOP_OPERANDS]){sizeof(stored), BLI_SIZE_SAME}, r,  \
                pa, pb, pc, pd);                                                       \
    }                                                                                  \
    BLI_SINGLE_LOOP(name##_from, 1)                                                    \
    BLI_BLOCK_KERNEL(name##_from, long_rows,                                           \
                     &bli_conversions_single[PASTE(value_, BLI_T)][value], UNARY, 1,   \
                     bli_staged_##name ? BLI_HALF_LEAST(BLI_SIZE_SAME, true)           \
                     : PASTE(bli_staged_, BLI_T)                                       \
                         ? BLI_HALF_LEAST(sizeof(stored), true)                        \
                         : BLI_LEAST(sizeof(stored), BLI_SIZE_SAME, false),            \
                     sizeof(stored), BLI_SIZE_SAME)
#undef BLI_DTYPE_TEMPLATE
#include "core/tables/dtypes.def"
#undef BL_DTYPE
#define BLI_DTYPE_TEMPLATE "kernels/convert/convert.tmpl.h"
#undef BLI_T
#undef BLI_KIND
