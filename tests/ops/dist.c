/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Distances of arrays that broadcast: every kind of norm against a sum in extended
 * precision, bitwise equal for every number of threads, refused calls, and failing
 * allocations.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <broadloom.h>

#include "harness/problem.h"
#include "reference/ref.h"
#include "harness/tap.h"

enum { ROWS = 70, COLUMNS = 90 };
static const int64_t matrix[2] = {ROWS, COLUMNS};
static const int64_t column[2] = {ROWS, 1};

static const struct {
    const char *what;
    double p;
} norms[] = {
    {"the number of differences", 0},
    {"p = 1", 1},
    {"p = 2", 2},
    {"p = 3", 3},
    {"p = 0.5", 0.5},
    {"p = -1", -1},
    {"p = infinity", INFINITY},
    {"p = -infinity", -INFINITY},
};

static bl_tensor *made(bl_dtype dtype, const int64_t *extent, uint64_t seed)
{
    bl_tensor *tensor = NULL;

    if (bl_tensor_randn(NULL, dtype, 2, extent, seed, &tensor) != BL_OK)
        tap_note("no numbers: %s", bl_error_message());
    return tensor;
}

/* Read an element as an f64 or c128. */
static void value_of(const bl_array *array, int64_t i, double *value)
{
    const bl_dtype to = ref_class(array->dtype) == 16 ? BL_DTYPE_C128 : BL_DTYPE_F64;

    value[1] = 0;
    ref_convert(array->dtype, ref_at(array, i), to, value);
}

static long double expected(const bl_array *a, const bl_array *b, double p)
{
    long double sum = 0, most = 0, least = INFINITY;

    for (int64_t i = 0; i < (int64_t)ROWS * COLUMNS; i++) {
        double x[2], y[2];

        value_of(a, i, x);
        value_of(b, i / COLUMNS, y);

        const long double size =
            hypotl((long double)x[0] - y[0], (long double)x[1] - y[1]);

        sum += p == 0 ? size != 0 : powl(size, p);
        most = size > most ? size : most;
        least = size < least ? size : least;
    }
    if (isinf(p))
        return p > 0 ? most : least;
    return p == 0 ? sum : powl(sum, 1 / (long double)p);
}

static bool is_close(bl_dtype dtype, const bl_array *got, long double want)
{
    const double tolerance = dtype == BL_DTYPE_F16    ? 0x1p-9
                             : dtype == BL_DTYPE_BF16 ? 0x1p-6
                             : dtype == BL_DTYPE_F64  ? 0x1p-40
                                                      : 0x1p-20;
    double value[2];

    value_of(got, 0, value);
    if (dtype == BL_DTYPE_F16 && want >= 65520)
        return isinf(value[0]);
    if (fabsl(value[0] - want) <= tolerance * want)
        return true;
    tap_note("%.17g, not %.17Lg", value[0], want);
    return false;
}

static void check_norm(const struct setting *settings, bl_dtype dtype, size_t i)
{
    bl_tensor *const a = made(dtype, matrix, 1), *const b = made(dtype, column, 2);
    unsigned char first[16], got[16];
    bool pass = a != NULL && b != NULL;

    for (int32_t s = 0; pass && s < settings_distinct(settings); s++) {
        bl_tensor *out = NULL;

        pass = bl_dist(settings[s].ctx, bl_tensor_array(a), bl_tensor_array(b),
                       norms[i].p, &out) == BL_OK;
        if (!pass)
            break;
        memcpy(got, bl_tensor_array(out)->data, ref_size(bl_tensor_array(out)->dtype));
        if (s == 0)
            pass =
                is_close(dtype, bl_tensor_array(out),
                         expected(bl_tensor_array(a), bl_tensor_array(b), norms[i].p));
        /* Powers of f64 may differ between instruction sets, not between teams. */
        if (s % 3 == 0)
            memcpy(first, got, sizeof first);
        pass = pass && memcmp(first, got, ref_size(bl_tensor_array(out)->dtype)) == 0;
        bl_tensor_release(out);
    }
    tap_ok(pass, "%s of %s", norms[i].what, ref_dtype_name(dtype));
    bl_tensor_release(a);
    bl_tensor_release(b);
}

static void check_refused(void)
{
    static const int64_t none[1] = {0}, two[1] = {2};
    int32_t whole[2] = {1, 2};
    float real[2] = {1, 2};
    const bl_array i32 = {
        .data = whole, .dtype = BL_DTYPE_I32, .rank = 1, .extent = two};
    const bl_array f32 = {
        .data = real, .dtype = BL_DTYPE_F32, .rank = 1, .extent = two};
    const bl_array empty = {.dtype = BL_DTYPE_F32, .rank = 1, .extent = none};
    bl_tensor *out = NULL;

    tap_ok(bl_dist(NULL, &i32, &i32, 2, &out) == BL_ERR_DTYPE && !out,
           "integers are refused: %s", bl_error_message());
    tap_ok(bl_dist(NULL, &f32, &f32, NAN, &out) == BL_ERR_ARGUMENT && !out,
           "a p that is no number is refused");
    tap_ok(bl_dist(NULL, &f32, &empty, 2, &out) == BL_ERR_SHAPE && !out,
           "shapes that do not fit are refused: %s", bl_error_message());
    tap_ok(bl_dist(NULL, &i32, &f32, 2, &out) == BL_OK &&
               *(const float *)bl_tensor_array(out)->data == 0,
           "integers and scalars are promoted");
    bl_tensor_release(out);
    out = NULL;
    tap_ok(bl_dist(NULL, &empty, &empty, 2, &out) == BL_OK &&
               *(const float *)bl_tensor_array(out)->data == 0,
           "nothing is at no distance");
    bl_tensor_release(out);
}

/* ---- failing allocations ---- */

static int32_t left;

static void *meagre_allocate(void *user, size_t bytes, size_t alignment)
{
    (void)user;
    if (left-- <= 0)
        return NULL;
    return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static void meagre_release(void *user, void *memory, size_t bytes, size_t alignment)
{
    (void)alignment;
    (void)user;
    (void)bytes;
    free(memory);
}

/* A sum against memory order gathers blocks, and has partial results for them. */
static void check_gathered(bl_context *ctx)
{
    static const int64_t square[2] = {700, 700}, by_columns[2] = {1, 700};
    static float sum;
    const bl_array out = {.data = &sum, .dtype = BL_DTYPE_F32};
    bl_tensor *turned = NULL;

    left = 3;
    if (bl_tensor_ones(ctx, BL_DTYPE_F32, 2, square, &turned) != BL_OK)
        tap_note("no ones: %s", bl_error_message());

    bl_array in = *bl_tensor_array(turned);

    in.stride = by_columns;
    sum = 42;
    for (left = 0; left < 2; left++) {
        const int32_t had = left;

        tap_ok(bl_sum_out(ctx, &out, &in, 0, NULL, false) == BL_ERR_MEMORY && sum == 42,
               "a sum against the order of memory, without piece %" PRId32, had);
        left = had;
    }
    left = 2;
    tap_ok(bl_sum_out(ctx, &out, &in, 0, NULL, false) == BL_OK && sum == 490000,
           "and with both");
    bl_tensor_release(turned);
}

static void check_memory(bl_context *ctx)
{
    static const bl_allocator meagre = {meagre_allocate, meagre_release, NULL};
    static const int64_t long_columns[2] = {2048, 200}, row[1] = {200};
    static float out_data[200];
    const bl_array out = {
        .data = out_data, .dtype = BL_DTYPE_F32, .rank = 1, .extent = row};
    const int32_t rows = 0;
    bl_tensor *const a = made(BL_DTYPE_F32, long_columns, 3);
    bl_tensor *result = NULL;

    BL_IGNORE(bl_context_set_allocator(ctx, &meagre));
    out_data[7] = 42;
    left = 0;
    tap_ok(bl_sum_out(ctx, &out, bl_tensor_array(a), 1, &rows, false) ==
                   BL_ERR_MEMORY &&
               out_data[7] == 42,
           "a sum without memory for its blocks writes nothing");
    left = 1;
    tap_ok(bl_sum_out(ctx, &out, bl_tensor_array(a), 1, &rows, false) == BL_OK &&
               out_data[7] != 42,
           "and needs one piece of it");
    check_gathered(ctx);
    for (int32_t k = 0; k < 2; k++) {
        left = k;
        tap_ok(bl_sum(ctx, bl_tensor_array(a), 1, &rows, false, &result) ==
                       BL_ERR_MEMORY &&
                   !result,
               "a new sum without memory number %" PRId32, k);
        tap_ok(bl_dist(ctx, bl_tensor_array(a), bl_tensor_array(a), 2, &result) ==
                       BL_ERR_MEMORY &&
                   !result,
               "a distance without memory number %" PRId32, k);
    }
    bl_tensor_release(a);
}

int main(void)
{
    static const bl_dtype dtypes[] = {BL_DTYPE_F16, BL_DTYPE_BF16, BL_DTYPE_F32,
                                      BL_DTYPE_F64, BL_DTYPE_C64,  BL_DTYPE_C128};
    struct setting settings[SETTINGS];

    tap_plan();
    settings_open(settings);
    for (size_t d = 0; d < sizeof dtypes / sizeof *dtypes; d++)
        for (size_t i = 0; i < sizeof norms / sizeof *norms; i++)
            check_norm(settings, dtypes[d], i);
    check_refused();
    check_memory(settings[0].ctx);
    settings_close(settings);
    return tap_done();
}
