/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions by name: the library's operators, and their names in PyTorch and NumPy
 * (lib/expr/functions.def).
 */
#ifndef FUNCTIONS_H
#define FUNCTIONS_H

#include "tool.h"

struct function {
    bl_op op;
    int32_t arguments;   /* of a call */
    int32_t inputs;      /* of the operator */
    const char *pattern; /* from the table; NULL: the inputs are the arguments */
};

/*
 * Find the function `name` of `count` arguments.  BL_ERR_UNSUPPORTED: no function has
 * that name; BL_ERR_ARGUMENT: it takes another number of arguments.  *out is written on
 * success.
 */
bl_status function_find(const char *name, int32_t count, struct function *out);

/* The function that passes its arguments to an operator unchanged. */
struct function function_of_op(bl_op op, int32_t inputs);

/*
 * The argument that is the operator's input `k`; or -1, and *number is set to a
 * constant scalar, a static object.
 */
int32_t function_input(const struct function *function, int32_t k,
                       const bl_scalar **number);

#endif
