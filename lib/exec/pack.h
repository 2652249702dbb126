/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Moves elements between an array and a row that has only those where a mask is true,
 * in two passes: count the true ones of each block, then move block by block.
 */
#ifndef BLI_PACK_H
#define BLI_PACK_H

#include "exec/exec.h"

/* Iterations of a block: what a thread takes at least. */
#define BLI_PACK_BLOCK 4096

/*
 * Operands of the nests, whose loops are in row-major order.  Operand 0 has no memory,
 * and steps of 0.
 */
enum { BLI_PACK_ORDER, BLI_PACK_MASK, BLI_PACK_ARRAY, BLI_PACK_OPERANDS };

struct bli_pack {
    struct bli_nest masks; /* the order and the mask */
    struct bli_nest both;  /* the order, the mask and the array */
    char *mask;
    char *array;
    char *row;
    int64_t size; /* bytes of an element, a power of two up to 16 */
    bool unpacks; /* moves from the row into the array */
    /*
     * True ones before each block, and all of them: bli_pack_blocks() + 1 numbers of
     * the caller's.
     */
    int64_t *before;
};

int64_t bli_pack_blocks(const struct bli_pack *pack);

/* Fill in `before`. */
void bli_pack_count(const struct bli_pack *pack, const struct bli_team *team);

/* Move, once that is done. */
void bli_pack_move(const struct bli_pack *pack, const struct bli_team *team);

#endif
