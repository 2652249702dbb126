/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bl_error_query(): the parts of an error are those of the call that was refused.
 */
#include <broadloom.h>
#include <broadloom/describe.h>
#include <broadloom/paddle.h>

#include "harness/tap.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

static float a[12], b[12];
static int32_t whole[6];
static bool truths[4];
static bl_tensor *made;

static bl_error_info last(void)
{
    bl_error_info info = {.size = sizeof info};

    BL_IGNORE(bl_error_query(&info));
    return info;
}

/* Whether the last error is in `where`, and `argument` is at fault. */
static bool is_in(const char *where, const char *argument)
{
    const bl_error_info info = last();
    const bool is_right =
        strcmp(bl_error_where(), where) == 0 && strcmp(info.argument, argument) == 0 &&
        (info.operand < 0 || strcmp(info.operands[info.operand].name, argument) == 0);

    if (!is_right)
        tap_note("%s: %s", bl_error_where(), info.argument);
    return is_right;
}

static bool has_extents(int32_t operand, int32_t other, int32_t axis, int64_t extent,
                        int64_t other_extent)
{
    const bl_error_info info = last();

    return info.operand == operand && info.other == other && info.axis == axis &&
           info.extent == extent && info.other_extent == other_extent;
}

static bool has_dtypes(int32_t operand, bl_dtype dtype, bl_dtype other)
{
    const bl_error_info info = last();

    return info.operand == operand && info.dtype == dtype && info.other_dtype == other;
}

/* Whether the error speaks of `a` alone, where nobody gave an `out`. */
static bool speaks_of_a(void)
{
    return strstr(bl_error_message(), "out ") == NULL &&
           strstr(bl_error_message(), "out:") == NULL &&
           strstr(bl_error_where(), "out ") == NULL;
}

static void check_shapes(void)
{
    bl_status status =
        bl_add_out(NULL, BL_VIEW(a, 2, 4), BL_VIEW(a, 2, 3), BL_VIEW(b, 4));
    bl_error_info info = last();
    bl_options options = BL_OPTIONS_DEFAULT;

    tap_ok(status == BL_ERR_SHAPE && has_extents(2, 1, 1, 4, 3) &&
               is_in("bl_add_out(out f32[2,4], a f32[2,3], b f32[4])", "b"),
           "extents that do not match");
    tap_ok(info.op == BL_OP_ADD && info.reduction == BL_REDUCTION_NONE &&
               info.count == 3 && info.operands[1].rank == 2 &&
               info.operands[1].extent[1] == 3 && info.operands[2].rank == 1 &&
               info.operands[0].dtype == BL_DTYPE_F32,
           "the operator and its operands");
    status = bl_fma(NULL, BL_VIEW(a, 2, 1), BL_VIEW(a, 2, 3), BL_VIEW(b, 4), &made);
    tap_ok(status == BL_ERR_SHAPE && has_extents(2, 1, 1, 4, 3) &&
               is_in("bl_fma(a f32[2,1], b f32[2,3], c f32[4])", "c"),
           "of three operands the two that do not match");
    status = bl_add_out(NULL, BL_VIEW(a, 4, 3), BL_VIEW(a, 2, 3), BL_VIEW(b, 3));
    tap_ok(status == BL_ERR_SHAPE && has_extents(0, -1, 0, 4, 2) &&
               is_in("bl_add_out(out f32[4,3], a f32[2,3], b f32[3])", "out"),
           "a result of another shape");
    status = bl_paddle_elementwise_add(NULL, BL_VIEW(a, 2, 3), BL_VIEW(b, 4), 1, &made);
    tap_ok(status == BL_ERR_SHAPE && has_extents(1, 0, 1, 4, 3) &&
               is_in("bl_paddle_elementwise_add(x f32[2,3], y f32[4], axis 1)", "y"),
           "rules that are not the library's own");
    status = bl_paddle_elementwise_max_out(NULL, BL_VIEW(a, 4, 3), BL_VIEW(a, 2, 3),
                                           BL_VIEW(b, 3), BL_AXIS_LAST);
    tap_ok(
        status == BL_ERR_SHAPE &&
            is_in("bl_paddle_elementwise_max_out(out f32[4,3], x f32[2,3], y f32[3], "
                  "axis -1)",
                  "out"),
        "their functions' own names");
    options.rules = bl_rules_paddle();
    options.axis = 1;
    status = bl_apply_new(NULL, BL_OP_ADD, 2,
                          (const bl_array *const[]){BL_VIEW(a, 2, 3), BL_VIEW(b, 4)},
                          &options, &made);
    tap_ok(status == BL_ERR_SHAPE &&
               is_in("bl_add(a f32[2,3], b f32[4], rules paddle, axis 1)", "b"),
           "but not of bl_apply()");
}

static void check_in_place(void)
{
    bl_array constant = *BL_VIEW(a, 2, 3);
    bl_status status = bl_add_inplace(NULL, BL_VIEW(a, 1, 3), BL_VIEW(b, 2, 3));

    tap_ok(status == BL_ERR_SHAPE && speaks_of_a() && has_extents(0, -1, 0, 1, 2) &&
               is_in("bl_add_inplace(a f32[1,3], b f32[2,3])", "a"),
           "in place: a keeps its shape");
    status = bl_add_inplace(NULL, BL_VIEW(whole, 6), BL_VIEW(b, 6));
    tap_ok(status == BL_ERR_DTYPE && speaks_of_a() &&
               has_dtypes(0, BL_DTYPE_I32, BL_DTYPE_F32) &&
               is_in("bl_add_inplace(a i32[6], b f32[6])", "a"),
           "in place: a keeps its dtype");
    constant.flags = BL_ARRAY_READ_ONLY;
    status = bl_neg_inplace(NULL, &constant);
    tap_ok(status == BL_ERR_ARGUMENT && speaks_of_a() &&
               is_in("bl_neg_inplace(a f32[2,3])", "a") &&
               strcmp(bl_error_message(), "a is read-only") == 0,
           "in place: a is read-only");
    status = bl_add_inplace(NULL, NULL, &constant);
    tap_ok(status == BL_ERR_ARGUMENT && speaks_of_a() &&
               is_in("bl_add_inplace(a null, b f32[2,3])", "a"),
           "in place: a is null");
    status = bl_masked_fill_inplace(NULL, BL_VIEW(a, 2, 3), BL_VIEW(truths, 4),
                                    bl_scalar_f64(1));
    tap_ok(status == BL_ERR_SHAPE && has_extents(1, 0, 1, 4, 3) &&
               is_in("bl_masked_fill_inplace(a f32[2,3], mask bool[4], value f64[])",
                     "mask"),
           "in place: a mask that does not fit");
    status = bl_fill(NULL, &constant, bl_scalar_f64(1));
    tap_ok(status == BL_ERR_ARGUMENT && speaks_of_a() &&
               is_in("bl_fill(a f32[2,3], value f64[])", "a"),
           "in place: what is filled is read-only");
}

static void check_values(bl_context *ctx)
{
    bl_array no_data = *BL_VIEW(b, 6);
    bl_array shifted = *BL_VIEW(a, 6);
    bl_status status =
        bl_floor_divide_inplace(NULL, BL_VIEW(whole, 6), BL_VIEW(whole, 6));

    tap_ok(status == BL_ERR_ARGUMENT &&
               is_in("bl_floor_divide_inplace(a i32[6], b i32[6])", "b") &&
               last().operand == 1,
           "a divisor that is 0");
    no_data.data = NULL;
    tap_ok(bl_add_inplace(NULL, BL_VIEW(a, 6), BL_VIEW(b, 6)) == BL_OK &&
               bl_add_inplace(NULL, BL_VIEW(a, 6), &no_data) == BL_ERR_ARGUMENT &&
               is_in("bl_add_inplace(a f32[6], b f32[6])", "b") &&
               strcmp(bl_error_message(), "b: data is null") == 0,
           "null data, also where the plan is cached: %s", bl_error_message());
    shifted.data = a + 1;
    tap_ok(bl_context_set_overlap(ctx, BL_OVERLAP_REFUSE) == BL_OK &&
               bl_add_out(ctx, &shifted, BL_VIEW(b, 6), BL_VIEW(a, 6)) ==
                   BL_ERR_OVERLAP &&
               last().operand == 2 &&
               is_in("bl_add_out(out f32[6], a f32[6], b f32[6])", "b"),
           "an operand that overlaps the result");
    tap_ok(bl_npy_load(NULL, "no/such/file", &made) == BL_ERR_IO &&
               last().system_error == ENOENT,
           "what the system says of a file");
}

static void check_dtypes(void)
{
    const bl_scalar half = bl_scalar_f64(0.5);
    bl_options options = BL_OPTIONS_DEFAULT;
    const bl_array *const in[] = {BL_VIEW(whole, 6), BL_VIEW(whole, 6)};
    bl_status status =
        bl_where(NULL, BL_VIEW(whole, 6), BL_VIEW(a, 6), BL_VIEW(b, 6), &made);

    tap_ok(status == BL_ERR_DTYPE && has_dtypes(0, BL_DTYPE_I32, BL_DTYPE_BOOL) &&
               is_in("bl_where(c i32[6], a f32[6], b f32[6])", "c"),
           "a mask of another dtype");
    options.alpha = &half;
    status = bl_apply_new(NULL, BL_OP_ADD, 2, in, &options, &made);
    tap_ok(status == BL_ERR_DTYPE && has_dtypes(2, BL_DTYPE_F64, BL_DTYPE_I32) &&
               is_in("bl_add(a i32[6], b i32[6], alpha f64[])", "alpha"),
           "an alpha of another dtype");
    status = bl_mean(NULL, BL_VIEW(whole, 2, 3), 0, NULL, false, &made);
    tap_ok(status == BL_ERR_DTYPE && last().reduction == BL_REDUCTION_MEAN &&
               has_dtypes(0, BL_DTYPE_I32, BL_DTYPE_NONE) &&
               is_in("bl_mean(in i32[2,3])", "in"),
           "a dtype that a reduction does not take");
}

static void check_reductions(void)
{
    const int32_t axes[] = {1, 1}, far_axis = -3;
    bl_status status = bl_sum(NULL, BL_VIEW(a, 2, 3), 1, &far_axis, false, &made);

    tap_ok(status == BL_ERR_ARGUMENT && last().axis == -3 && last().op == BL_OP_NONE &&
               last().reduction == BL_REDUCTION_SUM &&
               is_in("bl_sum(in f32[2,3], axes (-3))", "axes"),
           "an axis that is not there");
    status = bl_sum(NULL, BL_VIEW(a, 2, 3), 2, axes, true, &made);
    tap_ok(status == BL_ERR_ARGUMENT && last().axis == 1 &&
               is_in("bl_sum(in f32[2,3], axes (1,1), keepdim)", "axes"),
           "an axis that is given twice");
    status = bl_sum_out(NULL, BL_VIEW(b, 3), BL_VIEW(a, 2, 3), 1, axes, false);
    tap_ok(status == BL_ERR_SHAPE && has_extents(0, -1, 0, 3, 2) &&
               is_in("bl_sum_out(out f32[3], in f32[2,3], axes (1))", "out"),
           "a result of another shape");
}

/* ---- memory and threads ---- */

static void *no_memory(void *user, size_t bytes, size_t alignment)
{
    (void)user, (void)bytes, (void)alignment;
    return NULL;
}

static void no_release(void *user, void *memory, size_t bytes, size_t alignment)
{
    (void)user, (void)memory, (void)bytes, (void)alignment;
}

static void check_memory(bl_context *ctx)
{
    const bl_allocator none = {no_memory, no_release, NULL};

    BL_IGNORE(bl_context_set_allocator(ctx, &none));
    tap_ok(bl_add(ctx, BL_VIEW(a, 3), BL_VIEW(b, 3), &made) == BL_ERR_MEMORY &&
               last().bytes > 0 && last().op == BL_OP_ADD &&
               is_in("bl_add(a f32[3], b f32[3])", ""),
           "the bytes that there were not");
}

static void *ask(void *pass)
{
    const bl_error_info info = last();

    *(bool *)pass = info.status == BL_OK && info.count == 0 && info.operand == -1 &&
                    info.axis == -1 && info.extent == -1 && info.function[0] == '\0' &&
                    info.argument[0] == '\0';
    return NULL;
}

int main(void)
{
    bl_context *ctx = NULL;
    bool has_none = false;
    pthread_t thread;

    tap_plan();
    if (!tap_ok(bl_context_create(&ctx) == BL_OK, "a context"))
        return tap_done();
    check_shapes();
    check_in_place();
    check_values(ctx);
    check_dtypes();
    check_reductions();
    check_memory(ctx);
    if (pthread_create(&thread, NULL, ask, &has_none) == 0)
        pthread_join(thread, NULL);
    tap_ok(has_none, "a thread without errors has none");
    bl_context_destroy(ctx);
    return tap_done();
}
