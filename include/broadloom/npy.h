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
 * BL_ERR_UNSUPPORTED for bf16, which NumPy lacks; BL_ERR_IO.
 *
 * The file is complete, or what was there before: it is written beside `path` and
 * renamed.  Over a file that exists it gets that one's owner, group, mode and access
 * control list.  It is written in place instead, so that an error half-way leaves a
 * part of it, where the new file could not have these, where the folder takes no new
 * file, and where the old one has further hard links, which stay together.  Symbolic
 * links are written through, to a file that need not exist yet.  Devices and FIFOs are
 * written to, and so are descriptors (/dev/stdout, /dev/fd/3): at the end, where they
 * are of a file.
 *
 * What open(2) does not open for writing is refused: of mode 0444, except to a
 * privileged user.  A pipe whose reader went is an error and not a signal.  The calling
 * thread cannot be cancelled meanwhile: a cancellation waits for the end of the call.
 */
BL_API BL_MUST_CHECK bl_status bl_npy_save(bl_context *ctx, const char *path,
                                           const bl_array *array);

BL_END_DECLS

#endif
