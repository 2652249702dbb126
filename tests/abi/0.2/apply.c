/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operators by number, their options, promotion, plans and what plans report.
 */
#include "kept.h"

static double a[] = {1, 2, 3, 4, 5, 6}, b[] = {10, 20, 30}, r[6];

static void check_apply(void)
{
    const bl_array *const in[] = {BL_VIEW(a, 2, 3), BL_VIEW(b, 3)};
    const bl_scalar two = bl_scalar_i64(2);
    bl_options options = BL_OPTIONS_DEFAULT;
    bl_tensor *tensor = NULL;

    OK(bl_apply(NULL, BL_OP_ADD, BL_VIEW(r, 2, 3), 2, in, NULL));
    CHECK(r[0] == 11 && r[5] == 36);
    if (OK(bl_apply_new(NULL, BL_OP_MUL, 2, in, NULL, &tensor)))
        HAS(tensor, 10, 40, 90, 40, 100, 180);
    options.alpha = &two;
    options.rules = bl_rules_modern();
    options.max_growth = 1;
    options.fixed = 1;
    options.names = (const char *const[]){"matrix", "row"};
    if (OK(bl_apply_new(NULL, BL_OP_SUB, 2, in, &options, &tensor)))
        HAS(tensor, -19, -38, -57, -16, -35, -54);
    options = (bl_options)BL_OPTIONS_DEFAULT;
    options.dtype = BL_DTYPE_F32;
    if (OK(bl_apply_new(NULL, BL_OP_ADD, 2, in, &options, &tensor))) {
        const bl_array *const sum = bl_tensor_array(tensor);

        CHECK(sum->dtype == BL_DTYPE_F32 && ((float *)sum->data)[5] == 36);
        bl_tensor_release(tensor);
    }
    options = (bl_options)BL_OPTIONS_DEFAULT;
    options.rules = bl_rules_strict();
    CHECK(bl_apply(NULL, BL_OP_ADD, BL_VIEW(r, 2, 3), 2, in, &options) == BL_ERR_RULES);
}

static void check_operators(void)
{
    bl_op_info info = {.size = sizeof info};
    bl_dtype dtype = BL_DTYPE_NONE;
    bl_tensor *tensor = NULL;

    CHECK(bl_op_find("addcmul") == BL_OP_ADDCMUL && bl_op_find("?") == BL_OP_NONE);
    OK(bl_op_query(BL_OP_HYPOT, &info));
    CHECK(strcmp(info.name, "hypot") == 0 && info.inputs == 2 && info.text[0] != '\0');
    OK(bl_op_result_dtype(BL_OP_LT, BL_DTYPE_F32, &dtype));
    CHECK(dtype == BL_DTYPE_BOOL);
    if (OK(bl_cast(NULL, BL_VIEW(b, 3), BL_DTYPE_I16, &tensor))) {
        CHECK(((const int16_t *)bl_tensor_array(tensor)->data)[2] == 30);
        bl_tensor_release(tensor);
    }
}

static void check_promotion(void)
{
    const int32_t number = 1;
    const bl_array *const arrays[] = {
        BL_VIEW(a, 6), &(const bl_array){(void *)(uintptr_t)&number, BL_DTYPE_I32, 0,
                                         NULL, NULL, BL_ARRAY_READ_ONLY}};
    bl_dtype dtype = BL_DTYPE_NONE;

    OK(bl_promote_dtypes(BL_DTYPE_U8, BL_DTYPE_I8, &dtype));
    CHECK(dtype == BL_DTYPE_I16);
    OK(bl_result_dtype(2, arrays, &dtype));
    CHECK(dtype == BL_DTYPE_F64);
    CHECK(bl_can_cast(BL_DTYPE_I64, BL_DTYPE_F16));
    CHECK(!bl_can_cast(BL_DTYPE_F16, BL_DTYPE_I64));
}

/* What a plan of a (2,3) + b (3) reports of itself. */
static void check_info(const bl_plan *plan)
{
    bl_plan_info info = {.size = sizeof info};

    if (!OK(bl_plan_query(plan, &info)))
        return;
    CHECK(info.op == BL_OP_ADD && info.inputs == 2 && info.dtype == BL_DTYPE_F64);
    CHECK(info.rank == 2 && info.extent[0] == 2 && info.extent[1] == 3);
    CHECK(info.numel == 6 && info.bytes == 15 * (int64_t)sizeof(double));
    CHECK(info.loops == 2 && info.loop[1].extent == 3 && info.loop[1].stride[2] == 8);
    CHECK(info.kernel[0] != '\0' && info.isa[0] != '\0' && info.threads == 1);
    CHECK(info.method[0] != '\0' && info.staged == 0 && info.tile[0] == 0);
    CHECK(info.min_iterations == 0 && info.buffer_bytes[0] == 0);
    CHECK(info.staging_bytes == 0 && !info.non_temporal);
}

static void check_plan(void)
{
    const bl_array *const in[] = {BL_VIEW(a, 2, 3), BL_VIEW(b, 3)};
    const void *const data[] = {a, b};
    const void *const other[] = {a + 3, b};
    bl_range range = {0, 0};
    bl_slice slice[4];
    int32_t count = 0;
    bl_plan *plan = NULL;

    if (!OK(bl_plan_create(NULL, BL_OP_ADD, NULL, 2, in, NULL, &plan)))
        return;
    check_info(plan);
    memset(r, 0, sizeof r);
    OK(bl_plan_execute(NULL, plan, r, data));
    CHECK(r[0] == 11 && r[5] == 36);
    OK(bl_plan_range(plan, 0, 1, &range));
    CHECK(range.begin == 0 && range.end == 6);
    OK(bl_plan_partition(plan, 2, 4, slice, &count));
    CHECK(count >= 1 && slice[count - 1].range.end == 6);
    bl_plan_destroy(plan);

    if (!OK(bl_plan_create(NULL, BL_OP_ADD, NULL, 2,
                           (const bl_array *const[]){BL_VIEW(b, 3), BL_VIEW(b, 3)},
                           NULL, &plan)))
        return;
    memset(r, 0, sizeof r);
    for (int32_t part = 0; part < 2; part++)
        OK(bl_plan_execute_part(NULL, plan, part, 2, r, other));
    CHECK(r[0] == 14 && r[1] == 25 && r[2] == 36);
    bl_plan_destroy(plan);
}

int main(void)
{
    check_apply();
    check_operators();
    check_promotion();
    check_plan();
    return failures;
}
