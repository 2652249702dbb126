/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions along a first or middle axis of few elements: they have the bits of each
 * column, copied, reduced alone, in all directions of rounding, with columns of -0, NaN
 * and what cancels among them, with rows of one iteration or of all side by side, and
 * with results that have gaps or another order.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <broadloom.h>

#include "harness/floating.h"
#include "harness/problem.h"
#include "harness/tap.h"
#include "reference/ref.h"
#include "reference/reduce_model.h"

/* Around turns of 2, 4 and 8 lanes, and columns of one register, four and eight. */
static const int64_t rows[] = {1, 2, 3, 5, 7, 8, 9, 13, 32, 90};
static const int64_t widths[] = {3, 4, 16, 33, 67, 512};
enum { ROWS = sizeof rows / sizeof rows[0], WIDTHS = sizeof widths / sizeof widths[0] };
enum { OUTER = 2, MOST_ROWS = 90, MOST_WIDTH = 512 };

/* Rows that are streams, of more bytes than any set takes otherwise. */
enum { STREAMS = 37, STREAM_WIDTH = 60000 };

static const bl_reduction operations[] = {BL_REDUCTION_SUM, BL_REDUCTION_MEAN,
                                          BL_REDUCTION_PROD, BL_REDUCTION_MAX};
static const bl_dtype dtypes[] = {BL_DTYPE_F32,  BL_DTYPE_F64, BL_DTYPE_F16,
                                  BL_DTYPE_BF16, BL_DTYPE_C64, BL_DTYPE_C128,
                                  BL_DTYPE_I32};

/* What is in row r of column c. */
static double element(int64_t r, int64_t c)
{
    const double mixed = (double)((r * 7919 + c * 104729) % 1009);

    switch (c % 7) {
    case 1:
        return -0.0;
    case 3:
        return r % 2 ? -(double)(c + 1) : (double)(c + 1); /* cancels */
    case 5:
        return r == c % 5 ? -(double)NAN : mixed;
    default:
        return 1 + (mixed - 504) / 4096;
    }
}

/* Elements from the first one to that of row r and column c of iteration o. */
static int64_t place(const bl_array *in, int64_t o, int64_t r, int64_t c)
{
    return o * in->stride[0] + r * in->stride[1] + c * in->stride[2];
}

/* Fill an array of shape [outer, rows, width]. */
static void fill(const bl_array *in)
{
    const size_t size = ref_size(in->dtype);
    const bool is_whole = in->dtype == BL_DTYPE_I32;

    for (int64_t o = 0; o < in->extent[0]; o++)
        for (int64_t r = 0; r < in->extent[1]; r++)
            for (int64_t c = 0; c < in->extent[2]; c++) {
                const double re = element(r, o * in->extent[2] + c);
                unsigned char value[REF_ELEMENT];

                ref_make(in->dtype, is_whole ? (double)((r + c) % 1009 - 504) : re,
                         re == 0 ? -0.0 : 0.125, value);
                memcpy((char *)in->data + (size_t)place(in, o, r, c) * size, value,
                       size);
            }
}

/* Each column of [outer, rows, width], copied and reduced alone. */
static bool reduce_alone(bl_context *ctx, bl_reduction op, const bl_array *in,
                         char *want)
{
    const int64_t many = in->extent[1], width = in->extent[2];
    const size_t size = ref_size(in->dtype);
    bl_array out = {.dtype = reduce_dtype(op, in->dtype)};
    char column[MOST_ROWS * REF_ELEMENT];
    const bl_array own = {
        .data = column, .dtype = in->dtype, .rank = 1, .extent = &many};
    bool pass = true;

    for (int64_t i = 0; pass && i < in->extent[0] * width; i++) {
        for (int64_t r = 0; r < many; r++)
            memcpy(column + (size_t)r * size,
                   (const char *)in->data +
                       (size_t)place(in, i / width, r, i % width) * size,
                   size);
        out.data = want + (size_t)i * ref_size(out.dtype);
        pass = bl_reduce(ctx, op, &out, &own, 0, NULL, false, NULL) == BL_OK;
    }
    return pass;
}

/* Results one after another, with gaps, and of the last axis first. */
enum { DENSE, APART, TURNED, RESULTS };

/* Reduce along the middle axis and compare. */
static bool is_same(bl_context *ctx, bl_reduction op, const bl_array *in,
                    const char *want, char *got, int results)
{
    const int32_t axis = 1;
    const int64_t extent[] = {in->extent[0], in->extent[2]};
    const int64_t gap = results == APART ? 2 : 1;
    const int64_t stride[] = {results == TURNED ? 1 : extent[1] * gap,
                              results == TURNED ? extent[0] : gap};
    const bl_array out = {.dtype = reduce_dtype(op, in->dtype),
                          .rank = 2,
                          .extent = extent,
                          .stride = stride,
                          .data = got};
    const size_t size = ref_size(out.dtype);
    char untouched[REF_ELEMENT];
    bool pass;

    memset(untouched, 0xa5, sizeof untouched);
    memset(got, 0xa5, (size_t)(extent[0] * extent[1] * gap) * size);
    pass = bl_reduce(ctx, op, &out, in, 1, &axis, false, NULL) == BL_OK;
    for (int64_t o = 0; pass && o < extent[0]; o++)
        for (int64_t c = 0; pass && c < extent[1]; c++) {
            const char *const at = got + (size_t)(o * stride[0] + c * stride[1]) * size;

            pass = memcmp(at, want + (size_t)(o * extent[1] + c) * size, size) == 0 &&
                   (gap == 1 || memcmp(at + size, untouched, size) == 0);
        }
    return pass;
}

/* Memory for an array, and for results with gaps. */
struct memory {
    char *in, *want, *got;
};

/* All settings and kinds of results, of one shape [outer, rows, width]. */
static bool is_same_everywhere(const struct setting *settings, bl_reduction op,
                               bl_dtype dtype, const int64_t *extent,
                               const int64_t *stride, struct memory memory)
{
    const bl_array in = {.data = memory.in,
                         .dtype = dtype,
                         .rank = 3,
                         .extent = extent,
                         .stride = stride};
    bool pass;

    fill(&in);
    pass = reduce_alone(settings[0].ctx, op, &in, memory.want);

    for (int32_t i = 0; pass && i < settings_distinct(settings); i++) {
        for (int results = 0; pass && results < RESULTS; results++)
            pass = is_same(settings[i].ctx, op, &in, memory.want, memory.got, results);
        if (!pass)
            tap_note("%s: [%d, %d, %d], rows %d apart", settings[i].name,
                     (int)extent[0], (int)extent[1], (int)extent[2], (int)stride[1]);
    }
    return pass;
}

static void check(const struct setting *settings, bl_reduction op, bl_dtype dtype,
                  int32_t direction, struct memory memory)
{
    const struct floating own = floating_set(direction);
    bool pass = true;

    for (int r = 0; pass && r < ROWS; r++)
        for (int w = 0; pass && w < 2 * WIDTHS; w++) {
            /* Each width with rows of one iteration, and of all side by side. */
            const int64_t width = widths[w / 2];
            const int64_t extent[] = {OUTER, rows[r], width};
            const int64_t stride[] = {w % 2 ? width : rows[r] * width,
                                      w % 2 ? OUTER * width : width, 1};

            pass = is_same_everywhere(settings, op, dtype, extent, stride, memory);
        }
    floating_restore(own);
    tap_ok(pass, "%s of few rows of %s, %s", bl_reduction_name(op),
           ref_dtype_name(dtype), floating_name(direction));
}

static void check_streams(const struct setting *settings, bl_reduction op,
                          bl_dtype dtype, struct memory memory)
{
    const int64_t extent[] = {1, STREAMS, STREAM_WIDTH};
    const int64_t stride[] = {STREAMS * STREAM_WIDTH, STREAM_WIDTH, 1};

    tap_ok(is_same_everywhere(settings, op, dtype, extent, stride, memory),
           "%s of streams of %s", bl_reduction_name(op), ref_dtype_name(dtype));
}

static char *allocate(int64_t elements)
{
    char *const memory = malloc((size_t)elements * REF_ELEMENT);

    if (!memory)
        abort();
    return memory;
}

int main(void)
{
    const struct memory memory = {
        allocate(OUTER * MOST_ROWS * MOST_WIDTH + STREAMS * STREAM_WIDTH),
        allocate(STREAM_WIDTH), allocate(2 * STREAM_WIDTH)};
    struct setting settings[SETTINGS];
    bl_dtype result;

    tap_plan();
    settings_open(settings);
    for (size_t d = 0; d < sizeof dtypes / sizeof *dtypes; d++)
        for (size_t k = 0; k < sizeof operations / sizeof *operations; k++)
            if (bl_reduction_result_dtype(operations[k], dtypes[d], &result) == BL_OK)
                for (int32_t direction = 0;
                     direction < (dtypes[d] == BL_DTYPE_F32 ? 4 : 1); direction++)
                    check(settings, operations[k], dtypes[d], direction, memory);
    check_streams(settings, BL_REDUCTION_SUM, BL_DTYPE_F32, memory);
    check_streams(settings, BL_REDUCTION_PROD, BL_DTYPE_F64, memory);
    settings_close(settings);
    free(memory.in);
    free(memory.want);
    free(memory.got);
    return tap_done();
}
