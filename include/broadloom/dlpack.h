/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tensors of other libraries in the same process, by DLPack: NumPy, PyTorch, JAX, CuPy
 * and others give and take their memory as a struct that DLPack's specification
 * describes, so that nothing is copied.  Versions 1.x of the specification, and the
 * struct without a version that preceded them.
 *
 * A program uses the <dlpack/dlpack.h> that it has, or none where it only hands such a
 * struct on: the structs are declared here by their tags alone.
 *
 * Elements are those of the CPU (kDLCPU), one lane each, of the dtypes
 *
 *   bool   u8 to u64   i8 to i64   f16 f32 f64   bf16      c64 c128
 *   Bool   UInt        Int         Float         Bfloat    Complex
 */
#ifndef BROADLOOM_DLPACK_H
#define BROADLOOM_DLPACK_H

#include <broadloom/tensor.h>

struct DLManagedTensor;          /* without a version: before 1.0 */
struct DLManagedTensorVersioned; /* 1.x */

BL_BEGIN_DECLS

/* ---- take ---- */

/*
 * Make a tensor of the memory of `managed`.  On BL_OK the tensor owns `managed`, and
 * calls its deleter once nothing refers to the memory any more, on whichever thread
 * that is; a NULL deleter is none.  On failure the caller owns it as before, and calls
 * the deleter.  The tensor is read-only where `managed` is flagged so.
 *
 * BL_ERR_UNSUPPORTED: a major version other than 1, of which only the version was read;
 * a device other than the CPU; elements without a dtype, or of several lanes; more than
 * BL_MAX_RANK dimensions.  BL_ERR_ARGUMENT: a negative number of dimensions or extent,
 * a null shape or null data of some elements, data that is not aligned to the element.
 * BL_ERR_OVERFLOW: a byte offset, extents or strides that lead out of memory.
 * BL_ERR_MEMORY.  Null strides mean compact row-major.  Of a flag that a later 1.x
 * defines nothing is known here, and it is ignored.  Thread-safe.
 */
BL_API BL_MUST_CHECK bl_status bl_tensor_from_dlpack(
    bl_context *ctx, struct DLManagedTensorVersioned *managed, bl_tensor **out);

/*
 * Make a tensor as bl_tensor_from_dlpack() does, of a struct without a version.  It has
 * no flags: whether the memory may be written is not known, and the tensor is not
 * read-only.
 */
BL_API BL_MUST_CHECK bl_status bl_tensor_from_dlpack_unversioned(
    bl_context *ctx, struct DLManagedTensor *managed, bl_tensor **out);

/*
 * Describe a `const DLTensor *` for a call: an array whose memory, shape and strides
 * are those of `tensor`, which must outlive it, and which is not read-only.  (DLTensor
 * has no tag that it could be declared by.)  Errors are those above; data is checked by
 * the call that takes the array.  `*out` is written on success only.  Thread-safe.
 */
BL_API BL_MUST_CHECK bl_status bl_array_from_dlpack(const void *tensor, bl_array *out);

/* ---- give ---- */

/* Give a copy, compact row-major, which may be written. */
#define BL_DLPACK_COPY 1u

/*
 * Give the memory of `tensor` to another library.  `*out` holds a reference on
 * `tensor`, which its deleter gives back, on any thread; the deleter is called once, by
 * whoever owns `*out` last.  Its version is 1.0.  Strides are always set, and count
 * elements; the byte offset is 0; data is NULL where there are no elements.  It is
 * flagged read-only where `tensor` is read-only or repeats elements (by a stride of 0).
 *
 * `flags` is 0 or BL_DLPACK_COPY; the copy is flagged as one (IS_COPIED).
 *
 * BL_ERR_UNSUPPORTED: strides in bytes that are no multiples of the element's size, or
 * data that is not aligned to the element; with BL_DLPACK_COPY there is no such error.
 * BL_ERR_ARGUMENT: a null tensor, other flags.  BL_ERR_MEMORY.  `*out` is written on
 * success only.  Thread-safe.
 */
BL_API BL_MUST_CHECK bl_status
bl_tensor_to_dlpack(bl_context *ctx, bl_tensor *tensor, uint32_t flags,
                    struct DLManagedTensorVersioned **out);

/*
 * Give the memory of `tensor` as bl_tensor_to_dlpack() does, as a struct without a
 * version.  That cannot say that memory must not be written: BL_ERR_UNSUPPORTED for a
 * tensor that is read-only, unless it is copied.  One that repeats elements is given,
 * as PyTorch does: whoever takes it should not write.
 */
BL_API BL_MUST_CHECK bl_status bl_tensor_to_dlpack_unversioned(
    bl_context *ctx, bl_tensor *tensor, uint32_t flags, struct DLManagedTensor **out);

BL_END_DECLS

#endif
