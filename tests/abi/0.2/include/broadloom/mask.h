/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operations with a mask: elements are selected or scattered in the order of the mask's
 * true elements, or filled where it is true.
 *
 * Masks are bool (BL_ERR_DTYPE); elements 0 and 1 of another dtype are refused.  Order
 * is logical row-major order, whatever the strides.  Results are the same for every
 * number of threads.  Operands that overlap what is written are copied, or refused
 * where the overlap is proven, by the context's overlap policy.  The rules are
 * PyTorch's.
 *
 * Nothing is written unless BL_OK is returned.  BL_ERR_MEMORY for results, for copies
 * of operands, and for a workspace of one byte for every 512 elements that are visited.
 * Thread-safe, as bl_apply().
 */
#ifndef BROADLOOM_MASK_H
#define BROADLOOM_MASK_H

#include <broadloom/ops.h>
#include <broadloom/scalar.h>

BL_BEGIN_DECLS

/*
 * Create a 1-D tensor of the elements of `in` where `mask` is true; the two are
 * broadcast.
 */
BL_API BL_MUST_CHECK bl_status bl_masked_select(bl_context *ctx, const bl_array *in,
                                                const bl_array *mask, bl_tensor **out);

/*
 * Create a tensor of the shape that `a` and `mask` broadcast to, with the elements of
 * `source`, in order, where `mask` is true, and a's elsewhere.  `source`, of any shape,
 * has a's dtype (BL_ERR_DTYPE) and at least as many elements as the mask has true ones
 * (BL_ERR_SHAPE); the rest is not read.
 */
BL_API BL_MUST_CHECK bl_status bl_masked_scatter(bl_context *ctx, const bl_array *a,
                                                 const bl_array *mask,
                                                 const bl_array *source,
                                                 bl_tensor **out);

/*
 * Write the elements of `source` into `a`, which keeps its shape, where `mask` is true.
 */
BL_API BL_MUST_CHECK bl_status bl_masked_scatter_inplace(bl_context *ctx,
                                                         const bl_array *a,
                                                         const bl_array *mask,
                                                         const bl_array *source);

/*
 * Create a tensor of a's dtype and of the shape that `a` and `mask` broadcast to, with
 * `value` where `mask` is true and a's elements elsewhere.  BL_ERR_DTYPE for a value of
 * a higher category than a's dtype, as 0.5 for integers.
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

/* Write `value` into `a`, which keeps its shape, where `mask` is true. */
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
