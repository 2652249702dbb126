/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files of tensors over ranks, and reports of all ranks, a part of <broadloom/mpi.h>.
 * The ranks' file system is one: a path names the same file on all of them.
 */
#ifndef BROADLOOM_MPI_IO_H
#define BROADLOOM_MPI_IO_H

#include <broadloom/mpi.h>

BL_BEGIN_DECLS

/*
 * Read an NPY file (npy.h) into a new tensor that lies as `dims` say; NULL dims are all
 * whole.  Collective.  Each rank reads its own elements alone, but files of the other
 * byte order, and those whose elements are not aligned, are read whole by each.  Errors
 * are those of bl_npy_load() and of bl_mpi_empty(); BL_ERR_UNSUPPORTED for what is not
 * a regular file.  `*out` is written on success only.
 */
BL_API BL_MUST_CHECK bl_status bl_mpi_npy_load(bl_context *ctx, bl_mpi_grid *grid,
                                               const char *path, const bl_mpi_dim *dims,
                                               bl_mpi_tensor **out);

/*
 * Write a tensor as an NPY file in C order: the file that bl_npy_save() writes of the
 * whole.  Collective.  Each rank writes contiguous parts of it, of which elements come
 * from other ranks where its own are not in long rows.  Afterwards the file is
 * complete, or as it was: ranks write a new file in the same folder, which is renamed
 * to `path` once all of them have.  Where it replaces a file, it gets that one's mode,
 * and its owner where it may.  Nothing waits for the disk: this is said of errors, not
 * of machines that fail.  Symbolic links are followed.  BL_ERR_UNSUPPORTED for bf16,
 * which NumPy lacks, and for what is not a regular file; BL_ERR_IO; BL_ERR_MEMORY for
 * 256 MiB and what this rank has in 64 KiB parts of each rank's range of the file, at
 * most.
 */
BL_API BL_MUST_CHECK bl_status bl_mpi_npy_save(bl_context *ctx, const char *path,
                                               const bl_mpi_tensor *tensor);

/*
 * Write one report of the warnings that all ranks have raised (warnings.h), as
 * bl_warnings_write() writes one process's: those of each rank behind each other, which
 * `broadloom migrate report` joins by place.  Collective.  Warnings of calls over ranks
 * are raised on rank 0 of the grid alone, once for each call, whose filters decide for
 * all: one that makes an error of it refuses the call on every rank.  `path` names the
 * file as it is, without "%r" and the like, and is complete or as it was, as by
 * bl_mpi_npy_save().  BL_ERR_IO, BL_ERR_UNSUPPORTED for what is not a regular file,
 * BL_ERR_MEMORY.
 */
BL_API BL_MUST_CHECK bl_status bl_mpi_warnings_write(bl_mpi_grid *grid,
                                                     const char *path);

BL_END_DECLS

#endif
