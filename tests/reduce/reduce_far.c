/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sums of arrays that are too large for the caches, which are read in wider pieces and
 * more rows at a time: they have the bits of the same elements in logical order.
 */
#include <stdlib.h>
#include <string.h>

#include <broadloom.h>

#include "harness/problem.h"
#include "harness/tap.h"
#include "reference/reduce_model.h"
#include "reference/ref.h"

/*
 * Rows and columns in memory, 26 MB and more of f32: a block of the second array ends
 * with rows that are fewer than are read at once, the third is wider than a strip, and
 * a row of the fourth is less than a line.
 */
static const int64_t extents[][2] = {
    {1536, 4400}, {1100, 6001}, {1024, 7000}, {600011, 11}};

enum { VALUES = 10007 };

static void fill(bl_dtype dtype, int64_t rows, int64_t columns, char *memory,
                 char *transposed)
{
    static unsigned char values[VALUES][REF_ELEMENT];
    const size_t size = ref_size(dtype);

    for (int32_t i = 0; i < VALUES; i++)
        ref_make(dtype, i * 100.0 / 7, (i % 13) / 3.0, values[i]);
    for (int64_t r = 0; r < rows; r++)
        for (int64_t c = 0; c < columns; c++) {
            const unsigned char *const value = values[(r * 7919 + c * 104729) % VALUES];

            memcpy(memory + (size_t)(r * columns + c) * size, value, size);
            memcpy(transposed + (size_t)(c * rows + r) * size, value, size);
        }
}

/* Whether sums over `axes` of both arrays have the same bits, `results` of them. */
static bool is_same(const struct setting *settings, const bl_array *in,
                    const bl_array *same, int32_t axes, int64_t results)
{
    const int32_t axis = 1;
    bl_array out = {.dtype = reduce_dtype(BL_REDUCTION_SUM, in->dtype),
                    .rank = axes == 0 ? 0 : 1,
                    .extent = &results};
    const size_t bytes = (size_t)results * ref_size(out.dtype);
    char *const want = calloc(1, bytes), *const got = calloc(1, bytes);
    bool pass = true;

    if (!want || !got)
        abort();
    out.data = want;
    pass = bl_reduce(settings[0].ctx, BL_REDUCTION_SUM, &out, same, axes, &axis, false,
                     NULL) == BL_OK;
    out.data = got;
    for (int32_t i = 0; pass && i < settings_distinct(settings); i++) {
        memset(got, 0xa5, bytes);
        pass = bl_reduce(settings[i].ctx, BL_REDUCTION_SUM, &out, in, axes, &axis,
                         false, NULL) == BL_OK &&
               memcmp(got, want, bytes) == 0;
        if (!pass)
            tap_note("%s: other bits", settings[i].name);
    }
    free(want);
    free(got);
    return pass;
}

/* All elements, and the columns, of an array that is transposed in memory. */
static void check(const struct setting *settings, bl_dtype dtype, const int64_t *extent)
{
    const int64_t rows = extent[0], columns = extent[1];
    const int64_t shape[] = {columns, rows}, stride[] = {1, columns};
    const size_t size = ref_size(dtype), count = (size_t)(rows * columns);
    char *const memory = malloc(count * size), *const transposed = malloc(count * size);
    const bl_array in = {
        .data = memory, .dtype = dtype, .rank = 2, .extent = shape, .stride = stride};
    const bl_array same = {
        .data = transposed, .dtype = dtype, .rank = 2, .extent = shape};

    if (!memory || !transposed)
        abort();
    fill(dtype, rows, columns, memory, transposed);
    tap_ok(is_same(settings, &in, &same, 0, 1), "all of %s[%d,%d], transposed",
           ref_dtype_name(dtype), (int)rows, (int)columns);
    tap_ok(is_same(settings, &in, &same, 1, columns), "columns of %s[%d,%d]",
           ref_dtype_name(dtype), (int)rows, (int)columns);
    free(memory);
    free(transposed);
}

int main(void)
{
    struct setting settings[SETTINGS];

    tap_plan();
    settings_open(settings);
    for (size_t k = 0; k < sizeof extents / sizeof *extents; k++)
        check(settings, BL_DTYPE_F32, extents[k]);
    check(settings, BL_DTYPE_F64, extents[1]);
    check(settings, BL_DTYPE_C64, extents[1]);
    check(settings, BL_DTYPE_BF16, (const int64_t[]){4096, 6200});
    check(settings, BL_DTYPE_BF16, (const int64_t[]){1100, 8001});
    check(settings, BL_DTYPE_BF16, (const int64_t[]){130003, 101});
    settings_close(settings);
    return tap_done();
}
