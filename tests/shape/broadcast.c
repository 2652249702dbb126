/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shapes of broadcasts against a definition that considers one dimension at a time over
 * all operands: every pair of shapes of at most three dimensions, triples of at most
 * two, the cost of a broadcast, sums to a shape, and counts near the end of int64.
 */
#include "harness/shapes.h"
#include "harness/tap.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define HUGE_EXTENT (INT64_C(1) << 62)

/* Extent of a shape at the k-th dimension from the last: 1 where it has none. */
static int64_t extent_from_end(const struct shape *shape, int32_t k)
{
    return k < shape->rank ? shape->extent[shape->rank - 1 - k] : 1;
}

/* The definition: all extents other than 1 are equal; false where they differ. */
static bool define(int32_t count, const struct shape *shape, struct shape *result)
{
    memset(result, 0, sizeof *result);
    for (int32_t n = 0; n < count; n++)
        if (shape[n].rank > result->rank)
            result->rank = shape[n].rank;
    for (int32_t k = 0; k < result->rank; k++) {
        int64_t extent = 1;

        for (int32_t n = 0; n < count; n++) {
            const int64_t own = extent_from_end(&shape[n], k);

            if (own != 1 && extent != 1 && own != extent)
                return false;
            if (own != 1)
                extent = own;
        }
        result->extent[result->rank - 1 - k] = extent;
    }
    return true;
}

/* Write PyTorch's message for two shapes that do not broadcast. */
static void expect_text(char *text, size_t size, const struct shape *a,
                        const struct shape *b)
{
    const int32_t rank = a->rank > b->rank ? a->rank : b->rank;

    for (int32_t k = 0; k < rank; k++) {
        const int64_t x = extent_from_end(a, k);
        const int64_t y = extent_from_end(b, k);

        if (x == y || x == 1 || y == 1)
            continue;
        snprintf(text, size,
                 "The size of tensor a (%" PRId64
                 ") must match the size of tensor b (%" PRId64
                 ") at non-singleton dimension %" PRId32,
                 x, y, rank - 1 - k);
        return;
    }
}

static int64_t product(const struct shape *shape)
{
    int64_t count = 1;

    for (int32_t d = 0; d < shape->rank; d++)
        count *= shape->extent[d];
    return count;
}

/* Whether the cost of a broadcast to `want` is reported correctly. */
static bool costs_as_defined(int32_t count, const struct shape *shape,
                             const bl_shape *borrowed, const struct shape *want)
{
    bl_broadcast_info info;
    int64_t largest = 0;
    const int64_t elements = product(want);

    if (bl_broadcast_query(count, borrowed, 8, &info) != BL_OK ||
        !shape_equal(want, info.rank, info.extent) || info.numel != elements ||
        info.bytes != 8 * elements)
        return false;
    for (int32_t n = 0; n < count; n++) {
        if (product(&shape[n]) > largest)
            largest = product(&shape[n]);
        for (int32_t d = 0; d < want->rank; d++) {
            const int64_t own = extent_from_end(&shape[n], want->rank - 1 - d);

            if ((info.expanded_dims[n] >> d & 1) != (own != want->extent[d]))
                return false;
        }
        if (want->rank < 64 && info.expanded_dims[n] >> want->rank != 0)
            return false;
    }
    if (elements == 0)
        return info.growth == 0;
    return info.growth * (double)largest == (double)elements;
}

/* Whether the library agrees with the definition; `*refused` counts refusals. */
static bool agrees(int32_t count, const struct shape *shape, int64_t *refused)
{
    bl_shape borrowed[3];
    struct shape want;
    int32_t rank = -7;
    int64_t extent[BL_MAX_RANK];
    char text[160] = "";

    for (int32_t n = 0; n < count; n++)
        borrowed[n] = shape_borrow(&shape[n]);

    const bool fits = define(count, shape, &want);
    const bl_status status = bl_broadcast_shapes(count, borrowed, &rank, extent);

    if (fits)
        return status == BL_OK && shape_equal(&want, rank, extent) &&
               costs_as_defined(count, shape, borrowed, &want);
    ++*refused;
    if (count == 2)
        expect_text(text, sizeof text, &shape[0], &shape[1]);
    return status == BL_ERR_SHAPE && rank == -7 &&
           (count != 2 || strcmp(text, bl_error_message()) == 0);
}

static void check_pairs(void)
{
    struct shape shape[2];
    int64_t faults = 0;
    int64_t refused = 0;

    for (int64_t i = 0; shape_numbered(i, 3, 3, &shape[0]); i++)
        for (int64_t j = 0; shape_numbered(j, 3, 3, &shape[1]); j++)
            if (!agrees(2, shape, &refused) && ++faults == 1) {
                char a[SHAPE_TEXT], b[SHAPE_TEXT];

                tap_note("%s with %s", shape_write(a, shape[0].rank, shape[0].extent),
                         shape_write(b, shape[1].rank, shape[1].extent));
            }
    tap_ok(faults == 0, "every pair of shapes of up to three dimensions");
    tap_ok(refused > 1000, "of which %" PRId64 " are refused", refused);
}

static void check_triples(void)
{
    struct shape shape[3];
    int64_t faults = 0;
    int64_t refused = 0;

    for (int64_t i = 0; shape_numbered(i, 2, 3, &shape[0]); i++)
        for (int64_t j = 0; shape_numbered(j, 2, 3, &shape[1]); j++)
            for (int64_t k = 0; shape_numbered(k, 2, 3, &shape[2]); k++)
                faults += !agrees(3, shape, &refused);
    tap_ok(faults == 0, "every triple of shapes of up to two dimensions");
    tap_ok(refused > 1000, "of which %" PRId64 " are refused", refused);
}

/* A sum to a shape is defined exactly where that shape broadcasts to the other. */
static void check_sums(void)
{
    struct shape shape[2];
    int64_t faults = 0;

    for (int64_t i = 0; shape_numbered(i, 3, 3, &shape[0]); i++)
        for (int64_t j = 0; shape_numbered(j, 3, 3, &shape[1]); j++) {
            struct shape both;
            const bool fits = define(2, shape, &both) &&
                              shape_equal(&both, shape[0].rank, shape[0].extent);
            const bl_status status =
                bl_sum_to_shape_check(shape_borrow(&shape[0]), shape_borrow(&shape[1]));

            faults += status != (fits ? BL_OK : BL_ERR_SHAPE);
        }
    tap_ok(faults == 0, "sum to a shape, for every pair");
}

static void check_counts(void)
{
    static const struct {
        const char *what;
        struct shape shape;
        bl_status status;
        int64_t count;
    } rows[] = {
        {"a 0-d shape has one element", {0, {0}}, BL_OK, 1},
        {"the largest count", {1, {INT64_MAX}}, BL_OK, INT64_MAX},
        {"2^62 elements in two dimensions", {2, {HUGE_EXTENT, 1}}, BL_OK, HUGE_EXTENT},
        {"2^63 elements", {2, {HUGE_EXTENT, 2}}, BL_ERR_OVERFLOW, 0},
        {"2^64 elements, 0 if wrapped", {2, {HUGE_EXTENT, 4}}, BL_ERR_OVERFLOW, 0},
        {"an empty dimension last", {3, {HUGE_EXTENT, 4, 0}}, BL_OK, 0},
        {"an empty dimension first", {3, {0, HUGE_EXTENT, 4}}, BL_OK, 0},
        {"a negative extent", {2, {2, -1}}, BL_ERR_ARGUMENT, 0},
        {"a negative rank", {-1, {0}}, BL_ERR_ARGUMENT, 0},
        {"a rank of 65", {BL_MAX_RANK + 1, {0}}, BL_ERR_ARGUMENT, 0},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int64_t count = -5;
        const bl_status status =
            bl_shape_numel(rows[i].shape.rank, rows[i].shape.extent, &count);

        tap_ok(status == rows[i].status &&
                   count == (status == BL_OK ? rows[i].count : -5),
               "count: %s", rows[i].what);
    }
}

static void check_limits(void)
{
    int64_t ones[BL_MAX_RANK], extent[BL_MAX_RANK];
    const int64_t column[2] = {HUGE_EXTENT, 1};
    const int64_t row[1] = {2};
    const bl_shape outer[2] = {{2, column}, {1, row}};
    const bl_shape negative = {1, (const int64_t[]){-1}};
    int32_t rank = -7;
    bl_broadcast_info info;

    for (int32_t d = 0; d < BL_MAX_RANK; d++)
        ones[d] = 1;
    ones[0] = 2;

    const bl_shape deep[2] = {{1, row}, {BL_MAX_RANK, ones}};

    tap_ok(bl_broadcast_shapes(2, outer, &rank, extent) == BL_ERR_OVERFLOW &&
               rank == -7,
           "a result of 2^63 elements is refused");
    tap_ok(bl_broadcast_query(1, outer, 2, &info) == BL_ERR_OVERFLOW,
           "a result of 2^63 bytes is refused");
    tap_ok(bl_broadcast_query(1, outer, 1, &info) == BL_OK && info.bytes == HUGE_EXTENT,
           "a result of 2^62 bytes is not");
    tap_ok(bl_broadcast_shapes(2, deep, &rank, extent) == BL_OK &&
               rank == BL_MAX_RANK && extent[0] == 2 && extent[BL_MAX_RANK - 1] == 2,
           "64 dimensions");
    tap_ok(bl_broadcast_query(2, deep, 4, &info) == BL_OK &&
               info.expanded_dims[0] == 1 && info.expanded_dims[1] == UINT64_C(1) << 63,
           "64 dimensions have a bit each");
    tap_ok(bl_broadcast_shapes(0, NULL, &rank, extent) == BL_OK && rank == 0,
           "no shapes give ()");
    tap_ok(bl_broadcast_query(0, NULL, 4, &info) == BL_OK && info.numel == 1 &&
               info.growth == 1,
           "no shapes cost one element");
    tap_ok(bl_broadcast_shapes(1, NULL, &rank, extent) == BL_ERR_ARGUMENT,
           "null shapes are refused");
    tap_ok(bl_broadcast_shapes(1, &negative, &rank, extent) == BL_ERR_ARGUMENT &&
               strstr(bl_error_message(), "extent -1 at dimension 0") != NULL,
           "a negative extent is refused by its place");
    tap_ok(bl_broadcast_query(BL_INPUTS_LIMIT + 1, outer, 4, &info) == BL_ERR_ARGUMENT,
           "more shapes than there is room for are refused");
}

int main(void)
{
    tap_plan();
    check_pairs();
    check_triples();
    check_sums();
    check_counts();
    check_limits();
    return tap_done();
}
