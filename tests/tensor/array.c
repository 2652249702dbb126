/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which arrays operations accept, and their messages for others; indices out of range.
 */
#include <broadloom.h>

#include <string.h>

#include "tensor/tensor.h"
#include "harness/tap.h"

#define BIG  ((int64_t)1 << 62)
#define DIMS (const int64_t[])

static float memory[16];

static const struct {
    const char *what;
    bl_array array;
    bl_status status;
    const char *text;
} arrays[] = {
    {"compact", {memory, BL_DTYPE_F32, 2, DIMS{2, 3}, NULL, 0}, BL_OK, NULL},
    {"strided", {memory, BL_DTYPE_F32, 2, DIMS{2, 3}, DIMS{1, 2}, 0}, BL_OK, NULL},
    {"backwards", {memory, BL_DTYPE_F32, 1, DIMS{3}, DIMS{-1}, 0}, BL_OK, NULL},
    {"0-d without extents", {memory, BL_DTYPE_F32, 0, NULL, NULL, 0}, BL_OK, NULL},
    {"empty without data", {NULL, BL_DTYPE_F32, 2, DIMS{0, 3}, NULL, 0}, BL_OK, NULL},
    {"empty, other extents too large",
     {NULL, BL_DTYPE_F32, 3, DIMS{BIG, 4, 0}, NULL, 0},
     BL_OK,
     NULL},
    {"empty, absurd strides",
     {NULL, BL_DTYPE_F32, 2, DIMS{0, 3}, DIMS{BIG, INT64_MIN}, 0},
     BL_OK,
     NULL},
    {"absurd stride of an extent of 1",
     {memory, BL_DTYPE_F32, 2, DIMS{1, 3}, DIMS{INT64_MIN, 1}, 0},
     BL_OK,
     NULL},
    {"one element repeated more often than memory holds",
     {memory, BL_DTYPE_F32, 1, DIMS{BIG}, DIMS{0}, 0},
     BL_OK,
     NULL},
    {"no dtype",
     {memory, BL_DTYPE_NONE, 0, NULL, NULL, 0},
     BL_ERR_ARGUMENT,
     "a: 0 is no dtype"},
    {"negative rank",
     {memory, BL_DTYPE_F32, -1, NULL, NULL, 0},
     BL_ERR_ARGUMENT,
     "a: rank -1 is not within 0 to 64"},
    {"rank too high",
     {memory, BL_DTYPE_F32, 65, DIMS{1}, NULL, 0},
     BL_ERR_ARGUMENT,
     "a: rank 65 is not within 0 to 64"},
    {"null extents",
     {memory, BL_DTYPE_F32, 1, NULL, NULL, 0},
     BL_ERR_ARGUMENT,
     "a: extent is null"},
    {"negative extent",
     {memory, BL_DTYPE_F32, 2, DIMS{2, -3}, NULL, 0},
     BL_ERR_ARGUMENT,
     "a: extent -3 of dimension 1 is negative"},
    {"null data",
     {NULL, BL_DTYPE_F32, 1, DIMS{2}, NULL, 0},
     BL_ERR_ARGUMENT,
     "a: data is null"},
    {"misaligned data",
     {(char *)memory + 2, BL_DTYPE_F32, 1, DIMS{2}, NULL, 0},
     BL_ERR_ARGUMENT,
     "a: data is not aligned to 4 bytes"},
    {"complex numbers, aligned as their parts",
     {memory + 1, BL_DTYPE_C64, 1, DIMS{2}, NULL, 0},
     BL_OK,
     NULL},
    {"strides in bytes",
     {memory, BL_DTYPE_C64, 2, DIMS{2, 2}, DIMS{12, -4}, BL_ARRAY_BYTE_STRIDES},
     BL_OK,
     NULL},
    {"any stride in bytes of an extent of 1",
     {memory, BL_DTYPE_F32, 2, DIMS{1, 2}, DIMS{INT64_MIN + 1, 8},
      BL_ARRAY_BYTE_STRIDES},
     BL_OK,
     NULL},
    {"the longest stride in bytes",
     {memory, BL_DTYPE_F32, 1, DIMS{2}, DIMS{PTRDIFF_MAX - 7}, BL_ARRAY_BYTE_STRIDES},
     BL_OK,
     NULL},
    {"strides in bytes too far",
     {memory, BL_DTYPE_F32, 1, DIMS{2}, DIMS{PTRDIFF_MAX - 3}, BL_ARRAY_BYTE_STRIDES},
     BL_ERR_OVERFLOW,
     "a: elements of f32 with strides [9223372036854775804] do not fit in memory"},
    {"a misaligned stride",
     {memory, BL_DTYPE_F32, 2, DIMS{2, 3}, DIMS{12, 6}, BL_ARRAY_BYTE_STRIDES},
     BL_OK,
     NULL},
    {"misaligned data with strides in bytes",
     {(char *)memory + 3, BL_DTYPE_F32, 1, DIMS{3}, DIMS{4}, BL_ARRAY_BYTE_STRIDES},
     BL_OK,
     NULL},
    {"too many elements",
     {memory, BL_DTYPE_I8, 2, DIMS{BIG, 4}, NULL, 0},
     BL_ERR_OVERFLOW,
     "a: elements of i8 with extents [4611686018427387904, 4] do not fit in memory"},
    {"too many elements, though repeated",
     {memory, BL_DTYPE_I8, 2, DIMS{BIG, 4}, DIMS{0, 0}, 0},
     BL_ERR_OVERFLOW,
     "a: elements of i8 with extents [4611686018427387904, 4] do not fit in memory"},
    {"too many bytes",
     {memory, BL_DTYPE_F32, 1, DIMS{BIG}, NULL, 0},
     BL_ERR_OVERFLOW,
     "a: elements of f32 with extents [4611686018427387904] do not fit in memory"},
    {"strides too far",
     {memory, BL_DTYPE_I8, 1, DIMS{5}, DIMS{BIG}, 0},
     BL_ERR_OVERFLOW,
     "a: elements of i8 with strides [4611686018427387904] do not fit in memory"},
    {"strides too far in bytes",
     {memory, BL_DTYPE_F64, 1, DIMS{2}, DIMS{-BIG}, 0},
     BL_ERR_OVERFLOW,
     "a: elements of f64 with strides [-4611686018427387904] do not fit in memory"},
    {"strides too far apart",
     {memory, BL_DTYPE_I8, 2, DIMS{2, 2}, DIMS{INT64_MAX, INT64_MIN + 1}, 0},
     BL_ERR_OVERFLOW,
     "a: elements of i8 with strides [9223372036854775807, -9223372036854775807] do "
     "not "
     "fit in memory"},
    {"the most negative stride",
     {memory, BL_DTYPE_I8, 1, DIMS{2}, DIMS{INT64_MIN}, 0},
     BL_ERR_OVERFLOW,
     "a: elements of i8 with strides [-9223372036854775808] do not fit in memory"},
};

static void test_arrays(void)
{
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        const bl_status status = bli_array_check(&arrays[i].array, "a", true);
        const char *const text = bl_error_message();

        tap_ok(status == arrays[i].status &&
                   (status == BL_OK || strcmp(text, arrays[i].text) == 0),
               "%s: %s", arrays[i].what, status == BL_OK ? "taken" : text);
    }
    tap_ok(bli_array_check(NULL, "a", false) == BL_ERR_ARGUMENT, "null: %s",
           bl_error_message());
}

static const struct {
    int64_t index[2];
    float value; /* negative: refused */
    const char *text;
} items[] = {
    {{0, 0}, 0, NULL},
    {{1, 2}, 5, NULL},
    {{-1, -1}, 5, NULL},
    {{-2, -3}, 0, NULL},
    {{2, 0}, -1, "index 2 is out of bounds for dimension 0 with size 2"},
    {{0, -4}, -1, "index -4 is out of bounds for dimension 1 with size 3"},
    {{0, INT64_MIN},
     -1,
     "index -9223372036854775808 is out of bounds for dimension 1 with size 3"},
};

static void test_items(void)
{
    const bl_array compact = {memory, BL_DTYPE_F32, 2, DIMS{2, 3}, NULL, 0};
    const bl_array flipped = {memory + 5, BL_DTYPE_F32, 2, DIMS{2, 3}, DIMS{-3, -1}, 0};
    const bl_array constant = {memory,     BL_DTYPE_F32, 2,
                               DIMS{2, 3}, NULL,         BL_ARRAY_READ_ONLY};
    const float written = 42;

    for (int i = 0; i < 16; i++)
        memory[i] = (float)i;
    for (size_t i = 0; i < sizeof items / sizeof items[0]; i++) {
        float value = -1, mirrored = -1;
        const bl_status status = bl_array_get(&compact, items[i].index, &value);
        const bool refused = items[i].value < 0;

        tap_ok(status == (refused ? BL_ERR_ARGUMENT : BL_OK) &&
                   value == items[i].value &&
                   bl_array_get(&flipped, items[i].index, &mirrored) == status &&
                   mirrored == (refused ? -1 : 5 - value) &&
                   (!refused || strcmp(bl_error_message(), items[i].text) == 0),
               "item %d, %d: %s", (int)items[i].index[0], (int)items[i].index[1],
               refused ? bl_error_message() : "read");
    }
    tap_ok(bl_array_set(&flipped, DIMS{0, 1}, &written) == BL_OK &&
               memory[4] == written,
           "item written");
    tap_ok(bl_array_set(&constant, DIMS{0, 1}, &written) == BL_ERR_ARGUMENT &&
               memory[1] == 1,
           "not where it is constant: %s", bl_error_message());
    tap_ok(bl_array_get(&compact, NULL, &memory[15]) == BL_ERR_ARGUMENT,
           "null index: %s", bl_error_message());
    tap_ok(bl_array_get(&compact, DIMS{0, 0}, NULL) == BL_ERR_ARGUMENT,
           "null value: %s", bl_error_message());
}

static void test_layouts(void)
{
    const bl_array turned = {memory, BL_DTYPE_F32, 2, DIMS{2, 3}, DIMS{1, 2}, 0};
    bl_layout layout;

    tap_ok(bl_array_layout(&turned, &layout) == BL_OK && layout.rank == 2 &&
               layout.offset == 0 && layout.extent[1] == 3 && layout.stride[1] == 2,
           "the layout of an array");
    tap_ok(bl_layout_flip(&layout, 1, &layout) == BL_OK, "flipped");

    const bl_array array = bl_layout_array(&layout, BL_DTYPE_F32, memory);

    tap_ok(array.data == &memory[4] && array.rank == 2 && array.extent[0] == 2 &&
               array.stride[1] == -2,
           "is an array again, from its own first element");
    tap_ok(bl_array_layout(&turned, NULL) == BL_ERR_ARGUMENT &&
               bl_array_layout(NULL, &layout) == BL_ERR_ARGUMENT,
           "null is refused: %s", bl_error_message());
}

/* Queries of layouts that return no status. */
static void test_questions(void)
{
    bl_layout layout;
    int64_t low = 7, high = 7;

    tap_ok(bl_layout_numel(NULL) == 0 && !bl_layout_is_contiguous(NULL) &&
               !bl_layout_span(NULL, &low, &high) && low == 7 && high == 7,
           "no layout: nothing, and not contiguous");
    tap_ok(bl_layout_strided(1, DIMS{2}, NULL, 3, &layout) == BL_OK &&
               !bl_layout_span(&layout, NULL, &high) &&
               !bl_layout_span(&layout, &low, NULL),
           "a span that is put nowhere");
    tap_ok(bl_layout_array(&layout, BL_DTYPE_F32, memory).data == &memory[3] &&
               bl_layout_array(&layout, BL_DTYPE_F32, NULL).data == NULL,
           "an array without memory has no data, whatever the offset");
    tap_ok(bl_layout_array(NULL, BL_DTYPE_F32, memory).dtype == BL_DTYPE_NONE,
           "an array of no layout has no dtype");
    tap_ok(bl_layout_strided(1, DIMS{0}, NULL, INT64_MAX, &layout) == BL_OK &&
               bl_layout_array(&layout, BL_DTYPE_F64, memory).data == NULL,
           "nor has an empty one that begins where no memory is");
}

int main(void)
{
    tap_plan();
    test_arrays();
    test_items();
    test_layouts();
    test_questions();
    return tap_done();
}
