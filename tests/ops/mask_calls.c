/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls with masks: shapes, overlap, and refusals with their messages.
 */
#include <string.h>

#include <broadloom.h>

#include "harness/expect_status.h"
#include "harness/tap.h"

static bl_context *ctx;

static const int64_t one[] = {1}, two[] = {2}, three[] = {3}, six[] = {6};
static const int64_t matrix[] = {2, 3}, tall[] = {3, 2}, column[] = {2, 1};

static bl_array floats(float *data, int32_t rank, const int64_t *extent)
{
    return (bl_array){data, BL_DTYPE_F32, rank, extent, NULL, 0};
}

static bl_array bools(bool *data, int32_t rank, const int64_t *extent)
{
    return (bl_array){data, BL_DTYPE_BOOL, rank, extent, NULL, 0};
}

static bool is_row(const bl_tensor *tensor, int64_t count, const float *values)
{
    return bl_tensor_array(tensor)->rank == 1 && bl_tensor_numel(tensor) == count &&
           (count == 0 ||
            memcmp(bl_tensor_array(tensor)->data, values, (size_t)count * 4) == 0);
}

/* ---- shapes ---- */

static void check_select(void)
{
    static const float by_columns[] = {1, 3, 4, 6}, both[] = {7, 9, 7, 9};
    float a[] = {1, 2, 3, 4, 5, 6}, b[] = {7, 8, 9};
    bool mask[] = {true, false, true}, yes[] = {true, true};
    const struct {
        const char *what;
        bl_array in, mask;
        int64_t count;
        const float *values;
    } cases[] = {
        {"a mask that is repeated", floats(a, 2, matrix), bools(mask, 1, three), 4,
         by_columns},
        {"an array that is repeated", floats(b, 2, (const int64_t[]){1, 3}),
         bools((bool[]){true, false, true, true, false, true}, 2, matrix), 4, both},
        {"neither dimension in common", floats(b, 1, one), bools(yes, 2, column), 2,
         (const float[]){7, 7}},
        {"a mask without dimensions", floats(b, 1, three), bools(yes, 0, NULL), 3, b},
        {"an array without dimensions", floats(a, 0, NULL), bools(mask, 1, three), 2,
         (const float[]){1, 1}},
        {"neither has dimensions", floats(a, 0, NULL), bools(yes, 0, NULL), 1, a},
        {"neither has dimensions, false", floats(a, 0, NULL), bools(mask + 1, 0, NULL),
         0, NULL},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bl_tensor *result = NULL;

        tap_ok(bl_masked_select(ctx, &cases[i].in, &cases[i].mask, &result) == BL_OK &&
                   is_row(result, cases[i].count, cases[i].values),
               "select: %s", cases[i].what);
        bl_tensor_release(result);
    }
}

static void check_scatter(void)
{
    static const float grown[] = {10, 8, 11, 12, 8, 13}, same[] = {10, 11, 3, 4, 5, 6};
    float a[] = {1, 2, 3, 4, 5, 6}, b[] = {7, 8, 9}, source[] = {10, 11, 12, 13, 14};
    bool mask[] = {true, false, true, true, false, true}, yes[] = {true, false};
    const bl_array from = floats(source, 1, (const int64_t[]){5});
    const bl_array row = floats(b, 1, three), whole = floats(a, 2, matrix);
    const bl_array flat = floats(a, 2, tall);
    const bl_array across = bools(mask, 2, matrix), down = bools(yes, 2, column);
    const bl_array first =
        bools((bool[]){true, false, false}, 2, (const int64_t[]){3, 1});
    bl_tensor *result = NULL;

    tap_ok(bl_masked_scatter(ctx, &row, &across, &from, &result) == BL_OK &&
               bl_tensor_array(result)->rank == 2 &&
               memcmp(bl_tensor_array(result)->data, grown, sizeof grown) == 0,
           "scatter: an array that is repeated");
    bl_tensor_release(result);
    tap_ok(bl_masked_scatter_inplace(ctx, &flat, &first, &from) == BL_OK &&
               memcmp(a, same, sizeof same) == 0,
           "scatter: a mask that is repeated, with elements left over");
    tap_ok(bl_masked_scatter_inplace(ctx, &row, &across, &from) == BL_ERR_SHAPE &&
               b[0] == 7,
           "scatter in place keeps its shape: %s", bl_error_message());
    tap_ok(bl_masked_scatter_inplace(ctx, &whole, &down, &from) == BL_OK &&
               a[0] == 10 && a[2] == 12 && a[3] == 4,
           "scatter: a column of a mask");
}

/* ---- overlap ---- */

/* b[b] = source; a row of bool as array, mask and source simultaneously. */
static void check_overlap(void)
{
    enum { COUNT = 9000 };
    static const int64_t all[] = {COUNT}, back[] = {-1}, stride[] = {1};
    static bool a[COUNT + 1], mask[COUNT], source[COUNT], expected[COUNT + 1];
    const bl_array array = {a, BL_DTYPE_BOOL, 1, all, stride, 0};
    const bl_array same = {a, BL_DTYPE_BOOL, 1, all, NULL, 0};
    const bl_array after = {a + 1, BL_DTYPE_BOOL, 1, all, NULL, 0};
    const bl_array turned = {a + COUNT - 1, BL_DTYPE_BOOL, 1, all, back, 0};
    const bl_array other = {mask, BL_DTYPE_BOOL, 1, all, NULL, 0};
    const struct {
        const char *what;
        const bl_array *mask, *source;
        bl_status refused;
    } cases[] = {
        {"the array is its own mask", &same, &other, BL_OK},
        {"the mask is the array's neighbour", &after, &other, BL_ERR_OVERLAP},
        {"the mask is the array backwards", &turned, &other, BL_ERR_OVERLAP},
        {"the array is its own source", &other, &same, BL_ERR_OVERLAP},
        {"the source is the array's neighbour", &other, &after, BL_ERR_OVERLAP},
        {"the source is the array backwards", &other, &turned, BL_OK},
        {"all three are the array", &same, &same, BL_ERR_OVERLAP},
    };

    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++)
        for (int refuses = 0; refuses < 2; refuses++) {
            const bl_array *const m = cases[c].mask, *const s = cases[c].source;
            int64_t found = 0;
            bl_status status;

            for (int64_t i = 0; i <= COUNT; i++)
                expected[i] = a[i] = i * i % 7 < 3;
            for (int64_t i = 0; i < COUNT; i++)
                mask[i] = i * i % 11 < 4;
            for (int64_t i = 0; i < COUNT; i++)
                source[i] = ((bool *)s->data)[s->stride ? -i : i];
            for (int64_t i = 0; i < COUNT; i++)
                if (((bool *)m->data)[m->stride ? -i : i])
                    expected[i] = source[found++];
            status = bl_context_set_overlap(ctx, refuses ? BL_OVERLAP_REFUSE
                                                         : BL_OVERLAP_COPY);
            if (status == BL_OK)
                status = bl_masked_scatter_inplace(ctx, &array, m, s);
            if (refuses && cases[c].refused != BL_OK)
                tap_ok(status == cases[c].refused, "refused: %s", cases[c].what);
            else
                tap_ok(status == BL_OK && memcmp(a, expected, sizeof a) == 0, "%s%s",
                       cases[c].what, refuses ? ", copied all the same" : "");
        }
    tap_ok(bl_context_set_overlap(ctx, BL_OVERLAP_COPY) == BL_OK, "copies again");
}

/* ---- refused ---- */

static void check_refused(void)
{
    float a[] = {1, 2, 3, 4, 5, 6}, before[6];
    double d[6] = {0};
    uint8_t bytes[] = {1, 0, 1};
    bool mask[] = {true, false, true};
    static const int64_t still[] = {0};
    const bl_array array = floats(a, 1, three), pair = floats(a, 1, two);
    const bl_array wide = {d, BL_DTYPE_F64, 1, six, NULL, 0};
    const bl_array byte = {bytes, BL_DTYPE_U8, 1, three, NULL, 0};
    const bl_array constant = {a, BL_DTYPE_F32, 1, three, NULL, BL_ARRAY_READ_ONLY};
    const bl_array repeated = {a, BL_DTYPE_F32, 1, three, still, 0};
    const bl_array single = floats(a + 4, 1, one);
    const bl_array truth = bools(mask, 1, three), misfit = bools(mask, 1, two);
    const struct {
        const char *what;
        const bl_array *array, *mask, *source;
        bl_status status;
        bool selects; /* select refuses it as well */
        const char *text;
    } cases[] = {
        {"no array", NULL, &truth, &array, BL_ERR_ARGUMENT, true, NULL},
        {"no mask", &array, NULL, &array, BL_ERR_ARGUMENT, true, NULL},
        {"no source", &array, &truth, NULL, BL_ERR_ARGUMENT, false, NULL},
        {"a mask of bytes", &array, &byte, &pair, BL_ERR_DTYPE, true,
         "masked_scatter only supports boolean masks, but got mask with dtype u8"},
        {"a source of another dtype", &array, &truth, &wide, BL_ERR_DTYPE, false,
         "masked_scatter: expected self and source to have same dtypes but got f32 and "
         "f64"},
        {"a source too short", &array, &truth, &single, BL_ERR_SHAPE, false,
         "Number of elements of source < number of ones in mask"},
        {"shapes that do not fit", &array, &misfit, &array, BL_ERR_SHAPE, true, NULL},
        {"a read-only array", &constant, &truth, &array, BL_ERR_ARGUMENT, false,
         "a is read-only"},
        {"a repeated element", &repeated, &truth, &array, BL_ERR_ARGUMENT, false, NULL},
    };

    memcpy(before, a, sizeof a);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bl_tensor *result = NULL;
        const bl_status status = bl_masked_scatter_inplace(
            ctx, cases[i].array, cases[i].mask, cases[i].source);

        tap_ok(status == cases[i].status && memcmp(a, before, sizeof a) == 0 &&
                   (!cases[i].text || strcmp(bl_error_message(), cases[i].text) == 0),
               "%s: %s", cases[i].what, bl_error_message());
        if (cases[i].selects)
            tap_ok(bl_masked_select(ctx, cases[i].array, cases[i].mask, &result) ==
                           cases[i].status &&
                       result == NULL,
                   "select, %s: %s", cases[i].what, bl_error_message());
    }
    tap_ok(bl_masked_select(ctx, &array, &truth, NULL) == BL_ERR_ARGUMENT &&
               bl_masked_scatter(ctx, &array, &truth, &array, NULL) == BL_ERR_ARGUMENT,
           "no place for the result");
}

/* PyTorch's messages name the mask's shape first, unless the array keeps its shape. */
static void check_words(void)
{
#define SIZES(a, b)                                                                    \
    "The size of tensor a (" #a ") must match the size of tensor b (" #b               \
    ") at non-singleton dimension 1"
    static const struct {
        int64_t mask_extent[3];
        int32_t mask_rank;
        const char *made, *filled, *scattered;
    } cases[] = {
        {{6},
         1,
         SIZES(6, 3),
         SIZES(3, 6),
         "The expanded size of the tensor (3) must match the existing size (6) at "
         "non-singleton dimension 1.  Target sizes: [2, 3].  Tensor sizes: [6]"},
        {{2, 2},
         2,
         SIZES(2, 3),
         SIZES(3, 2),
         "The expanded size of the tensor (3) must match the existing size (2)"},
        {{4, 2, 3},
         3,
         "",
         "output with shape [2, 3] doesn't match the broadcast shape",
         "expand([4, 2, 3], size=[2, 3]): the number of sizes provided (2) must be "},
    };
#undef SIZES
    float data[24] = {0};
    bool truth[24] = {false};
    const bl_array a = floats(data, 2, matrix);
    const bl_scalar two = bl_scalar_f64(2);

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const bl_array mask = bools(truth, cases[i].mask_rank, cases[i].mask_extent);
        const char *const made = cases[i].made;
        const bl_status status = made[0] ? BL_ERR_SHAPE : BL_OK;
        bl_tensor *out[3] = {NULL};

        tap_ok(
            expect_status(bl_masked_fill(ctx, &a, &mask, two, &out[0]), status, made) &&
                expect_status(bl_masked_select(ctx, &a, &mask, &out[1]), status,
                              made) &&
                expect_status(bl_masked_scatter(ctx, &a, &mask, &a, &out[2]), status,
                              made) &&
                expect_status(bl_masked_fill_inplace(ctx, &a, &mask, two), BL_ERR_SHAPE,
                              cases[i].filled) &&
                expect_status(bl_masked_scatter_inplace(ctx, &a, &mask, &a),
                              BL_ERR_SHAPE, cases[i].scattered),
            "words of PyTorch's: %s", bl_error_message());
        for (int32_t k = 0; k < 3; k++)
            bl_tensor_release(out[k]);
    }
}

/* Two arrays of few bytes whose broadcast shape has more than 2^63 elements. */
static void check_overflow(void)
{
    static const int64_t down[] = {INT64_C(1) << 40, 1}, still[] = {0, 0};
    static const int64_t across[] = {1, INT64_C(1) << 40};
    float value = 1;
    bool truth = false;
    const bl_array a = {&value, BL_DTYPE_F32, 2, down, still, 0};
    const bl_array mask = {&truth, BL_DTYPE_BOOL, 2, across, still, 0};
    bl_tensor *result = NULL;

    tap_ok(bl_masked_select(ctx, &a, &mask, &result) == BL_ERR_OVERFLOW && !result,
           "too many elements: %s", bl_error_message());
    tap_ok(bl_masked_scatter(ctx, &a, &mask, &a, &result) == BL_ERR_OVERFLOW && !result,
           "too many elements to scatter into: %s", bl_error_message());
}

int main(void)
{
    tap_plan();
    if (!tap_ok(bl_context_create(&ctx) == BL_OK, "a context"))
        return tap_done();
    check_select();
    check_scatter();
    check_overlap();
    check_refused();
    check_words();
    check_overflow();
    bl_context_destroy(ctx);
    return tap_done();
}
