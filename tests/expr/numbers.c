/* SPDX-License-Identifier: BSD-3-Clause */
/* The numbers of a text: which of them fit in a dtype, and in 64 bits. */
#include <broadloom.h>
#include <broadloom/expr.h>

#include <math.h>
#include <string.h>

#include "harness/tap.h"

/* Evaluate a text of numbers alone, whose result is a number. */
static bl_status evaluate(const char *text, double *result)
{
    bl_expr *expr = NULL;
    bl_tensor *out = NULL;
    const bl_array to = {.data = result, .dtype = BL_DTYPE_F64};
    bl_status status = bl_expr_parse(NULL, text, 0, NULL, &expr);

    if (status == BL_OK)
        status = bl_expr_run_new(NULL, expr, NULL, NULL, &out);
    if (status == BL_OK) {
        const bl_array *const from[] = {bl_tensor_array(out)};

        status = bl_apply(NULL, BL_OP_COPY, &to, 1, from, NULL);
    }
    bl_tensor_release(out);
    bl_expr_destroy(expr);
    return status;
}

static const struct {
    const char *text;
    double want;
} values[] = {
    {"u8(255.9)", 255},
    {"u8(-0.9)", 0},
    {"i8(-128.9)", -128},
    {"u64(1e19)", 1e19},
    {"i64(-9223372036854775808.0)", -0x1p63},
    {"f16(65519)", 65504},
    {"f16(-65519.9)", -65504},
    {"bf16(3.3961775292304597e38)", 0x1.fep127},
    {"f32(3.4028235677973362e38)", 0x1.fffffep127},
    {"f16(inf)", (double)INFINITY},
    {"real(c64(-inf))", -(double)INFINITY},
    {"real(c128(1e300))", 1e300},
    {"add_scaled(-1, 9223372036854775807, -1)", -0x1p63},
    {"sub_scaled(-1, 9223372036854775807, 1)", -0x1p63},
    {"addcmul(1, 2, 3, 4)", 25},
    {"1 << 62", 0x1p62},
    {"-1 << 63", -0x1p63},
    {"(0 << 64) + (0 << -1)", 0},
    {"1 >> 64", 0},
    {"u8((1 < 2) * 255 - (2 < 1))", 255},
    {"sum(u8(7), (1 < 2) - 2)", 7},
    {"where(2 < 1, 1, 0.1)", 0.1},
    {"(1 < 2) + (1 < 2)", 1},
    {"~(1 < 2) | (1 < 2) & (2 < 1)", 0},
    {"(1 < 2) / 3", 1.0 / 3},
    {"sqrt(1 < 2) + where(1 < 2, 1 < 2, 2 < 1)", 2},
    {"2 ** (1 < 2) + (1 < 2) ** -1", 3},
    {"max(0, 1 < 2) << (1 < 2)", 2},
    {"pi", 3.141592653589793},
    {"correction = 2; var(2.5, keepdim, correction=0) + correction", 2},
    {"std(2.5, correction = -1.5, keepdim)", 0},
};

static const struct {
    const char *text;
    bl_status status;
    const char *message; /* a part of it */
} refusals[] = {
    {"u8(256.0)", BL_ERR_DTYPE, "256 does not fit in u8"},
    {"u8(-1.0)", BL_ERR_DTYPE, "-1 does not fit in u8"},
    {"i8(-129.0)", BL_ERR_DTYPE, "-129 does not fit in i8"},
    {"i32(1e300)", BL_ERR_DTYPE, "1e+300 does not fit in i32"},
    {"i64(9223372036854775808.0)", BL_ERR_DTYPE, "does not fit in i64"},
    {"u64(2e19)", BL_ERR_DTYPE, "2e+19 does not fit in u64"},
    {"i32(inf)", BL_ERR_DTYPE, "inf does not fit in i32"},
    {"u8(nan)", BL_ERR_DTYPE, "nan does not fit in u8"},
    {"f16(65520)", BL_ERR_DTYPE, "65520 does not fit in f16"},
    {"f32(3.4028235677973366e38)", BL_ERR_DTYPE, "does not fit in f32"},
    {"c64(1e300)", BL_ERR_DTYPE, "1e+300 does not fit in c64"},
    {"add_scaled(1, 9223372036854775807, 1)", BL_ERR_OVERFLOW, "in 64 bits"},
    {"sub_scaled(-2, 9223372036854775807, 1)", BL_ERR_OVERFLOW, "in 64 bits"},
    {"u8((1 < 2) * 300)", BL_ERR_DTYPE, "300 does not fit in u8"},
    {"u8(where(1 < 2, 300, 1))", BL_ERR_DTYPE, "300 does not fit in u8"},
    {"(1 < 2) * 9223372036854775807 + (1 < 2)", BL_ERR_OVERFLOW, "in 64 bits"},
    {"-(1 < 2)", BL_ERR_DTYPE, "neg does not take bool"},
    {"where(1, 2, 3)", BL_ERR_DTYPE, "is i64, expected bool"},
    {"1 << 63", BL_ERR_OVERFLOW, "in 64 bits"},
    {"9223372036854775807 << 1", BL_ERR_OVERFLOW, "in 64 bits"},
    {"-2 << 63", BL_ERR_OVERFLOW, "in 64 bits"},
    {"1 << 64", BL_ERR_OVERFLOW, "in 64 bits"},
    {"1 << -1", BL_ERR_OVERFLOW, "the shift count -1 is negative"},
    {"sum(1.5, correction=0)", BL_ERR_FORMAT, "arguments have no names"},
    {"var(1.5, correction)", BL_ERR_FORMAT, "')' where '=' should stand"},
    {"var(1.5, correction=pi)", BL_ERR_FORMAT, "'pi' where a number should stand"},
    {"var(1.5, keepdim, 0)", BL_ERR_FORMAT, "'0' where an option should stand"},
    {"var(1.5, correction=0, correction=0)", BL_ERR_FORMAT,
     "correction is given twice"},
    {"var(1.5, keepdim, keepdim)", BL_ERR_FORMAT, "keepdim is given twice"},
    {"var(u8(1))", BL_ERR_DTYPE, "std and var only support floating point"},
    {"addcmul(1, 9223372036854775807, 2)", BL_ERR_OVERFLOW, "in 64 bits"},
    {"addcmul(0, 2, 2, 9223372036854775807)", BL_ERR_OVERFLOW, "in 64 bits"},
};

static void check_values(void)
{
    for (size_t k = 0; k < sizeof values / sizeof values[0]; k++) {
        double result = 0;
        const bl_status status = evaluate(values[k].text, &result);

        if (!tap_ok(status == BL_OK && result == values[k].want, "%s", values[k].text))
            tap_note("status %d: %.17g", (int)status, result);
    }
}

static void check_refusals(void)
{
    for (size_t k = 0; k < sizeof refusals / sizeof refusals[0]; k++) {
        double result = 0;
        const bl_status status = evaluate(refusals[k].text, &result);

        if (!tap_ok(status == refusals[k].status &&
                        strstr(bl_error_message(), refusals[k].message),
                    "refused: %s", refusals[k].text))
            tap_note("status %d: %.17g", (int)status, result);
    }
}

int main(void)
{
    tap_plan();
    check_values();
    check_refusals();
    return tap_done();
}
