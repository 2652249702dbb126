/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The table of cells: an operator of every kind of kernel in several dtypes, and
 * shapes for each path through a kernel.
 */
#include "cells.h"

const struct pair pairs[] = {
    /* arithmetic of every dtype */
    {"add", "i8", 2},
    {"add", "u8", 2},
    {"add", "i16", 2},
    {"add", "i32", 2},
    {"add", "i64", 2},
    {"add", "f16", 2},
    {"add", "bf16", 2},
    {"add", "f32", 2},
    {"add", "f64", 2},
    {"add", "c64", 2},
    {"add", "c128", 2},
    {"sub", "u16", 2},
    {"mul", "i8", 2},
    {"mul", "i64", 2},
    {"mul", "c128", 2},
    {"div", "f32", 2},
    {"div", "c64", 2},
    {"floor_divide", "i32", 2},
    {"floor_divide", "i64", 2},
    {"floor_divide", "f32", 2},
    {"trunc_divide", "u8", 2},
    {"trunc_divide", "i16", 2},
    {"remainder", "i64", 2},
    /* comparisons, logic, bits */
    {"eq", "i8", 2},
    {"eq", "i32", 2},
    {"eq", "bf16", 2},
    {"eq", "f32", 2},
    {"eq", "f64", 2},
    {"lt", "u8", 2},
    {"lt", "f32", 2},
    {"gt", "i16", 2},
    {"logical_and", "i8", 2},
    {"logical_and", "f32", 2},
    {"logical_not", "bool", 1},
    {"bitwise_xor", "u64", 2},
    {"left_shift", "i32", 2},
    {"right_shift", "i8", 2},
    {"isnan", "f16", 1},
    {"isnan", "f32", 1},
    /* choices */
    {"maximum", "i8", 2},
    {"maximum", "f16", 2},
    {"maximum", "f32", 2},
    {"maximum", "f64", 2},
    {"where", "i8", 3},
    {"where", "f32", 3},
    {"where", "f64", 3},
    {"where", "c128", 3},
    {"clamp", "i16", 1},
    {"clamp", "f32", 3},
    {"relu", "bf16", 1},
    /* three and four operands */
    {"add_scaled", "i32", 3},
    {"add_scaled", "f32", 2},
    {"addcmul", "f16", 4},
    {"addcmul", "f32", 3},
    {"addcdiv", "f64", 3},
    {"lerp", "f32", 3},
    {"fma", "f64", 3},
    {"isclose", "f64", 2},
    {"isclose", "c64", 2},
    /* one operand */
    {"neg", "i16", 1},
    {"neg", "f32", 1},
    {"abs", "i8", 1},
    {"abs", "c128", 1},
    {"sign", "i32", 1},
    {"square", "c64", 1},
    {"sqrt", "f64", 1},
    {"rsqrt", "f32", 1},
    {"rsqrt", "c64", 1},
    {"floor", "f32", 1},
    {"round", "f64", 1},
    /* functions of blocks, and of bits */
    {"exp", "f32", 1},
    {"exp", "f64", 1},
    {"tanh", "f32", 1},
    {"pow", "i32", 2},
    {"pow", "f32", 2},
    {"nextafter", "f32", 2},
    {"copysign", "f16", 2},
    /* copies and conversions */
    {"copy", "u8", 1},
    {"copy", "f64", 1},
    {"copy", "f32-f64", 1},
    {"copy", "f32-f16", 1},
    {"copy", "f16-f32", 1},
    {"copy", "i32-f32", 1},
    {"copy", "f64-i8", 1},
    {"copy", "bool-f32", 1},
    {"copy", "bf16-f32", 1},
};
const int pair_count = sizeof pairs / sizeof pairs[0];
_Static_assert(sizeof pairs / sizeof pairs[0] * SHAPES <= MAX_CELLS, "too many pairs");

bool cell_exists(int cell)
{
    const enum shape_kind kind = shapes[cell % SHAPES].kind;
    const bool broadcasts =
        kind == SHAPE_FIRST || kind == SHAPE_LAST || kind == SHAPE_COLUMN;

    return !broadcasts || pairs[cell / SHAPES].arrays > 1;
}

const struct shape shapes[SHAPES] = {
    {"4096", SHAPE_SAME, 4096, 1},
    {"65536", SHAPE_SAME, 65536, 1},
    {"4096-last", SHAPE_LAST, 4096, 1},
    {"4096-first", SHAPE_FIRST, 4096, 1},
    {"3x1000", SHAPE_SAME, 3, 1000},
    {"10x400", SHAPE_SAME, 10, 400},
    {"20x200", SHAPE_SAME, 20, 200},
    {"100x40", SHAPE_SAME, 100, 40},
    {"100x40-column", SHAPE_COLUMN, 100, 40},
    {"13", SHAPE_SAME, 13, 1},
    {"64", SHAPE_SAME, 64, 1},
    {"large", SHAPE_LARGE, 0, 1},
    {"4096-stride", SHAPE_STRIDE, 4096, 1},
};
