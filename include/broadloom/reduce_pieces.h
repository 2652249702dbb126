/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions in pieces: of elements that come in parts, from files larger than memory,
 * from streams or from ranks, with the bits of one bl_reduce() of all of them.
 *
 * A bl_reduce_pieces is what is known so far of a reduction whose elements are numbered
 * from 0, in their logical row-major order, for each of its results: x of shape (N, M),
 * reduced over axis 0, has M results of N elements each, and rows 100 to 199 of it are
 * the piece that begins at 100.  Pieces may be added in any order, each element once;
 * two bl_reduce_pieces with different elements of one reduction may be joined, whatever
 * the order and the brackets.  The bits are those of bl_reduce() for any cuts, threads
 * and instruction sets, as the tree in reduce.h depends on the numbers of elements
 * alone.  How many there will be need not be known before the end.
 *
 *     bl_reduce_pieces_create(ctx, BL_REDUCTION_MEAN, BL_DTYPE_F64, 0, NULL, NULL,
 *                             &sum);
 *     while ((count = read_elements(data)) > 0) {
 *         bl_reduce_pieces_add(ctx, sum, first, BL_VIEW(data, count), 0, NULL);
 *         first += count;
 *     }
 *     bl_reduce_pieces_finish(ctx, &result, sum, first);    // a bl_array of rank 0
 *
 * Memory for each result: 8 or 16 bytes for each of about log2(N / 1024) nodes of the
 * tree, and 64 bytes for a block of 1024 elements that is not complete; for integers,
 * any and all 1 or 8 bytes.  A piece that begins inside a block before the elements in
 * front of it are there is kept as it is to the end of that block, f16 and bf16 as f32:
 * borders at multiples of 1024 avoid this.  Fastest are pieces with such borders, of
 * 1 MiB and more, with 64 and more elements of each result.
 *
 * var and std, which take their elements twice, are refused with BL_ERR_UNSUPPORTED.
 *
 * Nothing is changed or written unless BL_OK is returned.  Any number of threads may
 * read a bl_reduce_pieces (finish, count, save), one at a time may change it; threads
 * that read parts of a file take one each and join them.
 */
#ifndef BROADLOOM_REDUCE_PIECES_H
#define BROADLOOM_REDUCE_PIECES_H

#include <broadloom/plan.h>
#include <broadloom/reduce.h>

typedef struct bl_reduce_pieces bl_reduce_pieces;

BL_BEGIN_DECLS

/*
 * Create a reduction of elements of `dtype` without any elements, for results of shape
 * `extent`, of `rank` dimensions; rank 0 is one result.  Free it with
 * bl_reduce_pieces_destroy(); it may outlive `ctx`.  BL_ERR_DTYPE as bl_reduce();
 * BL_ERR_ARGUMENT, BL_ERR_OVERFLOW for extents; BL_ERR_UNSUPPORTED for an operation
 * that takes its elements twice; BL_ERR_MEMORY.  `*pieces` is written on success only.
 */
BL_API BL_MUST_CHECK bl_status bl_reduce_pieces_create(bl_context *ctx, bl_reduction op,
                                                       bl_dtype dtype, int32_t rank,
                                                       const int64_t *extent,
                                                       const bl_reduce_options *options,
                                                       bl_reduce_pieces **pieces);

/* Free a reduction.  NULL does nothing. */
BL_API void bl_reduce_pieces_destroy(bl_reduce_pieces *pieces);

/*
 * Add elements `first`, `first` + 1, ... of each result: those of `piece` along `axes`,
 * in row-major order; `axes_count` 0 means all axes.  The other axes have the results'
 * shape.  A piece may have no elements.  BL_ERR_ARGUMENT for axes as bl_reduce(), for a
 * negative `first`, and for elements that are there already; BL_ERR_SHAPE for other
 * results, BL_ERR_DTYPE for another dtype, BL_ERR_OVERFLOW for elements past 2^63 - 1,
 * BL_ERR_MEMORY.
 */
BL_API BL_MUST_CHECK bl_status
bl_reduce_pieces_add(bl_context *ctx, bl_reduce_pieces *pieces, int64_t first,
                     const bl_array *piece, int32_t axes_count, const int32_t *axes);

/*
 * Add all elements of `other`, which stays as it is: a reduction of the same operation,
 * dtypes and shape.  BL_ERR_ARGUMENT where it is another one, and for elements that are
 * there already; BL_ERR_MEMORY.
 */
BL_API BL_MUST_CHECK bl_status bl_reduce_pieces_join(bl_context *ctx,
                                                     bl_reduce_pieces *pieces,
                                                     const bl_reduce_pieces *other);

/*
 * Write the results of elements 0 to `count` - 1 to `out`, of the shape and the dtype
 * of bl_reduce()'s result.  `pieces` stays as it is: more may be added, and finished
 * again.  BL_ERR_ARGUMENT unless there are exactly these elements, and for max and min
 * of none; BL_ERR_SHAPE, BL_ERR_DTYPE for `out`.
 */
BL_API BL_MUST_CHECK bl_status bl_reduce_pieces_finish(bl_context *ctx,
                                                       const bl_array *out,
                                                       const bl_reduce_pieces *pieces,
                                                       int64_t count);

/* The number of elements of each result that there are; 0 for NULL. */
BL_API int64_t bl_reduce_pieces_count(const bl_reduce_pieces *pieces);

/*
 * ---- bytes, for files and messages ----
 *
 * Saved bytes begin with "BLPIECES" and the version of their format, which this release
 * reads in that version alone, and are in the byte order of the machine.  They depend
 * on the elements that there are, not on how they came, except for the payload of NaN.
 *
 * bl_reduce_pieces_size      the bytes that bl_reduce_pieces_save() writes; 0 for NULL
 * bl_reduce_pieces_size_most the most that it writes after any neighbouring elements of
 *                            `count` in all were added: room for an MPI_Op's operands.
 *                            0 for NULL or a negative `count`, SIZE_MAX where it does
 *                            not fit
 * bl_reduce_pieces_size_of   the bytes that it writes where there are exactly the
 *                            elements of `count` ranges, each behind the one before it,
 *                            whatever `pieces` has: ranks know the size of each other's
 *                            messages from their borders.  0 for NULL, and for ranges
 *                            that are none
 */
BL_API size_t bl_reduce_pieces_size(const bl_reduce_pieces *pieces);
BL_API size_t bl_reduce_pieces_size_most(const bl_reduce_pieces *pieces, int64_t count);
BL_API size_t bl_reduce_pieces_size_of(const bl_reduce_pieces *pieces, int64_t count,
                                       const bl_range *range);

/* Write a reduction to `size` bytes.  BL_ERR_ARGUMENT where it takes more. */
BL_API BL_MUST_CHECK bl_status bl_reduce_pieces_save(const bl_reduce_pieces *pieces,
                                                     void *bytes, size_t size);

/*
 * Make a reduction of saved bytes; what follows them is ignored.  Free it with
 * bl_reduce_pieces_destroy().  BL_ERR_FORMAT for bytes that are none, damaged or cut
 * off, BL_ERR_UNSUPPORTED for those of another version, BL_ERR_MEMORY.  `*pieces` is
 * written on success only.
 */
BL_API BL_MUST_CHECK bl_status bl_reduce_pieces_load(bl_context *ctx, const void *bytes,
                                                     size_t size,
                                                     bl_reduce_pieces **pieces);

BL_END_DECLS

#endif
