/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions by name: the library's operators, and what PyTorch and NumPy call them
 * (functions.def).
 */
#ifndef FUNCTIONS_H
#define FUNCTIONS_H

#include "tool.h"

struct function {
    bl_op op;
    int32_t arguments;   /* of a call */
    int32_t inputs;      /* of the operator */
    const char *pattern; /* of functions.def; NULL: the inputs are the arguments */
};

/*
 * The function `name` of `count` arguments.  BL_ERR_UNSUPPORTED: there is none of that
 * name; BL_ERR_ARGUMENT: it takes another number of them.  *out is written on success.
 */
bl_status function_find(const char *name, int32_t count, struct function *out);

/* An operator on its inputs as they are. */
struct function function_of_op(bl_op op, int32_t inputs);

/*
 * What the operator's input `k` is: the number of an argument; or -1, and *number is
 * one that is always there, a static object.
 */
int32_t function_input(const struct function *function, int32_t k,
                       const bl_scalar **number);

#endif
