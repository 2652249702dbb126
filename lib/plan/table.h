/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of the offsets of few elements, which are gathered by exec/gather.h. */
#ifndef BLI_TABLE_H
#define BLI_TABLE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * How many adjacent elements are one piece, a power of two of at most BLI_SMALL_BYTES,
 * in loops whose innermost one has this extent and stride.
 */
int64_t bli_table_piece(int64_t row, int64_t stride, int64_t size);

/*
 * Write the offsets of pieces of `many` elements in order, of at most BLI_SMALL_COUNT
 * elements, and those that fill the last batch.  Loop i's stride is stride[i * pitch].
 * Returns false if an offset is out of range.
 */
bool bli_table_fill(int32_t *at, int32_t loops, const int64_t *extent,
                    const int64_t *stride, int64_t pitch, int64_t many);

#endif
