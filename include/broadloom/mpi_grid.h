/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Grids of ranks, a part of <broadloom/mpi.h>, which says how calls over ranks are
 * made.
 */
#ifndef BROADLOOM_MPI_GRID_H
#define BROADLOOM_MPI_GRID_H

#include <mpi.h>

#include <broadloom/base.h>

/* Most axes of a grid. */
#define BL_MPI_MAX_AXES 8

typedef struct bl_mpi_grid bl_mpi_grid; /* ranks in a grid */

/*
 * bl_mpi_grid_create(): leave the error handler of the copied communicator as the
 * program set it, rather than MPI_ERRORS_RETURN.  The first grid of a communicator
 * makes the copy and decides: the flag of a later one is ignored.
 */
#define BL_MPI_KEEP_ERRORS 1u

/*
 * bl_mpi_grid_create(): send messages within a node, too.  Else ranks of a node move
 * elements through a window of memory that they share (MPI_Win_allocate_shared()), of
 * at most 16 MiB or 128 KiB a rank, made with the first grid of a communicator: where
 * each node has as many ranks as the others, in the order of the communicator, and all
 * nodes can make one, unless BROADLOOM_MPI_SHARED is 0 in the environment of some rank.
 * Operands of which ranks of a node need the same then enter it once.
 */
#define BL_MPI_MESSAGES 2u

/* How to make a grid; NULL stands for {.size = sizeof(bl_mpi_grid_options)}. */
typedef struct bl_mpi_grid_options {
    size_t size;
    uint32_t flags;        /* BL_MPI_KEEP_ERRORS | BL_MPI_MESSAGES */
    int32_t axes;          /* 0: those of a Cartesian communicator, else 1 */
    const int64_t *extent; /* of each axis, 0 for one that is chosen; NULL: all are,
                              as close to each other as they can be */
} bl_mpi_grid_options;

/* What a grid is.  Texts are valid as long as the grid. */
typedef struct bl_mpi_grid_info {
    size_t size; /* set by the caller to sizeof(bl_mpi_grid_info); see base.h */
    int32_t axes;
    int32_t ranks;
    int32_t extent[BL_MPI_MAX_AXES];
    int32_t self; /* rank of this process; -1 in a grid that is only described */
    int32_t nodes;
    int32_t node_ranks;       /* ranks on this rank's node */
    int32_t threads;          /* of the grid's own context; 0: described */
    const char *threads_text; /* why, as "4 ranks share 2 processors" */
    int32_t thread_level;     /* MPI_THREAD_SINGLE, ...; -1: described */
    int32_t reproducible;     /* 1: the grid's own context is, since some ranks have no
                                 FMA, or the environment says so; else 0 */
    int32_t shared_ranks; /* ranks that move elements through shared memory, those of
                             a node; 1: all send messages */
    int32_t reserved;     /* 0 */
} bl_mpi_grid_info;

BL_BEGIN_DECLS

/*
 * Make a grid of the ranks of `comm`, in its order, the last axis fastest.  Collective.
 * The communicator is copied by MPI_Comm_dup() where it has no copy yet, which is kept
 * with it and freed with it; if the program frees `comm` while grids of it are left,
 * the last of them is released by all ranks together.  BL_ERR_UNSUPPORTED where MPI is
 * not initialised, or finalised, is of another family than this library was built with,
 * or this thread may not call it; BL_ERR_ARGUMENT for extents that do not give the
 * number of ranks, and where ranks have other options or another version of the library
 * than others; BL_ERR_MEMORY; BL_ERR_MPI.  `*out` is written on success only.
 */
BL_API BL_MUST_CHECK bl_status bl_mpi_grid_create(MPI_Comm comm,
                                                  const bl_mpi_grid_options *options,
                                                  bl_mpi_grid **out);

/*
 * Describe a grid, without MPI: for plans that are to be explained.  Tensors over it
 * have no memory, and a call that would compute is refused with BL_ERR_UNSUPPORTED.
 * Ranks r with equal r / `node_ranks` share a node, and its memory.
 */
BL_API BL_MUST_CHECK bl_status bl_mpi_grid_describe(int32_t axes, const int64_t *extent,
                                                    int32_t node_ranks,
                                                    bl_mpi_grid **out);

/* Add a reference, or give one back; the last one frees the grid.  NULL: nothing.
 * Thread-safe, local, and allowed after MPI_Finalize(), too. */
BL_API bl_mpi_grid *bl_mpi_grid_retain(bl_mpi_grid *grid);
BL_API void bl_mpi_grid_release(bl_mpi_grid *grid);

/* Describe a grid in `info`, whose `size` is set. */
BL_API BL_MUST_CHECK bl_status bl_mpi_grid_query(const bl_mpi_grid *grid,
                                                 bl_mpi_grid_info *info);

BL_END_DECLS

#endif
