/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * With BROADLOOM_CALL_SITES, warnings and reads of every function that has any are at a
 * line of a file.
 */
#define BROADLOOM_CALL_SITES
#include <broadloom.h>
#include <broadloom/dlpack.h>
#include <broadloom/expr.h>
#include <broadloom/warnings.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/scratch.h"
#include "harness/tap.h"
#include "shadow.h"
#include "shadow_spread.h"

/* ---- warnings ---- */

static unsigned char bits[4] = {1, 1, 0, 1};
static double result[16];
static const int64_t whole[2] = {4, 4};

static double sum_of(void *user, double x, double y)
{
    (void)user;
    return x + y;
}

static void sum_rows(void *user, int64_t count, void *out, const void *const *in)
{
    (void)user;
    for (int64_t i = 0; i < count; i++)
        ((float *)out)[i] = ((const float *)in[0])[i] + ((const float *)in[1])[i];
}

static bool take_line(void *user, const bl_warning_site *site)
{
    if (site->count > 0)
        *(int32_t *)user =
            site->file && strcmp(site->file, __FILE__) == 0 ? site->line : -1;
    return true;
}

/* Drop what a call made, and check that it warned at a line. */
static void check(bl_status status, bl_tensor **out, int32_t line, const char *what)
{
    int32_t found = 0;

    if (out && status == BL_OK)
        bl_tensor_release(*out);
    bl_warnings_visit(take_line, &found);
    tap_ok(status == BL_OK && found == line, "%s warns at its line", what);
    bl_warnings_reset();
}

#define CHECK(call, out) check(call, out, __LINE__, #call)

static void check_warnings(void)
{
    const bl_array a = {left, BL_DTYPE_F32, 2, column, NULL, 0};
    const bl_array b = {right, BL_DTYPE_F32, 1, row, NULL, 0};
    const bl_array m = {bits, BL_DTYPE_BOOL, 1, row, NULL, 0};
    const bl_array r = {result, BL_DTYPE_F32, 2, whole, NULL, 0};
    const bl_array d = {result, BL_DTYPE_F64, 2, whole, NULL, 0};
    const bl_array *const in[] = {&a, &b};
    const bl_array *const outs[] = {&r};
    const void *const data[] = {left, right};
    void *const to[] = {result};
    bl_tensor *out = NULL;
    bl_plan *plan = NULL;
    bl_expr *expr = NULL;
    bl_expr_plan *expr_plan = NULL;

    CHECK(bl_add(NULL, &a, &b, &out), &out);
    CHECK(bl_apply_new(NULL, BL_OP_ADD, 2, in, NULL, &out), &out);
    CHECK(bl_plan_create(NULL, BL_OP_ADD, NULL, 2, in, NULL, &plan), NULL);
    CHECK(bl_masked_fill(NULL, &a, &m, bl_scalar_f64(1), &out), &out);
    CHECK(bl_masked_select(NULL, &a, &m, &out), &out);
    CHECK(bl_masked_scatter(NULL, &a, &m, &r, &out), &out);
    CHECK(bl_dist(NULL, &a, &b, 2, &out), &out);
    CHECK(bl_map(NULL, sum_rows, NULL, &r, 2, in, NULL), NULL);
    CHECK(bl_map_new(NULL, sum_rows, NULL, 2, in, BL_DTYPE_F32, NULL, &out), &out);
    CHECK(bl_map_binary_f64(NULL, sum_of, NULL, &d, &a, &b), NULL);
    tap_ok(bl_expr_parse(NULL, "a - b", 0, NULL, &expr) == BL_OK &&
               bl_expr_plan_create(NULL, expr, outs, in, NULL, &expr_plan) == BL_OK,
           "an expression");
    bl_warnings_reset();
    CHECK(bl_expr_run(NULL, expr, outs, in, NULL), NULL);
    CHECK(bl_expr_run_new(NULL, expr, in, NULL, &out), &out);
    CHECK(bl_expr_plan_execute(NULL, expr_plan, to, data), NULL);
    bl_expr_plan_destroy(expr_plan);
    bl_expr_destroy(expr);
    bl_plan_destroy(plan);
}

/* ---- reads ---- */

static bool ignore_text(void *user, const char *text, size_t length)
{
    (void)user;
    (void)text;
    return length > 0;
}

/* Check that a line read elements in a way. */
static void check_read(bool is_done, const char *how, int32_t line, const char *what)
{
    char read[200];

    snprintf(read, sizeof read, "%s %s:%d 1", how, __FILE__, (int)line);
    tap_ok(is_done && strstr(spread_now().reads, read), "%s reads at its line", what);
}

#define READS(how, call) check_read(call, how, __LINE__, #call)

static void check_reads(void)
{
    const int64_t index[2] = {1, 2};
    char path[SCRATCH_BYTES];

    scratch_name(path, "call_sites");

    const int file = mkstemp(path);
    bl_tensor *const x = make(true);
    const bl_array *const array = bl_tensor_array(x);
    struct DLManagedTensorVersioned *given;
    bl_tensor *taken = NULL;
    float value;

    READS("data", bl_tensor_data(x) == array->data);
    READS("data", bl_tensor_mutable_data(x) == array->data);
    READS("item", bl_array_get(array, index, &value) == BL_OK);
    READS("item", bl_array_format(array, 0, ignore_text, NULL) == BL_OK);
    READS("save", file >= 0 && bl_npy_save(NULL, path, array) == BL_OK);
    READS("data", bl_tensor_to_dlpack(NULL, x, 0, &given) == BL_OK);
    tap_ok(bl_tensor_from_dlpack(NULL, given, &taken) == BL_OK, "and given back");
    bl_tensor_release(taken);
    bl_tensor_release(x);
    close(file);
    unlink(path);
}

int main(void)
{
    tap_plan();
    if (bl_shadow_set_every(1) != BL_OK)
        return 1;
    bl_warnings_reset();
    check_warnings();
    check_reads();
    return tap_done();
}
