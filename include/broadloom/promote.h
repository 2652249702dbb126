/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which dtype operands of several are computed in, by PyTorch's rules (result_type,
 * can_cast), and NumPy's for the integers that PyTorch lacks.
 *
 * Dtypes fall into categories: bool < integers < floating-point < complex.  Of two
 * dtypes the promoted one can hold both: the wider of a kind; of u8 and i8 i16, of
 * another unsigned and a narrower or equal signed integer the next wider signed one; of
 * u64 and a signed integer f64; of f16 and bf16 f32; of an integer and a floating-point
 * or complex dtype the latter.  f16, bf16 and f32 become c64 beside a complex one, f64
 * c128.
 *
 * Operands count by three ranks: arrays with dimensions (of no elements too), then 0-d
 * arrays, then numbers (scalar.h).  Each rank is promoted in itself; a lower one only
 * matters where its category is higher: i32[3] and f64[] give f64, f16[3] and f64[]
 * f16, u8[3] and i64[] u8.  A real dtype keeps its width beside a complex operand of a
 * lower rank: f32[3] and c128[] give c64.  Real numbers count as f32, integers as i64,
 * complex numbers as c64.
 */
#ifndef BROADLOOM_PROMOTE_H
#define BROADLOOM_PROMOTE_H

#include <broadloom/tensor.h>

BL_BEGIN_DECLS

/*
 * The dtype that holds elements of both, as two arrays with dimensions have it.
 * BL_ERR_ARGUMENT for what is no dtype.  Thread-safe.
 */
BL_API BL_MUST_CHECK bl_status bl_promote_dtypes(bl_dtype a, bl_dtype b,
                                                 bl_dtype *result);

/*
 * The dtype that `count` operands, 1 or more, are promoted to.  Only dtypes, ranks and
 * flags are looked at.  BL_ERR_ARGUMENT for a null array or what is no dtype.
 * Thread-safe.
 */
BL_API BL_MUST_CHECK bl_status bl_result_dtype(int32_t count,
                                               const bl_array *const *arrays,
                                               bl_dtype *result);

/*
 * Whether an operation may write a result of dtype `from` as `to`: not into a lower
 * category, but into any width.  False for what is no dtype.  Thread-safe.
 */
BL_API bool bl_can_cast(bl_dtype from, bl_dtype to);

BL_END_DECLS

#endif
