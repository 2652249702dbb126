/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions over ranks, a part of <broadloom/mpi.h>.  Each result has the bits of one
 * bl_reduce() of all elements, for every grid and all borders: ranks combine whole
 * blocks of 1024 elements to nodes of its tree, and send each other these.  A block
 * that a border cuts takes 64 bytes more for each result; where less than 1024 elements
 * of a result follow each other on a rank, elements themselves are sent, or the operand
 * moves first, whichever is less.  Borders at multiples of 1024 of the last reduced
 * dimension, as the library's are where that balances, avoid this.
 *
 * Limits are a bl_mpi_options without `call`; NULL: defaults.  BL_MPI_MOVE_NONE refuses
 * what would send anything, BL_MPI_MOVE_SMALL a rank that would receive more than
 * small_bytes of an operand of more.  most_bytes is 4 times a rank's parts of operand
 * and result if it is 0, or 1 MiB if that is more; most_memory likewise, or 256 MiB.
 * BL_ERR_RULES says which rank would pass them, and by what.  Workspace is beside a
 * copy of a block whose elements are not aligned.
 *
 * Operations, axes, keepdim, options and dtypes are those of bl_reduce().  var and std
 * send for the means first.  Besides the vote at the head of each call there is one
 * before results are written, unless these are few and all ranks have elements of them:
 * ranks learn of failures on the way.  Errors are those of bl_reduce(), on all ranks
 * alike.
 */
#ifndef BROADLOOM_MPI_REDUCE_H
#define BROADLOOM_MPI_REDUCE_H

#include <broadloom/mpi.h>
#include <broadloom/reduce.h>

BL_BEGIN_DECLS

/*
 * Reduce `in` to a new tensor over its grid.  Collective.  limits->dims says how the
 * result lies; NULL: as the other dimensions of `in` do, and every rank that has
 * elements of a result, or could have, gets it.
 */
BL_API BL_MUST_CHECK bl_status bl_mpi_reduce_new(
    bl_context *ctx, bl_reduction op, const bl_mpi_tensor *in, int32_t axes_count,
    const int32_t *axes, bool keepdim, const bl_reduce_options *options,
    const bl_mpi_options *limits, bl_mpi_tensor **out);

/*
 * Reduce `in` to an array that every rank has: all results.  Collective.  `out` is as
 * bl_reduce()'s, of the same shape and dtype on all ranks, and does not share memory
 * with `in`.
 */
BL_API BL_MUST_CHECK bl_status bl_mpi_reduce(
    bl_context *ctx, bl_reduction op, const bl_array *out, const bl_mpi_tensor *in,
    int32_t axes_count, const int32_t *axes, bool keepdim,
    const bl_reduce_options *options, const bl_mpi_options *limits);

/*
 * What a rank does in bl_mpi_reduce_new() with these arguments, or with `everywhere` in
 * bl_mpi_reduce(), for which limits->dims is NULL.  Local: every rank can ask about
 * every rank, also over a described grid.
 */
BL_API BL_MUST_CHECK bl_status
bl_mpi_reduce_query(bl_context *ctx, bl_reduction op, const bl_mpi_tensor *in,
                    int32_t axes_count, const int32_t *axes, bool keepdim,
                    const bl_reduce_options *options, const bl_mpi_options *limits,
                    bool everywhere, int32_t of_rank, bl_mpi_plan_info *info);

/*
 * The p-norm of a - b, as bl_dist() of the tensors as a whole: a new 0-d tensor on
 * every rank.  Collective.  Takes memory for differences and their powers, up to 24
 * bytes for each pair of elements that a rank computes.
 */
BL_API BL_MUST_CHECK bl_status bl_mpi_dist(bl_context *ctx, const bl_mpi_tensor *a,
                                           const bl_mpi_tensor *b, double p,
                                           bl_tensor **out);

BL_END_DECLS

#endif
