/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Small problems, which use the fast path, against the loop nest that executes parts of
 * the same plan: equal bits, and nothing written outside the result.
 */
#include <inttypes.h>
#include <string.h>

#include <broadloom.h>

#include "harness/tap.h"

enum { BYTES = 1 << 14, RANK = 4, INPUTS = 4 };

/* The layout of an operand; the last input of four is a single element. */
struct view {
    int64_t stride[RANK];
    int64_t first; /* element (0, ..., 0) */
};

static const struct {
    const char *what;
    int32_t rank;
    int64_t extent[RANK];
    struct view out, in[INPUTS];
} shapes[] = {
    {"one element", 1, {1}, {{1}, 0}, {{{1}, 3}, {{0}, 1}, {{7}, 0}}},
    {"one row", 1, {13}, {{1}, 0}, {{{1}, 0}, {{1}, 5}, {{1}, 2}}},
    {"a row and one element", 1, {13}, {{1}, 0}, {{{0}, 4}, {{1}, 5}, {{0}, 2}}},
    {"every third, backwards", 1, {21}, {{1}, 0}, {{{-3}, 99}, {{1}, 0}, {{2}, 0}}},
    {"short rows and columns",
     3,
     {5, 3, 4},
     {{12, 4, 1}, 0},
     {{{4, 0, 1}, 0}, {{0, 1, 0}, 0}, {{0, 0, 0}, 9}}},
    {"rows of pairs",
     3,
     {3, 2, 6},
     {{12, 6, 1}, 0},
     {{{0, 6, 1}, 0}, {{30, 8, 1}, 4}, {{6, 0, 1}, 0}}},
    {"rows that lie apart",
     2,
     {7, 5},
     {{9, 1}, 3},
     {{{9, 1}, 3}, {{1, 0}, 0}, {{0, 1}, 0}}},
    {"every second element of a result",
     2,
     {4, 9},
     {{40, 2}, 1},
     {{{9, 1}, 0}, {{1, 4}, 0}, {{0, 1}, 0}}},
    {"a result backwards",
     2,
     {6, 6},
     {{-6, -1}, 35},
     {{{6, 1}, 0}, {{1, 6}, 0}, {{6, -1}, 5}}},
    {"transposed", 2, {8, 8}, {{8, 1}, 0}, {{{1, 8}, 0}, {{8, 1}, 0}, {{1, 8}, 0}}},
    {"four loops",
     4,
     {2, 3, 2, 7},
     {{42, 14, 7, 1}, 0},
     {{{21, 7, 0, 1}, 0}, {{0, 14, 7, 1}, 0}, {{14, 0, 7, 0}, 3}}},
    {"as many as are few",
     2,
     {32, 4},
     {{4, 1}, 0},
     {{{1, 32}, 0}, {{1, 0}, 0}, {{0, 1}, 0}}},
    {"long rows", 2, {4, 32}, {{32, 1}, 0}, {{{1, 0}, 0}, {{0, 1}, 0}, {{40, 1}, 0}}},
    {"one more", 2, {43, 3}, {{3, 1}, 0}, {{{3, 1}, 0}, {{0, 1}, 0}, {{1, 0}, 0}}},
};

/* Operators and the dtypes of the result and the inputs. */
static const struct {
    bl_op op;
    int32_t inputs;
    bl_dtype dtype[1 + INPUTS];
} kinds[] = {
    {BL_OP_ADD, 2, {BL_DTYPE_F32, BL_DTYPE_F32, BL_DTYPE_F32}},
    {BL_OP_MUL, 2, {BL_DTYPE_F32, BL_DTYPE_I32, BL_DTYPE_F32}},
    {BL_OP_SUB, 2, {BL_DTYPE_F64, BL_DTYPE_F32, BL_DTYPE_I8}},
    {BL_OP_DIV, 2, {BL_DTYPE_F16, BL_DTYPE_F16, BL_DTYPE_F16}},
    {BL_OP_ADD, 2, {BL_DTYPE_F16, BL_DTYPE_F16, BL_DTYPE_U8}},
    {BL_OP_ADD, 2, {BL_DTYPE_F64, BL_DTYPE_BF16, BL_DTYPE_F16}},
    {BL_OP_MUL, 2, {BL_DTYPE_C128, BL_DTYPE_C128, BL_DTYPE_F32}},
    {BL_OP_LT, 2, {BL_DTYPE_BOOL, BL_DTYPE_F64, BL_DTYPE_I16}},
    {BL_OP_HYPOT, 2, {BL_DTYPE_F32, BL_DTYPE_F32, BL_DTYPE_F32}},
    {BL_OP_BITWISE_XOR, 2, {BL_DTYPE_U8, BL_DTYPE_U8, BL_DTYPE_U8}},
    {BL_OP_EXP, 1, {BL_DTYPE_F64, BL_DTYPE_F64}},
    {BL_OP_COPY, 1, {BL_DTYPE_F32, BL_DTYPE_F32}},
    {BL_OP_COPY, 1, {BL_DTYPE_BF16, BL_DTYPE_I64}},
    {BL_OP_WHERE, 3, {BL_DTYPE_F32, BL_DTYPE_BOOL, BL_DTYPE_F32, BL_DTYPE_F32}},
    {BL_OP_ADDCMUL,
     4,
     {BL_DTYPE_F64, BL_DTYPE_F64, BL_DTYPE_F64, BL_DTYPE_F64, BL_DTYPE_F64}},
};

/* Result, result by parts, inputs. */
static _Alignas(64) unsigned char memory[2 + INPUTS][BYTES];

/* Fill with small numbers of any dtype. */
static bool fill(unsigned char *to, bl_dtype dtype, int32_t k)
{
    const int64_t count[1] = {BYTES / 16};
    const bl_array array = {to, dtype, 1, count, NULL, 0};
    bl_array place = array;

    for (int64_t i = 0; i < count[0]; i++) {
        const bl_scalar number = {BL_DTYPE_F64, {{1 + (double)((i * 7 + k) % 11), 0}}};
        const int64_t one[1] = {1};
        const bl_array from = bl_scalar_array(&number);
        const bl_array *const in[] = {&from};

        place.data = to + i * bl_dtype_size(dtype);
        place.extent = one;
        if (bl_apply(NULL, BL_OP_COPY, &place, 1, in, NULL) != BL_OK)
            return false;
    }
    return true;
}

static bl_array viewed(unsigned char *data, bl_dtype dtype, size_t shape,
                       const struct view *view)
{
    return (bl_array){data + view->first * (int64_t)bl_dtype_size(dtype),
                      dtype,
                      shapes[shape].rank,
                      shapes[shape].extent,
                      view->stride,
                      0};
}

/* Execute at once and as one part; whether the bits are equal. */
static bool is_same(size_t shape, size_t kind)
{
    const bl_dtype *const dtype = kinds[kind].dtype;
    bl_array array[1 + INPUTS];
    const bl_array *in[INPUTS];
    const void *data[INPUTS];
    bl_plan *plan = NULL;
    bool pass = true;

    array[0] = viewed(memory[0], dtype[0], shape, &shapes[shape].out);
    for (int32_t k = 0; k < kinds[kind].inputs; k++) {
        pass = fill(memory[2 + k], dtype[1 + k], k) && pass;
        array[1 + k] = viewed(memory[2 + k], dtype[1 + k], shape, &shapes[shape].in[k]);
        in[k] = &array[1 + k];
        data[k] = array[1 + k].data;
    }
    memset(memory[0], 0xa5, BYTES);
    memset(memory[1], 0xa5, BYTES);
    pass =
        pass &&
        bl_plan_create(NULL, kinds[kind].op, &array[0], kinds[kind].inputs, in, NULL,
                       &plan) == BL_OK &&
        bl_plan_execute(NULL, plan, array[0].data, data) == BL_OK &&
        bl_plan_execute_part(NULL, plan, 0, 1,
                             memory[1] + ((unsigned char *)array[0].data - memory[0]),
                             data) == BL_OK &&
        memcmp(memory[0], memory[1], BYTES) == 0;
    if (!pass)
        tap_note("%s: %s", shapes[shape].what, bl_error_message());
    bl_plan_destroy(plan);
    return pass;
}

/* The result is also a non-contiguous input. */
static bool test_in_place(void)
{
    const int64_t extent[] = {6, 5}, stride[] = {1, 6}, still[] = {0, 1};
    float value[30], row[5] = {1, 2, 3, 4, 5};
    const bl_array out = {value, BL_DTYPE_F32, 2, extent, stride, 0};
    const bl_array by = {row, BL_DTYPE_F32, 2, extent, still, 0};
    bool pass = true;

    for (int32_t i = 0; i < 30; i++)
        value[i] = (float)i;
    pass = bl_mul_out(NULL, &out, &out, &by) == BL_OK;
    for (int32_t i = 0; i < 30; i++)
        pass = pass && value[i] == (float)(i * (i / 6 + 1));
    return pass;
}

/*
 * A thread remembers plans by what arrays look like.  One that was refused is not used
 * for a call of no operator whose arrays look like those of an earlier call.
 */
static bool test_refused_plan(void)
{
    static const int64_t few[] = {4}, many[] = {40}, still[] = {0};
    static float value[40], sum[40];
    const bl_array a = {value, BL_DTYPE_F32, 1, few, NULL, 0};
    const bl_array out = {sum, BL_DTYPE_F32, 1, few, NULL, 0};
    const bl_array wide = {value, BL_DTYPE_F32, 1, many, NULL, 0};
    const bl_array point = {sum, BL_DTYPE_F32, 1, many, still, 0};
    const bl_array *const in[] = {&a, &a}, *const wide_in[] = {&wide, &wide};
    bool pass = bl_apply(NULL, BL_OP_ADD, &out, 2, in, NULL) == BL_OK;

    pass =
        pass && bl_apply(NULL, BL_OP_ADD, &point, 2, wide_in, NULL) == BL_ERR_ARGUMENT;
    sum[0] = 5;
    return pass && bl_apply(NULL, BL_OP_NONE, &out, 2, in, NULL) == BL_ERR_ARGUMENT &&
           sum[0] == 5;
}

int main(void)
{
    tap_plan();
    tap_ok(test_refused_plan(), "a plan that was refused is not remembered");
    for (size_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; kind++) {
        bool pass = true;

        for (size_t shape = 0; shape < sizeof shapes / sizeof shapes[0]; shape++)
            pass = is_same(shape, kind) && pass;
        tap_ok(pass, "operator %d of %s: at once as by walking", (int)kinds[kind].op,
               bl_dtype_name(kinds[kind].dtype[1]));
    }
    tap_ok(test_in_place(), "in place, in columns");
    return tap_done();
}
