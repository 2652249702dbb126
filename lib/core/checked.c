/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checked integer arithmetic on values that users supply: overflow is reported by the
 * return value.
 */
#include "core/core.h"

bool bli_mul_i64(int64_t a, int64_t b, int64_t *result)
{
    int64_t product;

    if (__builtin_mul_overflow(a, b, &product))
        return false;
    *result = product;
    return true;
}

bool bli_add_i64(int64_t a, int64_t b, int64_t *result)
{
    int64_t sum;

    if (__builtin_add_overflow(a, b, &sum))
        return false;
    *result = sum;
    return true;
}

bool bli_shape_numel(int32_t rank, const int64_t *extent, int64_t *count)
{
    int64_t total = 1;
    bool fits = true;

    for (int32_t d = 0; d < rank; d++) {
        if (extent[d] == 0) {
            *count = 0;
            return true;
        }
        fits = fits && bli_mul_i64(total, extent[d], &total);
    }
    if (fits)
        *count = total;
    return fits;
}
