/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The reference: what every operator must give, written without a line of the
 * library's. Slow on purpose: one element at a time, its place found by division and
 * remainder, its value computed in the widest type of its class.
 */
#ifndef TESTS_REF_H
#define TESTS_REF_H

#include <broadloom.h>

/* Largest element of any dtype, in bytes; most inputs of any operator. */
#define REF_ELEMENT 16
#define REF_INPUTS  4

/* Bytes of an element; its name as operands are written. */
size_t ref_size(bl_dtype dtype);
const char *ref_dtype_name(bl_dtype dtype);

enum ref_class {
    REF_TRUTH = 1,
    REF_UNSIGNED = 2,
    REF_SIGNED = 4,
    REF_REAL = 8,
    REF_COMPLEX = 16
};
enum ref_class ref_class(bl_dtype dtype);

/* First and one past the last operator and dtype. */
enum { REF_OPS_BEGIN = 1, REF_DTYPES_BEGIN = 1, REF_DTYPES_END = 16 };
int32_t ref_ops_end(void);

const char *ref_name(bl_op op);
int32_t ref_inputs(bl_op op);
bool ref_takes(bl_op op, bl_dtype dtype);
/* Dtype of input k, and of the result, where the operator works on `dtype`. */
bl_dtype ref_input_dtype(bl_op op, bl_dtype dtype, int32_t k);
bl_dtype ref_result_dtype(bl_op op, bl_dtype dtype);

/*
 * Whether inputs of that dtype give other bits on instruction sets with fused
 * multiplication than without: vector mathematics in double precision.
 */
bool ref_may_differ(bl_op op, bl_dtype dtype);

/* Whether results for that dtype are right by their distance in the complex plane. */
bool ref_is_normwise(bl_op op, bl_dtype dtype);

/* What a test had better fill inputs with, so that results differ from each other. */
struct ref_contents {
    double low, high; /* of numbers that are not integers; equal: any */
    bool few;         /* few different ones: the operator compares */
    bool counts;      /* integers from input 1 on count bits or factors */
    bool divides;     /* integers from input 1 on must not be 0 */
};
const struct ref_contents *ref_contents(bl_op op);

/*
 * Write the result's elements to `want`, compact and in logical row-major order, and to
 * `slack`, if not NULL, how far off each may be: 0 for no bit at all, REF_EITHER for a
 * truth value that rounding decides.  The inputs' shapes must broadcast to out's; out's
 * data is not looked at.
 */
#define REF_EITHER (-1.0)
void ref_apply(bl_op op, const bl_array *const *in, const bl_array *out, void *want,
               double *slack);

/* One element converted: the meaning of copy between dtypes. */
void ref_convert(bl_dtype from, const void *value, bl_dtype to, void *want);

/*
 * Whether an element is right: bit for bit with any NaN for a NaN, or where it has some
 * slack, no farther off than that.
 */
bool ref_same(bl_dtype dtype, const void *want, const void *got, double slack);

/* Address of the element at logical row-major index `i`. */
char *ref_at(const bl_array *array, int64_t i);

/* Address of the input's element that meets element `i` of a result like `out`. */
const char *ref_meeting(const bl_array *array, const bl_array *out, int64_t i);

/* Number of elements. */
int64_t ref_count(const bl_array *array);

/* An element as a short text, for failures. */
void ref_print(bl_dtype dtype, const void *value, char *text, size_t size);

/* A value of a dtype made of two numbers: rounded or truncated to it; see ref_fill. */
void ref_make(bl_dtype dtype, double real, double imaginary, void *value);

/* The unit in the last place of a dtype's numbers of that magnitude. */
double ref_unit(bl_dtype dtype, double magnitude);

#endif
