/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checks for programs that are compiled against kept headers alone.  Each prints what
 * fails, and returns the number of failures from main().
 */
#ifndef KEPT_H
#define KEPT_H

#include <broadloom.h>
#include <broadloom/describe.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static int failures;

/* Whether a condition holds; prints it where it does not. */
static inline bool kept_check(bool holds, const char *what, const char *file, int line)
{
    if (!holds) {
        printf("%s:%d: %s\n", file, line, what);
        failures++;
    }
    return holds;
}

/* Whether a call returned BL_OK; prints its message where it did not. */
static inline bool kept_ok(bl_status status, const char *what, const char *file,
                           int line)
{
    if (!kept_check(status == BL_OK, what, file, line))
        printf("    %s: %s\n", bl_status_string(status), bl_error_message());
    return status == BL_OK;
}

/* Whether two numbers are equal, to within rounding of a double or both NaN. */
static inline bool kept_near(double a, double b)
{
    return a == b || (a != a && b != b) || fabs(a - b) <= 1e-12 * fabs(b);
}

#define CHECK(condition) kept_check(condition, #condition, __FILE__, __LINE__)
#define OK(call)         kept_ok(call, #call, __FILE__, __LINE__)
#define NEAR(a, b)       kept_check(kept_near(a, b), #a " is " #b, __FILE__, __LINE__)

/* Element `i` of a compact tensor of f64. */
static inline double kept_at(const bl_tensor *tensor, int64_t i)
{
    return ((const double *)bl_tensor_array(tensor)->data)[i];
}

/* Whether a compact tensor of f64 has these elements; releases it. */
static inline bool kept_has(bl_tensor *tensor, int64_t count, const double *expected)
{
    bool equal = bl_tensor_numel(tensor) == count;

    for (int64_t i = 0; equal && i < count; i++)
        equal = kept_near(kept_at(tensor, i), expected[i]);
    bl_tensor_release(tensor);
    return equal;
}

/* HAS(tensor, 1, 2, 3): whether its elements are these; releases it. */
#define HAS(tensor, ...)                                                               \
    kept_check(kept_has(tensor,                                                        \
                        (int64_t)(sizeof(double[]){__VA_ARGS__} / sizeof(double)),     \
                        (double[]){__VA_ARGS__}),                                      \
               #tensor " has " #__VA_ARGS__, __FILE__, __LINE__)

#endif
