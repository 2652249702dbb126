/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Views of tensors over ranks, a part of <broadloom/mpi.h>.  Each makes a tensor over
 * the memory of `tensor`, as the function of <broadloom/shape.h> of that name does.
 * Nothing moves: borders are those of the elements.  Local, but to be called by all
 * ranks, since the result is a tensor over them.
 */
#ifndef BROADLOOM_MPI_VIEWS_H
#define BROADLOOM_MPI_VIEWS_H

#include <broadloom/mpi.h>

BL_BEGIN_DECLS

BL_API BL_MUST_CHECK bl_status bl_mpi_narrow(const bl_mpi_tensor *tensor, int32_t axis,
                                             int64_t start, int64_t length,
                                             bl_mpi_tensor **out);
BL_API BL_MUST_CHECK bl_status bl_mpi_permute(const bl_mpi_tensor *tensor,
                                              const int32_t *axes, bl_mpi_tensor **out);
BL_API BL_MUST_CHECK bl_status bl_mpi_unsqueeze(const bl_mpi_tensor *tensor,
                                                int32_t axis, bl_mpi_tensor **out);
/* BL_ERR_UNSUPPORTED for a dimension of extent 1 that lies along an axis of several
 * ranks, of which one alone has it. */
BL_API BL_MUST_CHECK bl_status bl_mpi_squeeze(const bl_mpi_tensor *tensor, int32_t axis,
                                              bl_mpi_tensor **out);
BL_API BL_MUST_CHECK bl_status bl_mpi_expand(const bl_mpi_tensor *tensor, int32_t rank,
                                             const int64_t *extent,
                                             bl_mpi_tensor **out);

BL_END_DECLS

#endif
