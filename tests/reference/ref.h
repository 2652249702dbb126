/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The reference: the expected result of every operator, written without the library's
 * code.  Slow on purpose: one element at a time, its position found by division and
 * remainder, its value computed in the widest type of its class.
 */
#ifndef TESTS_REF_H
#define TESTS_REF_H

#include <broadloom.h>

/* Largest element of any dtype, in bytes; most inputs of any operator. */
#define REF_ELEMENT 16
#define REF_INPUTS  4

/* Size of an element; name of a dtype in the notation of operands. */
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
enum {
    REF_OPS_BEGIN = 1,
    REF_DTYPES_BEGIN = 1,
    REF_DTYPES_END = 1
#define BL_DTYPE(...) +1
#include "core/tables/dtypes.def"
#undef BL_DTYPE
};
int32_t ref_ops_end(void);

const char *ref_name(bl_op op);
int32_t ref_inputs(bl_op op);
bool ref_takes(bl_op op, bl_dtype dtype);
/* Dtype of input k, and of the result, for an operator that computes in `dtype`. */
bl_dtype ref_input_dtype(bl_op op, bl_dtype dtype, int32_t k);
bl_dtype ref_result_dtype(bl_op op, bl_dtype dtype);

/*
 * Whether bits differ between instruction sets with and without fused multiply-add for
 * inputs of that dtype: vectorised math in double precision.
 */
bool ref_may_differ(bl_op op, bl_dtype dtype);

/* Whether the error of results is bounded by their distance in the complex plane. */
bool ref_is_normwise(bl_op op, bl_dtype dtype);

/* What tests should fill inputs with, so that results differ from each other. */
struct ref_contents {
    double low, high; /* bounds of numbers that are not integers; equal: any */
    bool few;         /* few distinct values: the operator compares */
    bool counts;      /* integers from input 1 on are bit counts or factors */
    bool divides;     /* integers from input 1 on must not be 0 */
};
const struct ref_contents *ref_contents(bl_op op);

/*
 * Write the expected elements to `want`, compact and in logical row-major order, and to
 * `slack`, if not NULL, their error bounds: 0 for bitwise equality, REF_EITHER for a
 * boolean that rounding decides.  The inputs' shapes must broadcast to out's; out's
 * data is not read.
 */
#define REF_EITHER (-1.0)
void ref_apply(bl_op op, const bl_array *const *in, const bl_array *out, void *want,
               double *slack);

/* Convert one element, as copy does between dtypes. */
void ref_convert(bl_dtype from, const void *value, bl_dtype to, void *want);

/*
 * Whether an element is right: bit for bit, or both NaN, or within `slack` if that is
 * not 0.
 */
bool ref_same(bl_dtype dtype, const void *want, const void *got, double slack);

/* Address of the element at logical row-major index `i`. */
char *ref_at(const bl_array *array, int64_t i);

/*
 * Address of the input's element that corresponds to element `i` of a result like
 * `out`.
 */
const char *ref_meeting(const bl_array *array, const bl_array *out, int64_t i);

/* Number of elements. */
int64_t ref_count(const bl_array *array);

/* Write an element as a short text, for failures. */
void ref_print(bl_dtype dtype, const void *value, char *text, size_t size);

/* Make a value of a dtype from two numbers, rounded or truncated to it. */
void ref_make(bl_dtype dtype, double real, double imaginary, void *value);

/* The unit in the last place of a dtype at that magnitude. */
double ref_unit(bl_dtype dtype, double magnitude);

#endif
