/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The loops of every kernel, once per number of inputs.
 *
 * They know bytes and strides, not dtypes: an element function loads, computes and
 * stores at addresses.  All of it is inlined, with sizes and form as constants, so that
 * each kernel becomes one loop per form whose body is the operator's expression.  What
 * has no loop of its own goes through blocks (rows.h).
 */
#ifndef BLI_LOOPS_H
#define BLI_LOOPS_H

#include "isa/rows.h"
#include "isa/stream.h"

#define BLI_PARAMETERS                                                                 \
    char *const *data, const int64_t(*stride)[BLI_MAX_OPERANDS], int64_t inner,        \
        int64_t outer, const void *params
#define BLI_ARGUMENTS data, stride, inner, outer, params

/* Element functions: the result's address, then the inputs'. */
typedef void bli_unary(char *r, const char *a);
typedef void bli_binary(char *r, const char *a, const char *b);
typedef void bli_ternary(char *r, const char *a, const char *b, const char *c);
typedef void bli_quaternary(char *r, const char *a, const char *b, const char *c,
                            const char *d);

/*
 * Bytes of a result that are computed at once where it goes past the caches: so few
 * that the machine reads the next inputs while these are written.
 */
#define BLI_STREAM_BLOCK 128
#define BLI_STREAM_AHEAD 2048

/* Elements of a result at `r` before its first whole line; all where it has none. */
BLI_INLINE int64_t stream_head(const char *r, int64_t size, int64_t count)
{
    const int64_t bytes = (int64_t)(-(uintptr_t)r & 63);

    return bytes % size != 0 || bytes / size > count ? count : bytes / size;
}

/*
 * Rows of fewer elements than this are done one element at a time, whatever the
 * strides: to enter a vector loop costs more.  Four rows of 4 f32 take 9 ns so, 22 ns
 * in vectors.
 */
#define BLI_FEW 8

/*
 * Ask for what an input's later blocks are: while results go past the caches, the
 * machine does not read far enough ahead by itself.
 */
BLI_INLINE void prefetch_block(const char *at, int64_t step, int64_t many)
{
    for (int64_t b = 0; b < many * step; b += 64)
        __builtin_prefetch(at + BLI_STREAM_AHEAD + b, 0, 3);
}

/* ---- one input ---- */

BLI_INLINE void unary_row(bli_unary *one, char *r, const char *a, int64_t r_size,
                          int64_t a_step, int64_t count)
{
#pragma omp simd
    for (int64_t j = 0; j < count; j++)
        one(r + j * r_size, a + j * a_step);
}

/* The same past the caches, but for what is no whole block. */
BLI_INLINE void unary_stream(bli_unary *one, char *r, const char *a, int64_t r_size,
                             int64_t a_step, int64_t count)
{
    _Alignas(BLI_ALIGNMENT) char block[BLI_STREAM_BLOCK];
    const int64_t many = BLI_STREAM_BLOCK / r_size;
    int64_t j = stream_head(r, r_size, count);

    unary_row(one, r, a, r_size, a_step, j);
    for (; j + many <= count; j += many) {
        prefetch_block(a + j * a_step, a_step, many);
        unary_row(one, block, a + j * a_step, r_size, a_step, many);
        bli_stream_lines(r + j * r_size, block, BLI_STREAM_BLOCK);
    }
    unary_row(one, r + j * r_size, a + j * a_step, r_size, a_step, count - j);
}

BLI_INLINE void unary_dense(bli_unary *one, struct bli_rows *rows, int64_t r_size,
                            int64_t a_size, int64_t a_step, bool streams)
{
    for (int64_t i = 0; i < rows->outer; i++, rows_next(rows, 2)) {
        union bli_held a_held;
        char *const r = rows->data[0];
        const char *const a = hold(&a_held, rows->data[1], a_step, a_size);

        if (streams)
            unary_stream(one, r, a, r_size, a_step, rows->inner);
        else
            unary_row(one, r, a, r_size, a_step, rows->inner);
    }
}

BLI_INLINE void unary_few(bli_unary *one, struct bli_rows *rows)
{
    for (int64_t i = 0; i < rows->outer; i++, rows_next(rows, 2)) {
        char *r = rows->data[0];
        const char *a = rows->data[1];

        for (int64_t j = 0; j < rows->inner; j++) {
            one(r, a);
            r += rows->step[0];
            a += rows->step[1];
        }
    }
}

BLI_INLINE void unary(bli_kernel *self, bli_unary *one, int64_t r_size, int64_t a_size,
                      BLI_PARAMETERS)
{
    const int64_t size[] = {r_size, a_size};
    struct bli_rows rows;

    rows_open(&rows, 2, data, stride, inner, outer, size);
    if (rows.inner < BLI_FEW)
        unary_few(one, &rows);
    else if (rows.form == BLI_FORM_CONTIGUOUS)
        unary_dense(one, &rows, r_size, a_size, a_size, params == BLI_STREAMED);
    else
        strided(self, 2, size, &rows, params);
}

/* ---- two inputs ---- */

BLI_INLINE void binary_row(bli_binary *one, char *r, const char *a, const char *b,
                           int64_t r_size, int64_t a_step, int64_t b_step,
                           int64_t count)
{
#pragma omp simd
    for (int64_t j = 0; j < count; j++)
        one(r + j * r_size, a + j * a_step, b + j * b_step);
}

/* The same past the caches, but for what is no whole block. */
BLI_INLINE void binary_stream(bli_binary *one, char *r, const char *a, const char *b,
                              int64_t r_size, int64_t a_step, int64_t b_step,
                              int64_t count)
{
    _Alignas(BLI_ALIGNMENT) char block[BLI_STREAM_BLOCK];
    const int64_t many = BLI_STREAM_BLOCK / r_size;
    int64_t j = stream_head(r, r_size, count);

    binary_row(one, r, a, b, r_size, a_step, b_step, j);
    for (; j + many <= count; j += many) {
        prefetch_block(a + j * a_step, a_step, many);
        prefetch_block(b + j * b_step, b_step, many);
        binary_row(one, block, a + j * a_step, b + j * b_step, r_size, a_step, b_step,
                   many);
        bli_stream_lines(r + j * r_size, block, BLI_STREAM_BLOCK);
    }
    binary_row(one, r + j * r_size, a + j * a_step, b + j * b_step, r_size, a_step,
               b_step, count - j);
}

BLI_INLINE void binary_dense(bli_binary *one, struct bli_rows *rows, int64_t r_size,
                             int64_t size, int64_t a_step, int64_t b_step, bool streams)
{
    for (int64_t i = 0; i < rows->outer; i++, rows_next(rows, 3)) {
        union bli_held a_held, b_held;
        char *const r = rows->data[0];
        const char *const a = hold(&a_held, rows->data[1], a_step, size);
        const char *const b = hold(&b_held, rows->data[2], b_step, size);

        if (streams)
            binary_stream(one, r, a, b, r_size, a_step, b_step, rows->inner);
        else
            binary_row(one, r, a, b, r_size, a_step, b_step, rows->inner);
    }
}

BLI_INLINE void binary_few(bli_binary *one, struct bli_rows *rows)
{
    for (int64_t i = 0; i < rows->outer; i++, rows_next(rows, 3)) {
        char *r = rows->data[0];
        const char *a = rows->data[1];
        const char *b = rows->data[2];

        for (int64_t j = 0; j < rows->inner; j++) {
            one(r, a, b);
            r += rows->step[0];
            a += rows->step[1];
            b += rows->step[2];
        }
    }
}

BLI_INLINE void binary(bli_kernel *self, bli_binary *one, int64_t r_size,
                       int64_t element, BLI_PARAMETERS)
{
    const int64_t size[] = {r_size, element, element};
    struct bli_rows rows;

    rows_open(&rows, 3, data, stride, inner, outer, size);
    if (rows.inner < BLI_FEW)
        binary_few(one, &rows);
    else if (rows.form == BLI_FORM_CONTIGUOUS)
        binary_dense(one, &rows, r_size, element, element, element,
                     params == BLI_STREAMED);
    else if (rows.form == 1 << 1)
        binary_dense(one, &rows, r_size, element, 0, element, params == BLI_STREAMED);
    else if (rows.form == 1 << 2)
        binary_dense(one, &rows, r_size, element, element, 0, params == BLI_STREAMED);
    else
        strided(self, 3, size, &rows, params);
}

/* ---- three inputs, the first of `a_size` bytes; often c is a number ---- */

BLI_INLINE void ternary_row(bli_ternary *one, char *r, const char *a, const char *b,
                            const char *c, int64_t r_size, int64_t a_step,
                            int64_t b_step, int64_t c_step, int64_t count)
{
#pragma omp simd
    for (int64_t j = 0; j < count; j++)
        one(r + j * r_size, a + j * a_step, b + j * b_step, c + j * c_step);
}

/* The same past the caches, but for what is no whole block. */
BLI_INLINE void ternary_stream(bli_ternary *one, char *r, const char *a, const char *b,
                               const char *c, int64_t r_size, int64_t a_step,
                               int64_t b_step, int64_t c_step, int64_t count)
{
    _Alignas(BLI_ALIGNMENT) char block[BLI_STREAM_BLOCK];
    const int64_t many = BLI_STREAM_BLOCK / r_size;
    int64_t j = stream_head(r, r_size, count);

    ternary_row(one, r, a, b, c, r_size, a_step, b_step, c_step, j);
    for (; j + many <= count; j += many) {
        prefetch_block(a + j * a_step, a_step, many);
        prefetch_block(b + j * b_step, b_step, many);
        prefetch_block(c + j * c_step, c_step, many);
        ternary_row(one, block, a + j * a_step, b + j * b_step, c + j * c_step, r_size,
                    a_step, b_step, c_step, many);
        bli_stream_lines(r + j * r_size, block, BLI_STREAM_BLOCK);
    }
    ternary_row(one, r + j * r_size, a + j * a_step, b + j * b_step, c + j * c_step,
                r_size, a_step, b_step, c_step, count - j);
}

BLI_INLINE void ternary_dense(bli_ternary *one, struct bli_rows *rows, int64_t size,
                              int64_t a_size, int64_t b_step, int64_t c_step,
                              bool streams)
{
    for (int64_t i = 0; i < rows->outer; i++, rows_next(rows, 4)) {
        union bli_held b_held, c_held;
        char *const r = rows->data[0];
        const char *const a = rows->data[1];
        const char *const b = hold(&b_held, rows->data[2], b_step, size);
        const char *const c = hold(&c_held, rows->data[3], c_step, size);

        if (streams)
            ternary_stream(one, r, a, b, c, size, a_size, b_step, c_step, rows->inner);
        else
            ternary_row(one, r, a, b, c, size, a_size, b_step, c_step, rows->inner);
    }
}

BLI_INLINE void ternary_few(bli_ternary *one, struct bli_rows *rows)
{
    for (int64_t i = 0; i < rows->outer; i++, rows_next(rows, 4)) {
        char *r = rows->data[0];
        const char *a = rows->data[1];
        const char *b = rows->data[2];
        const char *c = rows->data[3];

        for (int64_t j = 0; j < rows->inner; j++) {
            one(r, a, b, c);
            r += rows->step[0];
            a += rows->step[1];
            b += rows->step[2];
            c += rows->step[3];
        }
    }
}

BLI_INLINE void ternary(bli_kernel *self, bli_ternary *one, int64_t element,
                        int64_t a_size, BLI_PARAMETERS)
{
    const int64_t size[] = {element, a_size, element, element};
    struct bli_rows rows;

    rows_open(&rows, 4, data, stride, inner, outer, size);
    if (rows.inner < BLI_FEW)
        ternary_few(one, &rows);
    else if (rows.form == BLI_FORM_CONTIGUOUS)
        ternary_dense(one, &rows, element, a_size, element, element,
                      params == BLI_STREAMED);
    else if (rows.form == 1 << 3)
        ternary_dense(one, &rows, element, a_size, element, 0, params == BLI_STREAMED);
    else if (rows.form == 1 << 2)
        ternary_dense(one, &rows, element, a_size, 0, element, params == BLI_STREAMED);
    else
        strided(self, 4, size, &rows, params);
}

/* ---- four inputs; often d, or c and d, are numbers ---- */

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

/* The same past the caches, but for what is no whole block. */
BLI_INLINE void quaternary_stream(bli_quaternary *one, char *r, const char *a,
                                  const char *b, const char *c, const char *d,
                                  int64_t r_size, int64_t a_step, int64_t b_step,
                                  int64_t c_step, int64_t d_step, int64_t count)
{
    _Alignas(BLI_ALIGNMENT) char block[BLI_STREAM_BLOCK];
    const int64_t many = BLI_STREAM_BLOCK / r_size;
    int64_t j = stream_head(r, r_size, count);

    quaternary_row(one, r, a, b, c, d, r_size, a_step, b_step, c_step, d_step, j);
    for (; j + many <= count; j += many) {
        prefetch_block(a + j * a_step, a_step, many);
        prefetch_block(b + j * b_step, b_step, many);
        prefetch_block(c + j * c_step, c_step, many);
        prefetch_block(d + j * d_step, d_step, many);
        quaternary_row(one, block, a + j * a_step, b + j * b_step, c + j * c_step,
                       d + j * d_step, r_size, a_step, b_step, c_step, d_step, many);
        bli_stream_lines(r + j * r_size, block, BLI_STREAM_BLOCK);
    }
    quaternary_row(one, r + j * r_size, a + j * a_step, b + j * b_step, c + j * c_step,
                   d + j * d_step, r_size, a_step, b_step, c_step, d_step, count - j);
}

BLI_INLINE void quaternary_dense(bli_quaternary *one, struct bli_rows *rows,
                                 int64_t r_size, int64_t size, int64_t c_step,
                                 int64_t d_step, bool streams)
{
    for (int64_t i = 0; i < rows->outer; i++, rows_next(rows, 5)) {
        union bli_held c_held, d_held;
        char *const r = rows->data[0];
        const char *const a = rows->data[1];
        const char *const b = rows->data[2];
        const char *const c = hold(&c_held, rows->data[3], c_step, size);
        const char *const d = hold(&d_held, rows->data[4], d_step, size);

        if (streams)
            quaternary_stream(one, r, a, b, c, d, r_size, size, size, c_step, d_step,
                              rows->inner);
        else
            quaternary_row(one, r, a, b, c, d, r_size, size, size, c_step, d_step,
                           rows->inner);
    }
}

BLI_INLINE void quaternary_few(bli_quaternary *one, struct bli_rows *rows)
{
    for (int64_t i = 0; i < rows->outer; i++, rows_next(rows, 5)) {
        char *r = rows->data[0];
        const char *a = rows->data[1];
        const char *b = rows->data[2];
        const char *c = rows->data[3];
        const char *d = rows->data[4];

        for (int64_t j = 0; j < rows->inner; j++) {
            one(r, a, b, c, d);
            r += rows->step[0];
            a += rows->step[1];
            b += rows->step[2];
            c += rows->step[3];
            d += rows->step[4];
        }
    }
}

BLI_INLINE void quaternary(bli_kernel *self, bli_quaternary *one, int64_t r_size,
                           int64_t element, BLI_PARAMETERS)
{
    const int64_t size[] = {r_size, element, element, element, element};
    struct bli_rows rows;

    rows_open(&rows, 5, data, stride, inner, outer, size);
    if (rows.inner < BLI_FEW)
        quaternary_few(one, &rows);
    else if (rows.form == BLI_FORM_CONTIGUOUS)
        quaternary_dense(one, &rows, r_size, element, element, element,
                         params == BLI_STREAMED);
    else if (rows.form == 1 << 4)
        quaternary_dense(one, &rows, r_size, element, element, 0,
                         params == BLI_STREAMED);
    else if (rows.form == (1 << 3 | 1 << 4))
        quaternary_dense(one, &rows, r_size, element, 0, 0, params == BLI_STREAMED);
    else
        strided(self, 5, size, &rows, params);
}

/* ---- functions of blocks ---- */

typedef void bli_block_unary(void *r, const void *a, int64_t count);
typedef void bli_block_binary(void *r, const void *a, const void *b, int64_t count);

BLI_INLINE void unary_block(bli_kernel *self, bli_block_unary *function, int64_t size,
                            BLI_PARAMETERS)
{
    const int64_t sizes[] = {size, size};
    struct bli_rows rows;

    rows_open(&rows, 2, data, stride, inner, outer, sizes);
    if (rows.form != BLI_FORM_CONTIGUOUS || (rows.outer > 1 && rows.inner < 64)) {
        strided(self, 2, sizes, &rows, params);
        return;
    }
    for (int64_t i = 0; i < rows.outer; i++, rows_next(&rows, 2))
        function(rows.data[0], rows.data[1], rows.inner);
}

BLI_INLINE void binary_block(bli_kernel *self, bli_block_binary *function, int64_t size,
                             BLI_PARAMETERS)
{
    const int64_t sizes[] = {size, size, size};
    struct bli_rows rows;

    rows_open(&rows, 3, data, stride, inner, outer, sizes);
    if (rows.form != BLI_FORM_CONTIGUOUS || (rows.outer > 1 && rows.inner < 64)) {
        strided(self, 3, sizes, &rows, params);
        return;
    }
    for (int64_t i = 0; i < rows.outer; i++, rows_next(&rows, 3))
        function(rows.data[0], rows.data[1], rows.data[2], rows.inner);
}

#endif
