/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Powers with the exponent 2 are products, rounded once, wherever they are among other
 * exponents, which have the bits that they have alone: on every instruction set, in
 * every rounding direction of the caller, into either operand.
 */
#include <fenv.h>
#include <math.h>
#include <string.h>

#include <broadloom.h>

#include "harness/problem.h"
#include "harness/tap.h"

enum { MOST = 300, TRIALS = 40 };

static const struct {
    const char *what;
    bl_dtype dtype;
} types[] = {{"f32", BL_DTYPE_F32}, {"f64", BL_DTYPE_F64}};

static const int roundings[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
static const double exponents[] = {2, 3, 0.5, -1, -2, 0, INFINITY, NAN};

static _Alignas(64) char x[MOST * 8], y[MOST * 8], r[MOST * 8], alone[8];

static void set(void *to, bl_dtype dtype, double number)
{
    if (dtype == BL_DTYPE_F32)
        *(float *)to = (float)number;
    else
        *(double *)to = number;
}

static double get(const void *from, bl_dtype dtype)
{
    return dtype == BL_DTYPE_F32 ? *(const float *)from : *(const double *)from;
}

/* The square in the nearest number of a dtype. */
static double square(double number, bl_dtype dtype)
{
    const int mode = fegetround();
    volatile double product = number;

    fesetround(FE_TONEAREST);
    product =
        dtype == BL_DTYPE_F32 ? (double)(float)(product * product) : product * product;
    fesetround(mode);
    return product;
}

static bl_status power(bl_context *ctx, bl_dtype dtype, int64_t count, void *to,
                       void *a, void *b)
{
    const bl_array base = {a, dtype, 1, &count, NULL, 0};
    const bl_array exponent = {b, dtype, 1, &count, NULL, 0};
    const bl_array out = {to, dtype, 1, &count, NULL, 0};
    const bl_array *const in[] = {&base, &exponent};

    return bl_apply(ctx, BL_OP_POW, &out, 2, in, NULL);
}

static bool same(double a, double b)
{
    return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}

/* `share` in 8 exponents are 2, the others anything. */
static bool check(bl_context *ctx, bl_dtype dtype, struct rng *rng, int64_t share)
{
    const size_t size = bl_dtype_size(dtype);
    const int64_t count = 1 + rng_below(rng, MOST);
    char *const to[] = {r, x, y}, *const out = to[rng_below(rng, 3)];
    _Alignas(8) char a[MOST * 8], b[MOST * 8];

    for (int64_t j = 0; j < count; j++) {
        const double sign = rng_one_in(rng, 2) ? -1 : 1;
        const int e = (int)rng_below(rng, dtype == BL_DTYPE_F32 ? 280 : 2100);

        set(x + j * (int64_t)size, dtype,
            sign * ldexp(1 + (double)rng_below(rng, 1 << 30) / (1 << 30),
                         e - (dtype == BL_DTYPE_F32 ? 150 : 1075)));
        set(y + j * (int64_t)size, dtype,
            exponents[rng_below(rng, 8) < share ? 0 : rng_below(rng, 8)]);
    }
    memcpy(a, x, sizeof a);
    memcpy(b, y, sizeof b);
    if (power(ctx, dtype, count, out, x, y) != BL_OK)
        return false;
    for (int64_t j = 0; j < count; j++) {
        const size_t at = (size_t)j * size;
        const double got = get(out + at, dtype), number = get(a + at, dtype);

        if (power(ctx, dtype, 1, alone, a + at, b + at) != BL_OK ||
            !same(got, get(alone, dtype)) ||
            (get(b + at, dtype) == 2 && !same(got, square(number, dtype)))) {
            tap_note("%a to the power of %g is %a, alone %a", number,
                     get(b + at, dtype), got, get(alone, dtype));
            return false;
        }
    }
    return true;
}

int main(void)
{
    struct setting settings[SETTINGS];
    struct rng rng = rng_new();

    tap_plan();
    settings_open(settings);
    for (int32_t s = 0; s < settings_distinct(settings); s += 3)
        for (size_t t = 0; t < sizeof types / sizeof types[0]; t++) {
            bool pass = true;

            for (int trial = 0; pass && trial < TRIALS; trial++) {
                fesetround(roundings[trial % 4]);
                pass = check(settings[s].ctx, types[t].dtype, &rng, trial % 5 * 2);
                fesetround(FE_TONEAREST);
            }
            tap_ok(pass, "%s: squares of %s among other powers", settings[s].name,
                   types[t].what);
        }
    settings_close(settings);
    return tap_done();
}
