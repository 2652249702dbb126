/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Plain C arrays as operands: dtype, shape, strides and const are deduced from the
 * declaration, and memory behind a pointer to const is never written.
 */
#include <broadloom.h>
#include <broadloom/describe.h>

#include "harness/tap.h"

#include <string.h>

static void check_dtypes(void)
{
    static const struct {
        const char *type;
        bl_dtype is, want;
    } rows[] = {
#define ROW(type, want)                                                                \
    {#type, BL_DTYPE_OF((type *)0), want},                                             \
        {"const " #type, BL_DTYPE_OF((const type *)0), want}
        ROW(_Bool, BL_DTYPE_BOOL),
        ROW(uint8_t, BL_DTYPE_U8),
        ROW(int8_t, BL_DTYPE_I8),
        ROW(uint16_t, BL_DTYPE_U16),
        ROW(int16_t, BL_DTYPE_I16),
        ROW(uint32_t, BL_DTYPE_U32),
        ROW(int32_t, BL_DTYPE_I32),
        ROW(uint64_t, BL_DTYPE_U64),
        ROW(int64_t, BL_DTYPE_I64),
        ROW(long long, BL_DTYPE_I64),
        ROW(size_t, BL_DTYPE_U64),
        ROW(float, BL_DTYPE_F32),
        ROW(double, BL_DTYPE_F64),
        ROW(float _Complex, BL_DTYPE_C64),
        ROW(double _Complex, BL_DTYPE_C128),
#undef ROW
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        tap_ok(rows[i].is == rows[i].want, "a pointer to %s is of %s", rows[i].type,
               bl_dtype_name(rows[i].want));
}

static void check_shapes(void)
{
    double data[24] = {0};
    const bl_array *const one = BL_VIEW(data, 24);
    const bl_array *const four = BL_VIEW(data, 2, 3, 4, 1);
    const bl_array *const turned =
        BL_STRIDED_VIEW(data, 2, BL_LIST(3, 2), BL_LIST(1, 3));
    const bl_array *const half = BL_VIEW_AS(BL_DTYPE_F16, (uint16_t *)data, 8);

    tap_ok(one->rank == 1 && one->extent[0] == 24 && !one->stride, "rank 1");
    tap_ok(four->rank == 4 && four->extent[2] == 4 && four->extent[3] == 1, "rank 4");
    tap_ok(BL_VIEW(data, 1, 1, 1, 1, 1, 1, 1, 1, 24)->rank == 9, "rank 9");
    tap_ok(turned->rank == 2 && turned->stride[0] == 1 && turned->stride[1] == 3,
           "with strides");
    tap_ok(half->dtype == BL_DTYPE_F16 && half->flags == 0, "of another dtype");
}

static void check_fields(void)
{
    struct particle {
        double x;
        float y;
        int16_t charge[2];
    } one[3] = {{1, 2, {3, 4}}, {5, 6, {7, 8}}, {9, 10, {11, 12}}};
    const struct particle *const same = one;
    const bl_array *const y = BL_FIELD_VIEW(one, 3, y);
    const bl_array *const both = BL_BYTE_STRIDED_VIEW(
        &one->charge[0], 2, BL_LIST(3, 2), BL_LIST(sizeof *one, sizeof one->charge[0]));
    int16_t charge[3][2];

    tap_ok(y->data == &one[0].y && y->dtype == BL_DTYPE_F32 && y->rank == 1 &&
               y->extent[0] == 3 && y->stride[0] == sizeof *one &&
               y->flags == BL_ARRAY_BYTE_STRIDES,
           "a member of structs");
    tap_ok(BL_FIELD_VIEW(same, 3, x)->flags ==
               (BL_ARRAY_BYTE_STRIDES | BL_ARRAY_READ_ONLY),
           "of const structs it is read-only");
    tap_ok(bl_add_inplace(NULL, BL_FIELD_VIEW(one, 3, x), BL_FIELD_VIEW(one, 3, y)) ==
                   BL_OK &&
               one[0].x == 3 && one[2].x == 19 && one[2].y == 10,
           "two members in one call");
    tap_ok(bl_copy_out(NULL, BL_VIEW(&charge[0][0], 3, 2), both) == BL_OK &&
               charge[1][0] == 7 && charge[2][1] == 12,
           "a member that is an array");
}

static void check_calls(void)
{
    const double matrix[2][3] = {{1, 2, 3}, {4, 5, 6}};
    double row[3] = {10, 20, 30}, sum[2][3];
    static const double want[2][3] = {{11, 22, 33}, {14, 25, 36}};

    tap_ok(bl_add_out(NULL, BL_VIEW(&sum[0][0], 2, 3), BL_VIEW(&matrix[0][0], 2, 3),
                      BL_VIEW(row, 3)) == BL_OK &&
               memcmp(sum, want, sizeof want) == 0,
           "a call in one statement");
    tap_ok(bl_add_inplace(NULL, BL_VIEW(&matrix[0][0], 2, 3), BL_VIEW(row, 3)) ==
                   BL_ERR_ARGUMENT &&
               matrix[0][0] == 1,
           "what is const is not written: %s", bl_error_message());
    BL_IGNORE(bl_mul_inplace(NULL, BL_VIEW(row, 3), BL_VIEW(row, 3)));
    tap_ok(row[2] == 900, "a status that is dropped on purpose");
}

int main(void)
{
    tap_plan();
    check_dtypes();
    check_shapes();
    check_fields();
    check_calls();
    return tap_done();
}
