/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The loops of every kernel, once per number of inputs.
 *
 * They know bytes and strides, not dtypes: an element function loads, computes and
 * stores at addresses. Everything is inlined, with sizes and access pattern as
 * constants, so that each kernel becomes one loop per pattern whose body is the
 * operator's expression. Patterns without a loop are gathered into blocks (rows.h).
 */
#ifndef BLI_LOOPS_H
#define BLI_LOOPS_H

#include "kernels/loops/loops_many.h"
#include "kernels/loops/kernel_args.h"

/* ---- one input ---- */

/* Apply `one` to a row: contiguous result, input stride `a_step`. */
BLI_INLINE void unary_row(bli_unary *one, char *r, const char *a, int64_t r_size,
                          int64_t a_step, int64_t count)
{
#pragma omp simd
    for (int64_t j = 0; j < count; j++)
        one(r + j * r_size, a + j * a_step);
}

/*
 * Apply `one` to a row with non-temporal stores, except at the ends that fill no block.
 */
BLI_INLINE void unary_stream(bli_unary *one, char *r, const char *a, int64_t r_size,
                             int64_t a_step, int64_t count)
{
    _Alignas(BLI_ALIGNMENT) char block[BLI_NT_BLOCK];
    const int64_t many = BLI_NT_BLOCK / r_size;
    int64_t j = stream_head(r, r_size, count);

    unary_row(one, r, a, r_size, a_step, j);
    for (; j + many <= count; j += many) {
        prefetch_block(a + j * a_step, a_step, many);
        unary_row(one, block, a + j * a_step, r_size, a_step, many);
        bli_nt_store_lines(r + j * r_size, block, BLI_NT_BLOCK);
    }
    unary_row(one, r + j * r_size, a + j * a_step, r_size, a_step, count - j);
}

/* Apply `one` to all rows; an input with stride 0 is read from a copy. */
BLI_INLINE void unary_dense(bli_unary *one, struct bli_rows *rows, int64_t r_size,
                            int64_t a_size, int64_t a_step, bool streams)
{
    for (int64_t i = 0; i < rows->outer; i++, rows_next(rows, 2)) {
        struct bli_splat a_held;
        char *const r = rows->data[0];
        const char *const a = hold(&a_held, rows->data[1], a_step, a_size, 1);

        if (streams)
            unary_stream(one, r, a, r_size, a_step, rows->inner);
        else
            unary_row(one, r, a, r_size, a_step, rows->inner);
    }
}

/* Apply `one` to all rows with any strides, an element at a time. */
BLI_INLINE void unary_scalar(bli_unary *one, const struct bli_rows *rows)
{
    const int64_t inner = rows->inner, outer = rows->outer;
    const int64_t r_step = rows->step[0];
    const int64_t a_step = rows->step[1];

    for (int64_t i = 0; i < outer; i++) {
        char *r = rows->data[0] + i * rows->next[0];
        const char *a = rows->data[1] + i * rows->next[1];

        for (int64_t j = 0; j < inner; j++) {
            one(r, a);
            r += r_step;
            a += a_step;
        }
    }
}

/*
 * Kernel body for one input: short rows by element, contiguous ones by unary_dense,
 * others gathered into blocks and passed to the kernel `self`.
 */
BLI_INLINE void unary(bli_kernel *self, bli_unary *one, int64_t r_size, int64_t a_size,
                      BLI_PARAMETERS)
{
    const int64_t size[] = {r_size, a_size};
    struct bli_rows rows;

    rows_open(&rows, 2, data, stride, inner, outer);
    if (rows.inner < BLI_SCALAR_LOOP_MAX) {
        unary_scalar(one, &rows);
        return;
    }

    const int32_t form = rows_form(&rows, 2, size);

    if (form == BLI_ACCESS_CONTIGUOUS)
        unary_dense(one, &rows, r_size, a_size, a_size, params == BLI_NT_STORES);
    else
        strided(self, 2, size, &rows, params);
}

/* ---- two inputs ---- */

/* Apply `one` to a row: contiguous result, input strides `a_step` and `b_step`. */
BLI_INLINE void binary_row(bli_binary *one, char *r, const char *a, const char *b,
                           int64_t r_size, int64_t a_step, int64_t b_step,
                           int64_t count)
{
#pragma omp simd
    for (int64_t j = 0; j < count; j++)
        one(r + j * r_size, a + j * a_step, b + j * b_step);
}

/*
 * Apply `one` to a row of 4-byte elements, at least a register of them, by registers
 * whose results are aligned. The two ends overlap those, and are stored last, for the
 * result may be an input: no remainder of a row is computed by element. Rows of 100 f32
 * plus a column take 0.86 of the time, rows of 196 0.92. An input with stride 0 is a
 * register of copies.
 *
 * For other sizes compilers have better code for more elements, or it gains nothing.
 */
BLI_INLINE void binary_run(bli_binary *one, char *r, const char *a, const char *b,
                           int64_t a_step, int64_t b_step, int64_t count)
{
    const int64_t many = BLI_WIDE / 4, last = count - many;
    const int64_t head = (int64_t)(-(uintptr_t)r & (BLI_WIDE - 1)) / 4;
    _Alignas(BLI_WIDE) char begin[BLI_WIDE], end[BLI_WIDE];
    int64_t j = head;

    if (head != 0)
        binary_row(one, begin, a, b, 4, 4, 4, many);
    for (; j <= last - many; j += many)
        binary_row(one, r + j * 4, a + j * a_step, b + j * b_step, 4, 4, 4, many);
    binary_row(one, end, a + last * a_step, b + last * b_step, 4, 4, 4, many);
    if (j < last)
        binary_row(one, r + j * 4, a + j * a_step, b + j * b_step, 4, 4, 4, many);
    if (head != 0)
        memcpy(r, begin, sizeof begin);
    memcpy(r + last * 4, end, sizeof end);
}

/*
 * Apply `one` to a row with non-temporal stores, except at the ends that fill no block.
 */
BLI_INLINE void binary_stream(bli_binary *one, char *r, const char *a, const char *b,
                              int64_t r_size, int64_t a_step, int64_t b_step,
                              int64_t count)
{
    _Alignas(BLI_ALIGNMENT) char block[BLI_NT_BLOCK];
    const int64_t many = BLI_NT_BLOCK / r_size;
    int64_t j = stream_head(r, r_size, count);

    binary_row(one, r, a, b, r_size, a_step, b_step, j);
    for (; j + many <= count; j += many) {
        prefetch_block(a + j * a_step, a_step, many);
        prefetch_block(b + j * b_step, b_step, many);
        binary_row(one, block, a + j * a_step, b + j * b_step, r_size, a_step, b_step,
                   many);
        bli_nt_store_lines(r + j * r_size, block, BLI_NT_BLOCK);
    }
    binary_row(one, r + j * r_size, a + j * a_step, b + j * b_step, r_size, a_step,
               b_step, count - j);
}

/* Apply `one` to all rows; an input with stride 0 is read from copies. */
BLI_INLINE void binary_dense(bli_binary *one, struct bli_rows *rows, int64_t r_size,
                             int64_t size, int64_t a_step, int64_t b_step, bool streams)
{
    const int64_t many = r_size == 4 && size == 4 ? BLI_WIDE / 4 : 1;
    const bool runs = many > 1 && rows->outer > 1 && rows->inner >= many;

    for (int64_t i = 0; i < rows->outer; i++, rows_next(rows, 3)) {
        struct bli_splat a_held, b_held;
        char *const r = rows->data[0];
        const char *const a = hold(&a_held, rows->data[1], a_step, size, many);
        const char *const b = hold(&b_held, rows->data[2], b_step, size, many);

        if (streams)
            binary_stream(one, r, a, b, r_size, a_step, b_step, rows->inner);
        else if (runs)
            binary_run(one, r, a, b, a_step, b_step, rows->inner);
        else
            binary_row(one, r, a, b, r_size, a_step, b_step, rows->inner);
    }
}

/* Apply `one` to all rows with any strides, an element at a time. */
BLI_INLINE void binary_scalar(bli_binary *one, const struct bli_rows *rows)
{
    const int64_t inner = rows->inner, outer = rows->outer;
    const int64_t r_step = rows->step[0];
    const int64_t a_step = rows->step[1];
    const int64_t b_step = rows->step[2];

    for (int64_t i = 0; i < outer; i++) {
        char *r = rows->data[0] + i * rows->next[0];
        const char *a = rows->data[1] + i * rows->next[1];
        const char *b = rows->data[2] + i * rows->next[2];

        for (int64_t j = 0; j < inner; j++) {
            one(r, a, b);
            r += r_step;
            a += a_step;
            b += b_step;
        }
    }
}

/*
 * Kernel body for two inputs, either of which may be a broadcast scalar: short rows by
 * element, other access patterns gathered into blocks and passed to the kernel `self`.
 */
BLI_INLINE void binary(bli_kernel *self, bli_binary *one, int64_t r_size,
                       int64_t element, BLI_PARAMETERS)
{
    const int64_t size[] = {r_size, element, element};
    struct bli_rows rows;

    rows_open(&rows, 3, data, stride, inner, outer);
    if (rows.inner < BLI_SCALAR_LOOP_MAX) {
        binary_scalar(one, &rows);
        return;
    }

    const int32_t form = rows_form(&rows, 3, size);

    if (form == BLI_ACCESS_CONTIGUOUS)
        binary_dense(one, &rows, r_size, element, element, element,
                     params == BLI_NT_STORES);
    else if (form == 1 << 1)
        binary_dense(one, &rows, r_size, element, 0, element, params == BLI_NT_STORES);
    else if (form == 1 << 2)
        binary_dense(one, &rows, r_size, element, element, 0, params == BLI_NT_STORES);
    else
        strided(self, 3, size, &rows, params);
}

/* ---- block functions ---- */

typedef void bli_block_unary(void *r, const void *a, int64_t count);
typedef void bli_block_binary(void *r, const void *a, const void *b, int64_t count);

/*
 * Kernel body for a block function of one input: long contiguous rows directly, others
 * gathered into blocks and passed to the kernel `self`.
 */
BLI_INLINE void unary_block(bli_kernel *self, bli_block_unary *function, int64_t size,
                            BLI_PARAMETERS)
{
    const int64_t sizes[] = {size, size};
    struct bli_rows rows;

    rows_open(&rows, 2, data, stride, inner, outer);

    const int32_t form = rows_form(&rows, 2, sizes);

    if (form != BLI_ACCESS_CONTIGUOUS || (rows.outer > 1 && rows.inner < 64)) {
        strided(self, 2, sizes, &rows, params);
        return;
    }
    for (int64_t i = 0; i < rows.outer; i++, rows_next(&rows, 2))
        function(rows.data[0], rows.data[1], rows.inner);
}

/*
 * Kernel body for a block function of two inputs: long contiguous rows directly, others
 * gathered into blocks and passed to the kernel `self`.
 */
BLI_INLINE void binary_block(bli_kernel *self, bli_block_binary *function, int64_t size,
                             BLI_PARAMETERS)
{
    const int64_t sizes[] = {size, size, size};
    struct bli_rows rows;

    rows_open(&rows, 3, data, stride, inner, outer);

    const int32_t form = rows_form(&rows, 3, sizes);

    if (form != BLI_ACCESS_CONTIGUOUS || (rows.outer > 1 && rows.inner < 64)) {
        strided(self, 3, sizes, &rows, params);
        return;
    }
    for (int64_t i = 0; i < rows.outer; i++, rows_next(&rows, 3))
        function(rows.data[0], rows.data[1], rows.data[2], rows.inner);
}

#endif
