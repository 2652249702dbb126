/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Results that differ are followed through calls of the library, and where their
 * elements leave it is counted; nothing else is.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <broadloom/dlpack.h>
#include <broadloom/expr.h>
#include <broadloom/map.h>
#include <broadloom/mask.h>
#include <broadloom/npy.h>
#include <broadloom/plan.h>
#include <broadloom/reduce.h>

#include "harness/scratch.h"
#include "harness/tap.h"
#include "shadow.h"
#include "shadow_spread.h"

/* ---- how elements leave ---- */

static bool ignore_text(void *user, const char *text, size_t length)
{
    (void)user;
    (void)text;
    return length > 0;
}

static bool leave(bl_tensor *tensor, const char *path)
{
    const bl_array *const array = bl_tensor_array(tensor);
    const int64_t index[2] = {1, 2};
    struct DLManagedTensorVersioned *given;
    bl_tensor *taken = NULL;
    bool is_done = true;
    float value;

    bl_call_site_enter("leave.c", 7);
    is_done = bl_tensor_data(tensor) && is_done;
    is_done = bl_tensor_mutable_data(tensor) && is_done;
    is_done = bl_array_get(array, index, &value) == BL_OK && is_done;
    is_done = bl_array_format(array, 0, ignore_text, NULL) == BL_OK && is_done;
    BL_IGNORE(bl_call_site_leave(BL_OK));
    bl_shadow_read(BL_SHADOW_SAVE, array, "own.c", 9, NULL);
    is_done = bl_npy_save(NULL, path, array) == BL_OK && is_done;
    is_done = is_done && bl_tensor_to_dlpack(NULL, tensor, 0, &given) == BL_OK &&
              bl_tensor_from_dlpack(NULL, given, &taken) == BL_OK;
    bl_tensor_release(taken);
    return is_done;
}

static void check_leaving(void)
{
    char path[SCRATCH_BYTES];

    scratch_name(path, "shadow");

    const int file = mkstemp(path);
    bl_tensor *const tensor = make(true);
    struct spread found;
    const bool is_done = file >= 0 && leave(tensor, path);

    found = spread_now();
    tap_ok(is_done && strstr(found.reads, "data leave.c:7 2") &&
               strstr(found.reads, "item leave.c:7 2") &&
               strstr(found.reads, "save own.c:9 1") &&
               count_entries(found.reads, "save ") == 2 &&
               count_entries(found.reads, "data ") == 2,
           "addresses, items and saved arrays are counted at their places");
    tap_note("%s", found.reads);
    bl_tensor_release(tensor);
    bl_warnings_reset();
    bl_tensor *const same = make(false);

    tap_ok(leave(same, path) && is_spread(0, ""), "nothing of a result that is equal");
    bl_tensor_release(same);
    close(file);
    unlink(path);
}

/* ---- through calls ---- */

static void triple(void *user, int64_t count, void *out, const void *const *in)
{
    (void)user;
    for (int64_t i = 0; i < count; i++)
        ((float *)out)[i] = 3 * ((const float *)in[0])[i];
}

static bool by_operator(const bl_array *x, bl_tensor **out)
{
    return bl_mul(NULL, x, x, out) == BL_OK;
}

static bool by_copy(const bl_array *x, bl_tensor **out)
{
    return bl_tensor_clone(NULL, x, out) == BL_OK;
}

static bool by_reduction(const bl_array *x, bl_tensor **out)
{
    return bl_reduce_new(NULL, BL_REDUCTION_SUM, x, 0, NULL, false, NULL, out) == BL_OK;
}

static bool by_variance(const bl_array *x, bl_tensor **out)
{
    return bl_reduce_new(NULL, BL_REDUCTION_VAR, x, 0, NULL, false, NULL, out) == BL_OK;
}

static bool by_function(const bl_array *x, bl_tensor **out)
{
    return bl_map_new(NULL, triple, NULL, 1, &x, BL_DTYPE_F32, NULL, out) == BL_OK;
}

static bool by_mask(const bl_array *x, bl_tensor **out)
{
    bl_tensor *mask = NULL;
    const bool is_done = bl_gt(NULL, x, x, &mask) == BL_OK &&
                         bl_masked_select(NULL, x, bl_tensor_array(mask), out) == BL_OK;

    bl_tensor_release(mask);
    return is_done;
}

static bool by_plan(const bl_array *x, bl_tensor **out)
{
    const void *const data[] = {x->data};
    bl_plan *plan = NULL;
    const bool is_done =
        bl_tensor_empty(NULL, BL_DTYPE_F32, x->rank, x->extent, out) == BL_OK &&
        bl_plan_create(NULL, BL_OP_NEG, bl_tensor_array(*out), 1, &x, NULL, &plan) ==
            BL_OK &&
        bl_plan_execute(NULL, plan, bl_tensor_array(*out)->data, data) == BL_OK;

    bl_plan_destroy(plan);
    return is_done;
}

static bool by_expression(const bl_array *x, bl_tensor **out)
{
    bl_expr *expr = NULL;
    const bool is_done = bl_expr_parse(NULL, "x * 2 + 1", 0, NULL, &expr) == BL_OK &&
                         bl_expr_run_new(NULL, expr, &x, NULL, out) == BL_OK;

    bl_expr_destroy(expr);
    return is_done;
}

static bool by_part(const bl_array *x, bl_tensor **out)
{
    /* The second row of x. */
    const int64_t four[1] = {4};
    const bl_array second = {(float *)x->data + 4, BL_DTYPE_F32, 1, four, NULL, 0};

    return bl_exp(NULL, &second, out) == BL_OK;
}

static void check_calls(void)
{
    static const struct {
        const char *what;
        bool (*call)(const bl_array *x, bl_tensor **out);
        int64_t spread;
    } calls[] = {
        {"an operator", by_operator, 1},
        {"a copy", by_copy, 1},
        {"a reduction", by_reduction, 1},
        {"a variance", by_variance, 1},
        {"a function of the program", by_function, 1},
        {"a mask", by_mask, 2},
        {"a plan", by_plan, 1},
        {"an expression", by_expression, 1},
        {"a part", by_part, 1},
    };

    for (size_t k = 0; k < sizeof calls / sizeof calls[0]; k++)
        for (int differs = 0; differs < 2; differs++) {
            bl_tensor *const x = make(differs != 0), *out = NULL;
            bool is_done = calls[k].call(bl_tensor_array(x), &out);

            look(out, 3);
            is_done = is_done && (differs ? spread_now().spread >= calls[k].spread
                                          : is_spread(0, ""));
            tap_ok(is_done &&
                       is_spread(spread_now().spread,
                                 differs && bl_tensor_numel(out) > 0 ? "data look.c:3 1"
                                                                     : ""),
                   "through %s: %s", calls[k].what, differs ? "marked" : "not marked");
            bl_tensor_release(out);
            bl_tensor_release(x);
            bl_warnings_reset();
        }
}

int main(void)
{
    tap_plan();
    if (bl_shadow_set_every(1) != BL_OK)
        return 1;
    check_leaving();
    check_calls();
    return tap_done();
}
