/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Promotion: the dtype that operands of several dtypes are computed in, by PyTorch's
 * rules (result_type, can_cast), and NumPy's for the integers that PyTorch lacks.
 *
 * Dtypes fall into categories: bool < integers < floating-point < complex.  Two dtypes
 * are promoted to one that can hold both: within a kind the wider; u8 and i8 give i16,
 * any other unsigned integer and a signed one that is not wider give the next wider
 * signed one; u64 and a signed integer give f64; f16 and bf16 give f32; an integer and
 * a floating-point or complex dtype give the latter.  With a complex dtype, f16, bf16
 * and f32 give at least c64, and f64 gives c128.
 *
 * Operands fall into three priorities: arrays with dimensions (also those without
 * elements), then 0-d arrays, then scalars (scalar.h).  Operands of one priority are
 * promoted among themselves; a lower priority counts only where its category is higher:
 * i32[3] and f64[] give f64, f16[3] and f64[] give f16, u8[3] and i64[] give u8.  A
 * real dtype keeps its width with a complex operand of a lower priority: f32[3] and
 * c128[] give c64.  Real scalars count as f32, integer ones as i64, complex ones as
 * c64.
 */
#ifndef BROADLOOM_PROMOTE_H
#define BROADLOOM_PROMOTE_H

#include <broadloom/tensor.h>

BL_BEGIN_DECLS

/*
 * The dtype that two arrays with dimensions, of dtypes `a` and `b`, are promoted to.
 * BL_ERR_ARGUMENT for a value that is no dtype.  Thread-safe.
 */
BL_API BL_MUST_CHECK bl_status bl_promote_dtypes(bl_dtype a, bl_dtype b,
                                                 bl_dtype *result);

/*
 * The dtype that `count` operands, 1 or more, are promoted to.  Only dtypes, ranks and
 * flags are read.  BL_ERR_ARGUMENT for a null array or a value that is no dtype.
 * Thread-safe.
 */
BL_API BL_MUST_CHECK bl_status bl_result_dtype(int32_t count,
                                               const bl_array *const *arrays,
                                               bl_dtype *result);

/*
 * Whether an operation may write a result of dtype `from` as `to`: into any width of
 * its own category or a higher one.  False for a value that is no dtype.  Thread-safe.
 */
BL_API bool bl_can_cast(bl_dtype from, bl_dtype to);

BL_END_DECLS

#endif
