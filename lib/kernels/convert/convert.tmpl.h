/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Template: conversions from one dtype to every other.
 *
 *   BLI_T, BLI_KIND   the dtype's name and kind (dtypes.def); undefined at the end
 *
 * <to>_from_<T> converts an element; <to>_of_<T> has an f32 where a side is f16.
 */
#define BL_DTYPE(name, value, class, stored, computed, ...)                            \
    static inline void PASTE3(name, _from_, BLI_T)(BLI_AT)                             \
    {                                                                                  \
        const PASTE(computed_, BLI_T) x = PASTE(bli_load_, BLI_T)(pa);                 \
                                                                                       \
        bli_store_##name(r, BLI_CAST_##class(stored, computed, x));                    \
        BLI_IGNORE_AT;                                                                 \
    }                                                                                  \
    static inline void PASTE3(name, _of_, BLI_T)(BLI_AT)                               \
    {                                                                                  \
        const PASTE(computed_, BLI_T) x =                                              \
            bli_staged_##name ? PASTE(bli_load_, BLI_T)(pa)                            \
                              : *(const PASTE(computed_, BLI_T) *)(const void *)pa;    \
                                                                                       \
        if (bli_staged_##name)                                                         \
            *(computed *)(void *)r = BLI_CAST_##class(stored, computed, x);            \
        else                                                                           \
            bli_store_##name(r, BLI_CAST_##class(stored, computed, x));                \
        BLI_IGNORE_AT;                                                                 \
    }                                                                                  \
    BLI_CONVERT_KERNEL(PASTE3(name, _from_, BLI_T), PASTE3(name, _of_, BLI_T),         \
                       bli_staged_##name, PASTE(bli_staged_, BLI_T), sizeof(stored),   \
                       sizeof(PASTE(stored_, BLI_T)))
#undef BLI_DTYPE_TEMPLATE
#include "core/tables/dtypes.def"
#undef BL_DTYPE
#define BLI_DTYPE_TEMPLATE "kernels/convert/convert.tmpl.h"
#undef BLI_T
#undef BLI_KIND
