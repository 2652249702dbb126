/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * 64-bit integer division near exact quotients, where vectors of small numbers use
 * another algorithm than others: on every instruction set, in every rounding direction
 * of the caller.
 */
#include <fenv.h>
#include <string.h>

#include <broadloom.h>

#include "harness/tap.h"

enum { MOST = 1 << 14 };

static const bl_op operators[] = {BL_OP_FLOOR_DIVIDE, BL_OP_TRUNC_DIVIDE,
                                  BL_OP_REMAINDER, BL_OP_FMOD};
enum { OPERATORS = sizeof operators / sizeof operators[0] };

static const struct {
    const char *what;
    bl_dtype dtype;
    int64_t most; /* of dividends and divisors */
} ranges[] = {
    {"small i64", BL_DTYPE_I64, (INT64_C(1) << 51) - 1},
    {"i64 that are just too large", BL_DTYPE_I64, (INT64_C(1) << 51) + 1},
    {"large i64", BL_DTYPE_I64, INT64_MAX},
    {"small u64", BL_DTYPE_U64, (INT64_C(1) << 51) - 1},
    {"large u64", BL_DTYPE_U64, INT64_MAX},
};

static const struct {
    const char *what;
    int mode;
} roundings[] = {
    {"nearest", FE_TONEAREST},
    {"up", FE_UPWARD},
    {"down", FE_DOWNWARD},
    {"towards zero", FE_TOWARDZERO},
};

static int64_t dividend[MOST], divisor[MOST], result[MOST];

/* Random numbers of all sizes up to `most`, and sums of multiples and small numbers. */
static int64_t make(int64_t most, bool is_signed)
{
    int64_t count = 0;

    for (int64_t b = 1; count < MOST; b = b < most / 3 ? b * 3 + count % 5 : 1 + b % 7)
        for (int64_t times = 1; count + 12 <= MOST && times <= most / b;
             times = times > most / 9 ? most : times * 9 + 1)
            for (int64_t more = -1; more <= 1; more++)
                for (int32_t signs = 0; signs < 4; signs++) {
                    const int64_t product = b * times;
                    const int64_t a = product + (product < most ? more : 0);

                    dividend[count] = is_signed && (signs & 1) ? -a : a;
                    divisor[count] = is_signed && (signs & 2) ? -b : b;
                    count++;
                    if (count + 12 > MOST && more == 1 && signs == 3)
                        return count;
                }
    return count;
}

/* Quotients that f64 gets wrong by one, or more, unless it rounds to nearest. */
static const int64_t missed[][2] = {
    {INT64_C(2251799813685247), -7},
    {INT64_C(-274877906944), INT64_C(10132845336187351)},
};

static int64_t expected(bl_op op, int64_t a, int64_t b)
{
    const int64_t rest = a % b;
    const bool is_beyond = rest != 0 && (rest < 0) != (b < 0);

    switch (op) {
    case BL_OP_FLOOR_DIVIDE:
        return a / b - is_beyond;
    case BL_OP_TRUNC_DIVIDE:
        return a / b;
    case BL_OP_REMAINDER:
        return rest + (is_beyond ? b : 0);
    default:
        return rest;
    }
}

static bool check(bl_context *ctx, size_t range, bl_op op)
{
    const bool is_signed = ranges[range].dtype == BL_DTYPE_I64;
    const int64_t count = make(ranges[range].most, is_signed);
    const bl_array a = {dividend, ranges[range].dtype, 1, &count, NULL, 0};
    const bl_array b = {divisor, ranges[range].dtype, 1, &count, NULL, 0};
    const bl_array out = {result, ranges[range].dtype, 1, &count, NULL, 0};
    const bl_array *const in[] = {&a, &b};
    bool pass;

    for (int64_t i = 0; i < 2 && is_signed && ranges[range].most == INT64_MAX; i++) {
        dividend[i] = missed[i][0];
        divisor[i] = missed[i][1];
    }
    pass = bl_apply(ctx, op, &out, 2, in, NULL) == BL_OK;

    for (int64_t i = 0; pass && i < count; i++) {
        pass = result[i] == expected(op, dividend[i], divisor[i]);
        if (!pass)
            tap_note("operator %d: %lld by %lld is %lld", (int)op,
                     (long long)dividend[i], (long long)divisor[i],
                     (long long)result[i]);
    }
    return pass;
}

int main(void)
{
    static const char *const isa[] = {"base", "avx2", "avx512"};

    tap_plan();
    for (size_t i = 0; i < sizeof isa / sizeof isa[0]; i++) {
        bl_context *ctx = NULL;

        if (bl_context_create(&ctx) != BL_OK ||
            bl_context_set_isa(ctx, isa[i]) != BL_OK) {
            tap_skip("not on this machine", "%s", isa[i]);
            bl_context_destroy(ctx);
            continue;
        }
        for (size_t r = 0; r < sizeof ranges / sizeof ranges[0]; r++)
            for (size_t mode = 0; mode < sizeof roundings / sizeof roundings[0];
                 mode++) {
                bool pass = fesetround(roundings[mode].mode) == 0;

                for (size_t k = 0; k < OPERATORS; k++)
                    pass = check(ctx, r, operators[k]) && pass;
                fesetround(FE_TONEAREST);
                tap_ok(pass, "%s: %s, rounding %s", isa[i], ranges[r].what,
                       roundings[mode].what);
            }
        bl_context_destroy(ctx);
    }
    return tap_done();
}
