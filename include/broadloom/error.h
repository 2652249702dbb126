/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The calling thread's last error in parts, for bindings that say it in their own
 * words.  Its message and the call that was refused are text: see base.h.
 *
 * The call is named as the program made it, also where a function below it found the
 * fault, as "bl_tensor_unsqueeze(tensor f32[2,3], axis 5)": operands in the notation of
 * the tool, without the context and without results to be made.  bl_apply() is named as
 * the named form that has its arguments: in place where the result is the first input.
 * Texts longer than about 500 bytes are cut.
 */
#ifndef BROADLOOM_ERROR_H
#define BROADLOOM_ERROR_H

#include <broadloom/base.h>

BL_BEGIN_DECLS

/* An operand of a refused call. */
typedef struct bl_error_operand {
    const char *name;      /* "a", "out", or the name that the options give */
    const int64_t *extent; /* `rank` of them */
    bl_dtype dtype;        /* BL_DTYPE_NONE: it has none */
    int32_t rank;          /* -1: it has none, as an array that is null */
} bl_error_operand;

/*
 * The last error in parts, for bindings that say it in their own words.  Indices,
 * axes, extents and positions are -1, enumerators 0 and names empty where a refusal has
 * none.
 *
 * all                        status, function; argument where one alone is at fault
 * element-wise operations    op, operands, operand
 * reductions                 reduction, operands
 * shapes that do not match   operand and other, axis of the result, both extents
 * an axis that is not there  axis as it was given
 * results of another shape   operand; axis and both extents where the ranks agree: the
 *                            result's, and the one that it should have
 * dtypes                     dtype that is refused, other_dtype that it does not agree
 *                            with: what the call wants, or another operand has
 * overlap, values, addresses operand
 * BL_ERR_MEMORY              bytes
 * BL_ERR_IO                  system_error
 * expressions                node; position, where there is text (expr.h)
 */
typedef struct bl_error_info {
    size_t size;                      /* set to sizeof(bl_error_info) */
    bl_status status;                 /* BL_OK: no call was refused */
    bl_op op;                         /* BL_OP_NONE: none, or a program's function */
    bl_reduction reduction;           /* BL_REDUCTION_NONE: none */
    int32_t count;                    /* of operands; one that is the result, too, is
                                         counted once */
    const bl_error_operand *operands; /* in the order of bl_error_where() */
    const char *function;             /* "bl_add_inplace" */
    const char *argument;             /* "b", "axes", "options" */
    int32_t operand;                  /* index of the operand at fault */
    int32_t other;                    /* index of the one that it does not match */
    int32_t axis;
    bl_dtype dtype;
    bl_dtype other_dtype;
    int32_t system_error; /* errno of the system call that failed */
    int64_t extent;       /* of `operand` along `axis` */
    int64_t other_extent; /* of `other` */
    int64_t bytes;        /* that could not be allocated */
    int64_t position;     /* byte of an expression's text at which it is refused */
    int32_t node;         /* of the expression, that is refused: <broadloom/expr.h> */
    int32_t reserved;     /* 0 */
} bl_error_info;

/*
 * Write what is known of the calling thread's last error to `*info`.  BL_ERR_ARGUMENT,
 * which becomes the last error, if `info` is NULL or its size was not set.
 */
BL_API BL_MUST_CHECK bl_status bl_error_query(bl_error_info *info);

/*
 * Add to the error just set that two operands do not agree along `axis` of the result:
 * `first`, the name of the one at fault, has `extent`, `second` has `other_extent`; see
 * bl_error_info.  Names are cut to 63 bytes.  Returns `status`.
 */
BL_API bl_status bl_error_set_extents(bl_status status, int32_t axis, const char *first,
                                      int64_t extent, const char *second,
                                      int64_t other_extent);

BL_END_DECLS

#endif
