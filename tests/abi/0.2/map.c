/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions of the program over broadcast operands, and masks.
 */
#include "kept.h"

static double a[] = {1, 2, 3, 4, 5, 6}, b[] = {10, 20, 30}, r[6];
static const bool mask[] = {true, false, true};

static void scaled_sum(void *user, int64_t count, void *out, const void *const *in)
{
    const double *const left = in[0], *const right = in[1];
    double *const sum = out;

    for (int64_t i = 0; i < count; i++)
        sum[i] = left[i] + *(const double *)user * right[i];
}

static double add_one(void *user, double number)
{
    return number + *(const double *)user;
}

static double subtract(void *user, double left, double right)
{
    return left - right * *(const double *)user;
}

static void check_maps(void)
{
    const bl_array *const in[] = {BL_VIEW(a, 2, 3), BL_VIEW(b, 3)};
    bl_map_options options = BL_MAP_OPTIONS_DEFAULT;
    bl_tensor *tensor = NULL;
    double two = 2;

    options.element_ns = 3;
    options.names = (const char *const[]){"matrix", "row"};
    OK(bl_map(NULL, scaled_sum, &two, BL_VIEW(r, 2, 3), 2, in, &options));
    CHECK(r[0] == 21 && r[5] == 66);
    if (OK(bl_map_new(NULL, scaled_sum, &two, 2, in, BL_DTYPE_F64, NULL, &tensor)))
        HAS(tensor, 21, 42, 63, 24, 45, 66);
    OK(bl_map_unary_f64(NULL, add_one, &two, BL_VIEW(r, 3), BL_VIEW(b, 3)));
    CHECK(r[0] == 12 && r[2] == 32);
    OK(bl_map_binary_f64(NULL, subtract, &two, BL_VIEW(r, 2, 3), BL_VIEW(a, 2, 3),
                         BL_VIEW(b, 3)));
    CHECK(r[0] == -19 && r[5] == -54);
}

typedef bl_status filling(bl_context *, const bl_array *, const bl_array *, bl_scalar,
                          bl_tensor **);
typedef bl_status filling_inplace(bl_context *, const bl_array *, const bl_array *,
                                  bl_scalar);
typedef bl_status fill(bl_context *, const bl_array *, bl_scalar);

static void check_masks(void)
{
    filling *volatile make = bl_masked_fill;
    filling_inplace *volatile replace = bl_masked_fill_inplace;
    fill *volatile fill_all = bl_fill;
    double c[] = {1, 2, 3};
    bl_tensor *tensor = NULL;

    if (OK(bl_masked_select(NULL, BL_VIEW(b, 3), BL_VIEW(mask, 3), &tensor)))
        HAS(tensor, 10, 30);
    if (OK(bl_masked_scatter(NULL, BL_VIEW(c, 3), BL_VIEW(mask, 3), BL_VIEW(b, 3),
                             &tensor)))
        HAS(tensor, 10, 2, 20);
    OK(bl_masked_scatter_inplace(NULL, BL_VIEW(c, 3), BL_VIEW(mask, 3), BL_VIEW(b, 3)));
    CHECK(c[0] == 10 && c[1] == 2 && c[2] == 20);
    if (OK(bl_masked_fill(NULL, BL_VIEW(b, 3), BL_VIEW(mask, 3), bl_scalar_f64(0.5),
                          &tensor)))
        HAS(tensor, 0.5, 20, 0.5);
    if (OK(make(NULL, BL_VIEW(b, 3), BL_VIEW(mask, 3), bl_scalar_i64(7), &tensor)))
        HAS(tensor, 7, 20, 7);
    OK(bl_masked_fill_inplace(NULL, BL_VIEW(c, 3), BL_VIEW(mask, 3), bl_scalar_i64(4)));
    CHECK(c[0] == 4 && c[1] == 2 && c[2] == 4);
    OK(replace(NULL, BL_VIEW(c, 3), BL_VIEW(mask, 3), bl_scalar_bool(true)));
    CHECK(c[0] == 1 && c[1] == 2 && c[2] == 1);
    OK(bl_fill(NULL, BL_VIEW(c, 3), bl_scalar_f64(2.5)));
    CHECK(c[0] == 2.5 && c[2] == 2.5);
    OK(fill_all(NULL, BL_VIEW(c, 3), bl_scalar_f64(3.5)));
    CHECK(c[0] == 3.5 && c[2] == 3.5);
}

int main(void)
{
    check_maps();
    check_masks();
    return failures;
}
