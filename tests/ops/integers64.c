/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Conversions between wide integers and floating-point numbers near the borders of
 * their rules: on every instruction set, and in every rounding direction of the caller,
 * of which truncation and conversions to f16 and bf16 are independent.
 */
#include <fenv.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <broadloom.h>

#include "harness/problem.h"
#include "harness/tap.h"
#include "reference/ref.h"

enum { MOST = 1500 };

static const int roundings[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
static const bl_dtype reals[] = {BL_DTYPE_F32, BL_DTYPE_F64, BL_DTYPE_F16,
                                 BL_DTYPE_BF16};
static const bl_dtype integers[] = {BL_DTYPE_U32, BL_DTYPE_I32, BL_DTYPE_U64,
                                    BL_DTYPE_I64};

static _Alignas(64) unsigned char in[MOST * 8], out[MOST * 8];

/*
 * Few significant bits anywhere in an integer, and its neighbours: halves between
 * numbers of every dtype, and the first on each side of them.
 */
static uint64_t near_half(struct rng *rng)
{
    const uint64_t bits = (uint64_t)rng_below(rng, INT64_C(1) << 26);
    const uint64_t number = bits >> rng_below(rng, 26) << rng_below(rng, 64);

    return number + (uint64_t)rng_below(rng, 3) - 1;
}

static void fill_integers(struct rng *rng, bl_dtype dtype, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        const uint64_t x = near_half(rng) >> (8 - ref_size(dtype)) * rng_below(rng, 9);

        memcpy(in + (size_t)i * ref_size(dtype), &x, ref_size(dtype));
    }
}

/* Magnitudes from 1/8 to 2^67 with fractions, and on both sides of powers of two. */
static void fill_reals(struct rng *rng, bl_dtype dtype, int64_t count)
{
    static const double special[] = {0,      -0.0,     NAN,      INFINITY, -INFINITY,
                                     0x1p63, -0x1p63,  0x1p64,   -0x1p64,  0x1p-1074,
                                     0.5,    -0x1p-70, 0x1p1023, 0x1p32,   -0x1p31};

    for (int64_t i = 0; i < count; i++) {
        const double sign = rng_one_in(rng, 2) ? -1 : 1;
        const double power = ldexp(1, (int)rng_below(rng, 70) - 3);
        const double part = (double)rng_below(rng, INT64_C(1) << 52) * 0x1p-52;
        const double x = rng_one_in(rng, 9)
                             ? special[rng_below(rng, sizeof special / sizeof *special)]
                         : rng_one_in(rng, 2) ? sign * power * (1 + part)
                                              : sign * nextafter(power, part * 0x1p70);

        ref_make(dtype, x, 0, in + (size_t)i * ref_size(dtype));
    }
}

/* What the current direction makes of an integer. */
static void rounded(bl_dtype from, const void *at, bl_dtype to, void *want)
{
    volatile uint64_t bits = 0;
    volatile float single;
    volatile double number;
    uint64_t x = 0;

    memcpy(&x, at, ref_size(from));
    if (x == 0) { /* of which Clang, rounding downward, makes -0 */
        memset(want, 0, ref_size(to));
        return;
    }
    bits = from == BL_DTYPE_I32 ? (uint64_t)(int64_t)(int32_t)x : x;
    if (to == BL_DTYPE_F32) {
        single = from == BL_DTYPE_I32 || from == BL_DTYPE_I64 ? (float)(int64_t)bits
                                                              : (float)bits;
        memcpy(want, (const void *)(uintptr_t)&single, sizeof single);
    } else {
        number = from == BL_DTYPE_I32 || from == BL_DTYPE_I64 ? (double)(int64_t)bits
                                                              : (double)bits;
        memcpy(want, (const void *)(uintptr_t)&number, sizeof number);
    }
}

static bool is_integer(bl_dtype dtype)
{
    return (ref_class(dtype) & (REF_SIGNED | REF_UNSIGNED)) != 0;
}

static bool check(bl_context *ctx, struct rng *rng, bl_dtype from, bl_dtype to,
                  int rounding)
{
    const int64_t count = 1 + rng_below(rng, MOST);
    const bl_array a = {in, from, 1, &count, NULL, 0};
    const bl_array r = {out, to, 1, &count, NULL, 0};
    const bl_array *const inputs[] = {&a};
    const bool is_directed = to == BL_DTYPE_F32 || to == BL_DTYPE_F64;
    bl_status status;

    if (is_integer(from))
        fill_integers(rng, from, count);
    else
        fill_reals(rng, from, count);
    fesetround(rounding);
    status = bl_apply(ctx, BL_OP_COPY, &r, 1, inputs, NULL);
    fesetround(FE_TONEAREST);
    for (int64_t i = 0; status == BL_OK && i < count; i++) {
        const unsigned char *const at = in + (size_t)i * ref_size(from);
        const unsigned char *const got = out + (size_t)i * ref_size(to);
        unsigned char want[REF_ELEMENT];

        ref_convert(from, at, to, want);
        if (is_directed) {
            fesetround(rounding);
            rounded(from, at, to, want);
            fesetround(FE_TONEAREST);
        }
        if (!ref_same(to, want, got, 0) ||
            (is_directed && memcmp(want, got, ref_size(to)) != 0)) {
            char text[3][128];

            ref_print(from, at, text[0], sizeof text[0]);
            ref_print(to, want, text[1], sizeof text[1]);
            ref_print(to, got, text[2], sizeof text[2]);
            tap_note("%s becomes %s, not %s", text[0], text[2], text[1]);
            return false;
        }
    }
    return status == BL_OK;
}

static bool check_both(bl_context *ctx, struct rng *rng, bl_dtype real,
                       bl_dtype integer)
{
    bool pass = true;

    for (int i = 0; pass && i < 32; i++)
        pass = check(ctx, rng, real, integer, roundings[i % 4]) &&
               check(ctx, rng, integer, real, roundings[i % 4]);
    return pass;
}

int main(void)
{
    struct setting settings[SETTINGS];
    struct rng rng = rng_new();

    tap_plan();
    settings_open(settings);
    for (int32_t s = 0; s < settings_distinct(settings); s += 3)
        for (size_t k = 0; k < 16; k++)
            tap_ok(check_both(settings[s].ctx, &rng, reals[k / 4], integers[k % 4]),
                   "%s: %s to %s and back", settings[s].name,
                   ref_dtype_name(reals[k / 4]), ref_dtype_name(integers[k % 4]));
    settings_close(settings);
    return tap_done();
}
