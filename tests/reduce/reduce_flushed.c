/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions of subnormal numbers and their neighbours while the caller flushes them,
 * in results, operands or both, and in each rounding direction: rows and columns, with
 * gaps and without, have the bits of each row reduced alone, on every instruction set.
 */
#include <inttypes.h>
#include <string.h>

#include <broadloom.h>

#include "harness/floating.h"
#include "harness/problem.h"
#include "harness/tap.h"
#include "reference/reduce_model.h"
#include "reference/ref.h"

#define COUNT(of) (sizeof(of) / sizeof *(of))

static const bl_reduction operations[] = {BL_REDUCTION_SUM, BL_REDUCTION_MEAN,
                                          BL_REDUCTION_PROD, BL_REDUCTION_MAX,
                                          BL_REDUCTION_MIN};

/* The smallest normal number. */
static const struct {
    bl_dtype dtype;
    double least;
} kinds[] = {{BL_DTYPE_BF16, 0x1p-126},
             {BL_DTYPE_F32, 0x1p-126},
             {BL_DTYPE_F64, 0x1p-1022},
             {BL_DTYPE_C64, 0x1p-126},
             {BL_DTYPE_C128, 0x1p-1022}};

/* Results, and elements of each; 1100, which are two blocks, only of few results. */
static const int64_t results[] = {1, 3, 20};
static const int64_t lengths[] = {1, 2, 3, 7, 9, 30, 1100};
enum { MOST_RESULTS = 20, MOST_LENGTH = 1100, GAP = 3 };

static unsigned char memory[MOST_RESULTS * MOST_LENGTH * GAP * REF_ELEMENT];
static unsigned char want[MOST_RESULTS * REF_ELEMENT], got[MOST_RESULTS * REF_ELEMENT];

/*
 * Element i of row r: rows whose sums are subnormal, of either sign, and rows whose
 * largest or smallest element is.
 */
static double element(int64_t r, int64_t i)
{
    static const double factors[][3] = {{0.5712, -1.2858, 0.2746},
                                        {1.25, 0, -1.5},
                                        {0.25, 0.75, 1},
                                        {-0.25, -1, -0.625},
                                        {-1.25, 1.5, -0.0}};

    return factors[r % (int64_t)COUNT(factors)][i % 3] * (i < 3 ? 1 : 0.125);
}

static void fill(size_t kind, const bl_array *in)
{
    const size_t size = ref_size(in->dtype);
    const double least = kinds[kind].least;

    for (int64_t r = 0; r < in->extent[0]; r++)
        for (int64_t i = 0; i < in->extent[1]; i++)
            ref_make(in->dtype, element(r, i) * least, element(r + 1, i) * least,
                     memory + (size_t)(r * in->stride[0] + i * in->stride[1]) * size);
}

static bool reduce(bl_context *ctx, bl_reduction op, const bl_array *in, void *to)
{
    const int32_t axis = 1;
    const bl_array out = {.data = to,
                          .dtype = reduce_dtype(op, in->dtype),
                          .rank = 1,
                          .extent = in->extent};

    return bl_reduce(ctx, op, &out, in, 1, &axis, false, NULL) == BL_OK;
}

/* Each row without gaps, alone, in the first setting. */
static bool reduce_alone(const struct setting *settings, bl_reduction op, bl_array in)
{
    const int64_t extent[] = {1, in.extent[1]};
    const size_t size = ref_size(reduce_dtype(op, in.dtype));
    const size_t row = (size_t)in.stride[0] * ref_size(in.dtype);
    const int64_t rows = in.extent[0];
    bool pass = true;

    in.extent = extent;
    for (int64_t r = 0; pass && r < rows; r++) {
        in.data = memory + (size_t)r * row;
        pass = reduce(settings[0].ctx, op, &in, want + (size_t)r * size);
    }
    return pass;
}

/* Rows without gaps, with gaps, and columns. */
enum { DENSE, APART, COLUMNS, LAYOUTS };

/* One shape in one state: every layout, on every instruction set. */
static bool check_shape(const struct setting *settings, bl_reduction op, size_t kind,
                        const int64_t *extent, int32_t state)
{
    const int64_t stride[LAYOUTS][2] = {
        {extent[1], 1}, {GAP * extent[1], GAP}, {1, extent[0]}};
    const bl_dtype dtype = kinds[kind].dtype;
    const size_t bytes = (size_t)extent[0] * ref_size(reduce_dtype(op, dtype));
    bool pass = true;

    for (int layout = 0; pass && layout < LAYOUTS; layout++) {
        const bl_array in = {memory, dtype, 2, extent, stride[layout], 0};
        struct floating own;

        fill(kind, &in);
        own = floating_set(state);
        pass = layout != DENSE || reduce_alone(settings, op, in);
        for (int32_t i = 0; pass && i < settings_distinct(settings); i += 3) {
            memset(got, 0xa5, bytes);
            pass =
                reduce(settings[i].ctx, op, &in, got) && memcmp(want, got, bytes) == 0;
            if (!pass)
                tap_note("%s: [%d, %d], layout %d, rounding %s, state %" PRId32,
                         settings[i].name, (int)extent[0], (int)extent[1], layout,
                         floating_name(state), state);
        }
        floating_restore(own);
    }
    return pass;
}

/* Whether elements of a sum in their own precision are flushed as results of adding 0.
 */
static bool is_left_open(bl_reduction op, size_t kind, int32_t state)
{
    return (op == BL_REDUCTION_SUM || op == BL_REDUCTION_MEAN) &&
           kinds[kind].least < 0x1p-126 && state / 4 == 1;
}

static void check(const struct setting *settings, bl_reduction op, size_t kind)
{
    bool pass = true;

    for (int32_t state = 0; pass && state < FLOATING_STATES; state++) {
        if (is_left_open(op, kind, state))
            continue;
        for (size_t r = 0; pass && r < COUNT(results); r++)
            for (size_t n = 0; pass && n < COUNT(lengths) - (results[r] > 3); n++)
                pass = check_shape(settings, op, kind,
                                   (const int64_t[]){results[r], lengths[n]}, state);
    }
    tap_ok(pass, "%s of %s, subnormal numbers flushed or not", bl_reduction_name(op),
           ref_dtype_name(kinds[kind].dtype));
}

int main(void)
{
    struct setting settings[SETTINGS];
    bl_dtype result;

    tap_plan();
    if (!FLOATING_FLUSHES_ALIKE) {
        tap_skip("Clang's loops differ", "subnormal numbers flushed");
        return tap_done();
    }
    settings_open(settings);
    for (size_t kind = 0; kind < COUNT(kinds); kind++)
        for (size_t k = 0; k < COUNT(operations); k++)
            if (bl_reduction_result_dtype(operations[k], kinds[kind].dtype, &result) ==
                BL_OK)
                check(settings, operations[k], kind);
    settings_close(settings);
    return tap_done();
}
