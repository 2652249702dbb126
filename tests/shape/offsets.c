/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Layouts and views with offsets and strides near the ends of int64.
 */
#include <broadloom.h>

#include "harness/tap.h"

static void check_offsets(void)
{
    const int64_t half = INT64_C(1) << 62;
    bl_layout layout, other;
    int64_t lowest, highest;

    tap_ok(bl_layout_strided(1, (const int64_t[]){3}, &half, 0, &layout) ==
               BL_ERR_OVERFLOW,
           "an offset of 2^63 is refused");
    tap_ok(bl_layout_strided(1, (const int64_t[]){2}, &half, half, &layout) ==
               BL_ERR_OVERFLOW,
           "and where the first element's offset makes it");
    tap_ok(bl_layout_strided(1, (const int64_t[]){2}, &half, 0, &layout) == BL_OK &&
               bl_layout_span(&layout, &lowest, &highest) && lowest == 0 &&
               highest == half,
           "an offset of 2^62 is not");
    tap_ok(bl_layout_unsqueeze(&layout, 0, &other) == BL_OK && other.stride[0] == 0,
           "unsqueeze does not need the stride 2^63");
    tap_ok(bl_layout_slice(&layout, 0, 2, BL_SLICE_END, 1, &other) == BL_OK &&
               bl_layout_narrow(&layout, 0, 2, 0, &other) == BL_OK,
           "a view of nothing does not need the offset of its start");
    tap_ok(bl_layout_strided(1, (const int64_t[]){2}, (const int64_t[]){INT64_MIN}, 0,
                             &layout) == BL_OK &&
               bl_layout_flip(&layout, 0, &other) == BL_ERR_OVERFLOW,
           "a stride whose negative does not fit is not flipped");
    tap_ok(bl_layout_strided(2, (const int64_t[]){0, 2},
                             (const int64_t[]){1, INT64_MIN}, 0, &layout) == BL_OK &&
               bl_layout_flip(&layout, 1, &other) == BL_OK && other.extent[1] == 2 &&
               bl_layout_slice(&layout, 1, 0, 2, -5, &other) == BL_OK &&
               bl_layout_slice(&layout, 0, 0, 2, 1, &other) == BL_OK,
           "but of no elements it is");
    tap_ok(bl_layout_strided(2, (const int64_t[]){INT64_C(1) << 32, INT64_C(1) << 32},
                             (const int64_t[]){0, 0}, 0, &layout) == BL_ERR_OVERFLOW,
           "2^64 elements at one address are refused");
    tap_ok(bl_layout_compact(3, (const int64_t[]){0, half, 4}, &layout) == BL_OK &&
               bl_layout_numel(&layout) == 0 && bl_layout_is_contiguous(&layout) &&
               !bl_layout_span(&layout, &lowest, &highest),
           "an empty layout has no offsets to overflow");
}

/* Offsets from one end of int64 to the other, which are farther apart than it reaches.
 */
static void check_far_offsets(void)
{
    const int64_t eighth = INT64_C(1) << 61;
    const int64_t five[] = {5}, two[] = {2, 2}, far[] = {INT64_MIN, INT64_MAX};
    bl_layout layout, other;
    int64_t lowest, highest;

    tap_ok(bl_layout_strided(1, five, &eighth, -7, &layout) == BL_OK &&
               bl_layout_span(&layout, &lowest, &highest) && lowest == -7 &&
               highest == INT64_MAX - 6,
           "strides of 2^63 together, from -7 on");
    tap_ok(bl_layout_select(&layout, 0, 4, &other) == BL_OK &&
               other.offset == INT64_MAX - 6 &&
               bl_layout_narrow(&layout, 0, 4, 1, &other) == BL_OK &&
               other.offset == INT64_MAX - 6 &&
               bl_layout_flip(&layout, 0, &other) == BL_OK &&
               other.offset == INT64_MAX - 6 && other.stride[0] == -eighth &&
               bl_layout_select(&other, 0, 4, &other) == BL_OK && other.offset == -7,
           "and their views");
    tap_ok(bl_layout_strided(1, five, &eighth, 0, &layout) == BL_ERR_OVERFLOW &&
               bl_layout_strided(1, five, &eighth, -1, &layout) == BL_OK,
           "from 0 on they are refused, from -1 on not");
    tap_ok(bl_layout_strided(2, two, far, 0, &layout) == BL_OK &&
               bl_layout_span(&layout, &lowest, &highest) && lowest == INT64_MIN &&
               highest == INT64_MAX &&
               bl_layout_strided(2, two, far, 1, &layout) == BL_ERR_OVERFLOW &&
               bl_layout_strided(2, two, far, -1, &layout) == BL_ERR_OVERFLOW,
           "all of int64, and one more");
}

int main(void)
{
    tap_plan();
    check_offsets();
    check_far_offsets();
    return tap_done();
}
