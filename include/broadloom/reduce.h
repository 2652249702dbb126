/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions: sum, product, mean, extremes and truth over any of an array's dimensions,
 * and the distance of two arrays.  The named forms are in reductions.h.
 *
 * The result's bits are a function of the elements and of their logical row-major order
 * alone.  They do not depend on threads, instruction set or memory layout, nor on how
 * many results there are.  Elements of a result are folded by a fixed tree: in blocks
 * of 1024, in a block in lanes of 64 bytes (element i in lane i modulo their number),
 * lanes by halves, blocks by pairs.
 *
 * Sums, means and products of f16, bf16, f32 and f64 are computed in f64, of complex
 * numbers in c128, and rounded once to the result's dtype.  With u = 2^-53 and n
 * elements a sum is off, before that rounding, by at most (136 + log2(n)) * u times the
 * sum of the absolute values, of complex numbers (264 + log2(n)) * u: sums of narrower
 * dtypes are those of exact arithmetic, rounded, unless nearly all of the sum cancels.
 * Intermediate results do not overflow where the dtype is narrower than f64.  Integers
 * wrap.  A sum of zeros is +0.  A NaN is the quiet one without payload, but that of max
 * and min, which is an element's.
 *
 * Arguments of every function:
 *
 *   axes     dimensions to fold, in any order, negative ones counted from the end;
 *            `axes_count` 0 means all of them, and `axes` may be NULL then
 *   keepdim  whether folded dimensions stay, with extent 1
 *
 * Errors: BL_ERR_ARGUMENT for an axis out of range or named twice, an empty range of
 * max and min, a result that repeats an element; BL_ERR_SHAPE for a result of another
 * shape; BL_ERR_DTYPE for an operand or a result that the reduction does not take;
 * BL_ERR_OVERLAP where the context refuses a result that shares memory with the
 * operand, else everything is read before the first element is written; BL_ERR_MEMORY
 * for a workspace: of 2 % of the operand's bytes and 1 MiB for each thread, more where
 * the result overlaps it.  Nothing is written unless BL_OK is returned.  Thread-safe,
 * as bl_apply().
 *
 * The rules are PyTorch's.  So `any` and `all` of u8 give u8, of all else bool.
 */
#ifndef BROADLOOM_REDUCE_H
#define BROADLOOM_REDUCE_H

#include <broadloom/tensor.h>

/*
 * What a call may choose.  Start from BL_REDUCE_OPTIONS_DEFAULT; NULL options are the
 * defaults.  Borrowed for the call.
 */
typedef struct bl_reduce_options {
    size_t size; /* sizeof(bl_reduce_options) */
    /*
     * Of sum, prod and mean: what elements are converted to before they are folded, and
     * the result's dtype.  BL_DTYPE_NONE: the operand's, but i64 for sums and products
     * of integers and truth values.
     */
    bl_dtype dtype;
} bl_reduce_options;

#define BL_REDUCE_OPTIONS_DEFAULT                                                      \
    {                                                                                  \
        sizeof(bl_reduce_options), BL_DTYPE_NONE                                       \
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
 * The same into a new tensor, compact row-major; release it with bl_tensor_release().
 * `*out` is written on success only.
 */
BL_API BL_MUST_CHECK bl_status bl_reduce_new(bl_context *ctx, bl_reduction op,
                                             const bl_array *in, int32_t axes_count,
                                             const int32_t *axes, bool keepdim,
                                             const bl_reduce_options *options,
                                             bl_tensor **out);

/*
 * The adjoint of broadcasting `extent` to the shape of `in`: the sum over every
 * dimension that broadcasting would repeat, of that shape.  Leading dimensions are
 * summed away, others keep their place with extent 1.  Integers and truth values give
 * i64, also where nothing is to be summed.  BL_ERR_SHAPE as bl_sum_to_shape_check().
 */
BL_API BL_MUST_CHECK bl_status bl_sum_to_shape(bl_context *ctx, const bl_array *in,
                                               int32_t rank, const int64_t *extent,
                                               bl_tensor **out);

/* The same to the shape of `out`, whose dtype is the sum's. */
BL_API BL_MUST_CHECK bl_status bl_sum_to_shape_out(bl_context *ctx, const bl_array *out,
                                                   const bl_array *in);

/*
 * The p-norm of a - b, which are broadcast: (sum |a - b|^p)^(1/p); for p = 0 the number
 * of elements that differ, for +inf the largest and for -inf the smallest |a - b|.  A
 * new 0-d tensor of the dtype that both are promoted to, of complex ones its real
 * part's. Differences are rounded to that dtype, of f16 and bf16 to f32, and folded in
 * f64; for other p than 0, 1, 2 and the infinities the last bits may differ between
 * instruction sets.  A NaN's sign and payload are not promised.  BL_ERR_DTYPE where
 * that dtype is not floating-point or complex, BL_ERR_ARGUMENT for p that is NaN, and
 * for -inf of nothing.
 */
BL_API BL_MUST_CHECK bl_status bl_dist(bl_context *ctx, const bl_array *a,
                                       const bl_array *b, double p, bl_tensor **out);

/* The reduction of that name, as in "sum"; 0 if there is none.  Thread-safe. */
BL_API bl_reduction bl_reduction_find(const char *name);

/* Its name; NULL for a number that is no reduction.  A static string.  Thread-safe. */
BL_API const char *bl_reduction_name(bl_reduction op);

/*
 * The dtype of a reduction's result for elements of `dtype`.  BL_ERR_DTYPE, in
 * PyTorch's words where it has some, where the reduction does not take it. Thread-safe.
 */
BL_API BL_MUST_CHECK bl_status bl_reduction_result_dtype(bl_reduction op,
                                                         bl_dtype dtype,
                                                         bl_dtype *result);

BL_END_DECLS

#include <broadloom/reductions.h>

#endif
