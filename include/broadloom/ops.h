/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operations: one entry point for results that exist, one for results to be allocated.
 * The named forms of every operator are in named.h.  Twelve operators have none in
 * place, because the result is bool (isnan, isinf, isfinite, signbit, isclose,
 * logical_not) or real where the input is complex (abs, real, imag, angle), the first
 * input is a mask (where), or nothing would happen (copy).
 */
#ifndef BROADLOOM_OPS_H
#define BROADLOOM_OPS_H

#include <broadloom/promote.h>
#include <broadloom/scalar.h>

/*
 * Options of a call.  Start from BL_OPTIONS_DEFAULT, which sets `size` (base.h); NULL
 * options are the defaults.  Borrowed for the call.
 */
typedef struct bl_options {
    size_t size;           /* sizeof(bl_options) */
    const bl_rules *rules; /* NULL: the context's */
    int32_t axis;          /* PaddlePaddle's, for rules that take one; BL_AXIS_LAST */
    bl_dtype dtype;        /* of the result; BL_DTYPE_NONE: the operator's */
    uint32_t fixed;        /* bit k set: input k must not be repeated */
    double max_growth;     /* 0: the context's */
    const char *const *names; /* of inputs, in messages; NULL, all or one: "a", "b" */
    const bl_scalar *alpha;   /* of add and sub: a + alpha * b; NULL: 1 */
} bl_options;

#define BL_OPTIONS_DEFAULT                                                             \
    {                                                                                  \
        sizeof(bl_options), NULL, BL_AXIS_LAST, BL_DTYPE_NONE, 0, 0.0, NULL, NULL      \
    }

/*
 * Description of an operator, for programs that choose one at run time.  Its strings
 * are static.
 */
typedef struct bl_op_info {
    size_t size; /* set by the caller to sizeof(bl_op_info); see base.h */
    const char *name;
    const char *text; /* one line of documentation */
    int32_t inputs;
    uint32_t reserved; /* 0 */
} bl_op_info;

BL_BEGIN_DECLS

/*
 * Apply `op` to `count` inputs and write `out`, which must have exactly the shape that
 * the inputs broadcast to.  Where `out` is inputs[0], the call is in place: `out` keeps
 * its shape, and the other inputs are broadcast to it.
 *
 * Inputs of several dtypes are promoted (promote.h), except the mask of BL_OP_WHERE,
 * which must be bool.  Operators without integers in their domain compute integers and
 * booleans in f32; lerp takes neither, and arrays of one dtype only.  The operator's
 * result is converted to out's dtype, or to the one in `options`: BL_ERR_DTYPE unless
 * bl_can_cast().  BL_OP_COPY broadcasts its input to `out` and converts any dtype.
 *
 * BL_ERR_ARGUMENT where integers are divided by 0 (floor_divide, trunc_divide,
 * remainder, fmod) or raised to a negative scalar (pow with an exponent of scalar.h:
 * negative elements of arrays have results).
 *
 * Nothing is written unless BL_OK is returned.  Inputs may overlap the result: exactly
 * (the same elements in the same places), or otherwise by the context's overlap policy.
 * A result that is read-only is refused, and so is one that overlaps itself, unless
 * results are sequential.
 *
 * Thread-safe; a concurrent call must not write what this one reads or writes.  Inside
 * an active OpenMP parallel region the call runs on the calling thread.
 *
 * Each thread keeps the plans of up to 128 different calls, 17 KB each, until it ends
 * (plan.h): a call that is made again is not planned again.
 */
BL_API BL_MUST_CHECK bl_status bl_apply(bl_context *ctx, bl_op op, const bl_array *out,
                                        int32_t count, const bl_array *const *inputs,
                                        const bl_options *options);

/*
 * Apply `op` as bl_apply() does and write a new tensor, compact row-major; release it
 * with bl_tensor_release().  `*out` is written on success only.
 */
BL_API BL_MUST_CHECK bl_status bl_apply_new(bl_context *ctx, bl_op op, int32_t count,
                                            const bl_array *const *inputs,
                                            const bl_options *options, bl_tensor **out);

/*
 * Create a tensor with the elements of `from` converted to `dtype`.  To bool: whether
 * they are not 0.  Between integers: modulo 2^n.  To floating-point: rounded once, as
 * context.h says.  From floating-point to integers: truncated; NaN and values that do
 * not fit give an unspecified number, the same on every instruction set.  From complex
 * to real: the real part.
 */
BL_API BL_MUST_CHECK bl_status bl_cast(bl_context *ctx, const bl_array *from,
                                       bl_dtype dtype, bl_tensor **out);

/* The operator of a name, as "add"; BL_OP_NONE if there is none.  Thread-safe. */
BL_API bl_op bl_op_find(const char *name);

/*
 * Describe an operator in `info`, whose `size` is set.  BL_ERR_ARGUMENT for a value
 * that is no operator.
 */
BL_API BL_MUST_CHECK bl_status bl_op_query(bl_op op, bl_op_info *info);

/*
 * The dtype of an operator's result, before any conversion, for inputs that are
 * promoted to `dtype` (of BL_OP_WHERE: a and b).  BL_ERR_DTYPE where the operator does
 * not take that dtype; every operator except lerp takes integers.
 */
BL_API BL_MUST_CHECK bl_status bl_op_result_dtype(bl_op op, bl_dtype dtype,
                                                  bl_dtype *result);

BL_END_DECLS

#include <broadloom/named.h>

#endif
