/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reducers: what a reduction does with elements in memory, compiled once per
 * instruction set.  Knows nothing of shapes, plans or threads.
 *
 * The tree that a reduced range of elements is folded by, the same whatever does it:
 *
 * - Blocks of BLI_REDUCE_BLOCK elements, the last one shorter.
 * - In a block, element i goes to lane i % lanes; a lane begins with the identity and
 *   takes its elements in order.  Lane l then takes lane l + h, for h = lanes / 2,
 * ..., 1.
 * - Blocks are joined in pairs of neighbours, those again, and so on; one that is left
 *   over goes up unchanged.
 */
#ifndef BLI_REDUCE_H
#define BLI_REDUCE_H

#include "kernels/kernel.h"

enum bli_fold {
    BLI_REDUCE_OP_NONE,
    BLI_REDUCE_OP_SUM,
    BLI_REDUCE_OP_PROD,
    BLI_REDUCE_OP_MAX,
    BLI_REDUCE_OP_MIN,
    BLI_REDUCE_OP_ANY,
    BLI_REDUCE_OP_ALL,
    BLI_REDUCE_OPS
};

/* A block is read in L1, and its partial results are 0.2 % of the elements. */
#define BLI_REDUCE_BLOCK 1024

/*
 * The lanes of a block together, in bytes, whatever the dtype: one register of AVX-512.
 */
#define BLI_REDUCE_LANES 64

/*
 * Partial results and lanes are of dtype `partial`: wider than the elements for sums
 * and products (i64, f64, c128), else the elements' own.  Elements are dense in rows;
 * partial results and lanes are aligned and dense, and overlap nothing.
 */
struct bli_reducer {
    bl_dtype partial;
    int64_t lanes;
    int64_t short_row; /* rows of fewer elements are folded faster as columns */
    /*
     * A row each: partial[r] = `count` elements of row r, a whole block or its only
     * one.  Where they are `near`, in a core's caches, several rows are folded at once:
     * the sums of one wait for each other.  Memory is read best in order.
     */
    void (*rows)(void *partial, const char *data, int64_t step, int64_t rows,
                 int64_t count, bool near);
    /*
     * Parts of blocks, one of each row: elements first, first + 1, ... of it, `count`
     * of them.  Row r's lanes are at lane[r * lanes]; fill them first.
     */
    void (*parts)(void *lane, const char *data, int64_t step, int64_t rows,
                  int64_t first, int64_t count);
    /* partial[r] = the lanes of row r, of a block of `count` elements; may be `lane`.
     */
    void (*close)(void *partial, const void *lane, int64_t rows, int64_t count);
    /*
     * Columns of a block: elements first, first + 1, ... of it, `rows` of them, of
     * `width` columns each.  Column c's lane l is at lane[l * width + c]; fill them
     * first.
     */
    void (*columns)(void *lane, const char *data, int64_t step, int64_t first,
                    int64_t rows, int64_t width);
    /*
     * Columns of whole blocks, or their results' only ones, of few rows: partial[c] =
     * column c.  False, with nothing done, where that is not written or
     * would give other bits, or `columns` is no worse.
     */
    bool (*columns_in_registers)(void *partial, const char *data, int64_t step,
                                 int64_t rows, int64_t width);
    /* `count` identities. */
    void (*fill)(void *partial, int64_t count);
    /* into[i] takes other[i]. */
    void (*merge)(void *into, const void *other, int64_t count);
    /* partial[0] becomes the tree over `count` of them; the others are lost. */
    void (*pairs)(void *partial, int64_t count);
};

/* One compilation of the reducers. */
struct bli_reducers {
    const struct bli_reducer (*of)[BLI_DTYPES]; /* [fold][dtype]; lanes 0: none */
    /*
     * Divide `count` numbers, of partial results of f64 and c128, and make every NaN
     * the same one: which of two NaNs an instruction passes on is not the same
     * everywhere.
     */
    void (*finalize)(double *partial, int64_t count, double number);
};

/* The reducers of an instruction set.  Never NULL. */
const struct bli_reducers *bli_isa_reducers(const struct bli_isa *isa);

/*
 * The reducer of elements of `dtype` as they are in memory; NULL where there is none:
 * of f16 and bf16 without instructions that widen them, which are converted to f32
 * first, and of truth values other than sum, any and all, which other dtypes have to be
 * converted to.
 */
static inline const struct bli_reducer *bli_reducer(const struct bli_reducers *reducers,
                                                    enum bli_fold fold, bl_dtype dtype)
{
    const struct bli_reducer *const reducer = &reducers->of[fold][dtype];

    return reducer->lanes > 0 ? reducer : NULL;
}

#endif
