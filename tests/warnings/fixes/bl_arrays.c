/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays that are described once, results in memory of the program, masks. */
#include "bl_show.h"

static double left_data[] = {1, 2, 3, 4}, right_data[] = {4, 3, 2, 1};
static float scale_data[] = {10, 0, 20, 0, 30, 0, 40, 0};
static bool mask_data[] = {true, false, false, true};
static const int64_t column[] = {4, 1}, vector[] = {4}, every_other[] = {2};

static const bl_array left = {left_data, BL_DTYPE_F64, 2, column, NULL, 0};
static const bl_array right = {right_data, BL_DTYPE_F64, 1, vector, NULL, 0};
static const bl_array scale = {scale_data, BL_DTYPE_F32, 1, vector, every_other, 0};
static const bl_array mask = {mask_data, BL_DTYPE_BOOL, 1, vector, NULL, 0};

static bl_status run(bl_context *ctx, const bl_array *const operand[])
{
    bl_tensor *out = NULL;

    TRY(bl_add(ctx, &left, &right, &out));
    TRY(show_tensor("add", out));
    TRY(bl_mul(ctx, operand[0], &scale, &out));
    TRY(show_tensor("mul", out));
    TRY(bl_where(ctx, &mask, *operand, operand[1], &out));
    TRY(show_tensor("where", out));
    TRY(bl_masked_fill(ctx, &left, &mask, bl_scalar_f64(-1), &out));
    TRY(show_tensor("masked_fill", out));
    TRY(bl_masked_select(ctx, &left, &mask, &out));
    TRY(show_tensor("masked_select", out));
    return BL_OK;
}

int main(void)
{
    const bl_array *const operand[] = {&left, &right};

    if (run(NULL, operand) != BL_OK)
        return fprintf(stderr, "%s\n", bl_error_message()), 1;
    return 0;
}
