/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Values under Torch's rules.  Every function that paired operands of equal numel is
 * called on operands of any shapes and strides, and compared with a call on their
 * elements in row-major order.  The bits are equal for 1, 2 and 8 threads, with a new
 * result, into an existing one and in place.
 */
#include <broadloom.h>
#include <broadloom/compat.h>

#include <stdlib.h>
#include <string.h>

#include "legacy_functions.h"
#include "legacy_operand.h"
#include "harness/tap.h"

enum { FEW = 720, MANY = 720 * 100 };

/* ---- the comparison ---- */

static bool same_shape(const bl_array *a, const bl_array *b)
{
    return a->rank == b->rank &&
           memcmp(a->extent, b->extent, (size_t)a->rank * sizeof *a->extent) == 0;
}

/* Whether two results have equal elements, and the first has the shape of `like`. */
static bool same_result(const bl_array *got, const bl_array *want, const bl_array *like)
{
    int64_t count = 1, expected = 1;

    for (int32_t d = 0; d < got->rank; d++)
        count *= got->extent[d];
    for (int32_t d = 0; d < want->rank; d++)
        expected *= want->extent[d];
    return count == expected && got->dtype == want->dtype &&
           (!like || same_shape(got, like)) &&
           (count == 0 || memcmp(got->data, want->data,
                                 (size_t)count * bl_dtype_size(got->dtype)) == 0);
}

/*
 * Lay out operands: the arrays in their layouts, and compact copies in logical order.
 */
static void lay_out_all(const struct legacy_function *function, struct operand *o,
                        int64_t count, bool is_in_place, const bl_array **arrays,
                        const bl_array **flat)
{
    for (int32_t k = 0; k < function->count; k++) {
        operand_lay_out(&o[k], function->dtype[k], count, k == 0 && is_in_place);
        arrays[k] = &o[k].array;
        flat[k] = &o[k].flat;
    }
}

static bool check_new(const struct legacy_function *function, bl_context *ctx,
                      struct operand *o, int64_t count)
{
    const bl_array *arrays[LEGACY_OPERANDS] = {NULL}, *flat[LEGACY_OPERANDS] = {NULL};
    const bool keeps_shape = strcmp(function->name, "dist") != 0 &&
                             strcmp(function->name, "masked_select") != 0;
    bl_tensor *got = NULL, *want = NULL;
    bool pass;

    lay_out_all(function, o, count, false, arrays, flat);
    pass = legacy_call(function, ctx, arrays, NULL, &got) == BL_OK &&
           legacy_call(function, ctx, flat, NULL, &want) == BL_OK &&
           same_result(bl_tensor_array(got), bl_tensor_array(want),
                       keeps_shape ? arrays[0] : NULL);
    bl_tensor_release(got);
    bl_tensor_release(want);
    return pass;
}

static bool check_in_place(const struct legacy_function *function, bl_context *ctx,
                           struct operand *o, int64_t count)
{
    const size_t bytes = (size_t)count * bl_dtype_size(function->dtype[0]);
    const bl_array *arrays[LEGACY_OPERANDS] = {NULL}, *flat[LEGACY_OPERANDS] = {NULL};
    char *const want = malloc(bytes);
    bool pass;

    lay_out_all(function, o, count, true, arrays, flat);
    pass = want && legacy_call(function, ctx, arrays, arrays[0], NULL) == BL_OK &&
           legacy_call(function, ctx, flat, flat[0], NULL) == BL_OK;
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
    BL_IGNORE(bl_context_set_rules(ctx, rules));
    for (int f = 0; f < LEGACY_FUNCTIONS; f++) {
        const struct legacy_function *const function = &legacy_functions[f];
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
    struct operand o[LEGACY_OPERANDS];
    bl_context *ctx;

    tap_plan();
    for (int k = 0; k < LEGACY_OPERANDS; k++)
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
        check(bl_rules_legacy(), ctx, threads[t], o, FEW, 12);
        check(bl_rules_legacy(), ctx, threads[t], o, MANY, 1);
        bl_context_destroy(ctx);
    }
    for (int k = 0; k < LEGACY_OPERANDS; k++)
        operand_close(&o[k]);
    return tap_done();
}
