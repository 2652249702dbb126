/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions that paired operands of equal numel.
 */
#include "legacy_functions.h"

static bl_status call_dist(bl_context *ctx, const bl_array *const *in, bl_tensor **out)
{
    return bl_dist(ctx, in[0], in[1], 2.0, out);
}

static bl_status call_copy(bl_context *ctx, const bl_array *const *in)
{
    return bl_copy_out(ctx, in[0], in[1]);
}

static bl_status call_masked_fill(bl_context *ctx, const bl_array *const *in)
{
    return bl_masked_fill_inplace(ctx, in[0], in[1], bl_scalar_f64(-1.5));
}

static bl_status call_masked_select(bl_context *ctx, const bl_array *const *in,
                                    bl_tensor **out)
{
    return bl_masked_select(ctx, in[0], in[1], out);
}

static bl_status call_masked_scatter(bl_context *ctx, const bl_array *const *in)
{
    return bl_masked_scatter_inplace(ctx, in[0], in[1], in[2]);
}

static bl_status call_masked_fill_new(bl_context *ctx, const bl_array *const *in,
                                      bl_tensor **out)
{
    return bl_masked_fill(ctx, in[0], in[1], bl_scalar_f64(-1.5), out);
}

#define F BL_DTYPE_F32
#define I BL_DTYPE_I32
#define B BL_DTYPE_BOOL
const struct legacy_function legacy_functions[LEGACY_FUNCTIONS] = {
    {"add", BL_OP_ADD, 2, {F, F}, false, NULL, NULL},
    {"sub", BL_OP_SUB, 2, {F, F}, false, NULL, NULL},
    {"mul", BL_OP_MUL, 2, {F, F}, false, NULL, NULL},
    {"div", BL_OP_DIV, 2, {F, F}, false, NULL, NULL},
    {"fmod", BL_OP_FMOD, 2, {F, F}, false, NULL, NULL},
    {"fmod of integers", BL_OP_FMOD, 2, {I, I}, false, NULL, NULL},
    {"remainder", BL_OP_REMAINDER, 2, {F, F}, false, NULL, NULL},
    {"lt", BL_OP_LT, 2, {F, F}, false, NULL, NULL},
    {"gt", BL_OP_GT, 2, {F, F}, false, NULL, NULL},
    {"le", BL_OP_LE, 2, {F, F}, false, NULL, NULL},
    {"ge", BL_OP_GE, 2, {F, F}, false, NULL, NULL},
    {"eq", BL_OP_EQ, 2, {F, F}, false, NULL, NULL},
    {"ne", BL_OP_NE, 2, {F, F}, false, NULL, NULL},
    {"max", BL_OP_MAXIMUM, 2, {F, F}, false, NULL, NULL},
    {"min", BL_OP_MINIMUM, 2, {F, F}, false, NULL, NULL},
    {"atan2", BL_OP_ATAN2, 2, {F, F}, false, NULL, NULL},
    {"pow", BL_OP_POW, 2, {F, F}, false, NULL, NULL},
    {"lerp", BL_OP_LERP, 2, {F, F}, true, NULL, NULL},
    {"addcmul", BL_OP_ADDCMUL, 3, {F, F, F}, true, NULL, NULL},
    {"addcdiv", BL_OP_ADDCDIV, 3, {F, F, F}, true, NULL, NULL},
    {"and", BL_OP_BITWISE_AND, 2, {I, I}, false, NULL, NULL},
    {"or", BL_OP_BITWISE_OR, 2, {I, I}, false, NULL, NULL},
    {"xor", BL_OP_BITWISE_XOR, 2, {I, I}, false, NULL, NULL},
    {"lshift", BL_OP_LEFT_SHIFT, 2, {I, I}, false, NULL, NULL},
    {"rshift", BL_OP_RIGHT_SHIFT, 2, {I, I}, false, NULL, NULL},
    {"dist", BL_OP_NONE, 2, {F, F}, false, call_dist, NULL},
    {"copy", BL_OP_NONE, 2, {F, F}, false, NULL, call_copy},
    {"masked_fill",
     BL_OP_NONE,
     2,
     {F, B},
     false,
     call_masked_fill_new,
     call_masked_fill},
    {"masked_select", BL_OP_NONE, 2, {F, B}, false, call_masked_select, NULL},
    {"masked_scatter", BL_OP_NONE, 3, {F, B, F}, false, NULL, call_masked_scatter},
};
#undef F
#undef I
#undef B

bl_status legacy_call(const struct legacy_function *function, bl_context *ctx,
                      const bl_array *const *arrays, const bl_array *to,
                      bl_tensor **out)
{
    const bl_scalar half = bl_scalar_f64(0.5);
    const bl_array number = bl_scalar_array(&half);
    const bl_array *in[LEGACY_OPERANDS + 1] = {arrays[0], arrays[1], arrays[2]};
    const int32_t count = function->count + function->has_number;

    if (function->has_number)
        in[function->count] = &number;
    if (function->op == BL_OP_NONE && to)
        return function->in_place(ctx, arrays);
    if (function->op == BL_OP_NONE)
        return function->call(ctx, arrays, out);
    return to ? bl_apply(ctx, function->op, to, count, in, NULL)
              : bl_apply_new(ctx, function->op, count, in, NULL, out);
}
