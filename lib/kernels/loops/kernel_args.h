/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the loops of kernels have in common: the arguments of a kernel, element
 * functions, rows that go past the caches, and rows that are short.
 */
#ifndef BLI_KERNEL_ARGS_H
#define BLI_KERNEL_ARGS_H

#include "kernels/loops/rows.h"
#include "kernels/copy/non_temporal.h"

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
#define BLI_NT_BLOCK    128
#define BLI_NT_PREFETCH 2048

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
#define BLI_SCALAR_LOOP_MAX 8

/*
 * Ask for what an input's later blocks are: while results go past the caches, the
 * machine does not read far enough ahead by itself.
 */
BLI_INLINE void prefetch_block(const char *at, int64_t step, int64_t many)
{
    for (int64_t b = 0; b < many * step; b += 64)
        __builtin_prefetch(at + BLI_NT_PREFETCH + b, 0, 3);
}

#endif
