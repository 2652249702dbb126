/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The loops of every kernel, once per number of inputs.
 *
 * They know bytes and strides, not dtypes: an element function loads, computes and
 * stores at addresses.  All of it is inlined, with sizes and form as constants, so that
 * each kernel becomes one loop per form whose body is the operator's expression.
 */
#ifndef BLI_LOOPS_H
#define BLI_LOOPS_H

#include "isa/rows.h"

/*
 * Element functions.  `staged`: where dtypes have bli_staged_<dtype>, the addresses are
 * of the computed type, in a block.
 */
typedef void bli_unary(char *r, const char *a, bool staged);
typedef void bli_binary(char *r, const char *a, const char *b, bool staged);
typedef void bli_select(char *r, const char *c, const char *a, const char *b);

/* ---- one input ---- */

/* Dense rows, of an input with constant step a_step. */
BLI_INLINE void unary_dense(bli_unary *one, struct bli_rows *rows, int64_t r_size,
                            int64_t a_step, int64_t a_size)
{
    for (int64_t i = 0; i < rows->outer; i++, rows_next(rows, 2)) {
        union bli_held held;
        char *const r = rows->data[0];
        const char *const a = hold(&held, rows->data[1], a_step, a_size);

#pragma omp simd
        for (int64_t j = 0; j < rows->inner; j++)
            one(r + j * r_size, a + j * a_step, false);
    }
}

BLI_INLINE void unary_blocks(bli_unary *one, struct bli_rows *rows, int64_t r_size,
                             int64_t a_size, bool r_staged, bool a_staged)
{
    const int64_t r_step = stage_step(r_size, r_staged);
    const int64_t a_step = stage_step(a_size, a_staged);

    for (int64_t i = 0; i < rows->outer; i++, rows_next(rows, 2))
        for (int64_t j = 0; j < rows->inner; j += BLI_BLOCK) {
            const int64_t left = rows->inner - j;
            const int64_t count = left < BLI_BLOCK ? left : BLI_BLOCK;
            float r_block[BLI_BLOCK], a_block[BLI_BLOCK];
            char *const to = rows->data[0] + j * r_size;
            char *const r = r_staged ? (char *)r_block : to;
            const char *const a =
                stage(a_block, rows->data[1] + j * a_size, count, a_staged);

#pragma omp simd
            for (int64_t k = 0; k < count; k++)
                one(r + k * r_step, a + k * a_step, true);
            if (r_staged)
                bli_narrow_f16(to, r_block, count);
        }
}

/* Any strides: bound by memory, and left to scalar code. */
BLI_INLINE void unary_strided(bli_unary *one, struct bli_rows *rows)
{
    for (int64_t i = 0; i < rows->outer; i++, rows_next(rows, 2)) {
        char *r = rows->data[0];
        const char *a = rows->data[1];

        for (int64_t j = 0; j < rows->inner; j++) {
            one(r, a, false);
            r += rows->step[0];
            a += rows->step[1];
        }
    }
}

BLI_INLINE void unary(bli_unary *one, char *const *data,
                      const int64_t (*stride)[BLI_MAX_OPERANDS], int64_t inner,
                      int64_t outer, int64_t r_size, int64_t a_size, bool r_staged,
                      bool a_staged)
{
    const int64_t size[] = {r_size, a_size};
    struct bli_rows rows;

    rows_open(&rows, 2, data, stride, inner, outer, size);
    if (is_short(&rows, r_staged || a_staged))
        unary_strided(one, &rows);
    else if (rows.form == BLI_FORM_CONTIGUOUS && (r_staged || a_staged))
        unary_blocks(one, &rows, r_size, a_size, r_staged, a_staged);
    else if (rows.form == BLI_FORM_CONTIGUOUS)
        unary_dense(one, &rows, r_size, a_size, a_size);
    else
        unary_strided(one, &rows);
}

/* An element as it is; dense rows go to the C library, which knows the best way. */
BLI_INLINE void copy(bli_unary *one, char *const *data,
                     const int64_t (*stride)[BLI_MAX_OPERANDS], int64_t inner,
                     int64_t outer, int64_t element)
{
    const int64_t size[] = {element, element};
    struct bli_rows rows;

    rows_open(&rows, 2, data, stride, inner, outer, size);
    if (rows.form == BLI_FORM_CONTIGUOUS && rows.inner * element >= 256)
        for (int64_t i = 0; i < rows.outer; i++, rows_next(&rows, 2))
            memmove(rows.data[0], rows.data[1], (size_t)(rows.inner * element));
    else if (rows.form == BLI_FORM_CONTIGUOUS)
        unary_dense(one, &rows, element, element, element);
    else if (rows.form == 1 << 1)
        unary_dense(one, &rows, element, 0, element);
    else
        unary_strided(one, &rows);
}

/* ---- two inputs ---- */

BLI_INLINE void binary_dense(bli_binary *one, struct bli_rows *rows, int64_t r_size,
                             int64_t size, int64_t a_step, int64_t b_step)
{
    for (int64_t i = 0; i < rows->outer; i++, rows_next(rows, 3)) {
        union bli_held a_held, b_held;
        char *const r = rows->data[0];
        const char *const a = hold(&a_held, rows->data[1], a_step, size);
        const char *const b = hold(&b_held, rows->data[2], b_step, size);

#pragma omp simd
        for (int64_t j = 0; j < rows->inner; j++)
            one(r + j * r_size, a + j * a_step, b + j * b_step, false);
    }
}

BLI_INLINE void binary_blocks(bli_binary *one, struct bli_rows *rows, int64_t r_size,
                              int64_t a_step, int64_t b_step, bool r_staged)
{
    const int64_t r_step = stage_step(r_size, r_staged);
    const int64_t a_next = stage_step(a_step, true);
    const int64_t b_next = stage_step(b_step, true);

    for (int64_t i = 0; i < rows->outer; i++, rows_next(rows, 3))
        for (int64_t j = 0; j < rows->inner; j += BLI_BLOCK) {
            const int64_t left = rows->inner - j;
            const int64_t count = left < BLI_BLOCK ? left : BLI_BLOCK;
            float r_block[BLI_BLOCK], a_block[BLI_BLOCK], b_block[BLI_BLOCK];
            char *const to = rows->data[0] + j * r_size;
            char *const r = r_staged ? (char *)r_block : to;
            const char *const a =
                stage(a_block, rows->data[1] + j * a_step, a_step ? count : 1, true);
            const char *const b =
                stage(b_block, rows->data[2] + j * b_step, b_step ? count : 1, true);

#pragma omp simd
            for (int64_t k = 0; k < count; k++)
                one(r + k * r_step, a + k * a_next, b + k * b_next, true);
            if (r_staged)
                bli_narrow_f16(to, r_block, count);
        }
}

/* Dense rows of either kind. */
BLI_INLINE void binary_either(bli_binary *one, struct bli_rows *rows, int64_t r_size,
                              int64_t size, int64_t a_step, int64_t b_step, bool staged)
{
    if (staged)
        binary_blocks(one, rows, r_size, a_step, b_step, r_size == size);
    else
        binary_dense(one, rows, r_size, size, a_step, b_step);
}

BLI_INLINE void binary_strided(bli_binary *one, struct bli_rows *rows)
{
    for (int64_t i = 0; i < rows->outer; i++, rows_next(rows, 3)) {
        char *r = rows->data[0];
        const char *a = rows->data[1];
        const char *b = rows->data[2];

        for (int64_t j = 0; j < rows->inner; j++) {
            one(r, a, b, false);
            r += rows->step[0];
            a += rows->step[1];
            b += rows->step[2];
        }
    }
}

BLI_INLINE void binary(bli_binary *one, char *const *data,
                       const int64_t (*stride)[BLI_MAX_OPERANDS], int64_t inner,
                       int64_t outer, int64_t r_size, int64_t element, bool staged)
{
    const int64_t size[] = {r_size, element, element};
    struct bli_rows rows;

    rows_open(&rows, 3, data, stride, inner, outer, size);
    if (is_short(&rows, staged))
        binary_strided(one, &rows);
    else if (rows.form == BLI_FORM_CONTIGUOUS)
        binary_either(one, &rows, r_size, element, element, element, staged);
    else if (rows.form == 1 << 1)
        binary_either(one, &rows, r_size, element, 0, element, staged);
    else if (rows.form == 1 << 2)
        binary_either(one, &rows, r_size, element, element, 0, staged);
    else
        binary_strided(one, &rows);
}

/* ---- a condition and two inputs ---- */

BLI_INLINE void select_dense(bli_select *one, struct bli_rows *rows, int64_t size,
                             int64_t a_step, int64_t b_step)
{
    for (int64_t i = 0; i < rows->outer; i++, rows_next(rows, 4)) {
        union bli_held a_held, b_held;
        char *const r = rows->data[0];
        const char *const c = rows->data[1];
        const char *const a = hold(&a_held, rows->data[2], a_step, size);
        const char *const b = hold(&b_held, rows->data[3], b_step, size);

#pragma omp simd
        for (int64_t j = 0; j < rows->inner; j++)
            one(r + j * size, c + j, a + j * a_step, b + j * b_step);
    }
}

BLI_INLINE void select_strided(bli_select *one, struct bli_rows *rows)
{
    for (int64_t i = 0; i < rows->outer; i++, rows_next(rows, 4)) {
        char *r = rows->data[0];
        const char *c = rows->data[1];
        const char *a = rows->data[2];
        const char *b = rows->data[3];

        for (int64_t j = 0; j < rows->inner; j++) {
            one(r, c, a, b);
            r += rows->step[0];
            c += rows->step[1];
            a += rows->step[2];
            b += rows->step[3];
        }
    }
}

BLI_INLINE void select_(bli_select *one, char *const *data,
                        const int64_t (*stride)[BLI_MAX_OPERANDS], int64_t inner,
                        int64_t outer, int64_t element)
{
    const int64_t size[] = {element, 1, element, element};
    struct bli_rows rows;

    rows_open(&rows, 4, data, stride, inner, outer, size);
    if (rows.form == BLI_FORM_CONTIGUOUS)
        select_dense(one, &rows, element, element, element);
    else if (rows.form == 1 << 2)
        select_dense(one, &rows, element, 0, element);
    else if (rows.form == 1 << 3)
        select_dense(one, &rows, element, element, 0);
    else
        select_strided(one, &rows);
}

#endif
