/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions of the text by name: operators, and their names in PyTorch and NumPy
 * (functions.def).
 */
#ifndef BLI_FUNCTIONS_H
#define BLI_FUNCTIONS_H

#include "core/core.h"

struct bli_function {
    bl_op op;
    int32_t arguments;   /* of a call */
    const char *pattern; /* from functions.def; NULL: the inputs are the arguments */
};

/*
 * Find the function `name` of `count` arguments.  False where there is none; `*takes`
 * is then another number of arguments that it takes, or 0: no function has that name.
 */
bool bli_function_find(const char *name, int32_t count, struct bli_function *out,
                       int32_t *takes);

/*
 * The argument that is the operator's input `k`; or -1, and *number is set to a
 * constant scalar, a static object.
 */
int32_t bli_function_input(const struct bli_function *function, int32_t k,
                           const bl_scalar **number);

#endif
