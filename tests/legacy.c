/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Values under Torch's rules: every function that paired operands of equal count, on
 * operands of any shapes and strides, against the same function on what their elements
 * are in row-major order.  The same bits, for 1, 2 and 8 threads, new, into a result
 * and in place.
 */
#include <broadloom.h>

#include <stdlib.h>
#include <string.h>

#include "legacy_operand.h"
#include "tap.h"

enum { OPERANDS = 3, FEW = 720, MANY = 720 * 100 };

/* ---- functions ---- */

struct function {
    const char *name;
    bl_op op; /* NONE: one of `call` */
    int32_t count;
    bl_dtype dtype[OPERANDS];
    bool has_number; /* for its last input */
    bl_status (*call)(bl_context *ctx, const bl_array *const *in, bl_tensor **out);
    bl_status (*in_place)(bl_context *ctx, const bl_array *const *in);
};

static bl_status call_dist(bl_context *ctx, const bl_array *const *in, bl_tensor **out)
{
    return bl_dist(ctx, in[0], in[1], 2.0, out);
}

static bl_status call_copy(bl_context *ctx, const bl_array *const *in)
{
    return bl_copy_to(ctx, in[0], in[1]);
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
static const struct function functions[] = {
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
enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

static bl_status call(const struct function *function, bl_context *ctx,
                      const bl_array *const *arrays, const bl_array *to,
                      bl_tensor **out)
{
    const bl_scalar half = bl_scalar_f64(0.5);
    const bl_array number = bl_scalar_array(&half);
    const bl_array *in[OPERANDS + 1] = {arrays[0], arrays[1], arrays[2]};
    const int32_t count = function->count + function->has_number;

    if (function->has_number)
        in[function->count] = &number;
    if (function->op == BL_OP_NONE && to)
        return function->in_place(ctx, arrays);
    if (function->op == BL_OP_NONE)
        return function->call(ctx, arrays, out);
    return to ? bl_apply(ctx, function->op, count, in, to, NULL)
              : bl_apply_new(ctx, function->op, count, in, out, NULL);
}

/* ---- the comparison ---- */

static bool same_shape(const bl_array *a, const bl_array *b)
{
    return a->rank == b->rank &&
           memcmp(a->extent, b->extent, (size_t)a->rank * sizeof *a->extent) == 0;
}

/* Whether two results have the same elements, and the first the shape of `like`. */
static bool same_result(const bl_array *got, const bl_array *want, const bl_array *like)
{
    int64_t count = 1, expected = 1;

    for (int32_t d = 0; d < got->rank; d++)
        count *= got->extent[d];
    for (int32_t d = 0; d < want->rank; d++)
        expected *= want->extent[d];
    return count == expected && got->dtype == want->dtype &&
           (!like || same_shape(got, like)) &&
           memcmp(got->data, want->data, (size_t)count * bl_dtype_size(got->dtype)) ==
               0;
}

/* Lay out operands; the arrays as they are, and as they are in order. */
static void lay_out_all(const struct function *function, struct operand *o,
                        int64_t count, bool is_in_place, const bl_array **arrays,
                        const bl_array **flat)
{
    for (int32_t k = 0; k < function->count; k++) {
        operand_lay_out(&o[k], function->dtype[k], count, k == 0 && is_in_place);
        arrays[k] = &o[k].array;
        flat[k] = &o[k].flat;
    }
}

static bool check_new(const struct function *function, bl_context *ctx,
                      struct operand *o, int64_t count)
{
    const bl_array *arrays[OPERANDS] = {NULL}, *flat[OPERANDS] = {NULL};
    const bool keeps_shape = strcmp(function->name, "dist") != 0 &&
                             strcmp(function->name, "masked_select") != 0;
    bl_tensor *got = NULL, *want = NULL;
    bool pass;

    lay_out_all(function, o, count, false, arrays, flat);
    pass = call(function, ctx, arrays, NULL, &got) == BL_OK &&
           call(function, ctx, flat, NULL, &want) == BL_OK &&
           same_result(bl_tensor_array(got), bl_tensor_array(want),
                       keeps_shape ? arrays[0] : NULL);
    bl_tensor_release(got);
    bl_tensor_release(want);
    return pass;
}

static bool check_in_place(const struct function *function, bl_context *ctx,
                           struct operand *o, int64_t count)
{
    const size_t bytes = (size_t)count * bl_dtype_size(function->dtype[0]);
    const bl_array *arrays[OPERANDS] = {NULL}, *flat[OPERANDS] = {NULL};
    char *const want = malloc(bytes);
    bool pass;

    lay_out_all(function, o, count, true, arrays, flat);
    pass = want && call(function, ctx, arrays, arrays[0], NULL) == BL_OK &&
           call(function, ctx, flat, flat[0], NULL) == BL_OK;
    if (pass) {
        memcpy(want, o[0].elements, bytes);
        operand_read(&o[0]);
        pass = memcmp(want, o[0].elements, bytes) == 0;
    }
    free(want);
    return pass;
}

static void check(const bl_rules *rules, bl_context *ctx, int32_t threads,
                  struct operand *o, int64_t count, int times)
{
    bl_context_set_rules(ctx, rules);
    for (int f = 0; f < FUNCTIONS; f++) {
        const struct function *const function = &functions[f];
        bool pass = true;

        for (int i = 0; pass && i < times; i++) {
            if (function->op != BL_OP_NONE || function->call)
                pass = check_new(function, ctx, o, count);
            if (pass && (function->op != BL_OP_NONE || function->in_place))
                pass = check_in_place(function, ctx, o, count);
        }
        if (!tap_ok(pass, "%s: %s of %d elements, %d threads", rules->name,
                    function->name, (int)count, (int)threads))
            tap_note("%s: %s", bl_error_where(), bl_error_message());
    }
}

int main(void)
{
    static const int32_t threads[] = {1, 2, 8};
    struct operand o[OPERANDS];
    bl_context *ctx;

    tap_plan();
    for (int k = 0; k < OPERANDS; k++)
        if (!operand_open(&o[k], MANY * sizeof(float))) {
            tap_ok(false, "memory");
            return tap_done();
        }
    for (int t = 0; t < 3; t++) {
        if (bl_context_create(&ctx) != BL_OK ||
            bl_context_set_threads(ctx, threads[t]) != BL_OK) {
            tap_ok(false, "a context: %s", bl_error_message());
            continue;
        }
        check(&bl_rules_legacy, ctx, threads[t], o, FEW, 12);
        check(&bl_rules_legacy, ctx, threads[t], o, MANY, 1);
        bl_context_destroy(ctx);
    }
    for (int k = 0; k < OPERANDS; k++)
        operand_close(&o[k]);
    return tap_done();
}
