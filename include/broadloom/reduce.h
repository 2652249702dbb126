/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions over any axes of an array (sum, prod, mean, max, min, any, all, var, std),
 * and the distance of two arrays.  The named forms are in reductions.h.
 *
 * The bits of a result depend on the elements and their logical row-major order alone:
 * not on threads, instruction set or memory layout, nor on how many results there are.
 * The elements of a result are combined by a fixed tree: in blocks of 1024; within a
 * block in reduction lanes of 64 bytes together (element i in lane i modulo their
 * number); lanes are combined by halves, blocks in pairs.
 *
 * Sums, means and products of f16, bf16, f32 and f64 are computed in f64, of complex
 * numbers in c128, and rounded once to the result's dtype.  With u = 2^-53 and n
 * elements, the error of a sum before that rounding is at most (136 + log2(n)) * u
 * times the sum of the absolute values, of complex numbers (264 + log2(n)) * u: sums of
 * narrower dtypes are those of exact arithmetic, rounded, unless nearly all of the sum
 * cancels.  Intermediate results do not overflow where the dtype is narrower than f64.
 * Integers wrap.  A sum of zeros is +0, except where the thread rounds down.  A result
 * that is NaN is the quiet NaN without payload, except that of max and min, which is an
 * element's.  Elements that are subnormal are 0 where the caller has operands flushed,
 * on x86 for max and min, too; where results alone are flushed, sums of f64 and c128
 * may count them or not.
 *
 * var and std read elements twice: first for the mean m, in f64 or c128, then for the
 * sum of the squares |x - m|^2, in f64, which is divided by n - correction; std is the
 * root of that.  The result is real, rounded once.
 *
 * Arguments of every function:
 *
 *   axes     axes to reduce, in any order; negative ones count from the end.
 *            `axes_count` 0 means all of them, and `axes` may be NULL then
 *   keepdim  whether reduced dimensions stay, with extent 1
 *
 * Errors: BL_ERR_ARGUMENT for an axis that is out of range or named twice, for max and
 * min of no elements, for a correction that is not finite, and for a result that
 * overlaps itself; BL_ERR_SHAPE for a result
 * of another shape; BL_ERR_DTYPE for an operand or a result that the reduction does not
 * take; BL_ERR_OVERLAP where the context refuses a result that shares memory with the
 * operand (otherwise everything is read before the first element is written);
 * BL_ERR_MEMORY for a workspace of 2 % of the operand's bytes and 1 MiB for each
 * thread, more where the result overlaps the operand, and for var and std 8 bytes, or
 * 16 of complex elements, for each element of the result.  Nothing is written unless
 * BL_OK is returned.  Thread-safe, as bl_apply().
 *
 * The rules are PyTorch's: `any` and `all` of u8 give u8, of every other dtype bool.
 */
#ifndef BROADLOOM_REDUCE_H
#define BROADLOOM_REDUCE_H

#include <broadloom/tensor.h>

/*
 * Options of a call.  Start from BL_REDUCE_OPTIONS_DEFAULT, which sets `size` (base.h);
 * NULL options are the defaults.  Borrowed for the call.
 */
typedef struct bl_reduce_options {
    size_t size; /* sizeof(bl_reduce_options) */
    /*
     * Of sum, prod and mean: the dtype that elements are converted to first, and that
     * of the result.  BL_DTYPE_NONE: the operand's, except i64 for sums and products of
     * integers and booleans.
     */
    bl_dtype dtype;
    uint32_t reserved; /* 0 */
    /*
     * Of var and std: what is subtracted from the number of elements n before the sum
     * of squares is divided by it; 1 for the variance of a sample, 0 for that of a
     * population.  A finite number; where it is not below n, the divisor is 0.
     */
    double correction;
} bl_reduce_options;

#define BL_REDUCE_OPTIONS_DEFAULT                                                      \
    {                                                                                  \
        sizeof(bl_reduce_options), BL_DTYPE_NONE, 0, 1.0                               \
    }

BL_BEGIN_DECLS

/*
 * Reduce `in` into `out`, an array of exactly the shape and the dtype of the result; of
 * `any` and `all` the dtype may be bool or u8.
 */
BL_API BL_MUST_CHECK bl_status bl_reduce(bl_context *ctx, bl_reduction op,
                                         const bl_array *out, const bl_array *in,
                                         int32_t axes_count, const int32_t *axes,
                                         bool keepdim,
                                         const bl_reduce_options *options);

/*
 * Reduce `in` into a new tensor, compact row-major; release it with
 * bl_tensor_release().  `*out` is written on success only.
 */
BL_API BL_MUST_CHECK bl_status bl_reduce_new(bl_context *ctx, bl_reduction op,
                                             const bl_array *in, int32_t axes_count,
                                             const int32_t *axes, bool keepdim,
                                             const bl_reduce_options *options,
                                             bl_tensor **out);

/*
 * Sum `in` to a shape: the adjoint of broadcasting that shape to the shape of `in`.
 * Creates a tensor of shape `extent`: `in` is summed over every axis that broadcasting
 * would repeat; leading dimensions are dropped, others stay with extent 1.  Integers
 * and booleans give i64, also where nothing is summed.  BL_ERR_SHAPE as
 * bl_sum_to_shape_check().
 */
BL_API BL_MUST_CHECK bl_status bl_sum_to_shape(bl_context *ctx, const bl_array *in,
                                               int32_t rank, const int64_t *extent,
                                               bl_tensor **out);

/*
 * Sum `in` to the shape of `out`, which has the dtype that bl_sum_to_shape() gives.
 * Errors as bl_sum_to_shape() and bl_reduce().
 */
BL_API BL_MUST_CHECK bl_status bl_sum_to_shape_out(bl_context *ctx, const bl_array *out,
                                                   const bl_array *in);

/*
 * The p-norm of a - b, which are broadcast: (sum |a - b|^p)^(1/p); for p = 0 the number
 * of elements that differ, for +inf the largest and for -inf the smallest |a - b|.
 * Creates a 0-d tensor of the dtype that both are promoted to, or of its real part's
 * for a complex one.  Differences are rounded to the promoted dtype (to f32 for f16 and
 * bf16) and combined in f64; for p other than 0, 1, 2 and the infinities the last bits
 * may differ between instruction sets.  A NaN's sign and payload are not promised.
 * BL_ERR_DTYPE where the promoted dtype is not floating-point or complex,
 * BL_ERR_ARGUMENT where p is NaN, and for p = -inf of no elements.
 */
BL_API BL_MUST_CHECK bl_status bl_dist(bl_context *ctx, const bl_array *a,
                                       const bl_array *b, double p, bl_tensor **out);

/*
 * The reduction of a name, as "sum"; BL_REDUCTION_NONE if there is none.  Thread-safe.
 */
BL_API bl_reduction bl_reduction_find(const char *name);

/*
 * The name of a reduction; NULL for a value that is none.  A static string.
 * Thread-safe.
 */
BL_API const char *bl_reduction_name(bl_reduction op);

/*
 * The dtype of a reduction's result for elements of `dtype`.  BL_ERR_DTYPE where the
 * reduction does not take it, in PyTorch's words where PyTorch has them.  Thread-safe.
 */
BL_API BL_MUST_CHECK bl_status bl_reduction_result_dtype(bl_reduction op,
                                                         bl_dtype dtype,
                                                         bl_dtype *result);

BL_END_DECLS

#include <broadloom/reductions.h>

#endif
