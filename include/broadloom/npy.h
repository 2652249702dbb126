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
 * Fortran).  Big-endian files are converted.  BL_ERR_IO; BL_ERR_FORMAT, whose message
 * says what is wrong and at which offset; BL_ERR_UNSUPPORTED for dtypes that Broadloom
 * lacks; BL_ERR_MEMORY.  `*out` is written on success only.  Thread-safe.
 */
BL_API BL_MUST_CHECK bl_status bl_npy_load(bl_context *ctx, const char *path,
                                           bl_tensor **out);

/*
 * Create a tensor over the file's pages, mapped read-only until the tensor is freed, so
 * that nothing is copied.  The file must not be changed or truncated while it is
 * mapped.  Errors are those of bl_npy_load(), and BL_ERR_UNSUPPORTED for big-endian
 * files and for data that is not aligned to the element.
 */
BL_API BL_MUST_CHECK bl_status bl_npy_map(bl_context *ctx, const char *path,
                                          bl_tensor **out);

/*
 * Write an array, in Fortran order where its strides are exactly that order, else in C
 * order.  BL_ERR_UNSUPPORTED for bf16, which NumPy lacks; BL_ERR_IO.
 *
 * Afterwards the file is complete, or as it was: a new file is written in the same
 * folder and renamed to `path`.  Where it replaces a file, it gets that one's owner,
 * group, mode and access control list.  The old file is written in place, so that an
 * error may leave part of the new contents, where a new one could not have these, where
 * the folder takes no new file, and where the old one has further hard links.  Symbolic
 * links are followed, to a file that need not exist yet.  Devices, FIFOs and
 * descriptors (/dev/stdout, /dev/fd/3) are written to as they are: at the end, where a
 * descriptor is of a file.
 *
 * A file that open(2) does not open for writing is refused: one of mode 0444, except to
 * a privileged user.  A pipe whose reader is gone is an error and not a signal.  The
 * calling thread is not cancelled during the call: a cancellation waits for its end.
 */
BL_API BL_MUST_CHECK bl_status bl_npy_save(bl_context *ctx, const char *path,
                                           const bl_array *array);

/* Room for every header that bl_npy_header() writes. */
#define BL_NPY_HEADER_MAX 2048

/*
 * Write the header of a file of elements in C order to `header`, which has
 * BL_NPY_HEADER_MAX bytes: the first `*bytes` of the file, a multiple of 64, before the
 * elements, for programs that write these themselves.  BL_ERR_DTYPE and BL_ERR_ARGUMENT
 * for a dtype and for a shape that do not exist, BL_ERR_UNSUPPORTED for those that
 * NumPy lacks.  `*bytes` is written on success only.  Thread-safe.
 */
BL_API BL_MUST_CHECK bl_status bl_npy_header(bl_dtype dtype, int32_t rank,
                                             const int64_t *extent, char *header,
                                             size_t *bytes);

BL_END_DECLS

#endif
