/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Values under the rules of PyTorch 0.2 and 0.3: every function with a fallback, for
 * all pairs and triples of some shapes, with a new result, into an existing one and in
 * place.  An independent model says which elements are combined: all operands broadcast
 * (in place to the shape of the first), or they are paired pointwise in 1-D with a
 * warning; otherwise the call is refused and nothing is written.
 */
#include <broadloom/compat.h>
#include <broadloom/warnings.h>

#include <stdlib.h>
#include <string.h>

#include "legacy_functions.h"
#include "reference/pairing_model.h"
#include "harness/shapes.h"
#include "harness/tap.h"

enum { STEP = 3, SIZE = 4 };

static const char *const shape_names[] = {"(6)",   "(2,3)", "(3,2)",   "(6,1)", "(1,6)",
                                          "(2,1)", "(1)",   "(1,2,3)", "(3)",   "(4)"};
enum { SHAPES = sizeof shape_names / sizeof shape_names[0] };

/* An operand: its elements in row-major order, and in memory, `step` elements apart. */
struct side {
    struct shape shape;
    int64_t count;
    int64_t step;
    int64_t stride[BL_MAX_RANK];
    bl_array array;
    char element[PAIRING_MOST * SIZE];
    char memory[PAIRING_MOST * SIZE * STEP];
};

/* ---- operands ---- */

static void lay_out(struct side *side, const char *shape, bl_dtype dtype, int32_t k)
{
    const int64_t size = (int64_t)bl_dtype_size(dtype);
    int64_t stride;

    side->shape = shape_read(shape, NULL);
    side->count = pairing_count(&side->shape);
    side->step = 1 + k;
    stride = side->step;
    for (int32_t d = side->shape.rank - 1; d >= 0; d--) {
        side->stride[d] = stride;
        stride *= side->shape.extent[d];
    }
    memset(side->memory, 0x5a, sizeof side->memory);
    for (int64_t i = 0; i < side->count; i++) {
        const float real = (float)((i * 7 + 3 * k) % 11 + 1) * 0.25f;
        const int32_t whole = (int32_t)((i * 5 + k) % 7 + 1);
        const bool truth = (i + k) % 3 != 0;
        char *const at = side->element + i * size;

        if (dtype == BL_DTYPE_F32)
            memcpy(at, &real, sizeof real);
        else if (dtype == BL_DTYPE_I32)
            memcpy(at, &whole, sizeof whole);
        else
            memcpy(at, &truth, sizeof truth);
        memcpy(side->memory + i * size * side->step, at, (size_t)size);
    }
    side->array = (bl_array){.data = side->memory,
                             .dtype = dtype,
                             .rank = side->shape.rank,
                             .extent = side->shape.extent,
                             .stride = side->stride};
}

/* Whether the elements of a layout equal those of `want`. */
static bool has_elements(const bl_array *array, int64_t step, const bl_array *want,
                         int64_t count)
{
    const size_t size = bl_dtype_size(array->dtype);

    if (array->dtype != want->dtype)
        return false;
    for (int64_t i = 0; i < count; i++)
        if (memcmp((const char *)array->data + (size_t)(i * step) * size,
                   (const char *)want->data + (size_t)i * size, size) != 0)
            return false;
    return true;
}

/* ---- one call ---- */

enum form { NEW, TO, IN_PLACE };

/*
 * Number of operands that are paired; masked_scatter's source is read in logical order.
 */
static int32_t paired(const struct legacy_function *function)
{
    return strcmp(function->name, "masked_scatter") == 0 ? 2 : function->count;
}

/* Call the same function on the paired elements, laid out as rows of equal shapes. */
static bl_status call_flat(const struct legacy_function *function,
                           const struct side *sides, const struct pairing *pairing,
                           enum form form, bl_array flat[LEGACY_OPERANDS],
                           bl_tensor **want)
{
    static char memory[LEGACY_OPERANDS][PAIRING_MOST * SIZE];
    const bl_array *in[LEGACY_OPERANDS] = {NULL};

    for (int32_t k = 0; k < function->count; k++) {
        const size_t size = bl_dtype_size(function->dtype[k]);
        const bool is_paired = k < paired(function);

        for (int64_t i = 0; i < pairing->count; i++)
            memcpy(memory[k] + (size_t)i * size,
                   sides[k].element +
                       (size_t)(is_paired ? pairing->index[k][i] : i) * size,
                   size);
        flat[k] = (bl_array){.data = memory[k],
                             .dtype = function->dtype[k],
                             .rank = 1,
                             .extent = &pairing->count};
        in[k] = &flat[k];
    }
    return legacy_call(function, NULL, in, form == IN_PLACE ? in[0] : NULL, want);
}

/* Whether the call is refused, and leaves its first operand unchanged. */
static bool refuses(const struct legacy_function *function, bl_context *ctx,
                    const struct side *sides, enum form form)
{
    const bl_array *in[LEGACY_OPERANDS] = {&sides[0].array, &sides[1].array,
                                           &sides[2].array};
    const struct side before = sides[0];
    bl_tensor *out = NULL;
    const bl_status status =
        legacy_call(function, ctx, in, form == IN_PLACE ? in[0] : NULL, &out);

    return status == BL_ERR_SHAPE && !out &&
           memcmp(before.memory, sides[0].memory, sizeof before.memory) == 0;
}

/* Whether the call's result is the model's. */
static bool gives(const struct legacy_function *function, bl_context *ctx,
                  const struct side *sides, const struct pairing *pairing,
                  enum form form)
{
    const bl_array *in[LEGACY_OPERANDS] = {&sides[0].array, &sides[1].array,
                                           &sides[2].array};
    const bool keeps_shape = strcmp(function->name, "dist") != 0 &&
                             strcmp(function->name, "masked_select") != 0;
    bl_array flat[LEGACY_OPERANDS];
    bl_tensor *want = NULL, *out = NULL;
    bool pass = call_flat(function, sides, pairing, form, flat, &want) == BL_OK;

    if (pass && form == IN_PLACE) {
        pass = legacy_call(function, ctx, in, in[0], NULL) == BL_OK &&
               has_elements(in[0], sides[0].step, &flat[0], pairing->count);
    } else if (pass) {
        static char memory[PAIRING_MOST * SIZE];
        const bl_array *const model = bl_tensor_array(want);
        const bl_array to = {.data = memory,
                             .dtype = model->dtype,
                             .rank = pairing->result.rank,
                             .extent = pairing->result.extent};
        int64_t count = 1;

        for (int32_t d = 0; d < model->rank; d++)
            count *= model->extent[d];
        pass = legacy_call(function, ctx, in, form == TO ? &to : NULL, &out) == BL_OK;
        if (pass) {
            const bl_array *const got = form == TO ? &to : bl_tensor_array(out);

            pass =
                has_elements(got, 1, model, count) &&
                (!keeps_shape || shape_equal(&pairing->result, got->rank, got->extent));
        }
    }
    bl_tensor_release(want);
    bl_tensor_release(out);
    return pass;
}

/* Check one call with these shapes; `tally` counts the outcomes. */
static bool check(const struct legacy_function *function, bl_context *ctx,
                  const int32_t *shapes, enum form form, int64_t tally[3])
{
    static struct side sides[LEGACY_OPERANDS];
    static struct pairing pairing;
    const int64_t before = bl_warnings_count(BL_CHANGE_FALLBACK);
    const struct shape *shape[LEGACY_OPERANDS];
    bool pass;

    for (int32_t k = 0; k < function->count; k++)
        lay_out(&sides[k], k < paired(function) ? shape_names[shapes[k]] : "(36)",
                function->dtype[k], k < paired(function) ? k : 0);
    for (int32_t k = 0; k < paired(function); k++)
        shape[k] = &sides[k].shape;
    pairing_find(paired(function), shape, form == IN_PLACE, &pairing);
    tally[pairing.outcome]++;
    pass = pairing.outcome == IS_REFUSED ? refuses(function, ctx, sides, form)
                                         : gives(function, ctx, sides, &pairing, form);
    if (bl_warnings_count(BL_CHANGE_FALLBACK) - before !=
        (pairing.outcome == FALLS_BACK))
        pass = false;
    if (!pass)
        tap_note("%s: form %d, %s %s %s: %s", function->name, (int)form,
                 shape_names[shapes[0]], shape_names[shapes[1]],
                 paired(function) > 2 ? shape_names[shapes[2]] : "",
                 bl_error_message());
    return pass;
}

static void check_function(const struct legacy_function *function, bl_context *ctx)
{
    const int32_t last = paired(function) > 2 ? SHAPES : 1;
    const bool forms[3] = {function->op != BL_OP_NONE || function->call,
                           function->op != BL_OP_NONE,
                           function->op != BL_OP_NONE || function->in_place};
    int64_t tally[3] = {0};
    bool pass = true;

    for (int32_t a = 0; pass && a < SHAPES; a++)
        for (int32_t b = 0; pass && b < SHAPES; b++)
            for (int32_t c = 0; pass && c < last; c++)
                for (int form = NEW; pass && form <= IN_PLACE; form++)
                    pass =
                        !forms[form] || check(function, ctx, (const int32_t[]){a, b, c},
                                              (enum form)form, tally);
    tap_ok(pass && tally[BROADCASTS] > 0 && tally[FALLS_BACK] > 0 &&
               tally[IS_REFUSED] > 0,
           "%s: %d broadcast, %d fall back, %d are refused", function->name,
           (int)tally[BROADCASTS], (int)tally[FALLS_BACK], (int)tally[IS_REFUSED]);
}

int main(void)
{
    bl_context *ctx;

    tap_plan();
    if (bl_context_create(&ctx) != BL_OK) {
        tap_ok(false, "a context: %s", bl_error_message());
        return tap_done();
    }
    BL_IGNORE(bl_context_set_rules(ctx, bl_rules_transitional()));
    for (int f = 0; f < LEGACY_FUNCTIONS; f++)
        check_function(&legacy_functions[f], ctx);
    bl_context_destroy(ctx);
    return tap_done();
}
