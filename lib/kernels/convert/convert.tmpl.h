/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Template: conversions from one dtype to every other.
 *
 *   BLI_T, BLI_KIND   the dtype's name and kind (dtypes.def); undefined at the end
 */
#define BL_DTYPE(name, value, class, stored, computed, ...)                            \
    /*                                                                                 \
     * <to>_from_<T>: between elements; <to>_of_<T>: f16 side as f32, in staged        \
     * blocks.                                                                         \
     */                                                                                \
    static inline void PASTE3(name, _from_, BLI_T)(char *r, const char *a)             \
    {                                                                                  \
        const PASTE(computed_, BLI_T) x = PASTE(bli_load_, BLI_T)(a);                  \
        bli_store_##name(r, BLI_CAST_##class(stored, computed, x));                    \
    }                                                                                  \
    static inline void PASTE3(name, _of_, BLI_T)(char *r, const char *a)               \
    {                                                                                  \
        const PASTE(computed_, BLI_T) x =                                              \
            bli_staged_##name ? PASTE(bli_load_, BLI_T)(a)                             \
                              : *(const PASTE(computed_, BLI_T) *)(const void *)a;     \
        if (bli_staged_##name)                                                         \
            *(computed *)(void *)r = BLI_CAST_##class(stored, computed, x);            \
        else                                                                           \
            bli_store_##name(r, BLI_CAST_##class(stored, computed, x));                \
    }                                                                                  \
    static void PASTE3(convert_##name, _from_, BLI_T)(BLI_PARAMETERS)                  \
    {                                                                                  \
        if (bli_staged_##name || PASTE(bli_staged_, BLI_T))                            \
            unary_staged(PASTE3(convert_##name, _from_, BLI_T),                        \
                         PASTE3(name, _of_, BLI_T), sizeof(stored),                    \
                         sizeof(PASTE(stored_, BLI_T)), bli_staged_##name,             \
                         BLI_ARGUMENTS);                                               \
        else                                                                           \
            unary(PASTE3(convert_##name, _from_, BLI_T), PASTE3(name, _from_, BLI_T),  \
                  sizeof(stored), sizeof(PASTE(stored_, BLI_T)), BLI_ARGUMENTS);       \
    }
#undef BLI_DTYPE_TEMPLATE
#include "core/tables/dtypes.def"
#undef BL_DTYPE
#define BLI_DTYPE_TEMPLATE "kernels/convert/convert.tmpl.h"
#undef BLI_T
#undef BLI_KIND
