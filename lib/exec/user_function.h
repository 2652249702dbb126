/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes a kernel, which accepts any strides, of a user's function of dense rows.
 */
#ifndef BLI_USER_FUNCTION_H
#define BLI_USER_FUNCTION_H

#include <broadloom/map.h>

#include "kernels/kernel.h"

/* The `params` of the kernel. */
struct bli_function {
    bl_map_function call;
    void *user;
    int32_t inputs;
    int64_t size[BLI_MAX_OPERANDS]; /* bytes of an element, as the kernel takes it */
    bli_kernel *move[BLI_MAX_OPERANDS]; /* copies elements of that dtype */
};

/*
 * Call the function for rows: in memory where they are dense, else in staging buffers
 * on the stack.
 */
extern bli_kernel bli_function_kernel;

#endif
