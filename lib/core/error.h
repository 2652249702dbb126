/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the calling thread's last error says besides its message, for bl_error_query()
 * and bl_error_where().
 *
 * The code that finds a fault sets the message with bl_error_set() and adds what it
 * knows with the functions bli_fault_*().  The public function that refuses the call
 * then names itself and its arguments: an outer one replaces what an inner one said, so
 * that the program reads the name of the call that it made.  All of this runs only
 * where a call is refused.
 */
#ifndef BLI_ERROR_H
#define BLI_ERROR_H

#include <broadloom/error.h>
#include <broadloom/shape.h>

#include "core/core.h"

/* ---- where a fault is found ---- */

/*
 * Set the error of an argument, and which it is.  Return BL_ERR_ARGUMENT.
 *
 * bli_error_argument  the message is that of the format
 * bli_error_null      "NAME is null"
 */
bl_status bli_error_argument(const char *name, const char *format, ...) BL_PRINTF(2, 3);
bl_status bli_error_null(const char *name);

/* BL_ERR_ARGUMENT if `dtype` is none; `name` is the argument's. */
bl_status bli_dtype_check(const char *name, bl_dtype dtype);

/* Set the error of memory that could not be allocated.  Returns BL_ERR_MEMORY. */
bl_status bli_error_memory(size_t bytes);

/*
 * Functions that add to the error that was just set, and return its status:
 *
 * argument    the argument at fault, by its name
 * operand     the operand at fault by its number in plans: 0 is the result, 1 the first
 *             input
 * axis        an argument and an axis of it, and the extent there; -1: not known
 * dtypes      an argument (NULL: none alone), the dtype refused, and the one that it
 *             does not agree with or BL_DTYPE_NONE
 * system      the system's error number
 * position    the node of an expression, and where it is in the expression's text; -1:
 *             none
 */
bl_status bli_fault_argument(bl_status status, const char *name);
bl_status bli_fault_operand(bl_status status, int32_t operand);
bl_status bli_fault_axis(bl_status status, const char *name, int64_t axis,
                         int64_t extent);
bl_status bli_fault_dtypes(bl_status status, const char *name, bl_dtype dtype,
                           bl_dtype other);
bl_status bli_fault_system(bl_status status, int code);
bl_status bli_fault_position(bl_status status, int32_t node, int64_t position);

/* The number of errors that the calling thread has had. */
uint32_t bli_error_count(void);

/*
 * Make the error of a callback of the program that returned `status` complete: one that
 * set no message since bli_error_count() was `before` gets that of the status, with
 * `who` returned it.  Returns `status`.
 */
bl_status bli_error_of_callback(bl_status status, uint32_t before, const char *who);

/* ---- where a call is refused ---- */

/*
 * Return `status` from the public function that this is used in, which has one name in
 * C.  Where the call is refused, what follows says with which arguments: a format of
 *
 *   %A  name, const bl_array *    an operand: "name f32[2,3]"
 *   %O  name, const bl_array *    an existing result
 *   %L  name, const bl_layout *   an operand without a dtype: "name [2,3]"
 *   %S  int32_t, const int64_t *  a shape: "(2,3)"
 *   %X  int32_t, const int32_t *  axes: "(0,1)"
 *   %d  int32_t                   %l  int64_t
 *   %g  double                    %s  a string, in quotes
 *   %t  bl_dtype                  %w  a word
 *
 * Pointers may be NULL, and what they point to may be invalid: the text then says so.
 */
#define BLI_RETURN_CALL(call, ...)                                                     \
    do {                                                                               \
        const bl_status call_ = (call);                                                \
        return call_ == BL_OK ? BL_OK : bli_error_call(call_, __func__, __VA_ARGS__);  \
    } while (0)

bl_status bli_error_call(bl_status status, const char *function, const char *format,
                         ...);

/*
 * The steps of bli_error_call(), for calls whose operands are in a list.
 * bli_error_operand() appends an operand, after a comma if
 * another argument precedes it, and gives it its number in plans;
 * its rank is -1 if its shape is not known.  bli_error_close() ends the list; `result`
 * is the number that the result is listed with, that of an input in place, else 0.
 */
void bli_error_open(struct bli_text *text, bl_status status, const char *function);
void bli_error_operand(struct bli_text *text, int32_t number, const char *name,
                       const bl_array *array);
void bli_error_axes(struct bli_text *text, int32_t count, const int32_t *axes);
void bli_error_close(struct bli_text *text, int32_t result);

/* Record the operator or the reduction of the call that is refused. */
void bli_error_op(bl_op op);
void bli_error_reduction(bl_reduction op);

#endif
