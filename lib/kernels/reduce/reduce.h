/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reducers: what a reduction does with elements in memory. They know nothing of shapes,
 * plans or threads.
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
 *
 * Where an operation gives the same bits in any order, as those of integers do, the
 * order is free.
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

/* Rows, each a separate stream of memory, that are few enough to read side by side. */
#define BLI_REDUCE_STREAMS 64

/* Most rows, neighbours in memory, whose lanes are in registers. */
#define BLI_REDUCE_BESIDE 8

/* How partial results of f64 and c128 become results. */
struct bli_finish {
    double divisor; /* of components, before every NaN becomes one and the same */
    bool is_narrow; /* then they are rounded to f32 */
};

/*
 * The reducer of one operation and dtype: functions that several reducers share, and
 * the constants that differ. Partial results and lanes are of dtype `partial`: wider
 * than the elements for sums and products (i64, f64, c128), else the dtype of the
 * elements. Elements are contiguous in rows, which are `step` bytes apart; partial
 * results and lanes are aligned and contiguous, and overlap nothing.
 *
 * Functions count numbers: a real element is one, a complex element two.
 */
struct bli_reducer {
    bl_dtype partial;
    int32_t numbers;      /* in an element */
    int32_t size;         /* bytes of an element in memory */
    int32_t partial_size; /* bytes of a partial result */
    int64_t lanes;
    int64_t short_row; /* shorter rows are reduced faster as columns */
    bool is_free;      /* any order gives the same bits */
    bool in_order;     /* long rows are read faster one after another than at once */
    bool asks_less;    /* prefetches less where the hardware does it */
    /*
     * What numbers are combined with by exclusive or before they are added by rows: the
     * sign bits of signed integers, which then are added as unsigned ones.
     */
    uint64_t flip;
    uint64_t padding;     /* a number in memory that changes no result, repeated */
    uint64_t identity[2]; /* of lanes, repeated */
    /*
     * Accumulate a part of a block of each row: its numbers first, first + 1, ...,
     * `count` of them. Row r's lanes are at `lane` + r * BLI_REDUCE_LANES bytes. Where
     * rows are `near`, in a core's caches, several are reduced at once: the sums of one
     * row wait for each other. From memory, rows are read faster in order. If `fresh`,
     * the lanes start with the identity, whatever they are.
     */
    void (*accumulate)(const struct bli_reducer *how, void *lane, const char *data,
                       int64_t step, int64_t rows, int64_t first, int64_t count,
                       bool fresh, bool near);
    /*
     * Reduce lanes: partial[r] = the lanes of row r, of a block of `count` numbers;
     * `partial` may be `lane`.
     */
    void (*close)(const struct bli_reducer *how, void *partial, const void *lane,
                  int64_t rows, int64_t count);
    /*
     * Accumulate a row of `count` numbers, each in its lane, and prefetch the one that
     * is `ahead` bytes away.
     */
    void (*one)(const struct bli_reducer *how, void *lane, const char *data,
                int64_t count, int64_t ahead);
    /*
     * Accumulate 4 * turn rows: row r in row r % turn of the lanes, whose rows have
     * `count` numbers. The next ones are `ahead` bytes away, and are prefetched, or if
     * `next_row` those of the next row of lanes; with 0 nothing is.
     */
    void (*four)(const struct bli_reducer *how, void *lane, const char *data,
                 int64_t step, int64_t turn, int64_t count, int64_t ahead,
                 bool next_row);
    /*
     * Accumulate 8 * turn rows as `four` does, where that is faster from memory; NULL:
     * is not.  Zen 4, one thread and two: columns of f32[4096,4096] take .83 and .82 of
     * the time, of f32[10000,1500] .79 and .73, f64[4096,2048] 1.04 and 1.01,
     * transposed .95 and .79, but bf16 1.0 to 1.3; in the caches f32 1.0.
     */
    void (*eight)(const struct bli_reducer *how, void *lane, const char *data,
                  int64_t step, int64_t turn, int64_t count, int64_t ahead,
                  bool next_row);
    /*
     * Reduce columns that are whole blocks, or the only block of their results, of few
     * rows: partial[i] = the reduction of column i of `count`, or where `finish` is not
     * NULL, which sums and products of real numbers may have, the result that it makes
     * of it; aligned as an element. Returns false, with nothing done, where this is not
     * implemented. NULL: it never is.
     */
    bool (*in_registers)(const struct bli_reducer *how, void *partial, const char *data,
                         int64_t step, int64_t rows, int64_t count,
                         const struct bli_finish *finish);
    /*
     * Accumulate `count` elements, from element `first` on, of `abreast` rows: an
     * element of each row, neighbours in memory, is `step` bytes from the next one.
     * Lanes are f64; lane l of row r is number l * abreast + r. `abreast` 0: not
     * implemented.
     */
    int64_t abreast;
    void (*beside)(void *lane, const char *data, int64_t step, int64_t first,
                   int64_t count);
    /*
     * Reduce the lanes of one of these rows to a partial result, and start them again.
     * Whichever of them is that of a block's first element: the tree adds the same
     * lanes to each other.
     */
    void (*close_beside)(const struct bli_reducer *how, void *partial, void *lane,
                         int64_t row);
    /* into[i] accumulates other[i], `count` numbers. */
    void (*merge)(void *into, const void *other, int64_t count);
    /*
     * partial[0] becomes the reduction by the tree of `count` of them; the others are
     * lost.
     */
    void (*pairs)(const struct bli_reducer *how, void *partial, int64_t count);
    /*
     * What takes its place, with the same bits, on processors that convert where they
     * multiply; NULL: nothing.
     */
    const struct bli_reducer *adding;
};

/* One compilation of the reducers. */
struct bli_reducers {
    const struct bli_reducer (*of)[BLI_DTYPES]; /* [operation][dtype]; lanes 0: none */
    /*
     * Divide `count` components of partial results of f64 and c128 by `number`, take
     * their roots if `is_root`, and replace every NaN by one and the same: which of two
     * NaN an instruction passes on differs. [1]: of sums, to which 0 is added first:
     * where results are flushed, one is -0 unless a lane without elements comes last.
     */
    void (*finalize[2])(double *partial, int64_t count, double number, bool is_root);
    /*
     * Replace `count` elements of f64, [0], or c128, [1], by the squares of their
     * distances from a mean, or from `each` its own, in f64 without gaps.
     */
    void (*centre[2])(double *tile, const double *mean, int64_t count, bool each);
};

/* The reducers of an instruction set. Never NULL. */
const struct bli_reducers *bli_isa_reducers(const struct bli_isa *isa);

/*
 * The reducer for this machine of elements of `dtype` as they are in memory. NULL where
 * there is none: for f16 and bf16 without instructions that widen them, which have to
 * be converted to f32 first, and for booleans other than sum, any and all, which have
 * to be converted to another dtype.
 */
const struct bli_reducer *bli_reducer(const struct bli_reducers *reducers,
                                      enum bli_fold fold, bl_dtype dtype);

/* Set `count` partial results or lanes to the identity. */
void bli_reducer_fill(const struct bli_reducer *how, void *partial, int64_t count);

/*
 * Reduce rows: partial[r] = the reduction of the `count` elements of row r, a whole
 * block or its only one.
 */
void bli_reducer_rows(const struct bli_reducer *how, void *partial, const char *data,
                      int64_t step, int64_t rows, int64_t count, bool near);

/*
 * The rows of lanes that `width` columns of a block need, a power of 2: one for each
 * lane, or where the order is free, as many as fill registers.
 */
int64_t bli_reducer_turn(const struct bli_reducer *how, int64_t width);

/*
 * Accumulate the columns of a block: its elements (rows) first, first + 1, ..., `rows`
 * of them, of `width` columns each, in `turn` rows of lanes; call bli_reducer_fill
 * before. What is at `next` will be accumulated after them; NULL: not known. They are
 * `near` if they are in the caches.
 */
void bli_reducer_columns(const struct bli_reducer *how, void *lane, const char *data,
                         int64_t step, int64_t first, int64_t rows, int64_t width,
                         int64_t turn, const char *next, bool near);

/*
 * Combine the partial results of `blocks` blocks, `count` numbers each, `row` bytes
 * apart, by the tree: the first ones become the reductions, the others are lost.
 */
void bli_reducer_combine(const struct bli_reducer *how, void *partial, int64_t row,
                         int64_t blocks, int64_t count);

/* Reduce `used` rows of lanes, of `turn` that the block has, to the first one. */
void bli_reducer_close_columns(const struct bli_reducer *how, void *lane, int64_t turn,
                               int64_t used, int64_t width);

#endif
