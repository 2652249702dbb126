/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the loops of kernels have in common: the arguments of a kernel, element
 * functions, rows with non-temporal stores, and short rows.
 */
#ifndef BLI_KERNEL_ARGS_H
#define BLI_KERNEL_ARGS_H

#include "kernels/loops/rows.h"
#include "kernels/copy/non_temporal.h"

#define BLI_PARAMETERS                                                                 \
    char *const *data, const int64_t(*stride)[BLI_MAX_OPERANDS], int64_t inner,        \
        int64_t outer, const void *params
#define BLI_ARGUMENTS data, stride, inner, outer, params

/* Element functions: the address of the result, then those of the inputs. */
typedef void bli_unary(char *r, const char *a);
typedef void bli_binary(char *r, const char *a, const char *b);
typedef void bli_ternary(char *r, const char *a, const char *b, const char *c);
typedef void bli_quaternary(char *r, const char *a, const char *b, const char *c,
                            const char *d);

/*
 * Bytes of a result that are computed at a time before non-temporal stores: so few that
 * the machine reads the next inputs while these are written. BLI_NT_PREFETCH is the
 * prefetch distance in bytes.
 */
#define BLI_NT_BLOCK    128
#define BLI_NT_PREFETCH 2048

/*
 * Elements of a result at `r` before its first whole cache line; all where it has none.
 */
BLI_INLINE int64_t stream_head(const char *r, int64_t size, int64_t count)
{
    const int64_t bytes = (int64_t)(-(uintptr_t)r & 63);

    return bytes % size != 0 || bytes / size > count ? count : bytes / size;
}

/*
 * Rows of fewer elements than this are computed one element at a time, whatever the
 * strides: entering a vector loop costs more. Four rows of 4 f32 take 9 ns this way, 22
 * ns with vectors.
 */
#define BLI_SCALAR_LOOP_MAX 8

/*
 * Prefetch the later blocks of an input: while results are written with non-temporal
 * stores, the hardware prefetcher does not run far enough ahead.
 */
BLI_INLINE void prefetch_block(const char *at, int64_t step, int64_t many)
{
    for (int64_t b = 0; b < many * step; b += 64)
        __builtin_prefetch(at + BLI_NT_PREFETCH + b, 0, 3);
}

#endif
