/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operations in which a mask decides where elements go: positions among the true ones
 * rather than a shape, and masked_fill, which needs none.
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

#include <broadloom/ops.h>
#include <broadloom/scalar.h>

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

/*
 * A new tensor of a's dtype: `value` where `mask`, which is bool, is true, else a's
 * element.  It has the shape that `a` and `mask` broadcast to.  BL_ERR_DTYPE for a
 * value of a higher category than a's dtype, as 0.5 is to integers.
 */
BL_MUST_CHECK BL_NAMED bl_status bl_masked_fill(bl_context *ctx, const bl_array *a,
                                                const bl_array *mask, bl_scalar value,
                                                bl_tensor **out)
{
    const bl_array number = bl_scalar_array(&value);
    const bl_array *const in[] = {mask, &number, a};
    bl_options options = BL_OPTIONS_DEFAULT;

    options.dtype = a ? a->dtype : BL_DTYPE_NONE;
    return bl_apply_new(ctx, BL_OP_WHERE, 3, in, &options, out);
}

/* Write `value`, converted as by bl_cast(), to every element of `a`. */
BL_MUST_CHECK BL_NAMED bl_status bl_fill(bl_context *ctx, const bl_array *a,
                                         bl_scalar value)
{
    const bl_array number = bl_scalar_array(&value);
    const bl_array *const in[] = {&number};

    return bl_apply(ctx, BL_OP_COPY, a, 1, in, NULL);
}

/* Write `value` into `a` where `mask` is true; a keeps its shape. */
BL_MUST_CHECK BL_NAMED bl_status bl_masked_fill_inplace(bl_context *ctx,
                                                        const bl_array *a,
                                                        const bl_array *mask,
                                                        bl_scalar value)
{
    const bl_array number = bl_scalar_array(&value);
    const bl_array *const in[] = {mask, &number, a};

    return bl_apply(ctx, BL_OP_WHERE, a, 3, in, NULL);
}

BL_END_DECLS

#endif
