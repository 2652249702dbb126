/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * NumPy's NPY files, versions 1 to 3 (numpy.lib.format): load, map and save.
 */
#ifndef BROADLOOM_NPY_H
#define BROADLOOM_NPY_H

#include <broadloom/tensor.h>

BL_BEGIN_DECLS

/*
 * Read an array into a new tensor, whose layout follows the file's order (C or
 * Fortran).  Big-endian files are converted.  BL_ERR_IO; BL_ERR_FORMAT, which says what
 * and where; BL_ERR_UNSUPPORTED for dtypes that Broadloom lacks; BL_ERR_MEMORY.  `*out`
 * is written on success only.  Thread-safe.
 */
BL_API BL_MUST_CHECK bl_status bl_npy_load(bl_context *ctx, const char *path,
                                           bl_tensor **out);

/*
 * The same without a copy: the file's pages, mapped read-only until the tensor is
 * freed. The file must not be changed or truncated while it is mapped.
 * BL_ERR_UNSUPPORTED for big-endian files and for data not aligned to the element.
 */
BL_API BL_MUST_CHECK bl_status bl_npy_map(bl_context *ctx, const char *path,
                                          bl_tensor **out);

/*
 * Write an array, in Fortran order where its strides are exactly that, else in C order.
 * The file is complete or absent: it is written beside `path` and renamed.
 * BL_ERR_UNSUPPORTED for bf16, which NumPy lacks.
 */
BL_API BL_MUST_CHECK bl_status bl_npy_save(bl_context *ctx, const char *path,
                                           const bl_array *array);

BL_END_DECLS

#endif
