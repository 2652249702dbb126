/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls of reductions: requested dtypes, special values, sums to a shape and results
 * that overlap the operand.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <broadloom.h>

#include "harness/tap.h"

static bl_array array(void *data, bl_dtype dtype, int32_t rank, const int64_t *extent)
{
    return (bl_array){.data = data, .dtype = dtype, .rank = rank, .extent = extent};
}

static bool is_refused(bl_status status, bl_status want, const char *text)
{
    if (status == want && strcmp(bl_error_message(), text) == 0)
        return true;
    tap_note("status %d, \"%s\"", (int)status, bl_error_message());
    return false;
}

/* ---- values ---- */

static double sum_as(bl_reduction op, bl_dtype dtype, void *data, int64_t count,
                     bl_dtype as)
{
    const bl_array in = array(data, dtype, 1, &count);
    double value = NAN;
    const bl_array as_f64 = array(&value, BL_DTYPE_F64, 0, NULL);
    bl_reduce_options options = BL_REDUCE_OPTIONS_DEFAULT;
    bl_tensor *out;

    options.dtype = as;
    if (bl_reduce_new(NULL, op, &in, 0, NULL, false, &options, &out) != BL_OK ||
        bl_tensor_array(out)->dtype != as)
        return NAN;
    if (bl_copy_out(NULL, &as_f64, bl_tensor_array(out)) != BL_OK)
        value = NAN;
    bl_tensor_release(out);
    return value;
}

static void check_dtypes(void)
{
    int32_t whole[3] = {200, 100, 3};
    float real[3] = {200.75f, 100.75f, -1.5f};
    uint8_t truth[4] = {1, 7, 255, 1};
    uint16_t half[2] = {0x7bff, 0x7bff}; /* 65504 */

    tap_ok(sum_as(BL_REDUCTION_SUM, BL_DTYPE_I32, whole, 3, BL_DTYPE_U8) == 303 % 256,
           "a sum of integers as narrow ones wraps");
    tap_ok(sum_as(BL_REDUCTION_SUM, BL_DTYPE_F32, real, 3, BL_DTYPE_I32) == 299,
           "a sum of numbers as integers truncates each");
    tap_ok(sum_as(BL_REDUCTION_MEAN, BL_DTYPE_I32, whole, 3, BL_DTYPE_F64) == 101,
           "a mean of integers as f64");
    tap_ok(sum_as(BL_REDUCTION_SUM, BL_DTYPE_BOOL, truth, 4, BL_DTYPE_I64) == 4 &&
               sum_as(BL_REDUCTION_PROD, BL_DTYPE_BOOL, truth, 4, BL_DTYPE_I64) == 1,
           "any byte but 0 counts as one truth");
    tap_ok(sum_as(BL_REDUCTION_SUM, BL_DTYPE_I32, whole, 3, BL_DTYPE_BOOL) == 1 &&
               sum_as(BL_REDUCTION_PROD, BL_DTYPE_I32, whole, 3, BL_DTYPE_BOOL) == 1,
           "a sum and a product as booleans");
    tap_ok(sum_as(BL_REDUCTION_SUM, BL_DTYPE_F16, half, 2, BL_DTYPE_F32) == 131008 &&
               isinf(sum_as(BL_REDUCTION_SUM, BL_DTYPE_F16, half, 2, BL_DTYPE_F16)) &&
               sum_as(BL_REDUCTION_MEAN, BL_DTYPE_F16, half, 2, BL_DTYPE_F16) == 65504,
           "sums of f16 go past its range where the dtype is wider, and on the way");
}

/* As in PyTorch: u8 for u8; either dtype for booleans where the result exists. */
static void check_truth(void)
{
    static const int64_t three = 3;
    uint8_t bytes[3] = {0, 200, 3};
    int32_t whole[3] = {0, 7, 0};
    const bl_array in = array(bytes, BL_DTYPE_U8, 1, &three);
    const bl_array other = array(whole, BL_DTYPE_I32, 1, &three);
    uint8_t any = 9, all = 9, of_other = 9;
    const bl_array as_bool = array(&any, BL_DTYPE_BOOL, 0, NULL);
    const bl_array as_u8 = array(&all, BL_DTYPE_U8, 0, NULL);
    const bl_array as_u8_too = array(&of_other, BL_DTYPE_U8, 0, NULL);
    const bl_array as_i32 = array(whole, BL_DTYPE_I32, 0, NULL);
    bl_tensor *tensor = NULL;

    tap_ok(bl_any(NULL, &in, 0, NULL, false, &tensor) == BL_OK &&
               bl_tensor_array(tensor)->dtype == BL_DTYPE_U8 &&
               *(const uint8_t *)bl_tensor_array(tensor)->data == 1,
           "whether any of u8 is not 0 is 1, of u8");
    bl_tensor_release(tensor);
    tap_ok(bl_all(NULL, &other, 0, NULL, false, &tensor) == BL_OK &&
               bl_tensor_array(tensor)->dtype == BL_DTYPE_BOOL,
           "of other integers it is bool");
    bl_tensor_release(tensor);
    tap_ok(bl_any_out(NULL, &as_bool, &in, 0, NULL, false) == BL_OK && any == 1 &&
               bl_all_out(NULL, &as_u8, &in, 0, NULL, false) == BL_OK && all == 0 &&
               bl_any_out(NULL, &as_u8_too, &other, 0, NULL, false) == BL_OK &&
               of_other == 1,
           "a result that exists may be bool or u8");
    tap_ok(is_refused(bl_any_out(NULL, &as_i32, &in, 0, NULL, false), BL_ERR_DTYPE,
                      "out is i32, the result is u8"),
           "but of no other dtype");
}

static void check_special(void)
{
    float opposite[3] = {INFINITY, -INFINITY, 1}, with_nan[3] = {1, NAN, 9};
    float zeros[2] = {-0.0f, -0.0f};
    const double sum = sum_as(BL_REDUCTION_SUM, BL_DTYPE_F32, zeros, 2, BL_DTYPE_F32);
    const int64_t three = 3;
    const bl_array in = array(with_nan, BL_DTYPE_F32, 1, &three);
    float largest = 0, smallest = 0;
    const bl_array high = array(&largest, BL_DTYPE_F32, 0, NULL);
    const bl_array low = array(&smallest, BL_DTYPE_F32, 0, NULL);

    tap_ok(isnan(sum_as(BL_REDUCTION_SUM, BL_DTYPE_F32, opposite, 3, BL_DTYPE_F32)),
           "infinities of both signs sum to NaN");
    tap_ok(isnan(sum_as(BL_REDUCTION_MEAN, BL_DTYPE_F32, zeros, 0, BL_DTYPE_F32)),
           "the mean of nothing is NaN");
    tap_ok(sum == 0 && !signbit(sum), "zeros sum to +0");
    tap_ok(bl_max_out(NULL, &high, &in, 0, NULL, false) == BL_OK && isnan(largest) &&
               bl_min_out(NULL, &low, &in, 0, NULL, false) == BL_OK && isnan(smallest),
           "NaN is largest and smallest");
    tap_ok(bl_reduction_find("mean") == BL_REDUCTION_MEAN &&
               bl_reduction_find("median") == BL_REDUCTION_NONE &&
               strcmp(bl_reduction_name(BL_REDUCTION_ALL), "all") == 0 &&
               bl_reduction_name((bl_reduction)99) == NULL,
           "reductions have names");
}

/* ---- sums to a shape ---- */

static void check_sum_to_shape(void)
{
    static const int64_t from[3] = {2, 1, 3}, to[2] = {1, 1}, misfit[1] = {2};
    int16_t data[6] = {1, 2, 3, 4, 5, 6};
    const bl_array in = array(data, BL_DTYPE_I16, 3, from);
    int64_t result[6] = {0};
    bl_array out = array(result, BL_DTYPE_I64, 2, to);
    bl_tensor *tensor = NULL;

    tap_ok(bl_sum_to_shape_out(NULL, &out, &in) == BL_OK && result[0] == 21,
           "leading dimensions are summed away, others kept");
    out = array(result, BL_DTYPE_I64, 3, from);
    tap_ok(bl_sum_to_shape_out(NULL, &out, &in) == BL_OK && result[5] == 6,
           "integers to their own shape become i64");
    tap_ok(is_refused(bl_sum_to_shape(NULL, &in, 1, misfit, &tensor), BL_ERR_SHAPE,
                      "size {[2]} is not expandable to size {[2, 1, 3]}.") &&
               tensor == NULL,
           "what cannot be expanded back is refused");
}

/* ---- overlap ---- */

static void check_overlap(bl_context *ctx)
{
    static const int64_t square[2] = {4, 4}, row[1] = {4};
    const int32_t rows = 0;
    float data[16];
    const bl_array in = array(data, BL_DTYPE_F32, 2, square);
    const bl_array out = array(data + 2, BL_DTYPE_F32, 1, row);
    bool pass = true;

    for (int32_t i = 0; i < 16; i++)
        data[i] = (float)i;
    tap_ok(bl_context_set_overlap(ctx, BL_OVERLAP_REFUSE) == BL_OK &&
               bl_sum_out(ctx, &out, &in, 1, &rows, false) == BL_ERR_OVERLAP &&
               data[2] == 2,
           "a result in the operand is refused where the context says so");
    tap_ok(bl_context_set_overlap(ctx, BL_OVERLAP_COPY) == BL_OK &&
               bl_sum_out(ctx, &out, &in, 1, &rows, false) == BL_OK,
           "else computed");
    for (int32_t i = 0; i < 4; i++)
        pass = pass && data[2 + i] == (float)(24 + 4 * i);
    tap_ok(pass, "as if the operand had been read first");
}

int main(void)
{
    bl_context *ctx = NULL;

    tap_plan();
    check_dtypes();
    check_truth();
    check_special();
    check_sum_to_shape();
    if (tap_ok(bl_context_create(&ctx) == BL_OK, "a context"))
        check_overlap(ctx);
    bl_context_destroy(ctx);
    return tap_done();
}
