/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Values of the reference for complex numbers: arithmetic by parts, each step rounded
 * where the operator guarantees bits; and operators on the parts.
 */
#include "ref_value.h"

#include <math.h>

static void put(long double *result, long double real, long double imaginary)
{
    result[0] = real;
    result[1] = imaginary;
}

void ref_neg_complex(bl_dtype dtype, const double (*x)[2], long double *result)
{
    (void)dtype;
    put(result, -x[0][0], -x[0][1]);
}

void ref_abs_complex(bl_dtype dtype, const double (*x)[2], long double *result)
{
    (void)dtype;
    put(result, hypotl(x[0][0], x[0][1]), 0);
}

/* The sign of a complex number, its direction: 0 for 0. */
void ref_sign_complex(bl_dtype dtype, const double (*x)[2], long double *result)
{
    const long double modulus = hypotl(x[0][0], x[0][1]);

    (void)dtype;
    if (modulus == 0)
        put(result, 0, 0);
    else
        put(result, x[0][0] / modulus, x[0][1] / modulus);
}

void ref_add_complex(bl_dtype dtype, const double (*x)[2], long double *result)
{
    (void)dtype;
    put(result, x[0][0] + x[1][0], x[0][1] + x[1][1]);
}

void ref_sub_complex(bl_dtype dtype, const double (*x)[2], long double *result)
{
    (void)dtype;
    put(result, x[0][0] - x[1][0], x[0][1] - x[1][1]);
}

void ref_mul_complex(bl_dtype dtype, const double (*x)[2], long double *result)
{
    double product[2];

    ref_multiply(dtype, x[0], x[1], product);
    put(result, product[0], product[1]);
}

void ref_square_complex(bl_dtype dtype, const double (*x)[2], long double *result)
{
    double product[2];

    ref_multiply(dtype, x[0], x[0], product);
    put(result, product[0], product[1]);
}

void ref_div_complex(bl_dtype dtype, const double (*x)[2], long double *result)
{
    (void)dtype;
    ref_divide(x[0], x[1], result);
}

void ref_reciprocal_complex(bl_dtype dtype, const double (*x)[2], long double *result)
{
    static const double one[2] = {1, 0};

    (void)dtype;
    ref_divide(one, x[0], result);
}

/* Compute base + sign * product, rounded here after each step. */
static void add_product(const double *base, double sign, const double *product,
                        long double *result)
{
    put(result, base[0] + sign * product[0], base[1] + sign * product[1]);
}

void ref_add_scaled_complex(bl_dtype dtype, const double (*x)[2], long double *result)
{
    double product[2];

    ref_multiply(dtype, x[1], x[2], product);
    add_product(x[0], 1, product, result);
}

void ref_sub_scaled_complex(bl_dtype dtype, const double (*x)[2], long double *result)
{
    double product[2];

    ref_multiply(dtype, x[1], x[2], product);
    add_product(x[0], -1, product, result);
}

void ref_addcmul_complex(bl_dtype dtype, const double (*x)[2], long double *result)
{
    double first[2], product[2];

    ref_multiply(dtype, x[3], x[1], first);
    ref_multiply(dtype, first, x[2], product);
    add_product(x[0], 1, product, result);
}

void ref_addcdiv_complex(bl_dtype dtype, const double (*x)[2], long double *result)
{
    double product[2];
    long double quotient[2];

    ref_multiply(dtype, x[3], x[1], product);
    ref_divide(product, x[2], quotient);
    put(result, x[0][0] + quotient[0], x[0][1] + quotient[1]);
}

/* Interpolate from a for a weight of modulus below a half, else from b. */
void ref_lerp_complex(bl_dtype dtype, const double (*x)[2], long double *result)
{
    const double way[2] = {ref_round(dtype, x[1][0] - x[0][0]),
                           ref_round(dtype, x[1][1] - x[0][1])};
    const double left[2] = {ref_round(dtype, 1 - x[2][0]), -x[2][1]};
    const bool is_near = hypotl(x[2][0], x[2][1]) < 0.5L;
    double product[2];

    ref_multiply(dtype, way, is_near ? x[2] : left, product);
    add_product(is_near ? x[0] : x[1], is_near ? 1 : -1, product, result);
}

/* ---- parts ---- */

void ref_conj_complex(bl_dtype dtype, const double (*x)[2], long double *result)
{
    (void)dtype;
    put(result, x[0][0], -x[0][1]);
}

void ref_real_complex(bl_dtype dtype, const double (*x)[2], long double *result)
{
    (void)dtype;
    put(result, x[0][0], 0);
}

void ref_imag_complex(bl_dtype dtype, const double (*x)[2], long double *result)
{
    (void)dtype;
    put(result, x[0][1], 0);
}

void ref_angle_complex(bl_dtype dtype, const double (*x)[2], long double *result)
{
    (void)dtype;
    put(result, atan2l(x[0][1], x[0][0]), 0);
}
