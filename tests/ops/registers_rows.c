/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Part of tests/ops/registers.c: rows of every length around that of a group, and long
 * ones, in place and with non-temporal stores.
 */
#include "harness/problem.h"
#include "harness/tap.h"
#include "segments.h"

enum { GROUP_MOST = 128 };

static const bl_dtype dtypes[] = {BL_DTYPE_BOOL, BL_DTYPE_U8,   BL_DTYPE_I32,
                                  BL_DTYPE_F16,  BL_DTYPE_BF16, BL_DTYPE_F32,
                                  BL_DTYPE_F64};
enum { DTYPES = sizeof dtypes / sizeof dtypes[0] };

/* ---- lengths ---- */

/* All kinds of loads and stores. */
static void all_dtypes(struct bli_segment *segment, bl_dtype computes)
{
    int16_t sum = -1;

    segment_begin(segment, computes);
    for (int32_t k = 0; k < DTYPES; k++) {
        int16_t v;

        if (!bli_can_stream(computes, dtypes[k]))
            continue;
        v = segment_operand(segment, k % 3 == 2 ? BLI_VALUE_STILL : BLI_VALUE_STREAM,
                            dtypes[k]);
        if (dtypes[k] != computes)
            v = segment_op(segment, BL_OP_COPY, computes, v, -1, -1, -1);
        sum = sum < 0 ? v : segment_op(segment, BL_OP_ADD, computes, sum, v, -1, -1);
    }
    for (int32_t k = 0; k < DTYPES; k++)
        if (dtypes[k] != computes && bli_can_store(computes, dtypes[k]))
            segment_output(segment,
                           segment_op(segment, BL_OP_COPY, dtypes[k], sum, -1, -1, -1));
    segment_output(segment, sum);
}

static void test_lengths(void)
{
    static const bl_dtype computed[] = {BL_DTYPE_F32, BL_DTYPE_F64};

    for (int32_t k = 0; k < 2; k++) {
        bool all = true;

        for (int64_t count = 0; count <= 2 * GROUP_MOST + 3; count++)
            for (int32_t how = 0; how < 4; how++) {
                struct bli_segment chain, tree;
                const struct segment_run run = {.count = count,
                                                .seed = (uint64_t)count,
                                                .at_end = how % 2 == 0,
                                                .in_place = how == 3,
                                                .streams = how / 2 != 0};

                segment_begin(&chain, computed[k]);
                for (int32_t v = 0; v < 2; v++)
                    segment_operand(&chain, BLI_VALUE_STREAM, computed[k]);
                segment_output(
                    &chain, segment_op(&chain, BL_OP_MUL, computed[k], 0, 1, -1, -1));
                all_dtypes(&tree, computed[k]);
                tree.is_in_place = chain.is_in_place = run.in_place;
                all = all && segment_check_all("a product", &chain, run) &&
                      segment_check_all("all dtypes", &tree, run);
            }
        tap_ok(all, "rows of 0 to %d elements of %s, beside inaccessible pages",
               2 * GROUP_MOST + 3, bli_dtypes[computed[k]].name);
    }
}

/* ---- long rows ---- */

/* A product whose second operand is read again and again, as in Horner's scheme. */
static void powers(struct bli_segment *segment, bl_dtype dtype)
{
    int16_t v = 0;

    segment_begin(segment, dtype);
    segment_operand(segment, BLI_VALUE_STREAM, dtype);
    segment_operand(segment, BLI_VALUE_STREAM, dtype);
    for (int32_t k = 0; k < 3; k++)
        v = segment_op(segment, BL_OP_MUL, dtype, v, 1, -1, -1);
    segment_output(segment, v);
}

/* Rows of many groups, whose operands begin at any element of a line. */
static void test_long(struct rng *rng)
{
    static const bl_dtype computed[] = {BL_DTYPE_F32, BL_DTYPE_F64};

    for (int32_t k = 0; k < 2; k++) {
        bool all = true;

        for (int32_t how = 0; how < 240; how++) {
            struct bli_segment segment;
            const struct segment_run run = {
                .count = rng_below(rng, how % 3 == 0 ? SEGMENT_MOST : 12 * GROUP_MOST),
                .seed = (uint64_t)how,
                .at_end = how % 16 != 0,
                .in_place = how / 2 % 4 == 0,
                .streams = how % 2 == 0};

            powers(&segment, computed[k]);
            segment.is_in_place = run.in_place;
            all = all && segment_check_all("powers", &segment, run);
        }
        tap_ok(all, "long rows of %s, aligned and streamed",
               bli_dtypes[computed[k]].name);
    }
}

void segment_test_rows(struct rng *rng)
{
    test_lengths();
    test_long(rng);
}
