/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A function of dense rows as a kernel, which takes any strides.
 */
#ifndef BLI_USER_FUNCTION_H
#define BLI_USER_FUNCTION_H

#include <broadloom/map.h>

#include "kernels/kernel.h"

/* What the kernel's `params` are. */
struct bli_function {
    bl_map_function call;
    void *user;
    int32_t inputs;
    int64_t size[BLI_MAX_OPERANDS];     /* bytes of an element, as the kernel has it */
    bli_kernel *move[BLI_MAX_OPERANDS]; /* copies elements of that dtype */
};

/* Call the function for rows: where they are, else in tiles on the stack. */
bli_kernel bli_function_kernel;

#endif
