/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operations in which a mask decides where elements go: positions among the true ones
 * rather than a shape.  (masked_fill, which needs none, is in ops.h.)
 *
 * Masks are bool; numbers 0 and 1 of another dtype are refused.  Order is logical
 * row-major order, whatever the strides.  Results are the same for every number of
 * threads.  Operands that overlap what is written are copied, or refused where that is
 * proven, as the context's overlap policy has it.  The rules are PyTorch's.
 *
 * Nothing is written unless BL_OK is returned.  BL_ERR_MEMORY for results,
 * for copies of operands, and for a workspace of a byte for every 512 elements that are
 * looked at.  Thread-safe, as bl_apply().
 */
#ifndef BROADLOOM_MASK_H
#define BROADLOOM_MASK_H

#include <broadloom/tensor.h>

BL_BEGIN_DECLS

/*
 * A new 1-D tensor of the elements of `in` where `mask`, which is broadcast with it, is
 * true.
 */
BL_API BL_MUST_CHECK bl_status bl_masked_select(bl_context *ctx, const bl_array *in,
                                                const bl_array *mask, bl_tensor **out);

/*
 * A new tensor of the shape that `a` and `mask` broadcast to: the elements of `source`
 * one after the other where `mask` is true, else a's.  `source`, of any shape, has a's
 * dtype (BL_ERR_DTYPE) and at least as many elements as there are true ones
 * (BL_ERR_SHAPE); those left over are not looked at.
 */
BL_API BL_MUST_CHECK bl_status bl_masked_scatter(bl_context *ctx, const bl_array *a,
                                                 const bl_array *mask,
                                                 const bl_array *source,
                                                 bl_tensor **out);

/* The same into `a`, which keeps its shape. */
BL_API BL_MUST_CHECK bl_status bl_masked_scatter_inplace(bl_context *ctx,
                                                         const bl_array *a,
                                                         const bl_array *mask,
                                                         const bl_array *source);

BL_END_DECLS

#endif
