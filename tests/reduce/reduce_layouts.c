/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions of all elements have the same bits whatever the order of the elements in
 * memory: those of a contiguous copy; those of columns, wherever the results are.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <broadloom.h>

#include "harness/problem.h"
#include "harness/sanitizer.h"
#include "harness/tap.h"
#include "reference/reduce_model.h"
#include "reference/ref.h"

/* Values: as many elements as differ. */
enum { MOST_RANK = 4, VALUES = 101 * 13 };

/*
 * Arrays that are reduced in strips, with their dimensions in the order of memory: at
 * least 128 KiB of f16. Rows are whole blocks, or long, or of several loops, the inner
 * one of elements that are contiguous or are not; strips end within those with more
 * than 250 or 500 rows. Rows of the last four are reduced in registers.
 */
static const struct permuted {
    int32_t rank;
    int64_t extent[MOST_RANK];
    int32_t order[MOST_RANK];
} permuted[] = {
    {2, {67, 8224}, {1, 0}},
    {2, {171, 3072}, {1, 0}},
    {2, {1100, 3104}, {1, 0}},
    {3, {300, 40, 128}, {1, 0, 2}},
    {3, {37, 21, 259}, {1, 0, 2}},
    {4, {3, 90, 64, 72}, {0, 2, 1, 3}},
    {2, {79, 2001}, {1, 0}},
    {2, {150, 1024}, {1, 0}},
    {2, {333, 1001}, {1, 0}},
    {3, {17, 37, 130}, {0, 2, 1}},
    {3, {530, 21, 103}, {2, 1, 0}},
    {4, {3, 150, 12, 13}, {0, 3, 2, 1}},
    {4, {2, 41, 32, 32}, {0, 2, 3, 1}},
    {4, {4, 33, 17, 31}, {0, 3, 2, 1}},
    {2, {9, 14337}, {1, 0}},
    {2, {37, 901}, {1, 0}},
    {3, {5, 13, 2050}, {0, 2, 1}},
    {4, {3, 19, 33, 77}, {0, 3, 2, 1}},
};

static unsigned char values[VALUES][REF_ELEMENT];

static void make_values(bl_reduction op, bl_dtype dtype)
{
    const bool is_product = op == BL_REDUCTION_PROD;

    for (int32_t i = 0; i < VALUES; i++)
        ref_make(dtype,
                 is_product ? 1 + (double)(i % 33) / 4096 : (double)(i % 101) / 7,
                 is_product ? 0.001 : (double)(i % 13) / 3, values[i]);
}

/* Write the same elements, in their order, to an array and to a contiguous copy. */
static void fill(bl_reduction op, const bl_array *in, int64_t count, char *copy)
{
    const size_t size = ref_size(in->dtype);
    int64_t index[MOST_RANK] = {0}, at = 0;

    make_values(op, in->dtype);
    for (int64_t i = 0; i < count; i++) {
        const uint64_t mixed = ((uint64_t)i * UINT64_C(0x9e3779b97f4a7c15)) >> 33;
        int32_t d = in->rank - 1;

        memcpy(copy + (size_t)i * size, values[mixed % VALUES], size);
        memcpy((char *)in->data + at * (int64_t)size, values[mixed % VALUES], size);
        while (d >= 0 && ++index[d] == in->extent[d]) {
            at -= (in->extent[d] - 1) * in->stride[d];
            index[d--] = 0;
        }
        at += d >= 0 ? in->stride[d] : 0;
    }
}

/* Make strides of an array whose dimensions are in memory in the order `order`. */
static void stride_by(const int32_t *order, int32_t rank, const int64_t *extent,
                      int64_t step, int64_t gap, int64_t *stride)
{
    for (int32_t k = rank - 1; k >= 0; k--) {
        stride[order[k]] = step;
        step *= extent[order[k]] + gap;
    }
}

/*
 * Compare the reduction of an array of one shape, by all its axes or all but the first,
 * of at most 4 elements, with that of a contiguous copy.
 */
static bool check(const struct setting *settings, bl_reduction op, bl_dtype dtype,
                  int32_t rank, const int64_t *extent, const int64_t *stride,
                  bool keeps_first)
{
    static const int32_t axes[] = {-1, -2, -3};
    const int32_t reduced = keeps_first ? rank - 1 : 0;
    const size_t size = ref_size(dtype);
    int64_t first = 0, last = 0, count = 1;
    _Alignas(16) unsigned char want[64] = {0}, got[64];
    bl_array out = {
        .dtype = reduce_dtype(op, dtype), .rank = keeps_first, .extent = extent};
    const size_t bytes = ref_size(out.dtype) * (keeps_first ? (size_t)extent[0] : 1);

    for (int32_t d = 0; d < rank; d++) {
        last += (extent[d] - 1) * llabs(stride[d]);
        first += stride[d] < 0 ? (extent[d] - 1) * -stride[d] : 0;
        count *= extent[d];
    }

    char *const memory = calloc((size_t)last + 1, size), *const copy = calloc(
                                                             (size_t)count, size);
    const bl_array same = {
        .data = copy, .dtype = dtype, .rank = rank, .extent = extent};
    bl_array in = same;

    in.data = memory + (size_t)first * size;
    in.stride = stride;
    if (!memory || !copy)
        abort();
    fill(op, &in, count, copy);
    out.data = want;
    bool pass = bl_reduce(settings[0].ctx, op, &out, &same, reduced, axes, false,
                          NULL) == BL_OK;
    out.data = got;
    for (int32_t i = 0; pass && i < settings_distinct(settings); i++) {
        memset(got, 0xa5, sizeof got);
        pass = bl_reduce(settings[i].ctx, op, &out, &in, reduced, axes, false, NULL) ==
                   BL_OK &&
               memcmp(got, want, bytes) == 0;
        if (!pass)
            tap_note("%s of %s, rank %d, %s: other bits", bl_reduction_name(op),
                     ref_dtype_name(dtype), rank, settings[i].name);
    }
    free(memory);
    free(copy);
    return pass;
}

/* Shapes of few elements, permuted, with gaps, forwards and backwards. */
static void check_random(const struct setting *settings, bl_reduction op)
{
    struct rng rng = rng_new();
    const int32_t times = test_times(300, 3000);
    bool pass = true;

    for (int32_t i = 0; pass && i < times; i++) {
        const bl_dtype dtype = (bl_dtype)(1 + rng_below(&rng, REF_DTYPES_END - 1));
        const int32_t rank = (int32_t)(1 + rng_below(&rng, MOST_RANK));
        const int64_t most = rank == 1 ? 5000 : rank == 2 ? 90 : rank == 3 ? 21 : 11;
        int64_t extent[MOST_RANK], stride[MOST_RANK];
        int32_t order[MOST_RANK] = {0};

        for (int32_t d = 0; d < rank; d++) {
            const int32_t other = (int32_t)rng_below(&rng, d + 1);

            extent[d] = 1 + rng_below(&rng, most);
            order[d] = order[other];
            order[other] = d;
        }
        stride_by(order, rank, extent, 1 + rng_below(&rng, 2), rng_below(&rng, 2),
                  stride);
        for (int32_t d = 0; d < rank; d++)
            stride[d] = rng_one_in(&rng, 4) ? -stride[d] : stride[d];
        if (reduce_dtype(op, dtype) != BL_DTYPE_NONE)
            pass = check(settings, op, dtype, rank, extent, stride, false);
    }
    tap_ok(pass, "%s of permuted and spaced operands", bl_reduction_name(op));
}

/* Large arrays that are not in the order of memory; with sanitizers a third of them. */
static void check_permuted(const struct setting *settings, bl_reduction op,
                           bl_dtype dtype)
{
    const size_t step = IS_SANITIZED ? 3 : 1;
    bool pass = true;

    for (size_t i = ((size_t)op + (size_t)dtype) % step;
         pass && i < sizeof permuted / sizeof *permuted; i += step) {
        const struct permuted *const p = &permuted[i];
        int64_t stride[MOST_RANK];

        stride_by(p->order, p->rank, p->extent, 1, (int64_t)i % 3, stride);
        for (int32_t d = 0; d < p->rank; d++)
            stride[d] = i % 2 == 1 && stride[d] != 1 ? -stride[d] : stride[d];
        pass = check(settings, op, dtype, p->rank, p->extent, stride, false) &&
               (p->rank < 4 ||
                check(settings, op, dtype, p->rank, p->extent, stride, true));
    }
    tap_ok(pass, "%s of permuted arrays of %s", bl_reduction_name(op),
           ref_dtype_name(dtype));
}

/* ---- layouts of results ---- */

enum { OUTER = 97, ROWS = 5, COLUMNS = 3, ROOM = 2 * OUTER * 8 };

/*
 * Reduce narrow columns into results that are `stride` apart: whether these are those
 * at `want`, which are compact, and nothing else is written.
 */
static bool check_spaced(bl_context *ctx, bl_reduction op, const bl_array *in,
                         const int64_t *stride, const unsigned char *want)
{
    static const int64_t extent[] = {OUTER, COLUMNS};
    static const int32_t axis = 1;
    static _Alignas(16) unsigned char memory[ROOM][REF_ELEMENT];
    unsigned char before[REF_ELEMENT];
    const bl_dtype dtype = reduce_dtype(op, in->dtype);
    const size_t size = ref_size(dtype);
    char *const middle = (char *)memory + ROOM / 2 * size;
    const bl_array out = {
        .data = middle, .dtype = dtype, .rank = 2, .extent = extent, .stride = stride};

    memset(memory, 0xa5, sizeof memory);
    memset(before, 0xa5, sizeof before);
    bool pass = bl_reduce(ctx, op, &out, in, 1, &axis, false, NULL) == BL_OK;
    for (int64_t i = 0; pass && i < OUTER * COLUMNS; i++) {
        char *const at = middle + (i / COLUMNS * stride[0] + i % COLUMNS * stride[1]) *
                                      (int64_t)size;

        pass = memcmp(at, want + (size_t)i * size, size) == 0;
        memset(at, 0xa5, size);
    }
    for (size_t i = 0; pass && i < ROOM; i++)
        pass = memcmp((char *)memory + i * size, before, size) == 0;
    if (!pass)
        tap_note("%s of %s, results %" PRId64 ", %" PRId64 " apart",
                 bl_reduction_name(op), ref_dtype_name(in->dtype), stride[0],
                 stride[1]);
    return pass;
}

/* Results with gaps, backwards and transposed. */
static void check_results(const struct setting *settings, bl_dtype dtype)
{
    static const int64_t strides[][2] = {{3, 1},   {6, 2},  {8, 2},  {5, 1},
                                         {-3, -1}, {-6, 2}, {3, -1}, {1, OUTER}};
    static const int64_t extent[] = {OUTER, ROWS, COLUMNS};
    static _Alignas(16) unsigned char memory[OUTER * ROWS * COLUMNS][REF_ELEMENT];
    static _Alignas(16) unsigned char want[OUTER * COLUMNS * REF_ELEMENT];
    static unsigned char copy[sizeof memory];
    static const int64_t compact[] = {ROWS * COLUMNS, COLUMNS, 1};
    static const int32_t axis = 1;
    const bl_array in = {
        .data = memory, .dtype = dtype, .rank = 3, .extent = extent, .stride = compact};
    bool pass = true;

    for (int32_t o = BL_REDUCTION_SUM; o <= BL_REDUCTION_STD; o++) {
        const bl_reduction op = (bl_reduction)o;
        const bl_array out = {.data = want,
                              .dtype = reduce_dtype(op, dtype),
                              .rank = 2,
                              .extent = (const int64_t[]){OUTER, COLUMNS}};

        if (out.dtype == BL_DTYPE_NONE)
            continue;
        fill(op, &in, OUTER * ROWS * COLUMNS, (char *)copy);
        pass = pass && bl_reduce(settings[0].ctx, op, &out, &in, 1, &axis, false,
                                 NULL) == BL_OK;
        for (int32_t i = 0; pass && i < settings_distinct(settings); i++)
            for (size_t k = 0; pass && k < sizeof strides / sizeof *strides; k++)
                pass = check_spaced(settings[i].ctx, op, &in, strides[k], want);
    }
    tap_ok(pass, "results of columns of %s wherever they are", ref_dtype_name(dtype));
}

int main(void)
{
    struct setting settings[SETTINGS];

    tap_plan();
    settings_open(settings);
    for (int32_t op = BL_REDUCTION_SUM; op <= BL_REDUCTION_VAR; op++)
        check_random(settings, (bl_reduction)op);
    check_permuted(settings, BL_REDUCTION_SUM, BL_DTYPE_F32);
    check_permuted(settings, BL_REDUCTION_SUM, BL_DTYPE_BF16);
    check_permuted(settings, BL_REDUCTION_MEAN, BL_DTYPE_F64);
    check_permuted(settings, BL_REDUCTION_PROD, BL_DTYPE_C64);
    check_permuted(settings, BL_REDUCTION_MAX, BL_DTYPE_F64);
    check_permuted(settings, BL_REDUCTION_MAX, BL_DTYPE_F32);
    check_permuted(settings, BL_REDUCTION_MIN, BL_DTYPE_F16);
    check_permuted(settings, BL_REDUCTION_SUM, BL_DTYPE_C128);
    check_permuted(settings, BL_REDUCTION_SUM, BL_DTYPE_I16);
    check_permuted(settings, BL_REDUCTION_VAR, BL_DTYPE_F32);
    check_permuted(settings, BL_REDUCTION_STD, BL_DTYPE_C64);
    check_results(settings, BL_DTYPE_F32);
    check_results(settings, BL_DTYPE_F16);
    check_results(settings, BL_DTYPE_C128);
    check_results(settings, BL_DTYPE_U8);
    settings_close(settings);
    return tap_done();
}
