/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions of many rows at once, some of several blocks each, with gaps between rows
 * or none: they have the bits of each row reduced alone.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <broadloom.h>

#include "harness/problem.h"
#include "harness/tap.h"
#include "reference/ref.h"
#include "reference/reduce_model.h"

/* Elements of rows around turns of lanes, one block, a few, and the most of a row. */
static const int64_t lengths[] = {7,    25,   100,  1023, 1025,  1500,
                                  2048, 3001, 4096, 5003, 16384, 16385};
static const int64_t counts[] = {2, 3, 16, 37};
enum { MOST_LENGTH = 16385, MOST_ROWS = 37, GAP = 3 };

static const bl_reduction operations[] = {BL_REDUCTION_SUM, BL_REDUCTION_MAX,
                                          BL_REDUCTION_PROD, BL_REDUCTION_MEAN};
static const bl_dtype dtypes[] = {BL_DTYPE_F32,  BL_DTYPE_F64, BL_DTYPE_F16,
                                  BL_DTYPE_BF16, BL_DTYPE_U8,  BL_DTYPE_I64,
                                  BL_DTYPE_C64};

/* Numbers near 1, of which products are finite, and a NaN now and then. */
static void fill(bl_dtype dtype, char *memory, int64_t count)
{
    const size_t size = ref_size(dtype);

    for (int64_t i = 0; i < count; i++) {
        const double mixed = (double)(i * 7919 % 1009);
        unsigned char value[REF_ELEMENT];

        ref_make(dtype, i % 40009 == 40000 ? NAN : 1 + (mixed - 504) / 4096,
                 mixed / 65536, value);
        memcpy(memory + (size_t)i * size, value, size);
    }
}

/* The rows of an array of rank 2, each reduced alone, in the first setting. */
static bool reduce_alone(const struct setting *settings, bl_reduction op,
                         const bl_array *in, char *want)
{
    const size_t size = ref_size(in->dtype);
    bl_array out = {.dtype = reduce_dtype(op, in->dtype)};
    bool pass = true;

    for (int64_t r = 0; pass && r < in->extent[0]; r++) {
        const bl_array row = {.data =
                                  (char *)in->data + (size_t)(r * in->stride[0]) * size,
                              .dtype = in->dtype,
                              .rank = 1,
                              .extent = in->extent + 1};

        out.data = want + (size_t)r * ref_size(out.dtype);
        pass =
            bl_reduce(settings[0].ctx, op, &out, &row, 0, NULL, false, NULL) == BL_OK;
    }
    return pass;
}

static bool is_same(const struct setting *settings, bl_reduction op, const bl_array *in)
{
    static char want[MOST_ROWS * REF_ELEMENT], got[MOST_ROWS * REF_ELEMENT];
    const int32_t axis = 1;
    bl_array out = {.dtype = reduce_dtype(op, in->dtype),
                    .rank = 1,
                    .extent = in->extent,
                    .data = got};
    bool pass = reduce_alone(settings, op, in, want);

    for (int32_t i = 0; pass && i < settings_distinct(settings); i++) {
        memset(got, 0xa5, sizeof got);
        pass =
            bl_reduce(settings[i].ctx, op, &out, in, 1, &axis, false, NULL) == BL_OK &&
            memcmp(got, want, (size_t)in->extent[0] * ref_size(out.dtype)) == 0;
        if (!pass)
            tap_note("%s: rows %d of %d differ", settings[i].name, (int)in->extent[0],
                     (int)in->extent[1]);
    }
    return pass;
}

/* All shapes of one operation and dtype. */
static void check(const struct setting *settings, bl_reduction op, bl_dtype dtype,
                  char *memory)
{
    bool pass = true;

    for (size_t l = 0; pass && l < sizeof lengths / sizeof *lengths; l++)
        for (size_t c = 0; pass && c < sizeof counts / sizeof *counts; c++)
            for (int64_t gap = 0; pass && gap <= GAP; gap += GAP) {
                const int64_t extent[] = {counts[c], lengths[l]};
                const int64_t stride[] = {lengths[l] + gap, 1};
                const bl_array in = {.data = memory,
                                     .dtype = dtype,
                                     .rank = 2,
                                     .extent = extent,
                                     .stride = stride};

                pass = is_same(settings, op, &in);
            }
    tap_ok(pass, "%s of rows of %s", bl_reduction_name(op), ref_dtype_name(dtype));
}

int main(void)
{
    const int64_t count = (int64_t)MOST_ROWS * (MOST_LENGTH + GAP);
    struct setting settings[SETTINGS];
    bl_dtype result;

    tap_plan();
    settings_open(settings);
    for (size_t d = 0; d < sizeof dtypes / sizeof *dtypes; d++) {
        char *const memory = malloc((size_t)count * ref_size(dtypes[d]));

        if (!memory)
            abort();
        fill(dtypes[d], memory, count);
        for (size_t k = 0; k < sizeof operations / sizeof *operations; k++)
            if (bl_reduction_result_dtype(operations[k], dtypes[d], &result) == BL_OK)
                check(settings, operations[k], dtypes[d], memory);
        free(memory);
    }
    settings_close(settings);
    return tap_done();
}
