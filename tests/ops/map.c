/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * User functions: compared with plain loops over every layout, size and number of
 * threads.
 */
#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <broadloom.h>

#include "harness/layouts.h"
#include "harness/sanitizer.h"
#include "harness/tap.h"

static bl_context *ctx;

/* ---- the user function: r = a + 3 * b, of f32 and i16 ---- */

static atomic_bool is_odd; /* a row violated the documented guarantees */

static bool is_aligned(const void *row, size_t size)
{
    return (uintptr_t)row % size == 0;
}

static void sum(void *user, int64_t count, void *out, const void *const *in)
{
    const float *const a = in[0];
    const int16_t *const b = in[1];
    float *const r = out;

    if (count <= 0 || !is_aligned(a, 4) || !is_aligned(b, 2) || !is_aligned(r, 4))
        atomic_store(&is_odd, true);
    for (int64_t i = 0; i < count; i++)
        r[i] = a[i] + (float)*(const int *)user * (float)b[i];
}

/* ---- layouts ---- */

/* Make an operand filled with small numbers. */
static void make_filled(struct layout_operand *o, bl_dtype dtype, enum layout layout,
                        int64_t rows, int64_t columns)
{
    layout_make(o, dtype, layout, rows, columns);
    for (size_t i = 0; i < o->bytes / bl_dtype_size(dtype); i++) {
        if (dtype == BL_DTYPE_F32)
            ((float *)(void *)o->memory)[i] = (float)(i % 1021) / 4;
        else
            ((int16_t *)(void *)o->memory)[i] = (int16_t)((int)(i % 499) - 250);
    }
}

static float expected(const struct layout_operand *a, const struct layout_operand *b,
                      int64_t row, int64_t column)
{
    float x;
    int16_t y;

    memcpy(&x, layout_at(a, row, column), sizeof x);
    memcpy(&y, layout_at(b, row, column), sizeof y);
    return x + 3 * (float)y;
}

/* Compute the expected result in a copy of its memory, and compare all of it. */
static bool check_layouts(const enum layout layout[3], int64_t rows, int64_t columns)
{
    struct layout_operand r, a, b;
    const bl_array *in[] = {&a.array, &b.array};
    int three = 3;
    bl_status status;
    char *copy, *held;
    bool pass;

    make_filled(&r, BL_DTYPE_F32, layout[0], rows, columns);
    make_filled(&a, BL_DTYPE_F32, layout[1], rows, columns);
    make_filled(&b, BL_DTYPE_I16, layout[2], rows, columns);
    copy = malloc(r.bytes);
    memcpy(copy, r.memory, r.bytes);
    held = r.memory;
    status = bl_map(ctx, sum, &three, &r.array, 2, in, NULL);
    r.memory = copy;
    r.array.data = copy + ((char *)r.array.data - held);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++) {
            const float value = expected(&a, &b, i, j);

            memcpy(layout_at(&r, i, j), &value, sizeof value);
        }
    pass = status == BL_OK && memcmp(copy, held, r.bytes) == 0;
    if (!pass)
        tap_note("%s = %s, %s of %" PRId64 " by %" PRId64 ": status %d, \"%s\"",
                 layout_names[layout[0]], layout_names[layout[1]],
                 layout_names[layout[2]], rows, columns, (int)status,
                 bl_error_message());
    free(copy);
    free(held);
    free(a.memory);
    free(b.memory);
    return pass;
}

static const struct {
    const char *what;
    int64_t rows, columns;
} sizes[] = {
    {"one element", 1, 1},       {"a few", 3, 5},
    {"a short row", 1, 100},     {"a column", 300, 1},
    {"short rows", 400, 3},      {"a row past a piece", 2, 1000},
    {"some thousands", 77, 131}, {"many", 90, 1027},
};

static void check_every_layout(int32_t threads)
{
    if (bl_context_set_threads(ctx, threads) != BL_OK)
        tap_ok(false, "%" PRId32 " threads", threads);
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        bool pass = true;

        atomic_store(&is_odd, false);
        for (int r = ROWS; r <= EVERY_THIRD; r++)
            for (int a = ROWS; a < LAYOUTS; a++)
                for (int b = ROWS; b < LAYOUTS; b++) {
                    const enum layout layout[] = {(enum layout)r, (enum layout)a,
                                                  (enum layout)b};
                    const bool repeats = a > EVERY_THIRD && b > EVERY_THIRD;
                    /* With sanitizers, pairs of layouts, but half of all threes. */
                    const bool is_tried = !IS_SANITIZED || (r + a + b) % 2 == 0;

                    if (!repeats && is_tried)
                        pass &= check_layouts(layout, sizes[s].rows, sizes[s].columns);
                }
        tap_ok(pass && !atomic_load(&is_odd), "%s in every layout, %" PRId32 " threads",
               sizes[s].what, threads);
    }
}

int main(void)
{
    tap_plan();
    if (!tap_ok(bl_context_create(&ctx) == BL_OK, "a context"))
        return tap_done();
    if (!HAS_THREAD_SANITIZER) /* a thread alone has no races */
        check_every_layout(1);
    check_every_layout(2);
    check_every_layout(8);
    bl_context_destroy(ctx);
    return tap_done();
}
