/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The table of reductions, expanded from reductions.def.
 */
#include "core/reductions.h"

const struct bli_reduction bli_reductions[] = {
#define BL_REDUCTION(name, value, domain, result, fold, text)                          \
    [value] = {#name, text, BLI_DOMAIN_##domain, BLI_REDUCED_##result},
#include "core/tables/reductions.def"
#undef BL_REDUCTION
};

bool bli_reduction_is_valid(bl_reduction op)
{
    const int32_t count = (int32_t)(sizeof bli_reductions / sizeof *bli_reductions);

    return (int32_t)op > 0 && (int32_t)op < count;
}
