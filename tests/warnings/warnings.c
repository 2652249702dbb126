/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Warnings of calls whose results changed: which calls, and their messages.
 */
#include <broadloom.h>
#include <broadloom/compat.h>
#include <broadloom/warnings.h>

#include "harness/tap.h"

#include <stdio.h>
#include <string.h>

#define CHANGED                                                                        \
    " do not have the same shape, but are broadcastable, and have the same number of " \
    "elements.  Changing behavior in a backwards incompatible manner to broadcasting " \
    "rather than viewing as 1-dimensional."
#define FALLBACK                                                                       \
    "the same number of elements.  Falling back to deprecated pointwise behavior."

/* What the handler received last. */
static struct {
    int calls;
    char text[512];
    char function[32];
    char id[32];
    bl_warning warning; /* its pointers are no longer valid */
} seen;

static void listen_to(void *user, const bl_warning *warning)
{
    (void)user;
    seen.calls++;
    seen.warning = *warning;
    snprintf(seen.text, sizeof seen.text, "%s", warning->text);
    snprintf(seen.function, sizeof seen.function, "%s", warning->function);
    snprintf(seen.id, sizeof seen.id, "%s", warning->id);
}

/* Reset everything, with the flag on and all warnings reported. */
static void start(bl_predicate predicate)
{
    bl_backcompat_broadcast_warning_set_enabled(true);
    bl_warnings_reset();
    bl_warnings_set_handler(listen_to, NULL);
    memset(&seen, 0, sizeof seen);
    if (bl_warnings_filter(BL_WARNING_ALWAYS, BL_CHANGE_NONE, NULL) != BL_OK ||
        bl_backcompat_broadcast_warning_set_predicate(predicate) != BL_OK)
        tap_ok(false, "a filter and a predicate: %s", bl_error_message());
}

/* ---- calls ---- */

static const int64_t column[2] = {4, 1}, row[2] = {1, 4}, square[2] = {2, 2};
static const int64_t vector[1] = {4}, whole[2] = {4, 4};
static float x[16], y[16], z[16], w[16];
static bool mask_data[16];

static bl_array of(float *data, int32_t rank, const int64_t *extent)
{
    return (bl_array){
        .data = data, .dtype = BL_DTYPE_F32, .rank = rank, .extent = extent};
}

static bl_context *ctx;

static bool drop(bl_status status, bl_tensor **result)
{
    if (status != BL_OK)
        tap_note("%s: %s", bl_error_where(), bl_error_message());
    else
        bl_tensor_release(*result);
    return status == BL_OK;
}

/* Messages of calls under the flag, with PyTorch's names of their operands. */
static void check_texts(void)
{
    const bl_array a = of(x, 2, column), v = of(y, 1, vector), r = of(z, 2, row);
    const bl_array all = of(w, 2, whole);
    const bl_array mask = {
        .data = mask_data, .dtype = BL_DTYPE_BOOL, .rank = 1, .extent = vector};
    const char *const names[] = {"left", "right"};
    const bl_scalar two = bl_scalar_f64(2);
    const bl_array *const in[] = {&a, &v};
    bl_options options = BL_OPTIONS_DEFAULT;
    bl_tensor *out;

    start(BL_PREDICATE_EXACT);
    tap_ok(drop(bl_add(ctx, &a, &v, &out), &out) && seen.calls == 1 &&
               strcmp(seen.text, "other and self" CHANGED) == 0 &&
               strcmp(seen.function, "add") == 0 && strcmp(seen.id, "W_CHANGED") == 0,
           "(4,1) + (4)");
    tap_ok(seen.warning.change == BL_CHANGE_VALUE &&
               seen.warning.effect == BL_CHANGE_VALUE && seen.warning.growth == 4.0 &&
               seen.warning.expanded_dims == 2 && seen.warning.count == 2 &&
               seen.warning.result.rank == 2,
           "its result has four times the elements, along dimension 1");
    tap_ok(bl_add_out(ctx, &all, &a, &v) == BL_OK && seen.calls == 2,
           "into a result that exists");
    tap_ok(bl_mul_inplace(ctx, &r, &v) == BL_OK && seen.calls == 3 &&
               strcmp(seen.text, "self and other" CHANGED) == 0 &&
               seen.warning.effect == BL_CHANGE_NONE,
           "(1,4) *= (4), which changes nothing");
    tap_ok(bl_copy_out(ctx, &r, &v) == BL_OK && seen.calls == 4 &&
               strcmp(seen.text, "dst and src" CHANGED) == 0,
           "a copy of (4) to (1,4)");
    tap_ok(bl_masked_fill_inplace(ctx, &r, &mask, two) == BL_OK && seen.calls == 5 &&
               strcmp(seen.text, "self and mask" CHANGED) == 0 &&
               strcmp(seen.function, "masked_fill") == 0,
           "(1,4) filled by a mask (4)");
    options.alpha = &two;
    tap_ok(drop(bl_apply_new(ctx, BL_OP_ADD, 2, in, &options, &out), &out) &&
               seen.calls == 6 && strcmp(seen.text, "other and self" CHANGED) == 0 &&
               strcmp(seen.function, "add") == 0,
           "an addition with alpha");
    options.names = names;
    tap_ok(drop(bl_apply_new(ctx, BL_OP_ADD, 2, in, &options, &out), &out) &&
               strcmp(seen.text, "right and left" CHANGED) == 0,
           "operands that the caller names");
    seen.calls = 0;
    tap_ok(drop(bl_add(ctx, &a, &all, &out), &out) && seen.calls == 0 &&
               drop(bl_add(ctx, &v, &v, &out), &out) && seen.calls == 0,
           "counts that differ and shapes that are the same raise none");
    tap_ok(bl_warnings_count(BL_CHANGE_VALUE) == 7 &&
               bl_warnings_count(BL_CHANGE_NONE) == 7 &&
               bl_warnings_emitted(BL_CHANGE_NONE) == 7 &&
               bl_warnings_count(BL_CHANGE_SHAPE) == 0,
           "all are counted");
}

static void check_three_operands(void)
{
    const bl_array a = of(x, 2, column), v = of(y, 1, vector), r = of(z, 2, row);
    const bl_scalar two = bl_scalar_f64(2);
    const bl_array number = bl_scalar_array(&two);
    bl_tensor *out;

    start(BL_PREDICATE_EXACT);
    tap_ok(drop(bl_addcmul(ctx, &a, &r, &v, &number, &out), &out) && seen.calls == 2 &&
               strcmp(seen.text, "tensor2 and self" CHANGED) == 0,
           "addcmul of (4,1), (1,4) and (4) warns of each that differs from self");
    BL_IGNORE(bl_context_set_rules(ctx, bl_rules_transitional()));
    start(BL_PREDICATE_EXACT);
    tap_ok(drop(bl_addcmul(ctx, &a, &r, &v, &number, &out), &out) && seen.calls == 2,
           "so do the transitional rules");
    BL_IGNORE(bl_context_set_rules(ctx, NULL));
}

static void check_precise(void)
{
    const bl_array a = of(x, 2, column), v = of(y, 1, vector), r = of(z, 2, row);
    bl_tensor *out;

    start(BL_PREDICATE_PRECISE);
    tap_ok(drop(bl_add(ctx, &r, &v, &out), &out) && seen.calls == 0,
           "precise: (1,4) + (4) is as it was");
    tap_ok(drop(bl_add(ctx, &v, &r, &out), &out) && seen.calls == 1 &&
               strcmp(seen.id, "W_CHANGED_SHAPE") == 0 &&
               seen.warning.change == BL_CHANGE_SHAPE && seen.warning.growth == 1.0,
           "precise: (4) + (1,4) has another shape");
    tap_ok(drop(bl_add(ctx, &v, &a, &out), &out) && seen.calls == 2 &&
               strcmp(seen.id, "W_CHANGED") == 0,
           "precise: (4) + (4,1) has other values");
    tap_ok(bl_mul_inplace(ctx, &r, &v) == BL_OK && seen.calls == 2,
           "precise: in place nothing changes");
}

/* The fallback does not depend on the flag. */
static void check_fallback(void)
{
    const bl_array a = of(x, 2, column), s = of(y, 2, square), v = of(z, 1, vector);
    bl_tensor *out = NULL;

    start(BL_PREDICATE_EXACT);
    bl_backcompat_broadcast_warning_set_enabled(false);
    BL_IGNORE(bl_context_set_rules(ctx, bl_rules_transitional()));
    for (int i = 0; i < 4; i++) {
        x[i] = (float)i;
        y[i] = z[i] = (float)(10 * i);
    }
    tap_ok(bl_add(ctx, &a, &s, &out) == BL_OK && seen.calls == 1 &&
               strcmp(seen.text,
                      "self and other not broadcastable, but have " FALLBACK) == 0 &&
               bl_tensor_array(out)->rank == 2 &&
               bl_tensor_array(out)->extent[0] == 4 &&
               ((float *)bl_tensor_array(out)->data)[3] == 33.0f,
           "(4,1) + (2,2) falls back, without the flag");
    bl_tensor_release(out);
    tap_ok(bl_add_inplace(ctx, &a, &v) == BL_OK && x[3] == 33.0f && seen.calls == 2 &&
               strcmp(seen.id, "W_FALLBACK_INPLACE") == 0 &&
               strcmp(seen.text,
                      "other is not broadcastable to self, but they have " FALLBACK) ==
                   0,
           "(4,1) += (4) falls back");
    tap_ok(bl_warnings_count(BL_CHANGE_FALLBACK) == 2, "both are counted");
    BL_IGNORE(bl_context_set_rules(ctx, NULL));
}

/* What rules and bindings ask for. */
static void check_names(void)
{
    const bl_rules_event keepdim = {.change = BL_CHANGE_KEEPDIM};
    bl_rules_query query = {.size = sizeof query, .op = BL_OP_MAXIMUM};
    char text[200];

    tap_ok(strcmp(bl_change_function(&query), "max") == 0, "PyTorch's name");
    query.op = BL_OP_FLOOR_DIVIDE;
    tap_ok(strcmp(bl_change_function(&query), "floor_divide") == 0,
           "the operator's where PyTorch had none");
    query.op = BL_OP_NONE;
    tap_ok(strcmp(bl_change_function(&query), "broadcast") == 0, "that of shapes");
    query.function = "median";
    tap_ok(bl_change_function(&query) == query.function &&
               bl_change_text(&query, &keepdim, text, sizeof text) == strlen(text) &&
               strstr(text, "call to \"median\" uses default value for keepdim"),
           "the text of a reduction's warning");
}

int main(void)
{
    tap_plan();
    if (bl_context_create(&ctx) != BL_OK) {
        tap_ok(false, "a context: %s", bl_error_message());
        return tap_done();
    }
    check_texts();
    check_three_operands();
    check_precise();
    check_fallback();
    check_names();
    bl_context_destroy(ctx);
    return tap_done();
}
