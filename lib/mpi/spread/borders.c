/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Borders between the parts of a dimension.
 */
#include "mpi/spread/spread.h"

/*
 * Rounding moves a border by at most half a unit, and a part by at most one, which must
 * stay within 1 % of an even share.
 */
static int64_t unit_of(int64_t share)
{
    int64_t unit = 1;

    while (unit <= share / 100 / 2)
        unit *= 2;
    return unit;
}

void bli_borders_default(int64_t extent, int32_t parts, int64_t *border)
{
    const int64_t share = extent / parts, rest = extent % parts;
    const int64_t unit = unit_of(share);

    for (int32_t p = 0; p < parts; p++) {
        const int64_t even = share * p + rest * p / parts;

        border[p] = (even + unit / 2) / unit * unit;
    }
    border[parts] = extent;
}

/* The first part whose end is above `at`; all parts where there is none. */
static int32_t part_after(const struct bli_borders *cut, int64_t at)
{
    int32_t low = 0, high = cut->parts;

    while (low < high) {
        const int32_t middle = low + (high - low) / 2;

        if (cut->border[middle + 1] > at)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

void bli_borders_meet(const struct bli_borders *cut, int64_t begin, int64_t end,
                      int32_t *first, int32_t *last)
{
    *first = *last = 0;
    if (begin >= end)
        return;
    *first = part_after(cut, begin);
    *last = part_after(cut, end - 1) + 1;
}
