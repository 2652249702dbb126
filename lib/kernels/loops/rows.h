/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the loops of loops.h stand on: a kernel's arguments as rows, inputs that stand
 * still, and rows that are not dense.
 */
#ifndef BLI_ROWS_H
#define BLI_ROWS_H

#include <string.h>

#include "kernels/access.h"
#include "kernels/kernel.h"
#include "kernels/copy/gather.h"

/* Sizes and forms are constants only after inlining, and the loops depend on it. */
#define BLI_INLINE static inline __attribute__((always_inline))

/*
 * A kernel's arguments with the loops fused or exchanged where that makes rows longer.
 */
struct bli_rows {
    int64_t inner;
    int64_t outer;
    int64_t step[BLI_MAX_OPERANDS]; /* from element to element */
    int64_t next[BLI_MAX_OPERANDS]; /* from row to row */
    char *data[BLI_MAX_OPERANDS];
};

/* An input that stands still: as many copies of it as a loop wants. */
struct bli_splat {
    _Alignas(BLI_ALIGNMENT) char bytes[BLI_ALIGNMENT];
};

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

/* The form of the rows, of elements of `size` bytes. */
BLI_INLINE int32_t rows_form(const struct bli_rows *rows, int32_t operands,
                             const int64_t *size)
{
    return rows->inner == 1 ? BLI_ACCESS_CONTIGUOUS
                            : bli_access(operands, rows->step, size);
}

/* To the next row. */
BLI_INLINE void rows_next(struct bli_rows *rows, int32_t operands)
{
    for (int32_t k = 0; k < operands; k++)
        rows->data[k] += rows->next[k];
}

/*
 * An input at `from`, whose step is `step`: the address to read it at.  One that stands
 * still is copied to `held`, `many` times, which no store can change: its load leaves
 * the loop.
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

/* Elements of a block: a few KiB on the stack, in the first cache. */
#define BLI_BLOCK 256

/* Whether `rows` rows of `inner` elements of operand k lie densely one after another.
 */
static bool is_dense(const struct bli_rows *rows, int32_t k, int64_t size, int64_t many)
{
    return rows->step[k] == size && (many == 1 || rows->next[k] == rows->inner * size);
}

/*
 * Rows that are not dense: `kernel` on blocks, to which inputs are gathered and from
 * which the result is scattered.  Short rows share a block: with rows of 7 one at a
 * time a block costs more than its elements.
 */
static void strided(bli_kernel *kernel, int32_t operands, const int64_t *size,
                    const struct bli_rows *rows, const void *params)
{
    _Alignas(BLI_ALIGNMENT) char block[BLI_MAX_OPERANDS][BLI_BLOCK * 16];
    int64_t unit[2][BLI_MAX_OPERANDS] = {{0}};
    const int64_t columns = rows->inner < BLI_BLOCK ? rows->inner : BLI_BLOCK;
    const int64_t most = columns > 0 ? BLI_BLOCK / columns : 1;

    for (int32_t k = 0; k < operands; k++)
        unit[0][k] = size[k];
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
            /* A block is to stay in the caches. */
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
