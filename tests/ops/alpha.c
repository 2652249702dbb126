/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * alpha, the factor by which add and sub multiply their second input: in calls, in
 * place, and in plans, which store it.
 */
#include <string.h>

#include <broadloom.h>

#include "harness/expect_status.h"
#include "harness/tap.h"

enum { COUNT = 3 };
static const int64_t extent[1] = {COUNT};

static float f32[COUNT] = {1, -2, 3};
static uint8_t u8[COUNT] = {1, 2, 250};
static int32_t i32[COUNT] = {7, -7, 0};
static bool truth[COUNT] = {true, false, true};
static bool other[COUNT] = {false, false, true};

static const bl_array reals = {f32, BL_DTYPE_F32, 1, extent, NULL, 0};
static const bl_array bytes = {u8, BL_DTYPE_U8, 1, extent, NULL, 0};
static const bl_array integers = {i32, BL_DTYPE_I32, 1, extent, NULL, 0};
static const bl_array truths = {truth, BL_DTYPE_BOOL, 1, extent, NULL, 0};
static const bl_array others = {other, BL_DTYPE_BOOL, 1, extent, NULL, 0};

static const bl_scalar two = {BL_DTYPE_I64, {.i64 = 2}};
static const bl_scalar minus_two = {BL_DTYPE_I64, {.i64 = -2}};
static const bl_scalar zero = {BL_DTYPE_I64, {.i64 = 0}};
static const bl_scalar half = {BL_DTYPE_F64, {.f64 = 0.5}};
static const bl_scalar yes = {BL_DTYPE_BOOL, {.boolean = true}};
static const bl_scalar wave = {BL_DTYPE_C128, {.c128 = {0, 1}}};
static const bl_scalar short_two = {BL_DTYPE_I8, {.i64 = 2}};

static const struct {
    const char *what;
    bl_op op;
    const bl_array *a, *b;
    const bl_scalar *alpha;
    bl_dtype dtype;
    union {
        float f32[COUNT];
        int32_t i32[COUNT];
        bool truth[COUNT];
    } want;
} rows[] = {
    {"f32 + 2 f32", BL_OP_ADD, &reals, &reals, &two, BL_DTYPE_F32, {.f32 = {3, -6, 9}}},
    {"f32 - 0.5 i32",
     BL_OP_SUB,
     &reals,
     &integers,
     &half,
     BL_DTYPE_F32,
     {.f32 = {-2.5f, 1.5f, 3}}},
    {"i32 - -2 i32",
     BL_OP_SUB,
     &integers,
     &integers,
     &minus_two,
     BL_DTYPE_I32,
     {.i32 = {21, -21, 0}}},
    {"i32 + 2 u8",
     BL_OP_ADD,
     &integers,
     &bytes,
     &two,
     BL_DTYPE_I32,
     {.i32 = {9, -3, 500}}},
    {"bool + 2 bool",
     BL_OP_ADD,
     &others,
     &truths,
     &two,
     BL_DTYPE_BOOL,
     {.truth = {true, false, true}}},
    {"bool + 0 bool",
     BL_OP_ADD,
     &others,
     &truths,
     &zero,
     BL_DTYPE_BOOL,
     {.truth = {false, false, true}}},
    {"bool + true bool",
     BL_OP_ADD,
     &others,
     &truths,
     &yes,
     BL_DTYPE_BOOL,
     {.truth = {true, false, true}}},
};

static const struct {
    const char *what;
    bl_op op;
    const bl_array *a, *b;
    const bl_scalar *alpha;
    bl_status status;
    const char *text;
} refusals[] = {
    {"a real alpha of integers", BL_OP_ADD, &integers, &bytes, &half, BL_ERR_DTYPE,
     "For integral input tensors, argument alpha must not be a floating point number."},
    {"a real alpha of booleans", BL_OP_ADD, &truths, &truths, &half, BL_ERR_DTYPE,
     "For integral input tensors, argument alpha must not be a floating point number."},
    {"a complex alpha of real numbers", BL_OP_SUB, &reals, &reals, &wave, BL_ERR_DTYPE,
     "For non-complex input tensors, argument alpha must not be a complex number."},
    {"alpha that is a boolean", BL_OP_ADD, &reals, &reals, &yes, BL_ERR_DTYPE,
     "Boolean alpha only supported for Boolean results."},
    {"booleans less twice booleans", BL_OP_SUB, &truths, &truths, &two, BL_ERR_DTYPE,
     "two bool tensors"},
    {"alpha of a product", BL_OP_MUL, &reals, &reals, &two, BL_ERR_ARGUMENT,
     "mul takes no alpha"},
    {"alpha of no operator", (bl_op)999, &reals, &reals, &two, BL_ERR_ARGUMENT,
     "alpha"},
    {"alpha of another dtype", BL_OP_ADD, &reals, &reals, &short_two, BL_ERR_ARGUMENT,
     "alpha"},
    {"alpha of a sum with nothing", BL_OP_ADD, &reals, NULL, &two, BL_ERR_ARGUMENT,
     "null"},
};

/* Whether a new result is of that dtype and has these elements; releases it. */
static void check_row(size_t row)
{
    const bl_array *const in[] = {rows[row].a, rows[row].b};
    const void *const data[] = {rows[row].a->data, rows[row].b->data};
    const size_t size = COUNT * bl_dtype_size(rows[row].dtype);
    bl_options options = BL_OPTIONS_DEFAULT;
    int32_t room[COUNT];
    const bl_array out = {room, rows[row].dtype, 1, extent, NULL, 0};
    bl_plan_info info = {.size = sizeof info};
    bl_tensor *tensor = NULL;
    bl_plan *plan = NULL;

    options.alpha = rows[row].alpha;

    const bl_status status = bl_apply_new(NULL, rows[row].op, 2, in, &options, &tensor);

    tap_ok(expect_tensor(status, &tensor, rows[row].dtype, COUNT, &rows[row].want),
           "%s", rows[row].what);
    memcpy(room, data[0], size);
    if (rows[row].a->dtype == rows[row].dtype) {
        const bl_array *const own[] = {&out, rows[row].b};

        tap_ok(bl_apply(NULL, rows[row].op, &out, 2, own, &options) == BL_OK &&
                   memcmp(room, &rows[row].want, size) == 0,
               "%s in place", rows[row].what);
    }
    memset(room, 0x55, sizeof room);
    tap_ok(bl_plan_create(NULL, rows[row].op, NULL, 2, in, &options, &plan) == BL_OK &&
               bl_plan_query(plan, &info) == BL_OK && info.dtype == rows[row].dtype &&
               bl_plan_execute(NULL, plan, room, data) == BL_OK &&
               memcmp(room, &rows[row].want, size) == 0,
           "%s by a plan", rows[row].what);
    memset(room, 0x55, sizeof room);
    tap_ok(plan && bl_plan_execute_part(NULL, plan, 0, 1, room, data) == BL_OK &&
               memcmp(room, &rows[row].want, size) == 0,
           "%s by a part of a plan", rows[row].what);
    bl_plan_destroy(plan);
}

static void check_refusal(size_t row)
{
    const bl_array *const in[] = {refusals[row].a, refusals[row].b};
    bl_options options = BL_OPTIONS_DEFAULT;
    bl_tensor *tensor = NULL;
    bl_plan *plan = NULL;

    options.alpha = refusals[row].alpha;
    tap_ok(expect_status(bl_apply_new(NULL, refusals[row].op, 2, in, &options, &tensor),
                         refusals[row].status, refusals[row].text) &&
               expect_status(
                   bl_apply(NULL, refusals[row].op, refusals[row].a, 2, in, &options),
                   refusals[row].status, refusals[row].text) &&
               expect_status(
                   bl_plan_create(NULL, refusals[row].op, NULL, 2, in, &options, &plan),
                   refusals[row].status, refusals[row].text) &&
               tensor == NULL && plan == NULL && f32[0] == 1 && i32[0] == 7,
           "%s is refused", refusals[row].what);
}

int main(void)
{
    tap_plan();
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++)
        check_row(row);
    for (size_t row = 0; row < sizeof refusals / sizeof refusals[0]; row++)
        check_refusal(row);
    return tap_done();
}
