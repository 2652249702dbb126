/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Scalars as operands: values, rules that do not see them, and what is refused;
 * masked_fill and fill.
 */
#include <string.h>

#include <broadloom.h>
#include <broadloom/compat.h>

#include "harness/expect_status.h"
#include "harness/tap.h"

enum { COUNT = 3 };
static const int64_t extent[1] = {COUNT};
static const int64_t tall[2] = {2, COUNT};

static float f32[COUNT] = {1, -2, 3};
static uint8_t u8[COUNT] = {1, 2, 250};
static int32_t i32[COUNT] = {7, -7, 0};
static bool truth[COUNT] = {true, false, true};

static const bl_array reals = {f32, BL_DTYPE_F32, 1, extent, NULL, 0};
static const bl_array bytes = {u8, BL_DTYPE_U8, 1, extent, NULL, 0};
static const bl_array integers = {i32, BL_DTYPE_I32, 1, extent, NULL, 0};
static const bl_array truths = {truth, BL_DTYPE_BOOL, 1, extent, NULL, 0};

/* ---- values ---- */

static const struct {
    const char *what;
    bl_op op;
    const bl_array *array;
    bl_scalar number;
    bl_dtype dtype;
    union {
        float f32[COUNT];
        uint8_t u8[COUNT];
        int64_t i64[COUNT];
        float c64[2 * COUNT];
    } want;
} rows[] = {
    {"a real scalar and f32",
     BL_OP_MUL,
     &reals,
     {BL_DTYPE_F64, {{0.5, 0}}},
     BL_DTYPE_F32,
     {.f32 = {0.5f, -1, 1.5f}}},
    {"an integer scalar and u8",
     BL_OP_ADD,
     &bytes,
     {BL_DTYPE_I64, {.i64 = 10}},
     BL_DTYPE_U8,
     {.u8 = {11, 12, 4}}},
    {"an integer that does not fit u8",
     BL_OP_ADD,
     &bytes,
     {BL_DTYPE_I64, {.i64 = 258}},
     BL_DTYPE_U8,
     {.u8 = {3, 4, 252}}},
    {"a real scalar and u8",
     BL_OP_MUL,
     &bytes,
     {BL_DTYPE_F64, {{0.5, 0}}},
     BL_DTYPE_F32,
     {.f32 = {0.5f, 1, 125}}},
    {"an integer scalar and bool",
     BL_OP_ADD,
     &truths,
     {BL_DTYPE_I64, {.i64 = 2}},
     BL_DTYPE_I64,
     {.i64 = {3, 2, 3}}},
    {"a complex scalar and f32",
     BL_OP_ADD,
     &reals,
     {BL_DTYPE_C128, {{0, 2}}},
     BL_DTYPE_C64,
     {.c64 = {1, 2, -2, 2, 3, 2}}},
    {"a bool scalar and u8",
     BL_OP_ADD,
     &bytes,
     {BL_DTYPE_BOOL, {.boolean = 1}},
     BL_DTYPE_U8,
     {.u8 = {2, 3, 251}}},
};

static void check_values(void)
{
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        const bl_array number = bl_scalar_array(&rows[row].number);
        const bl_array *const in[] = {rows[row].array, &number};
        const bl_array *const turned[] = {&number, rows[row].array};
        bl_tensor *tensor = NULL;

        tap_ok(expect_tensor(bl_apply_new(NULL, rows[row].op, 2, in, NULL, &tensor),
                             &tensor, rows[row].dtype, COUNT, &rows[row].want) &&
                   expect_tensor(
                       bl_apply_new(NULL, rows[row].op, 2, turned, NULL, &tensor),
                       &tensor, rows[row].dtype, COUNT, &rows[row].want),
               "%s", rows[row].what);
    }
}

/* ---- rules ---- */

/* Rules of a program that does not support 0-d tensors. */
static bl_status refuse_zero_dims(const bl_rules *rules, const bl_rules_query *query,
                                  bl_rules_answer *answer)
{
    (void)rules;
    for (int32_t k = 0; k < query->count; k++)
        if (query->operand[k].shape.rank == 0)
            return bl_error_set(BL_ERR_RULES, "operand %d has no dimensions", (int)k);
    return bl_rules_resolve(NULL, query, answer);
}

static void check_rules(void)
{
    static const bl_rules own = {
        .size = sizeof own, .name = "own", .resolve = refuse_zero_dims};
    const bl_rules *const all[] = {bl_rules_modern(), bl_rules_strict(),
                                   bl_rules_paddle(), &own};
    static const float want[COUNT] = {3, 0, 5};
    const bl_scalar two = bl_scalar_i64(2);
    const bl_array number = bl_scalar_array(&two);
    bl_array zero_dims = number;
    const bl_array *const in[] = {&number, &reals};
    const bl_array *const tensors[] = {&zero_dims, &reals};
    const bl_array *const numbers[] = {&number, &number};
    bl_options options = BL_OPTIONS_DEFAULT;
    bl_tensor *tensor = NULL;

    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        options.rules = all[i];
        tap_ok(expect_tensor(bl_apply_new(NULL, BL_OP_ADD, 2, in, &options, &tensor),
                             &tensor, BL_DTYPE_F32, COUNT, want),
               "%s rules do not see a scalar", all[i]->name);
    }
    zero_dims.flags = 0;
    tap_ok(expect_status(bl_apply_new(NULL, BL_OP_ADD, 2, tensors, &options, &tensor),
                         BL_ERR_RULES, "operand 0 has no dimensions"),
           "rules see a 0-d tensor");

    bl_status status = bl_apply_new(NULL, BL_OP_ADD, 2, numbers, &options, &tensor);
    const bl_array *array = status == BL_OK ? bl_tensor_array(tensor) : NULL;

    tap_ok(array && array->rank == 0 && array->dtype == BL_DTYPE_I64 &&
               *(const int64_t *)array->data == 4,
           "scalars alone give a 0-d tensor");
    bl_tensor_release(array ? tensor : NULL);
    options.fixed = 1;
    tap_ok(expect_status(bl_apply_new(NULL, BL_OP_ADD, 2, in, &options, &tensor),
                         BL_ERR_ARGUMENT, "fixed names a, which is a scalar"),
           "a scalar that must not be broadcast is refused");
    options.fixed = 2;
    status = bl_apply_new(NULL, BL_OP_ADD, 2, in, &options, &tensor);
    tap_ok(expect_tensor(status, &tensor, BL_DTYPE_F32, COUNT, want),
           "an array next to it that must not be broadcast");
    options.fixed = 4;
    tap_ok(expect_status(bl_apply_new(NULL, BL_OP_ADD, 2, in, &options, &tensor),
                         BL_ERR_ARGUMENT, "fixed"),
           "an input that there is none of is refused");
}

static void check_refusals(void)
{
    const bl_scalar two = bl_scalar_f64(2);
    const bl_array number = bl_scalar_array(&two);
    bl_array flagged = reals;
    float room[COUNT] = {0};
    bl_array out = {room, BL_DTYPE_F32, 0, NULL, NULL, BL_ARRAY_SCALAR};

    flagged.flags = BL_ARRAY_SCALAR;
    tap_ok(expect_status(bl_add_out(NULL, &reals, &flagged, &number), BL_ERR_ARGUMENT,
                         "rank 1"),
           "a scalar with dimensions is refused");
    tap_ok(expect_status(bl_add_out(NULL, &out, &number, &number), BL_ERR_ARGUMENT,
                         "a scalar"),
           "a result that is a scalar is refused");
    tap_ok(bl_add_inplace(NULL, &number, &number) == BL_ERR_ARGUMENT &&
               two.value.f64 == 2,
           "a scalar is not written to");
}

/* ---- masked_fill ---- */

static void check_masked_fill(void)
{
    static const float want[COUNT] = {9, -2, 9};
    float room[2 * COUNT] = {1, 2, 3, 4, 5, 6};
    static const float wide[2 * COUNT] = {0.5f, 2, 0.5f, 0.5f, 5, 0.5f};
    const bl_array matrix = {room, BL_DTYPE_F32, 2, tall, NULL, 0};
    bl_tensor *tensor = NULL;

    tap_ok(
        expect_tensor(bl_masked_fill(NULL, &reals, &truths, bl_scalar_i64(9), &tensor),
                      &tensor, BL_DTYPE_F32, COUNT, want),
        "a new tensor with a scalar where a mask is true");
    tap_ok(bl_masked_fill_inplace(NULL, &matrix, &truths, bl_scalar_f64(0.5)) ==
                   BL_OK &&
               memcmp(room, wide, sizeof wide) == 0,
           "a scalar where a broadcast mask is true, in place");
    tap_ok(bl_masked_fill_inplace(NULL, &integers, &truths, bl_scalar_f64(0.5)) ==
                   BL_ERR_DTYPE &&
               bl_masked_fill(NULL, &integers, &truths, bl_scalar_f64(0.5), &tensor) ==
                   BL_ERR_DTYPE &&
               bl_masked_fill(NULL, NULL, &truths, bl_scalar_f64(0.5), &tensor) ==
                   BL_ERR_ARGUMENT &&
               i32[0] == 7,
           "integers are not filled with a real scalar");
}

/* ---- fill ---- */

static void check_fill(void)
{
    static const int64_t across[] = {1, 2};
    int16_t a[] = {0, 0, 0, 0, 0, 0, 9};
    static const int16_t expected[] = {0, 0, 3, 3, 3, 3, 9};
    const bl_array part = {a + 2, BL_DTYPE_I16, 2, (const int64_t[]){2, 2}, across, 0};
    const bl_array none = {NULL, BL_DTYPE_F32, 1, (const int64_t[]){0}, NULL, 0};

    tap_ok(bl_fill(NULL, &part, bl_scalar_f64(3.75)) == BL_OK &&
               memcmp(a, expected, sizeof a) == 0,
           "a part is filled with a scalar that is converted");
    tap_ok(bl_fill(NULL, &none, bl_scalar_i64(1)) == BL_OK, "nothing is filled");
    tap_ok(bl_fill(NULL, NULL, bl_scalar_i64(1)) == BL_ERR_ARGUMENT,
           "no array to be filled is refused");
}

int main(void)
{
    tap_plan();
    check_values();
    check_rules();
    check_refusals();
    check_masked_fill();
    check_fill();
    return tap_done();
}
