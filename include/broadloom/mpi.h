/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tensors over the ranks of an MPI program.  These functions are in a library of their
 * own for each MPI, libbroadloom-mpi (pkg-config broadloom-mpi), which is built by
 * configure's --with-mpi; libbroadloom knows nothing of MPI.
 *
 * A grid is made of a communicator of the program's.  A tensor over it is cut into
 * boxes, one for each rank, by borders along its dimensions; every rank knows all
 * borders, and has the elements of its box in its memory.  An operator over tensors
 * gives each element the bits that one process gives it, for every grid and all
 * borders.  What has to move for it is planned from borders alone, on each rank without
 * a message, and is limited by options.
 *
 * Collective calls, which are said to be so, are made by all ranks of a grid, with the
 * same arguments apart from local memory, one after the other.  Each begins with a
 * vote, an MPI_Allreduce of 32 bytes, or, where the ranks are at most 16 and all share
 * memory, the same through that.  A call that one rank refuses, or for which it has no
 * memory, or that it makes with other arguments than the others, is refused on all
 * ranks with the same status and the same text, and nothing is written.
 *
 * What a vote cannot see is a rank that makes no call: the others wait for it.  A call
 * whose grid, tensor or plan is NULL, or on a thread that may not call MPI, returns an
 * error on its rank alone, without a vote.  So ranks agree by themselves, as by
 * MPI_Allreduce, that a local step, as a view, has succeeded everywhere.
 *
 * A grid keeps the plans of the last 32 calls of bl_mpi_apply() and
 * bl_mpi_apply_new() for which nothing moves, and of as many reductions, where the
 * context is the grid's own and options are NULL: calls of tensors that lie as theirs
 * do are not planned again.
 *
 * The program initialises MPI and finalises it.  The library sends on a copy of the
 * communicator, prints nothing and never calls MPI_Abort.  It calls MPI on the calling
 * thread, outside parallel regions: MPI_THREAD_FUNNELED from the main thread or
 * MPI_THREAD_SERIALIZED from any; MPI_THREAD_SINGLE is accepted.  Grids of one
 * communicator take one call at a time; with MPI_THREAD_MULTIPLE several threads may
 * use those of different communicators at once.
 *
 * After an error of MPI (BL_ERR_MPI) the grids of that communicator are broken: each
 * later call on them is refused at once.  A result may then be written in part, since
 * what arrives from other nodes is computed with while the rest is on the way.
 *
 * Where a call has a context, NULL is the grid's own, which has as many threads as the
 * ranks of a node can have without sharing processors (bl_mpi_grid_query()).
 */
#ifndef BROADLOOM_MPI_H
#define BROADLOOM_MPI_H

#include <broadloom/mpi_grid.h>
#include <broadloom/ops.h>

/* The axis of a dimension that is not cut: every rank that has a part has all of it. */
#define BL_MPI_WHOLE (-1)

/*
 * The axis of a dimension that lies along several axes of the grid together: `set` has
 * bit a for each axis a.  Its parts are counted by places in the grid's order, the last
 * axis fastest: along BL_MPI_AXES(1 << 0 | 1 << 1) of a 2 x 3 grid, part 4 is at (1,
 * 1).
 */
#define BL_MPI_AXES(set) (0x100 | (set))

/* The root of bl_mpi_gather() for a copy on every rank. */
#define BL_MPI_ALL (-1)

typedef struct bl_mpi_tensor bl_mpi_tensor; /* a tensor over a grid */

/*
 * How a dimension of a tensor lies over the grid.  A grid's axis that no dimension
 * names has replicas along it: ranks that have the same box.  This struct and
 * bl_mpi_operand never change.
 */
typedef struct bl_mpi_dim {
    int32_t axis;          /* of the grid, each named once; BL_MPI_AXES() for several,
                              or BL_MPI_WHOLE */
    const int64_t *border; /* one more than its parts, the product of the axes' extents:
                              from 0 to the dimension's extent, never falling; NULL: the
                              library's */
} bl_mpi_dim;

/* An operand: a tensor over ranks, or an array that every rank has alike. */
typedef struct bl_mpi_operand {
    const bl_mpi_tensor *tensor;
    const bl_array *array;
} bl_mpi_operand;

/* What a call may move between ranks. */
typedef enum bl_mpi_move {
    BL_MPI_MOVE_AUTO = 0,  /* what is cheapest, within most_bytes */
    BL_MPI_MOVE_SMALL = 1, /* operands of at most small_bytes; nothing else */
    BL_MPI_MOVE_NONE = 2   /* nothing */
} bl_mpi_move;

/* Options of a call; NULL stands for {.size = sizeof(bl_mpi_options)}. */
typedef struct bl_mpi_options {
    size_t size;
    const bl_options *call; /* of the tensors as a whole; NULL: defaults */
    int32_t move;           /* a bl_mpi_move */
    int32_t reserved;       /* 0 */
    int64_t small_bytes;    /* 0: 1 MiB */
    int64_t most_bytes; /* that any rank may receive; 0: 4 times its part of the result,
                           or 1 MiB if that is more */
    int64_t most_memory; /* workspace of any rank; 0: 256 MiB, or an eighth of its part
                            of the result if that is more */
    const bl_mpi_dim *dims; /* of a new result; NULL: chosen */
} bl_mpi_options;

BL_BEGIN_DECLS

/*
 * ---- tensors ----
 *
 * Each call makes a new reference, to be given back by bl_mpi_tensor_release(); a
 * tensor retains its grid.  NULL dims are all whole.  BL_ERR_ARGUMENT for an axis that
 * is not there or named twice, and for borders that are none; BL_ERR_MEMORY.  `*out` is
 * written on success only.
 */

/* Elements that are not initialised, 0, `*value`, or those of bl_tensor_arange(). */
BL_API BL_MUST_CHECK bl_status bl_mpi_empty(bl_context *ctx, bl_mpi_grid *grid,
                                            bl_dtype dtype, int32_t rank,
                                            const int64_t *extent,
                                            const bl_mpi_dim *dims,
                                            bl_mpi_tensor **out); /* collective */
BL_API BL_MUST_CHECK bl_status bl_mpi_zeros(bl_context *ctx, bl_mpi_grid *grid,
                                            bl_dtype dtype, int32_t rank,
                                            const int64_t *extent,
                                            const bl_mpi_dim *dims,
                                            bl_mpi_tensor **out); /* collective */
BL_API BL_MUST_CHECK bl_status bl_mpi_full(bl_context *ctx, bl_mpi_grid *grid,
                                           bl_dtype dtype, int32_t rank,
                                           const int64_t *extent,
                                           const bl_mpi_dim *dims, const void *value,
                                           bl_mpi_tensor **out); /* collective */
BL_API BL_MUST_CHECK bl_status bl_mpi_arange(bl_context *ctx, bl_mpi_grid *grid,
                                             bl_dtype dtype, double start, double stop,
                                             double step, const bl_mpi_dim *dims,
                                             bl_mpi_tensor **out); /* collective */
/* Random numbers: those of bl_tensor_rand() and bl_tensor_randn(), for every grid and
 * all borders. */
BL_API BL_MUST_CHECK bl_status bl_mpi_rand(bl_context *ctx, bl_mpi_grid *grid,
                                           bl_dtype dtype, int32_t rank,
                                           const int64_t *extent,
                                           const bl_mpi_dim *dims, uint64_t seed,
                                           bl_mpi_tensor **out); /* collective */
BL_API BL_MUST_CHECK bl_status bl_mpi_randn(bl_context *ctx, bl_mpi_grid *grid,
                                            bl_dtype dtype, int32_t rank,
                                            const int64_t *extent,
                                            const bl_mpi_dim *dims, uint64_t seed,
                                            bl_mpi_tensor **out); /* collective */
/* A tensor that lies as another one does, of another dtype, not initialised. */
BL_API BL_MUST_CHECK bl_status bl_mpi_like(bl_context *ctx, const bl_mpi_tensor *tensor,
                                           bl_dtype dtype,
                                           bl_mpi_tensor **out); /* collective */

/*
 * A tensor of blocks that the program has.  Collective.  `local` is this rank's array,
 * ghosts included: its own elements are those from before[d] on up to after[d] before
 * the end of each dimension; NULL stands for no ghosts.  Borders that are NULL are
 * agreed from the ranks' own extents, which ranks at one place of an axis have alike.
 * The memory is taken as by bl_tensor_wrap().  BL_ERR_SHAPE where extents do not fit.
 */
BL_API BL_MUST_CHECK bl_status bl_mpi_wrap(bl_context *ctx, bl_mpi_grid *grid,
                                           const bl_array *local, const int64_t *before,
                                           const int64_t *after, const bl_mpi_dim *dims,
                                           bl_deleter deleter, void *user,
                                           bl_mpi_tensor **out);

/* Add a reference, or give one back.  NULL: nothing.  Thread-safe, local. */
BL_API bl_mpi_tensor *bl_mpi_tensor_retain(bl_mpi_tensor *tensor);
BL_API void bl_mpi_tensor_release(bl_mpi_tensor *tensor);

/*
 * What a tensor is; thread-safe, local.  For NULL: no grid, no dtype, rank 0, and no
 * array.  An axis that the tensor does not have has extent -1.
 */
BL_API bl_mpi_grid *bl_mpi_tensor_grid(const bl_mpi_tensor *tensor); /* borrowed */
BL_API bl_dtype bl_mpi_tensor_dtype(const bl_mpi_tensor *tensor);
BL_API int32_t bl_mpi_tensor_rank(const bl_mpi_tensor *tensor);
BL_API int64_t bl_mpi_tensor_extent(const bl_mpi_tensor *tensor, int32_t axis);

/* This rank's elements, valid as long as the tensor; it may be empty.  NULL: the grid
 * is only described. */
BL_API const bl_array *bl_mpi_local(const bl_mpi_tensor *tensor);

/* The box of a rank: indices begin[d] to end[d] - 1 of each dimension.  Local. */
BL_API BL_MUST_CHECK bl_status bl_mpi_box(const bl_mpi_tensor *tensor, int32_t of_rank,
                                          int64_t *begin, int64_t *end);

/*
 * ---- operators ----
 */

/*
 * Apply `op` to `count` operands over one grid and write `out`, as bl_apply() does for
 * the tensors as a whole.  Collective.  Where `out` is the tensor of in[0], the call is
 * in place.  Errors are those of bl_apply(), and BL_ERR_RULES where limits do not allow
 * what would move, which the text names with its bytes; BL_ERR_UNSUPPORTED for a
 * sequential result that shares memory with operands.  Operands that are not aligned
 * (tensor.h) are copied first, and such a result last; where results are sequential,
 * operands that need not move are refused with BL_ERR_ARGUMENT.  Operands that rules
 * pair in linear order move to where the result lies: most of their elements, unless
 * both are cut along the first dimension alone.
 */
BL_API BL_MUST_CHECK bl_status bl_mpi_apply(bl_context *ctx, bl_op op,
                                            const bl_mpi_tensor *out, int32_t count,
                                            const bl_mpi_operand *in,
                                            const bl_mpi_options *options);
/* The same with a new tensor.  One of the operands is a tensor. */
BL_API BL_MUST_CHECK bl_status bl_mpi_apply_new(bl_context *ctx, bl_op op,
                                                int32_t count, const bl_mpi_operand *in,
                                                const bl_mpi_options *options,
                                                bl_mpi_tensor **out);

/* A copy of a tensor that lies otherwise.  Collective.  No limits. */
BL_API BL_MUST_CHECK bl_status bl_mpi_redistribute(bl_context *ctx,
                                                   const bl_mpi_tensor *tensor,
                                                   const bl_mpi_dim *dims,
                                                   bl_mpi_tensor **out);

/*
 * A copy of all elements on rank `root`, or on every rank for BL_MPI_ALL; `*out` is
 * NULL elsewhere.  Collective.  No limits.
 */
BL_API BL_MUST_CHECK bl_status bl_mpi_gather(bl_context *ctx,
                                             const bl_mpi_tensor *tensor, int32_t root,
                                             bl_tensor **out);

/*
 * Write `out` with the elements of an array of rank `root` that has its shape and
 * dtype, and is copied first where it may overlap the root's block; other ranks pass
 * NULL.  Collective.  No limits.  BL_ERR_ARGUMENT for a result that repeats elements.
 */
BL_API BL_MUST_CHECK bl_status bl_mpi_scatter(bl_context *ctx, const bl_mpi_tensor *out,
                                              int32_t root, const bl_array *from);

BL_END_DECLS

#include <broadloom/mpi_io.h>
#include <broadloom/mpi_plan.h>
#include <broadloom/mpi_reduce.h>
#include <broadloom/mpi_views.h>

#endif
