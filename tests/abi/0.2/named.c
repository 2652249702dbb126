/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The named forms of every operator, called directly, which is inlined, and through
 * pointers, which are the exported symbols.
 */
#include "kept.h"

typedef const bl_array *operand;

typedef bl_status new1(bl_context *, operand, bl_tensor **);
typedef bl_status new2(bl_context *, operand, operand, bl_tensor **);
typedef bl_status new3(bl_context *, operand, operand, operand, bl_tensor **);
typedef bl_status new4(bl_context *, operand, operand, operand, operand, bl_tensor **);
typedef bl_status in1(bl_context *, operand);
typedef bl_status in2(bl_context *, operand, operand);
typedef bl_status in3(bl_context *, operand, operand, operand);
typedef bl_status in4(bl_context *, operand, operand, operand, operand);
typedef bl_status in5(bl_context *, operand, operand, operand, operand, operand);

/* ---- operands of one element ---- */

union element {
    double f64;
    int64_t i64;
    bool boolean;
};

static bl_dtype dtype; /* of the operands: f64 or i64 */
static bool is_masked; /* the first operand is bool */
static union element element[5];
static bl_array array[5]; /* the inputs a, b, c and d, and a result */

#define LIST_1 &array[0]
#define LIST_2 LIST_1, &array[1]
#define LIST_3 LIST_2, &array[2]
#define LIST_4 LIST_3, &array[3]
#define OUT    &array[4]

static void put(int k, double value)
{
    array[k] = (bl_array){&element[k], dtype, 0, NULL, NULL, 0};
    if (dtype == BL_DTYPE_F64)
        element[k].f64 = value;
    else
        element[k].i64 = (int64_t)value;
}

static void load(int count, const double *values)
{
    for (int k = 0; k < 4; k++)
        put(k, k < count ? values[k] : 0);
    put(4, -77);
    if (is_masked) {
        array[0].dtype = BL_DTYPE_BOOL;
        element[0].boolean = values[0] != 0;
    }
}

static double get(const bl_array *from)
{
    const union element *const value = from->data;

    if (from->dtype == BL_DTYPE_BOOL)
        return value->boolean;
    return from->dtype == BL_DTYPE_F64 ? value->f64 : (double)value->i64;
}

/* ---- one operator ---- */

static bool is_new(bl_status status, bl_tensor *tensor, double expected)
{
    const bool equal =
        status == BL_OK && kept_near(get(bl_tensor_array(tensor)), expected);

    if (status == BL_OK)
        bl_tensor_release(tensor);
    return equal;
}

/* Put the operands, and refer to a new tensor. */
#define LOAD(...)                                                                      \
    (load((int)(sizeof(double[]){__VA_ARGS__} / sizeof(double)),                       \
          (double[]){__VA_ARGS__}),                                                    \
     NULL)

/* An operator of n inputs, and its form for n + 1 arrays. */
#define FORMS(name, n, more, expected, ...)                                            \
    do {                                                                               \
        new##n *volatile make = bl_##name;                                             \
        in##more *volatile write = bl_##name##_out;                                    \
        bl_tensor *tensor = LOAD(__VA_ARGS__);                                         \
        bl_status status = bl_##name(NULL, LIST_##n, &tensor);                         \
                                                                                       \
        kept_check(is_new(status, tensor, expected), #name, __FILE__, __LINE__);       \
        status = make(NULL, LIST_##n, &tensor);                                        \
        kept_check(is_new(status, tensor, expected), #name ", by its symbol",          \
                   __FILE__, __LINE__);                                                \
        OK(bl_##name##_out(NULL, OUT, LIST_##n));                                      \
        NEAR(get(OUT), expected);                                                      \
        put(4, -77);                                                                   \
        kept_ok(write(NULL, OUT, LIST_##n), #name "_out by its symbol", __FILE__,      \
                __LINE__);                                                             \
        NEAR(get(OUT), expected);                                                      \
    } while (0)

/* And in place. */
#define ALL(name, n, more, expected, ...)                                              \
    do {                                                                               \
        in##n *volatile replace = bl_##name##_inplace;                                 \
                                                                                       \
        FORMS(name, n, more, expected, __VA_ARGS__);                                   \
        OK(bl_##name##_inplace(NULL, LIST_##n));                                       \
        NEAR(get(&array[0]), expected);                                                \
        (void)LOAD(__VA_ARGS__);                                                       \
        kept_ok(replace(NULL, LIST_##n), #name "_inplace by its symbol", __FILE__,     \
                __LINE__);                                                             \
        NEAR(get(&array[0]), expected);                                                \
    } while (0)

#define UNARY(name, expected, a)               ALL(name, 1, 2, expected, a)
#define BINARY(name, expected, a, b)           ALL(name, 2, 3, expected, a, b)
#define TERNARY(name, expected, a, b, c)       ALL(name, 3, 4, expected, a, b, c)
#define QUATERNARY(name, expected, a, b, c, d) ALL(name, 4, 5, expected, a, b, c, d)

/* ---- the operators ---- */

static void check_arithmetic(void)
{
    UNARY(neg, -0.5, 0.5);
    UNARY(sign, -1.0, -0.5);
    UNARY(reciprocal, 4.0, 0.25);
    UNARY(square, 0.25, 0.5);
    UNARY(sqrt, 1.5, 2.25);
    UNARY(rsqrt, 1 / 1.5, 2.25);
    UNARY(relu, 0.0, -0.5);
    BINARY(add, 2.75, 0.5, 2.25);
    BINARY(sub, -1.75, 0.5, 2.25);
    BINARY(mul, 1.125, 0.5, 2.25);
    BINARY(div, 0.125, 0.5, 4);
    BINARY(floor_divide, -3.0, -5, 2);
    BINARY(trunc_divide, -2.0, -5, 2);
    BINARY(remainder, 1.0, -5, 2);
    BINARY(fmod, -1.0, -5, 2);
    BINARY(pow, 8.0, 2, 3);
    BINARY(hypot, 5.0, 3, 4);
    BINARY(copysign, -3.0, 3, -4);
    BINARY(nextafter, nextafter(3, 4), 3, 4);
    BINARY(ldexp, 24.0, 3, 3);
    BINARY(logaddexp, log(exp(1) + exp(2)), 1, 2);
    BINARY(heaviside, 1.0, 3, 0.5);
    BINARY(maximum, 4.0, 3, 4);
    BINARY(minimum, 3.0, 3, 4);
    BINARY(fmax, 3.0, 3, NAN);
    BINARY(fmin, 3.0, 3, 4);
    BINARY(atan2, atan2(3, 4), 3, 4);
    TERNARY(fma, 11.0, 2, 3, 5);
    TERNARY(add_scaled, 17.0, 2, 3, 5);
    TERNARY(sub_scaled, -13.0, 2, 3, 5);
    TERNARY(lerp, 2.5, 2, 3, 0.5);
    TERNARY(clamp, 3.0, 2, 3, 5);
    QUATERNARY(addcmul, 107.0, 2, 3, 5, 7);
    QUATERNARY(addcdiv, 6.2, 2, 3, 5, 7);
}

static void check_functions(void)
{
    UNARY(exp, exp(0.5), 0.5);
    UNARY(exp2, exp2(0.5), 0.5);
    UNARY(expm1, expm1(0.5), 0.5);
    UNARY(log, log(0.5), 0.5);
    UNARY(log2, -1.0, 0.5);
    UNARY(log10, log10(0.5), 0.5);
    UNARY(log1p, log1p(0.5), 0.5);
    UNARY(sin, sin(0.5), 0.5);
    UNARY(cos, cos(0.5), 0.5);
    UNARY(tan, tan(0.5), 0.5);
    UNARY(asin, asin(0.5), 0.5);
    UNARY(acos, acos(0.5), 0.5);
    UNARY(atan, atan(0.5), 0.5);
    UNARY(sinh, sinh(0.5), 0.5);
    UNARY(cosh, cosh(0.5), 0.5);
    UNARY(tanh, tanh(0.5), 0.5);
    UNARY(asinh, asinh(0.5), 0.5);
    UNARY(acosh, acosh(2.5), 2.5);
    UNARY(atanh, atanh(0.5), 0.5);
    UNARY(erf, erf(0.5), 0.5);
    UNARY(erfc, erfc(0.5), 0.5);
    UNARY(lgamma, lgamma(0.5), 0.5);
    UNARY(sigmoid, 1 / (1 + exp(-0.5)), 0.5);
    UNARY(gelu, 0.25 * erfc(-0.5 / sqrt(2)), 0.5);
    UNARY(silu, 0.5 / (1 + exp(-0.5)), 0.5);
    UNARY(floor, 2.0, 2.5);
    UNARY(ceil, 3.0, 2.5);
    UNARY(trunc, -2.0, -2.5);
    UNARY(round, 2.0, 2.5);
    UNARY(conj, 2.5, 2.5);
}

static void check_conditions(void)
{
    BINARY(eq, 0.0, 3, 4);
    BINARY(ne, 1.0, 3, 4);
    BINARY(lt, 1.0, 3, 4);
    BINARY(le, 1.0, 3, 4);
    BINARY(gt, 0.0, 3, 4);
    BINARY(ge, 0.0, 3, 4);
    BINARY(logical_and, 0.0, 3, 0);
    BINARY(logical_or, 1.0, 3, 0);
    BINARY(logical_xor, 0.0, 3, 4);
}

/* Those without an in-place form. */
static void check_new_results(void)
{
    FORMS(copy, 1, 2, 2.5, 2.5);
    FORMS(abs, 1, 2, 2.5, -2.5);
    FORMS(real, 1, 2, -2.5, -2.5);
    FORMS(imag, 1, 2, 0.0, -2.5);
    FORMS(angle, 1, 2, acos(-1), -2.5);
    FORMS(isnan, 1, 2, 1.0, NAN);
    FORMS(isinf, 1, 2, 0.0, NAN);
    FORMS(isfinite, 1, 2, 1.0, 2.5);
    FORMS(signbit, 1, 2, 1.0, -2.5);
    FORMS(logical_not, 1, 2, 0.0, 2.5);
    FORMS(isclose, 4, 5, 1.0, 2, 2.5, 0.1, 0.3);
    is_masked = true;
    FORMS(where, 3, 4, 3.0, 1, 3, 5);
    is_masked = false;
}

static void check_integers(void)
{
    BINARY(bitwise_and, 1.0, 13, 3);
    BINARY(bitwise_or, 15.0, 13, 3);
    BINARY(bitwise_xor, 14.0, 13, 3);
    BINARY(left_shift, 104.0, 13, 3);
    BINARY(right_shift, 1.0, 13, 3);
    UNARY(bitwise_not, -14.0, 13);
}

int main(void)
{
    dtype = BL_DTYPE_F64;
    check_arithmetic();
    check_functions();
    check_conditions();
    check_new_results();
    dtype = BL_DTYPE_I64;
    check_integers();
    return failures;
}
