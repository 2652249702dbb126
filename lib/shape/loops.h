/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loops with the strides of several operands, while they are made into a nest: turned,
 * ordered and fused.  The strides of a loop are a row of `width`, a constant, of which
 * `operands` are used.  No step changes which elements are paired.
 */
#ifndef BLI_SHAPE_LOOPS_H
#define BLI_SHAPE_LOOPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bli_loop_rows {
    int32_t loops, operands;
    int64_t *extent;
    int64_t *stride; /* of operand k in loop i: stride[i * width + k] */
    int64_t *offset; /* of each operand's first element */
};

/*
 * Reverse loops with a negative stride of the result, operand 0, so that its address
 * always rises.
 */
static inline void bli_loop_rows_turn(const struct bli_loop_rows *rows, int64_t width)
{
    for (int32_t i = 0; i < rows->loops; i++) {
        int64_t *const stride = rows->stride + i * width;

        if (stride[0] >= 0)
            continue;
        for (int32_t k = 0; k < rows->operands; k++) {
            rows->offset[k] += stride[k] * (rows->extent[i] - 1);
            stride[k] = -stride[k];
        }
    }
}

/*
 * Whether a loop of strides `a` belongs inside one of strides `b`: the result's strides
 * decide, then those of the first input in which they differ.  Writing in rising order
 * matters most: a scattered write costs a read and a write of its cache line.
 */
static inline bool bli_loop_is_inner(const int64_t *a, const int64_t *b,
                                     int32_t operands)
{
    for (int32_t k = 0; k < operands; k++) {
        const int64_t size_a = a[k] < 0 ? -a[k] : a[k];
        const int64_t size_b = b[k] < 0 ? -b[k] : b[k];

        if (size_a != size_b)
            return size_a < size_b;
    }
    return false;
}

/* Insertion sort: there are few loops, and they are nearly always in order already. */
static inline void bli_loop_rows_order(const struct bli_loop_rows *rows, int64_t width)
{
    for (int32_t i = 1; i < rows->loops; i++) {
        for (int32_t j = i; j > 0; j--) {
            int64_t *const inner = rows->stride + (j - 1) * width;
            int64_t *const outer = rows->stride + j * width;
            const int64_t extent = rows->extent[j];

            if (!bli_loop_is_inner(outer, inner, rows->operands))
                break;
            rows->extent[j] = rows->extent[j - 1];
            rows->extent[j - 1] = extent;
            for (int32_t k = 0; k < rows->operands; k++) {
                const int64_t step = outer[k];

                outer[k] = inner[k];
                inner[k] = step;
            }
        }
    }
}

/*
 * Fuse adjacent loops that together step through memory evenly for every operand, and
 * of which both or neither are in the set `*apart`, if there is one, which then is of
 * the loops that are left.
 */
static inline void bli_loop_rows_fuse(struct bli_loop_rows *rows, int64_t width,
                                      uint64_t *apart)
{
    const uint64_t all = apart ? *apart : 0;
    uint64_t left = all & 1;
    int32_t last = 0;

    for (int32_t i = 1; i < rows->loops; i++) {
        const int64_t *const outer = rows->stride + i * width;
        int64_t *const inner = rows->stride + last * width;
        bool is_one = !apart || (all >> i & 1) == (left >> last & 1);

        for (int32_t k = 0; is_one && k < rows->operands; k++)
            is_one = outer[k] == inner[k] * rows->extent[last];
        if (is_one) {
            rows->extent[last] *= rows->extent[i];
            continue;
        }
        if (apart)
            left |= (all >> i & 1) << (last + 1);
        if (++last == i)
            continue;
        rows->extent[last] = rows->extent[i];
        for (int32_t k = 0; k < rows->operands; k++)
            rows->stride[last * width + k] = outer[k];
    }
    if (rows->loops > 0)
        rows->loops = last + 1;
    if (apart)
        *apart = left;
}

#endif
