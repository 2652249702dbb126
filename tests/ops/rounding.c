/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operators other than arithmetic give the same bits whatever the caller's rounding
 * direction, precision and flush-to-zero mode, on every instruction set and for every
 * number of threads: those of round-to-nearest, which accuracy.c compares with exact
 * values.  Arithmetic uses the caller's mode.  The caller's control words are
 * unchanged.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "harness/floating.h"
#include "harness/problem.h"
#include "reference/ref.h"
#include "harness/tap.h"

static const bl_op functions[] = {
    BL_OP_FLOOR_DIVIDE, BL_OP_TRUNC_DIVIDE, BL_OP_REMAINDER, BL_OP_FMOD,
    BL_OP_RSQRT,        BL_OP_POW,          BL_OP_HYPOT,     BL_OP_LDEXP,
    BL_OP_LOGADDEXP,    BL_OP_NEXTAFTER,    BL_OP_EXP,       BL_OP_EXP2,
    BL_OP_EXPM1,        BL_OP_LOG,          BL_OP_LOG2,      BL_OP_LOG10,
    BL_OP_LOG1P,        BL_OP_SIN,          BL_OP_COS,       BL_OP_TAN,
    BL_OP_ASIN,         BL_OP_ACOS,         BL_OP_ATAN,      BL_OP_ATAN2,
    BL_OP_SINH,         BL_OP_COSH,         BL_OP_TANH,      BL_OP_ASINH,
    BL_OP_ACOSH,        BL_OP_ATANH,        BL_OP_ERF,       BL_OP_ERFC,
    BL_OP_LGAMMA,       BL_OP_SIGMOID,      BL_OP_GELU,      BL_OP_SILU,
    BL_OP_FLOOR,        BL_OP_CEIL,         BL_OP_TRUNC,     BL_OP_ROUND,
    BL_OP_ANGLE,        BL_OP_ABS, /* from here on complex numbers only */
    BL_OP_SIGN,         BL_OP_SQRT,
};
enum { FUNCTIONS = sizeof functions / sizeof functions[0], COMPLEX_ONLY = 3 };

/* Enough elements for two or more threads with functions for which one would do. */
static const struct {
    bl_dtype dtype;
    int64_t count;
} kinds[] = {
    {BL_DTYPE_F16, 6400}, {BL_DTYPE_BF16, 6400}, {BL_DTYPE_F32, 6400},
    {BL_DTYPE_F64, 1600}, {BL_DTYPE_C64, 320},   {BL_DTYPE_C128, 320},
    {BL_DTYPE_I32, 6400},
};
enum { KINDS = sizeof kinds / sizeof kinds[0], MOST = 6400 * REF_ELEMENT };

static unsigned char memory[2][MOST], want[MOST], got[MOST];

/*
 * Fill with patterns of all sizes, including subnormal numbers, and moderate numbers.
 */
static void fill(struct rng *rng, bl_dtype dtype, int32_t k, int64_t count)
{
    const bool is_real = ref_class(dtype) == REF_REAL;

    for (int64_t i = 0; i < count; i++) {
        unsigned char *const at = memory[k] + (size_t)i * ref_size(dtype);
        const double real = (double)rng_below(rng, 6000001) / 1e5 - 30;
        const double imaginary = (double)rng_below(rng, 2000001) / 1e5 - 10;
        const uint64_t bits = (uint64_t)rng_below(rng, INT64_MAX) << (i % 8 ? 1 : 0);
        const double whole = floor(real / 3) + (fabs(real) < 3 ? 20 : 0);

        if (is_real && i % 3 == 0)
            memcpy(at, &bits, ref_size(dtype));
        else if (is_real && i % 16 == 1) { /* subnormal */
            memset(at, 0, ref_size(dtype));
            at[0] = (unsigned char)(1 + i % 100);
        } else
            ref_make(dtype, is_real && i % 5 != 0 ? real : whole, imaginary, at);
    }
}

static bl_dtype result_dtype(bl_op op, bl_dtype dtype)
{
    return ref_takes(op, dtype) ? ref_result_dtype(op, dtype) : BL_DTYPE_F32;
}

static bool call(bl_context *ctx, bl_op op, bl_dtype dtype, int64_t count, void *result)
{
    const bl_array a = {memory[0], dtype, 1, &count, NULL, 0};
    const bl_array b = {memory[1], dtype, 1, &count, NULL, 0};
    const bl_array *const in[] = {&a, &b};
    const bl_array out = {result, result_dtype(op, dtype), 1, &count, NULL, 0};

    return bl_apply(ctx, op, &out, ref_inputs(op), in, NULL) == BL_OK;
}

static bool is_same(bl_dtype dtype, int64_t count)
{
    const size_t size = ref_size(dtype);
    bool pass = memcmp(want, got, size * (size_t)count) == 0;

    for (size_t at = 0; !pass && at < size * (size_t)count; at += size)
        if (!ref_same(dtype, want + at, got + at, 0)) {
            char text[2][128];

            ref_print(dtype, want + at, text[0], sizeof text[0]);
            ref_print(dtype, got + at, text[1], sizeof text[1]);
            tap_note("element %zu is %s, not %s", at / size, text[1], text[0]);
            return false;
        }
    return true;
}

/* Check one operator in every state, with several threads in half of them. */
static bool check_function(const struct setting *settings, bl_op op, size_t kind)
{
    const bl_dtype dtype = kinds[kind].dtype;
    const bl_dtype to = result_dtype(op, dtype);
    const int64_t count = kinds[kind].count;
    bool pass = true;

    for (int32_t isa = 0; pass && isa < settings_distinct(settings); isa += 3) {
        pass = call(settings[isa].ctx, op, dtype, count, want);
        for (int32_t s = 0; pass && s < FLOATING_STATES; s++) {
            const int32_t threads = s == 5 ? 2 : (s / 4 + s) % 2; /* 8, or 2 or 1 */
            const struct setting *const setting = &settings[isa + threads];
            const struct floating own = floating_set(s);
            const struct floating before = floating_now();

            pass = call(setting->ctx, op, dtype, count, got);
            pass = floating_is(before) && pass;
            floating_restore(own);
            pass = pass && is_same(to, count);
            if (!pass)
                tap_note("%s, %s, state %" PRId32, setting->name, floating_name(s), s);
        }
    }
    return pass;
}

static void test_functions(const struct setting *settings)
{
    for (size_t kind = 0; kind < KINDS; kind++) {
        const bl_dtype dtype = kinds[kind].dtype;
        const bool is_complex = ref_class(dtype) == REF_COMPLEX;
        struct rng rng = {5};

        fill(&rng, dtype, 0, kinds[kind].count);
        fill(&rng, dtype, 1, kinds[kind].count);
        for (size_t i = 0; i < FUNCTIONS - (is_complex ? 0 : COMPLEX_ONLY); i++)
            if (ref_takes(functions[i], dtype) ||
                (dtype == BL_DTYPE_I32 && functions[i] == BL_OP_EXP))
                tap_ok(check_function(settings, functions[i], kind),
                       "%s of %s: the same bits in every state", ref_name(functions[i]),
                       ref_dtype_name(dtype));
    }
}

/* ---- values ---- */

static void test_values(const struct setting *settings)
{
    static const struct {
        bl_op op;
        double a, b, want;
    } rows[] = {
        {BL_OP_FLOOR, 0, 0, 0},        {BL_OP_FLOOR, -0.25, 0, -1},
        {BL_OP_FLOOR, 0.75, 0, 0},     {BL_OP_TRUNC, 0.75, 0, 0},
        {BL_OP_TRUNC, -0.75, 0, -0.0}, {BL_OP_CEIL, -0.25, 0, -0.0},
        {BL_OP_CEIL, 0.25, 0, 1},      {BL_OP_ROUND, 0.75, 0, 1},
        {BL_OP_ROUND, 2.5, 0, 2},      {BL_OP_ROUND, -0.25, 0, -0.0},
        {BL_OP_TRUNC_DIVIDE, 1, 3, 0}, {BL_OP_FLOOR_DIVIDE, -1, 3, -1},
        {BL_OP_FLOOR_DIVIDE, 6, 3, 2}, {BL_OP_REMAINDER, 6, 3, 0},
        {BL_OP_REMAINDER, -7, 3, 2},   {BL_OP_FMOD, -6, 3, -0.0},
        {BL_OP_EXP, 0, 0, 1},          {BL_OP_EXP2, -1, 0, 0.5},
    };
    const int64_t count = 1;

    for (size_t kind = 0; kind < 4; kind++)
        for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
            const bl_dtype dtype = kinds[kind].dtype;
            const bl_op op = rows[r].op;
            bool pass = true;

            ref_make(dtype, rows[r].a, 0, memory[0]);
            ref_make(dtype, rows[r].b, 0, memory[1]);
            ref_make(dtype, rows[r].want, 0, want);
            for (int32_t s = 0; s < FLOATING_STATES; s++)
                for (int32_t isa = 0; isa < SETTINGS; isa += 3) {
                    const struct floating own = floating_set(s);

                    pass = call(settings[isa].ctx, op, dtype, count, got) && pass;
                    floating_restore(own);
                    pass = pass && memcmp(want, got, ref_size(dtype)) == 0;
                }
            tap_ok(pass, "%s(%g, %g) of %s is %g", ref_name(op), rows[r].a, rows[r].b,
                   ref_dtype_name(dtype), rows[r].want);
        }
}

int main(void)
{
    struct setting settings[SETTINGS];

    tap_plan();
    settings_open(settings);
    test_functions(settings);
    test_values(settings);
    settings_close(settings);
    return tap_done();
}
