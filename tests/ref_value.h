/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Inside the reference: elements as it computes with them, one struct for every dtype
 * with the way from memory into it and back, and the rows of operators.
 */
#ifndef TESTS_REF_VALUE_H
#define TESTS_REF_VALUE_H

#include "ref.h"

/* The fields that count are those of the dtype's class. */
struct ref_value {
    bool truth;
    uint64_t integer; /* two's complement, sign-extended */
    double real;
    double imaginary;
};

struct ref_value ref_load(bl_dtype dtype, const void *memory);
void ref_store(bl_dtype dtype, struct ref_value value, void *memory);
/* Of floating-point and complex dtypes, rounded once. */
void ref_store_real(bl_dtype dtype, long double real, double imaginary, void *memory);

/* Round to what the dtype computes in: single precision except for f64 and c128. */
double ref_round(bl_dtype dtype, double value);

/* ---- operators ---- */

enum ref_result { REF_AS_INPUT, REF_AS_TRUTH, REF_AS_MAGNITUDE };

/* How two numbers compare. */
enum ref_order { REF_LESS, REF_EQUAL, REF_GREATER, REF_UNORDERED };

struct ref_row {
    const char *name;
    int32_t inputs;
    int32_t classes; /* of a and b: enum ref_class, ored */
    enum ref_result result;
    bool (*truth)(bool a, bool b);
    uint64_t (*integer)(uint64_t a, uint64_t b, bool is_signed);
    double (*real)(double a, double b); /* rounded by the caller */
    void (*complex)(bl_dtype dtype, const double *a, const double *b, double *result);
    bool (*holds)(enum ref_order order);
    bool picks; /* hands an operand on unchanged: copy and where */
};

/* By operator number; 0 is unused. */
extern const struct ref_row *const ref_rows[];
extern const int32_t ref_rows_count;

#endif
