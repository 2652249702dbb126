/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions that are refused, and their messages.
 */
#include <inttypes.h>
#include <string.h>

#include <broadloom.h>

#include "harness/tap.h"

static float numbers[6];
static const int64_t two_three[2] = {2, 3};
static const int64_t empty[2] = {0, 3};

static bl_array array(void *data, bl_dtype dtype, int32_t rank, const int64_t *extent)
{
    return (bl_array){.data = data, .dtype = dtype, .rank = rank, .extent = extent};
}

static const struct {
    const char *what;
    bl_reduction op;
    bl_dtype dtype;
    const int64_t *extent; /* of two dimensions */
    int32_t count, axes[2];
    bl_dtype wanted;
    bl_status status;
    const char *text;
} refused[] = {
    {"an axis out of range",
     BL_REDUCTION_SUM,
     BL_DTYPE_F32,
     two_three,
     1,
     {2},
     0,
     BL_ERR_ARGUMENT,
     "Dimension out of range (expected to be in range of [-2, 1], but got 2)"},
    {"an axis named twice",
     BL_REDUCTION_SUM,
     BL_DTYPE_F32,
     two_three,
     2,
     {1, -1},
     0,
     BL_ERR_ARGUMENT,
     "dim 1 appears multiple times in the list of dims"},
    {"a negative number of axes",
     BL_REDUCTION_SUM,
     BL_DTYPE_F32,
     two_three,
     -1,
     {0},
     0,
     BL_ERR_ARGUMENT,
     "axes: count -1 is negative"},
    {"no reduction",
     (bl_reduction)99,
     BL_DTYPE_F32,
     two_three,
     0,
     {0},
     0,
     BL_ERR_ARGUMENT,
     "op: 99 is no reduction"},
    {"the mean of integers",
     BL_REDUCTION_MEAN,
     BL_DTYPE_I32,
     two_three,
     0,
     {0},
     0,
     BL_ERR_DTYPE,
     "mean(): could not infer output dtype. Input dtype must be either a floating "
     "point "
     "or complex dtype. Got: i32"},
    {"a mean as integers",
     BL_REDUCTION_MEAN,
     BL_DTYPE_F32,
     two_three,
     0,
     {0},
     BL_DTYPE_I64,
     BL_ERR_DTYPE,
     "mean(): could not infer output dtype. Optional dtype must be either a floating "
     "point or complex dtype. Got: i64"},
    {"the largest of complex numbers",
     BL_REDUCTION_MAX,
     BL_DTYPE_C64,
     two_three,
     0,
     {0},
     0,
     BL_ERR_DTYPE,
     "max does not take c64"},
    {"a largest element of another dtype",
     BL_REDUCTION_MAX,
     BL_DTYPE_F32,
     two_three,
     0,
     {0},
     BL_DTYPE_F64,
     BL_ERR_DTYPE,
     "max has a dtype of its own, not f64"},
    {"the largest of nothing at all",
     BL_REDUCTION_MAX,
     BL_DTYPE_F32,
     empty,
     0,
     {0},
     0,
     BL_ERR_ARGUMENT,
     "max(): Expected reduction dim to be specified for input.numel() == 0. Specify "
     "the "
     "reduction dim with the 'dim' argument."},
    {"the smallest of an empty dimension",
     BL_REDUCTION_MIN,
     BL_DTYPE_F32,
     empty,
     1,
     {0},
     0,
     BL_ERR_ARGUMENT,
     "min(): Expected reduction dim 0 to have non-zero size."},
    {"the variance of integers",
     BL_REDUCTION_VAR,
     BL_DTYPE_I32,
     two_three,
     0,
     {0},
     0,
     BL_ERR_DTYPE,
     "std and var only support floating point and complex dtypes. Got: i32"},
    {"what is no dtype",
     BL_REDUCTION_SUM,
     BL_DTYPE_F32,
     two_three,
     0,
     {0},
     (bl_dtype)77,
     BL_ERR_ARGUMENT,
     "options: 77 is no dtype"},
};

static bool is_refused(bl_status status, bl_status want, const char *text)
{
    if (status == want && strcmp(bl_error_message(), text) == 0)
        return true;
    tap_note("status %d, \"%s\"", (int)status, bl_error_message());
    return false;
}

static void check_refused(void)
{
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        const bl_array in = array(numbers, refused[i].dtype, 2, refused[i].extent);
        bl_reduce_options options = BL_REDUCE_OPTIONS_DEFAULT;
        bl_tensor *out = NULL;

        options.dtype = refused[i].wanted;
        tap_ok(is_refused(bl_reduce_new(NULL, refused[i].op, &in, refused[i].count,
                                        refused[i].axes, false, &options, &out),
                          refused[i].status, refused[i].text) &&
                   out == NULL,
               "%s is refused", refused[i].what);
    }
}

/* Check results that do not fit, for the sum of f32[2,3] over its last axis. */
static void check_results(void)
{
    static const int64_t two[1] = {2}, three[1] = {3}, still[1] = {0};
    const bl_array in = array(numbers, BL_DTYPE_F32, 2, two_three);
    const int32_t last = -1;
    float room[8] = {42, 42, 42};
    bl_array out = array(room, BL_DTYPE_F32, 1, three);

    tap_ok(is_refused(bl_sum_out(NULL, &out, &in, 1, &last, false), BL_ERR_SHAPE,
                      "out has shape [3], the result [2]"),
           "a result of another shape is refused");
    tap_ok(strcmp(bl_error_where(), "bl_sum_out(out f32[3], in f32[2,3], axes (-1))") ==
               0,
           "and where is reported: %s", bl_error_where());
    out.extent = two;
    out.dtype = BL_DTYPE_F64;
    tap_ok(is_refused(bl_sum_out(NULL, &out, &in, 1, &last, false), BL_ERR_DTYPE,
                      "out is f64, the result is f32"),
           "a result of another dtype is refused");
    out.dtype = BL_DTYPE_F32;
    out.flags = BL_ARRAY_READ_ONLY;
    tap_ok(is_refused(bl_sum_out(NULL, &out, &in, 1, &last, false), BL_ERR_ARGUMENT,
                      "out is read-only"),
           "a read-only result is refused");
    out.flags = 0;
    out.stride = still;
    tap_ok(bl_sum_out(NULL, &out, &in, 1, &last, false) == BL_ERR_ARGUMENT,
           "a result that repeats an element is refused");
    tap_ok(room[0] == 42 && room[1] == 42, "nothing was written");
}

int main(void)
{
    tap_plan();
    check_refused();
    check_results();
    return tap_done();
}
