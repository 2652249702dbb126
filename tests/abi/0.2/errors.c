/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Versions, statuses, messages, dtypes, scalars.
 */
#include "kept.h"

typedef bl_scalar of_bool(bool);
typedef bl_scalar of_i64(int64_t);
typedef bl_scalar of_f64(double);
typedef bl_scalar of_c128(double, double);
typedef bl_array as_array(const bl_scalar *);

static void check_errors(void)
{
    double a[6] = {0}, b[4] = {0}, r[6] = {0};
    bl_error_info info = {.size = sizeof info};

    CHECK(bl_version()[0] == '0' || bl_version()[0] > '0');
    CHECK(strlen(bl_config_string()) > 10);
    CHECK(strlen(bl_status_string(BL_ERR_SHAPE)) > 3);
    CHECK(bl_add_out(NULL, BL_VIEW(r, 2, 3), BL_VIEW(a, 2, 3), BL_VIEW(b, 4)) ==
          BL_ERR_SHAPE);
    CHECK(strstr(bl_error_message(), "(3)") != NULL);
    CHECK(strstr(bl_error_where(), "add") != NULL);
    OK(bl_error_query(&info));
    CHECK(info.status == BL_ERR_SHAPE && info.op == BL_OP_ADD && info.count == 3);
    CHECK(strcmp(info.function, "bl_add_out") == 0 && info.axis == 1);
    CHECK(info.extent + info.other_extent == 7 && info.operands[1].rank == 2);
    CHECK(bl_error_set_extents(BL_ERR_SHAPE, 0, "x", 2, "y", 3) == BL_ERR_SHAPE);
    CHECK(bl_error_set(BL_ERR_IO, "file %d", 7) == BL_ERR_IO);
    CHECK(strcmp(bl_error_message(), "file 7") == 0);
}

static void check_dtypes(void)
{
    CHECK(bl_dtype_size(BL_DTYPE_C128) == 16 && bl_dtype_size(BL_DTYPE_NONE) == 0);
    CHECK(strcmp(bl_dtype_name(BL_DTYPE_BF16), "bf16") == 0);
    CHECK(bl_dtype_find("u16") == BL_DTYPE_U16);
}

static void check_scalars(void)
{
    of_bool *volatile make_bool = bl_scalar_bool;
    of_i64 *volatile make_i64 = bl_scalar_i64;
    of_f64 *volatile make_f64 = bl_scalar_f64;
    of_c128 *volatile make_c128 = bl_scalar_c128;
    as_array *volatile make_array = bl_scalar_array;
    const bl_scalar scalar = bl_scalar_c128(1, 2);
    const bl_array array = bl_scalar_array(&scalar);

    CHECK(bl_scalar_bool(true).value.boolean && make_bool(true).value.boolean);
    CHECK(bl_scalar_i64(-3).value.i64 == -3 && make_i64(-3).value.i64 == -3);
    CHECK(bl_scalar_f64(0.5).value.f64 == 0.5 && make_f64(0.5).value.f64 == 0.5);
    CHECK(scalar.value.c128[1] == 2 && make_c128(1, 2).value.c128[1] == 2);
    CHECK(array.data == &scalar.value && array.dtype == BL_DTYPE_C128);
    CHECK(make_array(&scalar).data == array.data && array.rank == 0);
}

int main(void)
{
    check_errors();
    check_dtypes();
    check_scalars();
    return failures;
}
