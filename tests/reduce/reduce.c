/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions of every dtype over every set of axes: right, and bitwise equal whatever
 * the layout, the number of threads and the instruction set.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <broadloom.h>

#include "harness/problem.h"
#include "reference/reduce_model.h"
#include "reference/ref.h"
#include "harness/tap.h"

/* Shapes; those with blocks of 1024 elements or more are reduced in several steps. */
static const struct {
    const char *what;
    int32_t rank;
    int64_t extent[4];
    bool is_large; /* for some dtypes only */
} shapes[] = {
    {"a 0-d array", 0, {0}, false},
    {"nothing", 1, {0}, false},
    {"one element", 1, {1}, false},
    {"a few", 1, {7}, false},
    {"one row", 1, {131}, false},
    {"an empty dimension in the middle", 3, {2, 0, 3}, false},
    {"a dimension of extent 1", 3, {4, 1, 6}, false},
    {"three dimensions", 3, {3, 5, 7}, false},
    {"four dimensions", 4, {2, 3, 4, 5}, false},
    {"rows of 33", 2, {9, 33}, false},
    {"runs of 29", 3, {3, 9, 29}, false},
    {"columns of 70", 2, {70, 9}, false},
    {"several blocks", 1, {2500}, true},
    {"blocks across runs", 3, {3, 2, 430}, true},
    {"blocks across runs of several results", 3, {5, 9, 250}, true},
    {"long rows", 2, {3, 1100}, true},
    {"long columns", 2, {1100, 3}, true},
    {"adjacent columns", 2, {67, 530}, true},
    {"columns of 500 rows", 2, {500, 67}, true},
    {"narrow columns", 3, {230, 3, 7}, true},
    {"narrow columns of 40 rows", 3, {90, 40, 3}, true},
    {"columns of several runs", 4, {7, 6, 9, 7}, true},
};

/* Write element `i`: small, of both signs where the dtype has them. */
static void put_element(bl_reduction op, bl_dtype dtype, int64_t i, void *element)
{
    const uint64_t mixed = ((uint64_t)i * UINT64_C(0x9e3779b97f4a7c15)) >> 33;
    const bool is_inexact = (ref_class(dtype) & (REF_REAL | REF_COMPLEX)) != 0;
    double real = (double)(mixed % 4093) / 256 - 8;
    double imaginary = (double)(mixed % 511) / 64 - 4;

    if (!is_inexact)
        real = (double)(mixed % 23) - (ref_class(dtype) == REF_SIGNED ? 11 : 0);
    if (op == BL_REDUCTION_PROD && is_inexact) {
        real = 1 + (double)(mixed % 33) / 1024 - 0x1p-6;
        imaginary /= 1024;
    }
    if (op == BL_REDUCTION_ALL)
        real = i % 97 == 96 ? 0 : real + 100;
    if (op == BL_REDUCTION_ANY)
        real = imaginary = i % 11 == 3 ? 1 : 0;
    ref_make(dtype, real, imaginary, element);
}

/* Make an array with its own memory in a layout; the elements are the same in each. */
static void open_array(struct problem_operand *operand, bl_reduction op)
{
    const int64_t count = ref_count(&operand->array);

    operand->memory = calloc((size_t)operand->room + 1, (size_t)operand->slot);
    if (!operand->memory)
        abort();
    operand->array.data = operand->memory + operand->offset * operand->slot;
    for (int64_t i = 0; i < count; i++)
        put_element(op, operand->array.dtype, i, ref_at(&operand->array, i));
}

/* Buffers for the results of the largest case. */
static _Alignas(64) unsigned char first[1 << 20], got[1 << 20];

/* Size of the results in bytes. */
static size_t bytes_of(bl_reduction op, const bl_array *in, uint64_t axes)
{
    int64_t extent[BL_MAX_RANK];
    const int32_t rank = reduce_shape(in, axes, false, extent);
    size_t bytes = ref_size(reduce_dtype(op, in->dtype));

    for (int32_t d = 0; d < rank; d++)
        bytes *= (size_t)extent[d];
    return bytes;
}

static bool call(bl_context *ctx, bl_reduction op, const bl_array *in, uint64_t axes,
                 bool keepdim, unsigned char *memory)
{
    int64_t extent[BL_MAX_RANK];
    const bl_array out = {.data = memory,
                          .dtype = reduce_dtype(op, in->dtype),
                          .rank = reduce_shape(in, axes, keepdim, extent),
                          .extent = extent};
    int32_t list[BL_MAX_RANK], count = 0;

    for (int32_t d = 0; d < in->rank; d++)
        if ((axes >> d & 1) != 0)
            list[count++] = d % 2 == 0 ? d : d - in->rank;
    memset(memory, 0xa5, bytes_of(op, in, axes) + 1);
    return bl_reduce(ctx, op, &out, in, count, list, keepdim, NULL) == BL_OK;
}

/*
 * Whether the call is refused: max and min of no elements, which are tested elsewhere.
 */
static bool is_refused(bl_reduction op, const bl_array *in, uint64_t axes)
{
    bool is_empty = false;

    for (int32_t d = 0; d < in->rank; d++)
        is_empty = is_empty || ((axes >> d & 1) != 0 && in->extent[d] == 0);
    return is_empty && (op == BL_REDUCTION_MAX || op == BL_REDUCTION_MIN);
}

/* Whether a long run tries everything of the reduction and dtype. */
static bool is_long(bl_reduction op, bl_dtype dtype)
{
    return test_takes((int32_t)op * REF_DTYPES_END + (int32_t)dtype);
}

/* Compare one layout with every setting with the first result. */
static bool check_layout(const struct setting *settings, bl_reduction op,
                         const bl_array *in, uint64_t axes, bool is_first)
{
    const size_t bytes = bytes_of(op, in, axes);
    /* For later layouts, every fourth setting covers all instruction sets and teams. */
    const bool every = is_first || is_long(op, in->dtype);
    const int32_t count = every ? settings_distinct(settings) : SETTINGS;

    for (int32_t i = 0; i < count; i += every ? 1 : 4) {
        const bool is_model = is_first && i == 0;

        if (!call(settings[i].ctx, op, in, axes, i % 2 == 1, got)) {
            tap_note("%s: refused: %s", settings[i].name, bl_error_message());
            return false;
        }
        if (got[bytes] != 0xa5) {
            tap_note("%s: wrote past the result", settings[i].name);
            return false;
        }
        if (is_model && !reduce_is_right(op, in, axes, got))
            return false;
        if (is_model)
            memcpy(first, got, bytes);
        if (memcmp(first, got, bytes) != 0) {
            tap_note("%s, axes %" PRIx64 ", %s: other bits", bl_reduction_name(op),
                     axes, settings[i].name);
            return false;
        }
    }
    return true;
}

/* Check every layout of a shape, reduced over a set of axes. */
static bool check_axes(const struct setting *settings, bl_reduction op, bl_dtype dtype,
                       size_t shape, uint64_t axes)
{
    struct problem_layout layout;
    const char *name = NULL;
    bool pass = true, is_first = true;

    for (int32_t k = 0;
         pass && problem_layout_named(k, shapes[shape].rank, &layout, &name); k++) {
        const bool repeats = layout.repeated != 0;
        struct problem_operand in;

        problem_describe(&in, dtype, shapes[shape].rank, shapes[shape].extent, &layout);
        open_array(&in, op);
        /* Broadcast elements have other values than those of the first layout. */
        if (!is_refused(op, &in.array, axes))
            pass = check_layout(settings, op, &in.array, axes, is_first || repeats);
        if (!pass)
            tap_note("%s of %s, %s", bl_reduction_name(op), ref_dtype_name(dtype),
                     name);
        free(in.memory);
        if (repeats)
            is_first = true; /* recompute the expected result for the next layout */
        else
            is_first = false;
    }
    return pass;
}

/*
 * Whether to test the shape: large ones only for dtypes with their own algorithm.  std
 * is var up to the last step.
 */
static bool is_worth(size_t shape, bl_dtype dtype, bl_reduction op)
{
    if (op == BL_REDUCTION_STD && dtype != BL_DTYPE_F32 && !is_long(op, dtype))
        return false;
    if (!shapes[shape].is_large || is_long(op, dtype))
        return true;
    return op == BL_REDUCTION_SUM ? dtype == BL_DTYPE_F32 || dtype == BL_DTYPE_C64 ||
                                        dtype == BL_DTYPE_BF16 || dtype == BL_DTYPE_I8
           : op == BL_REDUCTION_VAR ? dtype == BL_DTYPE_F32 || dtype == BL_DTYPE_C64
                                    : dtype == BL_DTYPE_F64 || dtype == BL_DTYPE_BOOL;
}

static void check_shape(const struct setting *settings, size_t shape)
{
    const uint64_t sets = UINT64_C(1) << shapes[shape].rank;
    bool pass = true;

    for (int32_t dtype = 1; pass && dtype < REF_DTYPES_END; dtype++)
        for (int32_t op = BL_REDUCTION_SUM; op <= BL_REDUCTION_STD; op++)
            /* An empty set of axes means all of them. */
            for (uint64_t axes = sets > 1 ? 1 : 0; pass && axes < sets; axes++)
                if (reduce_dtype((bl_reduction)op, (bl_dtype)dtype) != BL_DTYPE_NONE &&
                    is_worth(shape, (bl_dtype)dtype, (bl_reduction)op))
                    pass = check_axes(settings, (bl_reduction)op, (bl_dtype)dtype,
                                      shape, axes);
    tap_ok(pass, "%s", shapes[shape].what);
}

int main(void)
{
    struct setting settings[SETTINGS];

    tap_plan();
    settings_open(settings);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        check_shape(settings, i);
    settings_close(settings);
    return tap_done();
}
