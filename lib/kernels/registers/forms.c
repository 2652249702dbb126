/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which operators, loads and stores have a register form.
 */
#include "config.h"

#include "kernels/registers/make.h"

/*
 * Operators that are one instruction.  Their inputs are numbers, or truths where that
 * is said.  GT and GE are LT and LE of exchanged inputs, as their kernels are.
 */
static const struct bli_register_form forms[] = {
#define UNARY(op, name, ...)                                                           \
    {                                                                                  \
        BL_OP_##op, BLI_NODE_UNARY, BLI_NAME_##name, __VA_ARGS__                       \
    }
#define BINARY(op, name, ...)                                                          \
    {                                                                                  \
        BL_OP_##op, BLI_NODE_BINARY, BLI_NAME_##name, __VA_ARGS__                      \
    }
    BINARY(ADD, add, .commutes = true),
    BINARY(MUL, mul, .commutes = true),
    BINARY(SUB, sub, .is_exact = false),
    BINARY(DIV, div, .is_exact = false),
    BINARY(MAXIMUM, maximum, .is_exact = true),
    BINARY(MINIMUM, minimum, .is_exact = true),
    BINARY(EQ, eq, .gives_truths = true, .commutes = true),
    BINARY(NE, ne, .gives_truths = true, .commutes = true),
    BINARY(LT, lt, .gives_truths = true),
    BINARY(LE, le, .gives_truths = true),
    BINARY(GT, lt, .gives_truths = true, .swaps = true),
    BINARY(GE, le, .gives_truths = true, .swaps = true),
    UNARY(NEG, neg, .is_exact = true),
    UNARY(ABS, abs, .is_exact = true),
    UNARY(SQRT, sqrt, .is_exact = false),
    UNARY(SQUARE, square, .is_exact = false),
    UNARY(RECIPROCAL, reciprocal, .is_exact = false),
    UNARY(RELU, relu, .is_exact = true),
    UNARY(ISNAN, isnan, .gives_truths = true),
    UNARY(ISINF, isinf, .gives_truths = true),
    UNARY(ISFINITE, isfinite, .gives_truths = true),
    UNARY(FLOOR, round_down, .is_exact = true),
    UNARY(ROUND, round_even, .is_exact = true),
#define TRUTHS .takes_truths = true, .gives_truths = true
    BINARY(LOGICAL_AND, both, TRUTHS, .commutes = true),
    BINARY(LOGICAL_OR, either, TRUTHS, .commutes = true),
    BINARY(LOGICAL_XOR, differ, TRUTHS, .commutes = true),
    UNARY(LOGICAL_NOT, not, TRUTHS),
    BINARY(BITWISE_AND, both, TRUTHS, .commutes = true),
    BINARY(BITWISE_OR, either, TRUTHS, .commutes = true),
    BINARY(BITWISE_XOR, differ, TRUTHS, .commutes = true),
    UNARY(BITWISE_NOT, not, TRUTHS),
#undef TRUTHS
#undef UNARY
#undef BINARY
};

/* Operators of several instructions: numbers from numbers. */
static const bl_op composed[] = {BL_OP_ADD_SCALED, BL_OP_SUB_SCALED, BL_OP_ADDCMUL,
                                 BL_OP_ADDCDIV,    BL_OP_CLAMP,      BL_OP_CEIL};

const struct bli_register_form *bli_register_form(bl_op op)
{
    for (size_t k = 0; k < sizeof forms / sizeof forms[0]; k++)
        if (forms[k].op == (int16_t)op)
            return &forms[k];
    return NULL;
}

static bool is_composed(bl_op op)
{
    for (size_t k = 0; k < sizeof composed / sizeof composed[0]; k++)
        if (composed[k] == op)
            return true;
    return false;
}

/* Whether values of `dtype` are numbers of registers. */
static bool is_number(bl_dtype computes, bl_dtype dtype)
{
    return dtype == computes || (computes == BL_DTYPE_F32 && bli_is_half(dtype));
}

bool bli_can_stream(bl_dtype computes, bl_dtype dtype)
{
    return is_number(computes, dtype) || dtype == BL_DTYPE_BOOL ||
           dtype == BL_DTYPE_I32 || dtype == BL_DTYPE_F32 ||
           (computes == BL_DTYPE_F32 && dtype == BL_DTYPE_U8);
}

bool bli_can_store(bl_dtype computes, bl_dtype dtype)
{
    return bli_can_stream(computes, dtype) && dtype != BL_DTYPE_I32;
}

/*
 * Conversions of registers, loads and stores.  Integers of 32 bits are rounded once, so
 * that they are no halves.  Copies of the same dtype, and selections by WHERE, do not
 * change bytes: those of f16 would raise an exception for a signalling NaN, those of
 * bool become 0 and 1.
 */
static bool can_convert(bl_dtype computes, bl_dtype from, bl_dtype to)
{
    const bool from_number = is_number(computes, from);
    const bool to_number = is_number(computes, to);

    if (from == to && (from == BL_DTYPE_F16 || from == BL_DTYPE_BOOL))
        return false;
    if (from_number || from == BL_DTYPE_BOOL)
        return to_number || to == BL_DTYPE_BOOL ||
               (from_number && bli_can_store(computes, to));
    return bli_can_stream(computes, from) && to_number &&
           (from == BL_DTYPE_U8 || to == computes);
}

bool bli_has_register_form(bl_op op, bl_dtype computes, bl_dtype from, bl_dtype to)
{
    const struct bli_register_form *const form = bli_register_form(op);
    const bool is_same = from == to && is_number(computes, from);

    if (computes != BL_DTYPE_F32 && computes != BL_DTYPE_F64)
        return false;
    if (op == BL_OP_COPY)
        return can_convert(computes, from, to);
    if (op == BL_OP_WHERE)
        return is_same && from != BL_DTYPE_F16;
    if (form == NULL)
        return is_composed(op) && is_same;
    if (form->takes_truths ? from != BL_DTYPE_BOOL : !is_number(computes, from))
        return false;
    return form->gives_truths ? to == BL_DTYPE_BOOL : is_same;
}
