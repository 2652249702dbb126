/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The loops of a kernel made of a function of blocks of any length (math/, integer/).
 */
#ifndef BLI_LOOPS_FUNCTION_H
#define BLI_LOOPS_FUNCTION_H

#include "kernels/loops/rows.h"

/* Rows of fewer elements share a block: a call of a function costs as much as this. */
#define BLI_FUNCTION_LEAST 64

typedef void bli_function(void *r, const void *a, const void *b, int64_t count);

/* Apply a function of contiguous blocks to each of several rows. */
BLI_SHARED void apply_rows(char *const *data, const int64_t (*stride)[BLI_MAX_OPERANDS],
                           int64_t inner, int64_t outer, bli_function *function,
                           int32_t inputs)
{
    for (int64_t i = 0; i < outer; i++)
        function(bli_address(data, 0) + i * stride[1][0],
                 bli_address(data, 1) + i * stride[1][1],
                 inputs > 1 ? bli_address(data, 2) + i * stride[1][2] : NULL, inner);
}

/*
 * Apply a function of contiguous blocks to each row; to one row by a tail call. As a
 * loop in each kernel this was 110 bytes of text, and 30 instructions more for 4 f32.
 */
BLI_SHARED void function_rows(char *const *data,
                              const int64_t (*stride)[BLI_MAX_OPERANDS], int64_t inner,
                              int64_t outer, bli_function *function, int32_t inputs)
{
    if (outer != 1)
        apply_rows(data, stride, inner, outer, function, inputs);
    else
        function(bli_address(data, 0), bli_address(data, 1),
                 inputs > 1 ? bli_address(data, 2) : NULL, inner);
}

#endif
