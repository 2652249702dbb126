/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operands of equal numel in random shapes and layouts, with a copy of their elements
 * in row-major order.
 */
#include "legacy_operand.h"

#include <stdlib.h>
#include <string.h>

enum { ROOM = 4, FEW = 720 };

/* Shapes of 720 elements; the first dimension is multiplied where more are needed. */
static const struct {
    int32_t rank;
    int64_t extent[OPERAND_RANK];
} shapes[] = {
    {1, {720}},      {2, {24, 30}},      {2, {720, 1}},    {2, {1, 720}},
    {3, {5, 16, 9}}, {4, {2, 3, 4, 30}}, {3, {30, 1, 24}}, {2, {45, 16}},
};
enum { SHAPES = sizeof shapes / sizeof shapes[0], LAYOUTS = 5 };

static uint64_t seed = 20260101;

static uint32_t roll(uint32_t sides)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(seed >> 33) % sides;
}

/* Address of the i-th element in row-major order. */
static char *element_of(const bl_array *array, int64_t i)
{
    const int64_t size = (int64_t)bl_dtype_size(array->dtype);
    int64_t offset = 0;

    for (int32_t d = array->rank - 1; d >= 0; d--) {
        offset += i % array->extent[d] * array->stride[d];
        i /= array->extent[d];
    }
    return (char *)array->data + offset * size;
}

void operand_read(struct operand *o)
{
    const size_t size = bl_dtype_size(o->array.dtype);

    for (int64_t i = 0; i < o->count; i++)
        memcpy(o->elements + (size_t)i * size, element_of(&o->array, i), size);
}

/* Write a random value of the dtype into an element. */
static void fill(char *element, bl_dtype dtype)
{
    const float real = 0.25f * (float)(1 + roll(15));
    const int32_t whole = (int32_t)(1 + roll(7));
    const bool truth = roll(2) == 0;

    if (dtype == BL_DTYPE_F32)
        memcpy(element, &real, sizeof real);
    else if (dtype == BL_DTYPE_I32)
        memcpy(element, &whole, sizeof whole);
    else
        memcpy(element, &truth, sizeof truth);
}

void operand_lay_out(struct operand *o, bl_dtype dtype, int64_t count, bool is_written)
{
    const uint32_t shape = roll(SHAPES);
    const uint32_t layout = roll(is_written ? LAYOUTS - 1 : LAYOUTS);
    const int64_t size = (int64_t)bl_dtype_size(dtype);
    const int32_t rank = shapes[shape].rank;
    int64_t step = layout == 2 ? 2 : 1, begin = 0;

    o->count = count;
    for (int32_t d = 0; d < rank; d++)
        o->extent[d] = shapes[shape].extent[d] * (d == 0 ? count / FEW : 1);
    for (int32_t i = 0; i < rank; i++) {
        const int32_t d = layout == 1 ? i : rank - 1 - i;

        o->stride[d] = layout == 3 ? -step : step;
        begin += layout == 3 ? step * (o->extent[d] - 1) : 0;
        step *= o->extent[d];
    }
    if (layout == 4)
        o->stride[0] = 0;
    for (int64_t i = 0; i < ROOM * count; i++)
        fill(o->memory + i * size, dtype);
    o->array =
        (bl_array){o->memory + begin * size, dtype, rank, o->extent, o->stride, 0};
    o->flat = (bl_array){o->elements, dtype, 1, &o->count, NULL, 0};
    operand_read(o);
}

bool operand_open(struct operand *o, size_t bytes)
{
    o->memory = malloc(ROOM * bytes);
    o->elements = malloc(bytes);
    return o->memory && o->elements;
}

void operand_close(struct operand *o)
{
    free(o->memory);
    free(o->elements);
}
