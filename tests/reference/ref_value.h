/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Internal to the reference: elements as it computes with them, one struct for every
 * dtype with conversion from and to memory, and the rows of operators.
 */
#ifndef TESTS_REF_VALUE_H
#define TESTS_REF_VALUE_H

#include "ref.h"

/* Only the fields of the dtype's class are used. */
struct ref_value {
    bool truth;
    uint64_t integer; /* two's complement, sign-extended */
    double real;
    double imaginary;
};

struct ref_value ref_load(bl_dtype dtype, const void *memory);
void ref_store(bl_dtype dtype, struct ref_value value, void *memory);
/* Store a value of a floating-point or complex dtype, rounded once. */
void ref_store_real(bl_dtype dtype, long double real, long double imaginary,
                    void *memory);

/* Round to the precision of computation: single except for f64 and c128. */
double ref_round(bl_dtype dtype, long double value);
/* The power of two above the dtype's largest number. */
long double ref_top(bl_dtype dtype);

/* ---- operators ---- */

enum ref_result { REF_AS_INPUT, REF_AS_TRUTH, REF_AS_REAL_PART };

/* The result of comparing two numbers. */
enum ref_order { REF_LESS, REF_EQUAL, REF_GREATER, REF_UNORDERED };

/*
 * An operator: the dtypes it takes, and its value for each class.  A boolean is
 * computed by `holds` where two numbers are compared, by `test` otherwise.
 *
 * `ulp` is the error bound of a real result in units in the last place, `complex_ulp`
 * that of a complex result or its magnitude, relative to its modulus; 0: exact.
 * `scale` is the magnitude whose last place is meant where that is larger than the
 * result's.
 */
struct ref_row {
    const char *name;
    int32_t inputs;
    int32_t classes; /* of inputs: enum ref_class, ored */
    enum ref_result result;
    bool (*truth)(const bool *x);
    uint64_t (*integer)(const uint64_t *x, bool is_signed);
    long double (*real)(bl_dtype dtype,
                        const double *x); /* rounded by the caller of this function */
    void (*pair)(bl_dtype dtype, const double (*x)[2], long double *result);
    bool (*holds)(enum ref_order order);
    double (*test)(bl_dtype dtype, const struct ref_value *x); /* 0, 1, REF_EITHER */
    bool picks;   /* returns an operand unchanged: copy and where */
    bool selects; /* input 0 is a boolean */
    double ulp;
    double complex_ulp;
    double (*scale)(bl_dtype dtype, const struct ref_value *x);
    struct ref_contents contents;
};

/* Classes: bool, integers, floating-point and complex numbers. */
enum {
    REF_INTEGERS = REF_UNSIGNED | REF_SIGNED,
    REF_INEXACT = REF_REAL | REF_COMPLEX,
    REF_ORDERED = REF_INTEGERS | REF_REAL,
    REF_NUMBERS = REF_INTEGERS | REF_INEXACT,
    REF_REALS = REF_TRUTH | REF_ORDERED,
    REF_ALL = REF_TRUTH | REF_NUMBERS
};

/* The rows, ref_row_<operator>: one that is missing does not link. */
#define BL_OP(name, value, inputs, domain, result, impl, expression, text)             \
    extern const struct ref_row ref_row_##name;
#include "core/tables/ops.def"
#undef BL_OP

/* By operator number; 0 is unused. */
extern const struct ref_row *const ref_rows[];
extern const int32_t ref_rows_count;

/* ---- shared by several rows ---- */

/* Define <name>_truth, _integer and _real by an expression in the inputs a to d. */
#define REF_DEFINE_TRUTH(name, expression)                                             \
    static bool name##_truth(const bool *x)                                            \
    {                                                                                  \
        const bool a = x[0], b = x[1], c = x[2];                                       \
                                                                                       \
        (void)a, (void)b, (void)c;                                                     \
        return expression;                                                             \
    }
#define REF_DEFINE_INTEGER(name, expression)                                           \
    static uint64_t name##_integer(const uint64_t *x, bool is_signed)                  \
    {                                                                                  \
        const uint64_t a = x[0], b = x[1], c = x[2], d = x[3];                         \
                                                                                       \
        (void)a, (void)b, (void)c, (void)d, (void)is_signed;                           \
        return expression;                                                             \
    }
#define REF_DEFINE_REAL(name, expression)                                              \
    static long double name##_real(bl_dtype dtype, const double *x)                    \
    {                                                                                  \
        const double a = x[0], b = x[1], c = x[2], d = x[3];                           \
                                                                                       \
        (void)a, (void)b, (void)c, (void)d, (void)dtype;                               \
        return expression;                                                             \
    }

/* Define a row; the trailing arguments are fields that only some rows have. */
#define REF_ROW(NAME, COUNT, CLASSES, ...)                                             \
    const struct ref_row ref_row_##NAME = {                                            \
        .name = #NAME, .inputs = COUNT, .classes = CLASSES, __VA_ARGS__};

bool ref_is_less(uint64_t a, uint64_t b, bool is_signed);

/* For complex numbers: a * b, each product and the sum rounded; a / b, not rounded. */
void ref_multiply(bl_dtype dtype, const double *a, const double *b, double *result);
void ref_divide(const double *a, const double *b, long double *result);

/* Values for complex numbers: ref_complex.c. */
typedef void ref_complex_value(bl_dtype dtype, const double (*x)[2],
                               long double *result);
ref_complex_value ref_neg_complex, ref_abs_complex, ref_sign_complex, ref_add_complex,
    ref_sub_complex, ref_mul_complex, ref_square_complex, ref_div_complex,
    ref_reciprocal_complex, ref_add_scaled_complex, ref_sub_scaled_complex,
    ref_addcmul_complex, ref_addcdiv_complex, ref_lerp_complex, ref_conj_complex,
    ref_real_complex, ref_imag_complex, ref_angle_complex;

#endif
