/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The loops of kernels with three and four inputs.
 */
#ifndef BLI_LOOPS_MANY_H
#define BLI_LOOPS_MANY_H

#include "kernels/loops/kernel_args.h"

/* ---- three inputs, the first of `a_size` bytes; often c is a scalar ---- */

/* Apply `one` to a row: contiguous result, inputs with these strides. */
BLI_INLINE void ternary_row(bli_ternary *one, char *r, const char *a, const char *b,
                            const char *c, int64_t r_size, int64_t a_step,
                            int64_t b_step, int64_t c_step, int64_t count)
{
#pragma omp simd
    for (int64_t j = 0; j < count; j++)
        one(r + j * r_size, a + j * a_step, b + j * b_step, c + j * c_step);
}

/*
 * Apply `one` to a row with non-temporal stores, except at the ends that fill no block.
 */
BLI_INLINE void ternary_stream(bli_ternary *one, char *r, const char *a, const char *b,
                               const char *c, int64_t r_size, int64_t a_step,
                               int64_t b_step, int64_t c_step, int64_t count)
{
    _Alignas(BLI_ALIGNMENT) char block[BLI_NT_BLOCK];
    const int64_t many = BLI_NT_BLOCK / r_size;
    int64_t j = stream_head(r, r_size, count);

    ternary_row(one, r, a, b, c, r_size, a_step, b_step, c_step, j);
    for (; j + many <= count; j += many) {
        prefetch_block(a + j * a_step, a_step, many);
        prefetch_block(b + j * b_step, b_step, many);
        prefetch_block(c + j * c_step, c_step, many);
        ternary_row(one, block, a + j * a_step, b + j * b_step, c + j * c_step, r_size,
                    a_step, b_step, c_step, many);
        bli_nt_store_lines(r + j * r_size, block, BLI_NT_BLOCK);
    }
    ternary_row(one, r + j * r_size, a + j * a_step, b + j * b_step, c + j * c_step,
                r_size, a_step, b_step, c_step, count - j);
}

/* Apply `one` to all rows; b or c with stride 0 is read from a copy. */
BLI_INLINE void ternary_dense(bli_ternary *one, struct bli_rows *rows, int64_t size,
                              int64_t a_size, int64_t b_step, int64_t c_step,
                              bool streams)
{
    for (int64_t i = 0; i < rows->outer; i++, rows_next(rows, 4)) {
        struct bli_splat b_held, c_held;
        char *const r = rows->data[0];
        const char *const a = rows->data[1];
        const char *const b = hold(&b_held, rows->data[2], b_step, size, 1);
        const char *const c = hold(&c_held, rows->data[3], c_step, size, 1);

        if (streams)
            ternary_stream(one, r, a, b, c, size, a_size, b_step, c_step, rows->inner);
        else
            ternary_row(one, r, a, b, c, size, a_size, b_step, c_step, rows->inner);
    }
}

/* Apply `one` to all rows with any strides, an element at a time. */
BLI_INLINE void ternary_scalar(bli_ternary *one, const struct bli_rows *rows)
{
    const int64_t inner = rows->inner, outer = rows->outer;
    const int64_t r_step = rows->step[0];
    const int64_t a_step = rows->step[1];
    const int64_t b_step = rows->step[2];
    const int64_t c_step = rows->step[3];

    for (int64_t i = 0; i < outer; i++) {
        char *r = rows->data[0] + i * rows->next[0];
        const char *a = rows->data[1] + i * rows->next[1];
        const char *b = rows->data[2] + i * rows->next[2];
        const char *c = rows->data[3] + i * rows->next[3];

        for (int64_t j = 0; j < inner; j++) {
            one(r, a, b, c);
            r += r_step;
            a += a_step;
            b += b_step;
            c += c_step;
        }
    }
}

/*
 * Kernel body for three inputs, of which b or c may be a broadcast scalar: short rows
 * by element, other access patterns gathered into blocks and passed to the kernel
 * `self`.
 */
BLI_INLINE void ternary(bli_kernel *self, bli_ternary *one, int64_t element,
                        int64_t a_size, BLI_PARAMETERS)
{
    const int64_t size[] = {element, a_size, element, element};
    struct bli_rows rows;

    rows_open(&rows, 4, data, stride, inner, outer);
    if (rows.inner < BLI_SCALAR_LOOP_MAX) {
        ternary_scalar(one, &rows);
        return;
    }

    const int32_t form = rows_form(&rows, 4, size);

    if (form == BLI_ACCESS_CONTIGUOUS)
        ternary_dense(one, &rows, element, a_size, element, element,
                      params == BLI_NT_STORES);
    else if (form == 1 << 3)
        ternary_dense(one, &rows, element, a_size, element, 0, params == BLI_NT_STORES);
    else if (form == 1 << 2)
        ternary_dense(one, &rows, element, a_size, 0, element, params == BLI_NT_STORES);
    else
        strided(self, 4, size, &rows, params);
}

/* ---- four inputs; often d, or c and d, are scalars ---- */

/* Apply `one` to a row: contiguous result, inputs with these strides. */
BLI_INLINE void quaternary_row(bli_quaternary *one, char *r, const char *a,
                               const char *b, const char *c, const char *d,
                               int64_t r_size, int64_t a_step, int64_t b_step,
                               int64_t c_step, int64_t d_step, int64_t count)
{
#pragma omp simd
    for (int64_t j = 0; j < count; j++)
        one(r + j * r_size, a + j * a_step, b + j * b_step, c + j * c_step,
            d + j * d_step);
}

/*
 * Apply `one` to a row with non-temporal stores, except at the ends that fill no block.
 */
BLI_INLINE void quaternary_stream(bli_quaternary *one, char *r, const char *a,
                                  const char *b, const char *c, const char *d,
                                  int64_t r_size, int64_t a_step, int64_t b_step,
                                  int64_t c_step, int64_t d_step, int64_t count)
{
    _Alignas(BLI_ALIGNMENT) char block[BLI_NT_BLOCK];
    const int64_t many = BLI_NT_BLOCK / r_size;
    int64_t j = stream_head(r, r_size, count);

    quaternary_row(one, r, a, b, c, d, r_size, a_step, b_step, c_step, d_step, j);
    for (; j + many <= count; j += many) {
        prefetch_block(a + j * a_step, a_step, many);
        prefetch_block(b + j * b_step, b_step, many);
        prefetch_block(c + j * c_step, c_step, many);
        prefetch_block(d + j * d_step, d_step, many);
        quaternary_row(one, block, a + j * a_step, b + j * b_step, c + j * c_step,
                       d + j * d_step, r_size, a_step, b_step, c_step, d_step, many);
        bli_nt_store_lines(r + j * r_size, block, BLI_NT_BLOCK);
    }
    quaternary_row(one, r + j * r_size, a + j * a_step, b + j * b_step, c + j * c_step,
                   d + j * d_step, r_size, a_step, b_step, c_step, d_step, count - j);
}

/* Apply `one` to all rows; c or d with stride 0 is read from a copy. */
BLI_INLINE void quaternary_dense(bli_quaternary *one, struct bli_rows *rows,
                                 int64_t r_size, int64_t size, int64_t c_step,
                                 int64_t d_step, bool streams)
{
    for (int64_t i = 0; i < rows->outer; i++, rows_next(rows, 5)) {
        struct bli_splat c_held, d_held;
        char *const r = rows->data[0];
        const char *const a = rows->data[1];
        const char *const b = rows->data[2];
        const char *const c = hold(&c_held, rows->data[3], c_step, size, 1);
        const char *const d = hold(&d_held, rows->data[4], d_step, size, 1);

        if (streams)
            quaternary_stream(one, r, a, b, c, d, r_size, size, size, c_step, d_step,
                              rows->inner);
        else
            quaternary_row(one, r, a, b, c, d, r_size, size, size, c_step, d_step,
                           rows->inner);
    }
}

/* Apply `one` to all rows with any strides, an element at a time. */
BLI_INLINE void quaternary_scalar(bli_quaternary *one, const struct bli_rows *rows)
{
    const int64_t inner = rows->inner, outer = rows->outer;
    const int64_t r_step = rows->step[0];
    const int64_t a_step = rows->step[1];
    const int64_t b_step = rows->step[2];
    const int64_t c_step = rows->step[3];
    const int64_t d_step = rows->step[4];

    for (int64_t i = 0; i < outer; i++) {
        char *r = rows->data[0] + i * rows->next[0];
        const char *a = rows->data[1] + i * rows->next[1];
        const char *b = rows->data[2] + i * rows->next[2];
        const char *c = rows->data[3] + i * rows->next[3];
        const char *d = rows->data[4] + i * rows->next[4];

        for (int64_t j = 0; j < inner; j++) {
            one(r, a, b, c, d);
            r += r_step;
            a += a_step;
            b += b_step;
            c += c_step;
            d += d_step;
        }
    }
}

/*
 * Kernel body for four inputs, of which d, or c and d, may be broadcast scalars: short
 * rows by element, other patterns gathered into blocks and passed to the kernel `self`.
 */
BLI_INLINE void quaternary(bli_kernel *self, bli_quaternary *one, int64_t r_size,
                           int64_t element, BLI_PARAMETERS)
{
    const int64_t size[] = {r_size, element, element, element, element};
    struct bli_rows rows;

    rows_open(&rows, 5, data, stride, inner, outer);
    if (rows.inner < BLI_SCALAR_LOOP_MAX) {
        quaternary_scalar(one, &rows);
        return;
    }

    const int32_t form = rows_form(&rows, 5, size);

    if (form == BLI_ACCESS_CONTIGUOUS)
        quaternary_dense(one, &rows, r_size, element, element, element,
                         params == BLI_NT_STORES);
    else if (form == 1 << 4)
        quaternary_dense(one, &rows, r_size, element, element, 0,
                         params == BLI_NT_STORES);
    else if (form == (1 << 3 | 1 << 4))
        quaternary_dense(one, &rows, r_size, element, 0, 0, params == BLI_NT_STORES);
    else
        strided(self, 5, size, &rows, params);
}

#endif
