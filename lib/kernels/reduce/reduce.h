/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reducers: what a reduction does with elements in memory, compiled once per
 * instruction set. They know nothing of shapes, plans or threads.
 *
 * A range of elements is always reduced by one and the same tree, whatever code does
 * it:
 *
 * - Blocks of BLI_REDUCE_BLOCK elements, the last one shorter.
 * - In a block, element i goes to lane i % lanes; a lane starts with the identity and
 *   accumulates its elements in order.  Then lane l accumulates lane l + h, for
 *   h = lanes / 2, ..., 1.
 * - Partial results of blocks are combined in pairs of neighbours, the results again in
 *   pairs, and so on; one that is left over goes up unchanged.
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

/* A block fits in L1, and its partial results are 0.2 % of the elements. */
#define BLI_REDUCE_BLOCK 1024

/* The lanes of a block together, in bytes, for every dtype: one register of AVX-512. */
#define BLI_REDUCE_LANES 64

/*
 * The reducer of one operation and dtype. Partial results and lanes are of dtype
 * `partial`: wider than the elements for sums and products (i64, f64, c128), else the
 * dtype of the elements. Elements are contiguous in rows, which are `step` bytes apart;
 * partial results and lanes are aligned and contiguous, and overlap nothing.
 */
struct bli_reducer {
    bl_dtype partial;
    int64_t lanes;
    int64_t short_row; /* shorter rows are reduced faster as columns */
    /*
     * Reduce rows: partial[r] = the reduction of the `count` elements of row r, a whole
     * block or its only one. Where rows are `near`, in a core's caches, several are
     * reduced at once: the sums of one row wait for each other. From memory, rows are
     * read faster in order.
     */
    void (*rows)(void *partial, const char *data, int64_t step, int64_t rows,
                 int64_t count, bool near);
    /*
     * Accumulate a part of a block of each row: its elements first, first + 1, ...,
     * `count` of them. Row r's lanes are at lane[r * lanes]; call fill before.
     */
    void (*parts)(void *lane, const char *data, int64_t step, int64_t rows,
                  int64_t first, int64_t count);
    /*
     * Reduce lanes: partial[r] = the lanes of row r, of a block of `count` elements;
     * `partial` may be `lane`.
     */
    void (*close)(void *partial, const void *lane, int64_t rows, int64_t count);
    /*
     * Accumulate the columns of a block: its elements (rows) first, first + 1, ...,
     * `rows` of them, of `width` columns each. Column c's lane l is at `lane` + l *
     * width + c; call fill before.
     */
    void (*columns)(void *lane, const char *data, int64_t step, int64_t first,
                    int64_t rows, int64_t width);
    /*
     * Reduce columns that are whole blocks, or the only block of their results, of few
     * rows: partial[c] = the reduction of column c. Returns false, with nothing done,
     * where this is not implemented or would give other bits, or `columns` is no
     * slower.
     */
    bool (*columns_in_registers)(void *partial, const char *data, int64_t step,
                                 int64_t rows, int64_t width);
    /* Set `count` partial results or lanes to the identity. */
    void (*fill)(void *partial, int64_t count);
    /* into[i] accumulates other[i]. */
    void (*merge)(void *into, const void *other, int64_t count);
    /*
     * partial[0] becomes the reduction by the tree of `count` of them; the others are
     * lost.
     */
    void (*pairs)(void *partial, int64_t count);
};

/* One compilation of the reducers. */
struct bli_reducers {
    const struct bli_reducer (*of)[BLI_DTYPES]; /* [operation][dtype]; lanes 0: none */
    /*
     * Divide `count` components of partial results of f64 and c128 by `number`, and
     * replace every NaN by one and the same: which of two NaN an instruction passes on
     * differs.
     */
    void (*finalize)(double *partial, int64_t count, double number);
};

/* The reducers of an instruction set. Never NULL. */
const struct bli_reducers *bli_isa_reducers(const struct bli_isa *isa);

/*
 * The reducer of elements of `dtype` as they are in memory. NULL where there is none:
 * for f16 and bf16 without instructions that widen them, which have to be converted to
 * f32 first, and for booleans other than sum, any and all, which have to be converted
 * to another dtype.
 */
static inline const struct bli_reducer *bli_reducer(const struct bli_reducers *reducers,
                                                    enum bli_fold fold, bl_dtype dtype)
{
    const struct bli_reducer *const reducer = &reducers->of[fold][dtype];

    return reducer->lanes > 0 ? reducer : NULL;
}

#endif
