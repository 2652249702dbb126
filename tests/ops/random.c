/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random numbers: Philox against its published answers, the same numbers for any team,
 * ranges and moments.
 */
#include <broadloom.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ops/ops.h"
#include "reference/ref.h"
#include "harness/same.h"
#include "harness/tap.h"

/* Known answers of Random123 (kat_vectors, philox4x32, 10 rounds). */
static const struct {
    const char *what;
    uint32_t counter[4], key[2], want[4];
} answers[] = {
    {"zeros", {0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
    {"ones",
     {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
     {0xffffffff, 0xffffffff},
     {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
    {"digits of pi",
     {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
     {0xa4093822, 0x299f31d0},
     {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
};

static void test_philox(void)
{
    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
        uint32_t got[4];

        bli_philox(answers[i].counter, answers[i].key, got);
        tap_ok(memcmp(got, answers[i].want, sizeof got) == 0, "Philox4x32-10 of %s",
               answers[i].what);
    }
}

typedef bl_status maker(bl_context *ctx, bl_dtype dtype, int32_t rank,
                        const int64_t *extent, uint64_t seed, bl_tensor **out);

static const struct {
    const char *name;
    maker *make;
    double mean, variance;
} makers[] = {
    {"rand", bl_tensor_rand, 0.5, 1.0 / 12.0},
    {"randn", bl_tensor_randn, 0.0, 1.0},
};

static const bl_dtype dtypes[] = {BL_DTYPE_F16, BL_DTYPE_BF16, BL_DTYPE_F32,
                                  BL_DTYPE_F64, BL_DTYPE_C64,  BL_DTYPE_C128};

/* Make a tensor; ends the test on failure. */
static bl_tensor *make(int which, bl_context *ctx, bl_dtype dtype, int64_t count,
                       uint64_t seed)
{
    bl_tensor *tensor;

    if (makers[which].make(ctx, dtype, 1, &count, seed, &tensor) != BL_OK) {
        tap_note("%s", bl_error_message());
        abort();
    }
    return tensor;
}

/* Whether the longer tensor begins with the elements of the shorter one. */
static bool begins_with(const bl_tensor *longer, const bl_tensor *shorter)
{
    const bl_array *const array = bl_tensor_array(shorter);

    return memcmp(bl_tensor_array(longer)->data, array->data,
                  (size_t)bl_tensor_numel(shorter) * ref_size(array->dtype)) == 0;
}

static void run_backwards(void *user, int32_t parts,
                          void (*body)(void *argument, int32_t part), void *argument)
{
    *(int32_t *)user = parts;
    for (int32_t part = parts - 1; part >= 0; part--)
        body(argument, part);
}

static void test_teams(bl_context *ctx)
{
    enum { COUNT = 100003 };
    int32_t parts = 0;

    bl_context_set_parallel_for(ctx, run_backwards, &parts);
    for (int which = 0; which < 2; which++) {
        for (int d = 0; d < 6; d++) {
            bool pass = true;

            if (bl_context_set_threads(ctx, 1) != BL_OK)
                abort();

            bl_tensor *const serial = make(which, ctx, dtypes[d], COUNT, 42);

            for (int32_t threads = 2; threads <= 5; threads++) {
                if (bl_context_set_threads(ctx, threads) != BL_OK)
                    abort();

                bl_tensor *const same = make(which, ctx, dtypes[d], COUNT, 42);
                bl_tensor *const less = make(which, ctx, dtypes[d], COUNT / 2, 42);
                bl_tensor *const openmp = make(which, NULL, dtypes[d], COUNT, 42);
                bl_tensor *const other = make(which, ctx, dtypes[d], COUNT, 43);

                pass = pass && begins_with(serial, same) && begins_with(serial, less) &&
                       begins_with(serial, openmp) && !begins_with(serial, other) &&
                       parts == threads;
                bl_tensor_release(other);
                bl_tensor_release(openmp);
                bl_tensor_release(less);
                bl_tensor_release(same);
            }
            tap_ok(pass, "%s of %s: the same numbers for any team and any count",
                   makers[which].name, ref_dtype_name(dtypes[d]));
            bl_tensor_release(serial);
        }
    }
    bl_context_set_parallel_for(ctx, NULL, NULL);
}

/* Mean and variance of the numbers as double, and whether all are within [0, 1). */
struct moments {
    double mean, variance;
    bool is_unit;
};

static struct moments measure(const bl_tensor *tensor)
{
    const bl_array *const array = bl_tensor_array(tensor);
    struct moments moments = {0.0, 0.0, true};
    const int64_t count = bl_tensor_numel(tensor);

    for (int64_t i = 0; i < count; i++) {
        double part[2];

        ref_convert(array->dtype, ref_at(array, i), BL_DTYPE_C128, part);
        moments.mean += part[0];
        moments.variance += part[0] * part[0];
        moments.is_unit = moments.is_unit && part[0] >= 0.0 && part[0] < 1.0 &&
                          part[1] >= 0.0 && part[1] < 1.0;
    }
    moments.mean /= (double)count;
    moments.variance = moments.variance / (double)count - moments.mean * moments.mean;
    return moments;
}

static void test_moments(void)
{
    enum { COUNT = 200000 };

    for (int which = 0; which < 2; which++) {
        for (int d = 0; d < 6; d++) {
            bl_tensor *const tensor = make(which, NULL, dtypes[d], COUNT, 7);
            const struct moments moments = measure(tensor);
            /* Truncation to 8 bits reduces the mean by 1/512. */
            const double bias = dtypes[d] == BL_DTYPE_BF16 ? 0.003 : 0.0005;

            tap_ok(fabs(moments.mean - makers[which].mean) < 0.01 + bias &&
                       fabs(moments.variance - makers[which].variance) < 0.01 &&
                       moments.is_unit == (which == 0),
                   "%s of %s: mean %.4f, variance %.4f", makers[which].name,
                   ref_dtype_name(dtypes[d]), moments.mean, moments.variance);
            bl_tensor_release(tensor);
        }
    }
}

/* The documented positions in the sequence: f32 takes one word each, f64 two. */
static void test_places(void)
{
    const uint32_t counter[4] = {1, 0, 0, 0}, key[2] = {0x89abcdef, 0x01234567};
    bl_tensor *const narrow =
        make(0, NULL, BL_DTYPE_F32, 8, UINT64_C(0x0123456789abcdef));
    bl_tensor *const wide =
        make(0, NULL, BL_DTYPE_F64, 4, UINT64_C(0x0123456789abcdef));
    const float *const f32 = bl_tensor_array(narrow)->data;
    const double *const f64 = bl_tensor_array(wide)->data;
    uint32_t word[4];

    bli_philox(counter, key, word);
    tap_ok(f32[5] == (float)(word[1] >> 8) * 0x1p-24f, "number 5 of f32 is a word");
    tap_ok(f64[2] == ldexp((double)word[0], -32) + ldexp((double)(word[1] >> 11), -53),
           "number 2 of f64 is two words");
    bl_tensor_release(wide);
    bl_tensor_release(narrow);
}

typedef bl_status box_maker(bl_context *ctx, bl_dtype dtype, int32_t rank,
                            const int64_t *extent, const int64_t *begin,
                            const int64_t *end, uint64_t seed, bl_tensor **out);

/* Whether a box of random numbers is that part of the whole, bit by bit. */
static bool check_box(int which, bl_dtype dtype, const int64_t *begin,
                      const int64_t *end)
{
    static const int64_t extent[] = {5, 1, 700, 3};
    box_maker *const make_box = which == 0 ? bl_tensor_rand_box : bl_tensor_randn_box;
    bl_tensor *whole, *box;
    bl_layout layout;
    bool pass = memcmp(end, extent, sizeof extent) != 0;

    end = pass ? end : extent; /* one array may be both */
    if (makers[which].make(NULL, dtype, 4, extent, 9, &whole) != BL_OK ||
        make_box(NULL, dtype, 4, extent, begin, end, 9, &box) != BL_OK ||
        bl_array_layout(bl_tensor_array(whole), &layout) != BL_OK)
        exit(EXIT_FAILURE);
    pass = true;
    for (int32_t d = 0; d < 4; d++)
        pass = pass && bl_layout_narrow(&layout, d, begin[d], end[d] - begin[d],
                                        &layout) == BL_OK;
    const bl_array part = bl_layout_array(&layout, dtype, bl_tensor_array(whole)->data);

    pass = pass && arrays_are_same(bl_tensor_array(box), &part);
    bl_tensor_release(whole);
    bl_tensor_release(box);
    return pass;
}

static void test_boxes(void)
{
    static const int64_t box[][2][4] = {
        {{0, 0, 0, 0}, {5, 1, 700, 3}},  {{1, 0, 0, 0}, {5, 1, 700, 3}},
        {{0, 0, 33, 0}, {5, 1, 634, 3}}, {{2, 0, 699, 1}, {5, 1, 700, 2}},
        {{3, 0, 7, 2}, {4, 1, 600, 3}},  {{3, 0, 7, 2}, {3, 1, 600, 3}}};

    for (int which = 0; which < 2; which++)
        for (int d = 0; d < 6; d++) {
            bool pass = true;

            for (size_t i = 0; i < sizeof box / sizeof box[0]; i++)
                pass = check_box(which, dtypes[d], box[i][0], box[i][1]) && pass;
            tap_ok(pass, "%s of %s: boxes are parts of the whole", makers[which].name,
                   ref_dtype_name(dtypes[d]));
        }
}

/* A box of a tensor that no memory could hold. */
static void test_far_box(void)
{
    const int64_t extent[] = {INT64_C(1) << 40, 1 << 20};
    const int64_t begin[] = {0, 5}, end[] = {1, 9}, beyond[] = {1, (1 << 20) + 1};
    bl_tensor *far = NULL, *near = make(0, NULL, BL_DTYPE_F64, 9, 3);
    const bl_status status =
        bl_tensor_rand_box(NULL, BL_DTYPE_F64, 2, extent, begin, end, 3, &far);

    tap_ok(status == BL_OK && memcmp(bl_tensor_array(far)->data,
                                     (double *)bl_tensor_array(near)->data + 5,
                                     4 * sizeof(double)) == 0,
           "a box of a tensor of 2^60 elements");
    bl_tensor_release(far);
    bl_tensor_release(near);
    tap_ok(bl_tensor_rand_box(NULL, BL_DTYPE_F64, 2, extent, begin, beyond, 3, &far) ==
                   BL_ERR_ARGUMENT &&
               strstr(bl_error_message(), "5 to 1048577 are no indices of dimension 1"),
           "%s", bl_error_message());
}

static void test_refusals(void)
{
    static const int64_t extent[] = {-1};
    bl_tensor *out = NULL;

    tap_ok(bl_tensor_rand(NULL, BL_DTYPE_I32, 1, extent, 0, &out) == BL_ERR_DTYPE, "%s",
           bl_error_message());
    tap_ok(bl_tensor_randn(NULL, BL_DTYPE_BOOL, 1, extent, 0, &out) == BL_ERR_DTYPE,
           "%s", bl_error_message());
    tap_ok(bl_tensor_rand(NULL, BL_DTYPE_F32, 1, extent, 0, &out) == BL_ERR_ARGUMENT &&
               strcmp(bl_error_message(),
                      "Trying to create tensor with negative dimension -1: [-1]") == 0,
           "%s", bl_error_message());
    tap_ok(bl_tensor_rand(NULL, (bl_dtype)77, 0, NULL, 0, &out) == BL_ERR_ARGUMENT &&
               !out,
           "%s", bl_error_message());
}

int main(void)
{
    bl_context *ctx;

    tap_plan();
    if (bl_context_create(&ctx) != BL_OK)
        return EXIT_FAILURE;
    test_philox();
    test_places();
    test_teams(ctx);
    test_moments();
    test_boxes();
    test_far_box();
    test_refusals();
    bl_context_destroy(ctx);
    return tap_done();
}
