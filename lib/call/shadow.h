/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shadow runs of calls: the other result of a call that differs, and the memory that a
 * call reads and writes.
 */
#ifndef BLI_CALL_SHADOW_H
#define BLI_CALL_SHADOW_H

#include "call/call.h"
#include "diag/shadow.h"

/* bl_apply() and bl_apply_new(). */
struct bli_shadow_functions {
    bl_status (*apply)(bl_context *ctx, bl_op op, const bl_array *out, int32_t count,
                       const bl_array *const *inputs, const bl_options *options);
    bl_status (*apply_new)(bl_context *ctx, bl_op op, int32_t count,
                           const bl_array *const *inputs, const bl_options *options,
                           bl_tensor **out);
};

/*
 * Before a call runs: compute it the other way, by these functions, if it is to be
 * compared, else NULL.  `dtype` is its result's.
 */
bl_shadow *bli_shadow_open(bl_context *ctx, const struct bli_call *call, bl_dtype dtype,
                           const struct bli_shadow_functions *functions);

/*
 * Before a call runs whose result is one number, of `dtype`: compute it the other way,
 * by `function` on the same inputs, if it is to be compared, else NULL.
 */
bl_shadow *bli_shadow_open_number(bl_context *ctx, bl_dtype dtype, int32_t count,
                                  const bl_array *const *inputs,
                                  bl_shadow_function function, void *user);

/* After a plan has run on these addresses, of which `out` is the result. */
void bli_shadow_carry_plan(const struct bl_plan *plan, const void *out,
                           const void *const *data);

/* What a call has written to `result` was computed from `inputs`. */
void bli_shadow_carry_arrays(const bl_array *result, int32_t count,
                             const bl_array *const *inputs);

static inline void bli_shadow_carry(const bl_array *result, int32_t count,
                                    const bl_array *const *inputs)
{
    if (bli_shadow_has_marks())
        bli_shadow_carry_arrays(result, count, inputs);
}

/* Find what two arrays of one shape and dtype differ in. */
void bli_difference_find(struct bli_difference *found, const bl_array *a,
                         const bl_array *b);

#endif
