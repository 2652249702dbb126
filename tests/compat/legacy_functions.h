/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions that paired operands of equal numel, as a table of calls.
 */
#ifndef TESTS_LEGACY_FUNCTIONS_H
#define TESTS_LEGACY_FUNCTIONS_H

#include <broadloom.h>

enum { LEGACY_OPERANDS = 3, LEGACY_FUNCTIONS = 30 };

struct legacy_function {
    const char *name;
    bl_op op; /* NONE: one of `call` */
    int32_t count;
    bl_dtype dtype[LEGACY_OPERANDS];
    bool has_number; /* for its last input */
    bl_status (*call)(bl_context *ctx, const bl_array *const *in, bl_tensor **out);
    bl_status (*in_place)(bl_context *ctx, const bl_array *const *in);
};

extern const struct legacy_function legacy_functions[LEGACY_FUNCTIONS];

/*
 * Call the function into `to`, in place if that is the first operand, or into a new
 * tensor.
 */
bl_status legacy_call(const struct legacy_function *function, bl_context *ctx,
                      const bl_array *const *arrays, const bl_array *to,
                      bl_tensor **out);

#endif
