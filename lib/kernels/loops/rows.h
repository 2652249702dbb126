/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The base of the loops in loops.h: a kernel's arguments as rows, inputs with stride 0,
 * and rows that are not contiguous.
 */
#ifndef BLI_ROWS_H
#define BLI_ROWS_H

#include <string.h>

#include "kernels/access.h"
#include "kernels/kernel.h"
#include "kernels/copy/gather.h"

/*
 * Sizes and access patterns become constants by inlining, and the loops depend on that.
 */
#define BLI_INLINE static inline __attribute__((always_inline))

/*
 * A kernel's arguments as rows: its two loops, fused or exchanged where that makes rows
 * longer.
 */
struct bli_rows {
    int64_t inner;
    int64_t outer;
    int64_t step[BLI_MAX_OPERANDS]; /* inner stride, in bytes */
    int64_t next[BLI_MAX_OPERANDS]; /* outer stride, in bytes */
    char *data[BLI_MAX_OPERANDS];
};

/* A broadcast scalar: as many copies of an input with stride 0 as a loop reads. */
struct bli_splat {
    _Alignas(BLI_ALIGNMENT) char bytes[BLI_ALIGNMENT];
};

/* Fill `rows` from a kernel's arguments. */
BLI_INLINE void rows_open(struct bli_rows *rows, int32_t operands, char *const *data,
                          const int64_t (*stride)[BLI_MAX_OPERANDS], int64_t inner,
                          int64_t outer)
{
    const int32_t in = inner == 1; /* then the outer loop is the only one */
    bool is_even = true;

    for (int32_t k = 0; k < operands; k++) {
        rows->data[k] = bli_address(data, k);
        rows->step[k] = stride[in][k];
        rows->next[k] = stride[1][k];
        is_even &= stride[1][k] == stride[0][k] * inner;
    }
    const bool is_one = is_even || in || outer == 1;

    rows->inner = is_one ? inner * outer : inner;
    rows->outer = is_one ? 1 : outer;
}

/* The access pattern of the rows, for elements of `size` bytes. */
BLI_INLINE int32_t rows_form(const struct bli_rows *rows, int32_t operands,
                             const int64_t *size)
{
    return rows->inner == 1 ? BLI_ACCESS_CONTIGUOUS
                            : bli_access(operands, rows->step, size);
}

/* Advance to the next row. */
BLI_INLINE void rows_next(struct bli_rows *rows, int32_t operands)
{
    for (int32_t k = 0; k < operands; k++)
        rows->data[k] += rows->next[k];
}

/*
 * The address at which to read an input at `from` with stride `step`. One with stride 0
 * is copied to `held`, `many` times, which no store can change: its load is hoisted out
 * of the loop.
 */
BLI_INLINE const char *hold(struct bli_splat *held, const char *from, int64_t step,
                            int64_t size, int64_t many)
{
    if (step != 0)
        return from;
    for (int64_t j = 0; j < many; j++)
        memcpy(held->bytes + j * size, from, (size_t)size);
    return held->bytes;
}

/*
 * Elements of a block at most, and bytes that the blocks of all operands have together,
 * on the stack and in L1: what 256 elements of four operands of 8 bytes
 * take.
 */
#define BLI_BLOCK       256
#define BLI_BLOCK_BYTES 8192

/* Whether `many` rows of operand k are contiguous, also from one to the next. */
static bool is_dense(const struct bli_rows *rows, int32_t k, int64_t size, int64_t many)
{
    return rows->step[k] == size && (many == 1 || rows->next[k] == rows->inner * size);
}

/* Elements that blocks of all operands have room for, a multiple of whole lines. */
static int64_t block_elements(int32_t operands, const int64_t *size)
{
    int64_t all = 0, most;

    for (int32_t k = 0; k < operands; k++)
        all += size[k];
    most = BLI_BLOCK_BYTES / all / BLI_ALIGNMENT * BLI_ALIGNMENT;
    return most < BLI_BLOCK ? most : BLI_BLOCK;
}

/*
 * Run `kernel` on rows that are not contiguous: inputs are gathered into blocks, and
 * the result is scattered from one. Short rows share a block: with rows of 7, one at a
 * time, a block costs more than its elements.
 */
static void strided(bli_kernel *kernel, int32_t operands, const int64_t *size,
                    const struct bli_rows *rows, const void *params)
{
    _Alignas(BLI_ALIGNMENT) char bytes[BLI_BLOCK_BYTES];
    char *block[BLI_MAX_OPERANDS];
    int64_t unit[2][BLI_MAX_OPERANDS] = {{0}};
    const int64_t elements = block_elements(operands, size);
    const int64_t columns = rows->inner < elements ? rows->inner : elements;
    const int64_t most = columns > 0 ? elements / columns : 1;
    char *room = bytes;

    for (int32_t k = 0; k < operands; k++) {
        unit[0][k] = size[k];
        block[k] = room;
        room += elements * size[k];
    }
    for (int64_t i = 0; i < rows->outer; i += most) {
        const int64_t many = rows->outer - i < most ? rows->outer - i : most;

        for (int64_t j = 0; j < rows->inner; j += columns) {
            const int64_t left = rows->inner - j;
            const int64_t count = left < columns ? left : columns;
            char *at[BLI_MAX_OPERANDS], *from[BLI_MAX_OPERANDS];

            for (int32_t k = 0; k < operands; k++) {
                from[k] = rows->data[k] + i * rows->next[k] + j * rows->step[k];
                at[k] = is_dense(rows, k, size[k], many) ? from[k] : block[k];
                for (int64_t row = 0; k > 0 && at[k] == block[k] && row < many; row++)
                    bli_gather(block[k] + row * count * size[k],
                               from[k] + row * rows->next[k], rows->step[k], size[k],
                               count);
            }
            /* A block stays in the caches: no non-temporal stores. */
            kernel(at, (const int64_t(*)[BLI_MAX_OPERANDS])unit, many * count, 1,
                   params == BLI_NT_STORES ? NULL : params);
            for (int64_t row = 0; at[0] == block[0] && row < many; row++)
                bli_scatter(from[0] + row * rows->next[0],
                            block[0] + row * count * size[0], rows->step[0], size[0],
                            count);
        }
    }
}

#endif
