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

/* Apply a function of contiguous blocks to each row. */
BLI_INLINE void function_rows(bli_function *function, const struct bli_rows *rows)
{
    for (int64_t i = 0; i < rows->outer; i++)
        function(rows->data[0] + i * rows->next[0], rows->data[1] + i * rows->next[1],
                 rows->data[2] + i * rows->next[2], rows->inner);
}

#endif
