/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Packs (compresses) the elements of an array that a mask selects into a row, and
 * unpacks (expands) such a row, in two passes: count the true elements of each block,
 * then move block by block.
 */
#ifndef BLI_PACK_H
#define BLI_PACK_H

#include "exec/exec.h"

/* Iterations of a block: the least work that a thread takes. */
#define BLI_PACK_BLOCK 4096

/*
 * Operands of the nests, whose loops are in row-major order.  Operand 0 has no memory
 * and has strides of 0.
 */
enum { BLI_PACK_ORDER, BLI_PACK_MASK, BLI_PACK_ARRAY, BLI_PACK_OPERANDS };

struct bli_pack {
    struct bli_nest masks; /* the order and the mask */
    struct bli_nest both;  /* the order, the mask and the array */
    char *mask;
    char *array;
    char *row;
    int64_t size; /* bytes of an element, a power of two up to 16 */
    bool unpacks; /* move from the row into the array */
    /*
     * True elements before each block, then their total: bli_pack_blocks() + 1 counts,
     * in memory of the caller's.
     */
    int64_t *before;
};

/* Return the number of blocks of BLI_PACK_BLOCK iterations, the last one shorter. */
int64_t bli_pack_blocks(const struct bli_pack *pack);

/*
 * Bodies of parallel regions over blocks, with a bli_pack as argument: count the true
 * elements of each block, into `before` one place further on; pack or unpack blocks,
 * once bli_pack_add_up() has turned these counts into sums.
 */
bli_body bli_pack_count_blocks, bli_pack_move_blocks;
void bli_pack_add_up(const struct bli_pack *pack);

#endif
