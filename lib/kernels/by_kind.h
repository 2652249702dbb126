/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which macro of expand.h makes the kernel of an operator, by its `impl` of ops.def and
 * the dtype's kind of dtypes.def.
 */
#ifndef BLI_BY_KIND_H
#define BLI_BY_KIND_H

#include "kernels/expand.h"
#include "kernels/loops/loops_whole.h"

/*
 * What a row of ops.def becomes, by `impl` and the dtype's kind. Of functions, complex
 * dtypes have those of one element.
 */
#define BLI_OPERATOR(impl, kind) PASTE3(BLI_##impl, _, kind)
#define BLI_ELEMENT_BOOL         BLI_SHORT
#define BLI_ELEMENT_INT          BLI_SHORT
#define BLI_ELEMENT_HALF         BLI_HALF
#define BLI_ELEMENT_NARROW       BLI_SHORT
#define BLI_ELEMENT_REAL         BLI_SHORT
#define BLI_ELEMENT_COMPLEX(name, inputs, domain, result, expression)                  \
    BLI_COMPLEX_##result(dense_rows, name, inputs, domain, result, expression)
#define BLI_LONG_BOOL   BLI_EACH_LONG
#define BLI_LONG_INT    BLI_EACH_LONG
#define BLI_LONG_HALF   BLI_HALF
#define BLI_LONG_NARROW BLI_EACH_LONG
#define BLI_LONG_REAL   BLI_REAL_LONG
#define BLI_LONG_COMPLEX(name, inputs, domain, result, expression)                     \
    BLI_COMPLEX_##result(long_rows, name, inputs, domain, result, expression)
#define BLI_COMPLEX_SAME               BLI_EACH
#define BLI_COMPLEX_REAL_PART          BLI_EACH
#define BLI_COMPLEX_BOOL(rows_of, ...) BLI_WHOLE(__VA_ARGS__)
#define BLI_PRODUCT_BOOL               BLI_SHORT
#define BLI_PRODUCT_INT                BLI_SHORT
#define BLI_PRODUCT_HALF               BLI_HALF
#define BLI_PRODUCT_NARROW             BLI_SHORT
#define BLI_PRODUCT_REAL               BLI_SHORT
#define BLI_PRODUCT_COMPLEX            BLI_PRODUCTS
#define BLI_SHIFT_BOOL                 BLI_SHORT
#define BLI_SHIFT_INT(name, ...)       PASTE(BLI_SHIFT_, BLI_T)(name, __VA_ARGS__)
#define BLI_SHIFT_HALF                 BLI_HALF
#define BLI_SHIFT_NARROW               BLI_SHORT
#define BLI_SHIFT_REAL                 BLI_SHORT
#define BLI_SHIFT_COMPLEX              BLI_ELEMENT_COMPLEX
#define BLI_ROUNDED_BOOL               BLI_SHORT
#define BLI_ROUNDED_INT                BLI_SHORT
#define BLI_ROUNDED_HALF               BLI_ROUNDED_HALVES
#define BLI_ROUNDED_NARROW             BLI_SHORT
#define BLI_ROUNDED_REAL               BLI_ROUNDED
#define BLI_ROUNDED_COMPLEX            BLI_ELEMENT_COMPLEX
#define BLI_QUOTIENT_BOOL              BLI_SHORT
#define BLI_QUOTIENT_INT(name, ...)    PASTE(BLI_QUOTIENT_, BLI_T)(name, __VA_ARGS__)
#define BLI_QUOTIENT_HALF              BLI_HALF
#define BLI_QUOTIENT_NARROW            BLI_SHORT
#define BLI_QUOTIENT_REAL              BLI_SHORT
#define BLI_QUOTIENT_COMPLEX           BLI_ELEMENT_COMPLEX
#define BLI_BITWISE(name, inputs, ...) BLI_BITWISE_##inputs(name, inputs, __VA_ARGS__)
#define BLI_BITWISE_BOOL               BLI_BITWISE
#define BLI_BITWISE_INT                BLI_BITWISE
#define BLI_BITWISE_HALF(name, inputs, ...)                                            \
    BLI_NARROW_##inputs(name, inputs, __VA_ARGS__)
#define BLI_BITWISE_NARROW  BLI_BITWISE_HALF
#define BLI_BITWISE_REAL    BLI_BITWISE
#define BLI_BITWISE_COMPLEX BLI_BITWISE
#define BLI_NARROW_CONVERT(...)
#define BLI_NARROW_SELECT BLI_SELECT
#define BLI_NARROW_BINARY BLI_NEXT
#define BLI_BITWISE_CONVERT(...)
#define BLI_BITWISE_SELECT BLI_SELECT
#define BLI_BITWISE_BINARY BLI_SHORT
#define BLI_VECTOR_BOOL    BLI_EACH_LONG
#define BLI_VECTOR_HALF    BLI_EACH_LONG
#define BLI_VECTOR_NARROW  BLI_EACH_LONG
#define BLI_VECTOR_REAL    BLI_BLOCKS
#define BLI_VECTOR_INT(name, inputs, domain, ...)                                      \
    BLI_INT_##domain(name, inputs, domain, __VA_ARGS__)
#define BLI_VECTOR_COMPLEX(name, inputs, domain, result, expression)                   \
    BLI_EACH_LONG(                                                                     \
        name, inputs, domain, result,                                                  \
        BLI_IF_##domain(BLI_FUNCTION(name), BLI_ARGUMENTS_##inputs, expression))
#define BLI_VECTOR_ALL_BOOL    BLI_EACH_LONG
#define BLI_VECTOR_ALL_INT     BLI_BLOCKS
#define BLI_VECTOR_ALL_HALF    BLI_EACH_LONG
#define BLI_VECTOR_ALL_NARROW  BLI_EACH_LONG
#define BLI_VECTOR_ALL_REAL    BLI_BLOCKS
#define BLI_VECTOR_ALL_COMPLEX BLI_VECTOR_COMPLEX

/* 64-bit integers are divided in blocks: integer/divide64.h. */
#define BLI_INT_FLOAT    BLI_EACH_LONG
#define BLI_INT_INEXACT  BLI_EACH_LONG
#define BLI_INT_ORDERED  PASTE(BLI_DIVIDE_, BLI_T)
#define BLI_DIVIDE_u8    BLI_EACH_LONG
#define BLI_DIVIDE_i8    BLI_EACH_LONG
#define BLI_DIVIDE_u16   BLI_EACH_LONG
#define BLI_DIVIDE_i16   BLI_EACH_LONG
#define BLI_DIVIDE_u32   BLI_EACH_LONG
#define BLI_DIVIDE_i32   BLI_SHORT
#define BLI_DIVIDE_u64   BLI_BLOCKS
#define BLI_DIVIDE_i64   BLI_BLOCKS
#define BLI_SHIFT_u8     BLI_SHORT
#define BLI_SHIFT_i8     BLI_SHORT
#define BLI_SHIFT_u16    BLI_SHORT
#define BLI_SHIFT_i16    BLI_SHORT
#define BLI_SHIFT_u32    BLI_SHORT
#define BLI_SHIFT_i32    BLI_SHORT
#define BLI_SHIFT_u64    BLI_SHIFTS
#define BLI_SHIFT_i64    BLI_SHIFTS
#define BLI_QUOTIENT_u8  BLI_SHORT
#define BLI_QUOTIENT_i8  BLI_SHORT
#define BLI_QUOTIENT_u16 BLI_SHORT
#define BLI_QUOTIENT_i16 BLI_SHORT
#define BLI_QUOTIENT_u32 BLI_SHORT
#define BLI_QUOTIENT_i32 BLI_SHORT
#define BLI_QUOTIENT_u64 BLI_SHORT
#define BLI_QUOTIENT_i64 BLI_BLOCKS

/* Operators that do not take complex dtypes have no complex function either. */
#define BLI_ARGUMENTS_UNARY                             (a)
#define BLI_ARGUMENTS_BINARY                            (a, b)
#define BLI_IF_NUMBER(function, arguments, expression)  function arguments
#define BLI_IF_INEXACT(function, arguments, expression) function arguments
#define BLI_IF_ORDERED(function, arguments, expression) expression
#define BLI_IF_FLOAT(function, arguments, expression)   expression

/* Rounding to integers, by registers where the machine has the instruction. */
#define BLI_ROUNDED(...) BLI_BY_REGISTER(BLI_ROUNDS, __VA_ARGS__)
#define BLI_ROUNDED_HALVES(name, ...)                                                  \
    BLI_INLINE void BLI_NAMED(rounded, name)(BLI_AT)                                   \
    {                                                                                  \
        bli_block_##name##_f32(r, pa);                                                 \
        BLI_IGNORE_AT;                                                                 \
    }                                                                                  \
    BLI_HALVES_BY(BLI_ROUNDS ? BLI_NAMED(rounded, name) : BLI_ONE_F32(name),           \
                  BLI_ROUNDS ? BLI_WIDE / 4 : 1, name, __VA_ARGS__)

/* nextafter of numbers narrower than f32, by their bits. */
#define BLI_NEXT(name, inputs, domain, result, expression)                             \
    static inline void BLI_ONE(name)(BLI_AT)                                           \
    {                                                                                  \
        const uint32_t sign = UINT32_C(1) << (8 * sizeof(BLI_STORED) - 1);             \
        const uint32_t one = UINT32_C(1) << (PASTE(digits_, BLI_T) - 1);               \
                                                                                       \
        *(BLI_STORED *)r = (BLI_STORED)bli_next_bits(                                  \
            *(const BLI_STORED *)pa, *(const BLI_STORED *)pb, sign, sign - one);       \
        BLI_IGNORE_AT;                                                                 \
    }                                                                                  \
    BLI_EACH_OF(long_rows, name, inputs, domain, result, expression)

/* Elements are selected, not computed with: they are copied as they are stored. */
#define BLI_SELECT(name, inputs, domain, result, expression)                           \
    static inline void BLI_ONE(name)(char *r, const char *pc, const char *pa,          \
                                     const char *pb, const char *pd)                   \
    {                                                                                  \
        const _Bool c = bli_load_bool(pc);                                             \
        const BLI_STORED a = *(const BLI_STORED *)pa;                                  \
        const BLI_STORED b = *(const BLI_STORED *)pb;                                  \
                                                                                       \
        *(BLI_STORED *)r = expression;                                                 \
        (void)pd;                                                                      \
    }                                                                                  \
    static inline void BLI_BLOCK(name)(char *r, const char *pc, const char *pa,        \
                                       const char *pb, const char *pd)                 \
    {                                                                                  \
        if (BLI_PERMUTES)                                                              \
            select_block(r, pc, pa, pb, BLI_SIZE_SAME);                                \
        else                                                                           \
            block_of(BLI_ONE(name), BLI_SELECT_LEAST,                                  \
                     (const int64_t[BLI_LOOP_OPERANDS]){BLI_SIZE_SAME, 1,              \
                                                        BLI_SIZE_SAME, BLI_SIZE_SAME}, \
                     r, pc, pa, pb, pd);                                               \
        (void)pd;                                                                      \
    }                                                                                  \
    BLI_SINGLE_LOOP(name, 3)                                                           \
    BLI_BLOCK_KERNEL(name, dense_rows, BLI_SINGLE_ENTRY(name), inputs, 3,              \
                     BLI_SELECT_LEAST, BLI_SIZE_SAME, 1, BLI_SIZE_SAME, BLI_SIZE_SAME)

#define BLI_SELECT_LEAST                                                               \
    (BLI_PERMUTES ? BLI_WIDE / (int64_t)BLI_SIZE_SAME                                  \
                  : BLI_LEAST(1, BLI_SIZE_SAME, false))

/* Complex elements with results of one byte. */
#define BLI_WHOLE(name, inputs, domain, result, expression)                            \
    BLI_ELEMENT(name, inputs, domain, result, expression)                              \
    BLI_ELEMENT(name##_word, inputs, domain, WORD, expression)                         \
    BLI_SINGLE_LOOP(name, inputs_##inputs)                                             \
    static const struct bli_layout BLI_LAYOUT(name) = {                                \
        inputs_##inputs, 0, 1, {BLI_SIZE_##result, BLI_SIZES_SAME}};                   \
    static void BLI_DENSE(name)(BLI_LOOP_PARAMETERS)                                   \
    {                                                                                  \
        if (inputs_##inputs == 4 && sizeof(BLI_STORED) == 16)                          \
            word_rows(BLI_ONE(name##_word), BLI_LAYOUT(name), BLI_LOOP_ARGUMENTS);     \
        else                                                                           \
            whole_rows(BLI_ONE(name), BLI_LAYOUT(name), BLI_LOOP_ARGUMENTS);           \
    }                                                                                  \
    static const struct bli_loops BLI_KERNEL(name) = {                                 \
        {BLI_RUN_##inputs},                                                            \
        BLI_DENSE(name),                                                               \
        BLI_SINGLE_ENTRY(name),                                                        \
        BLI_FUNCTION_LEAST,                                                            \
        1,                                                                             \
        inputs_##inputs == 4 ? 0x1001 : BLI_FORMS_UNARY,                               \
        {BLI_SIZE_##result, BLI_SIZES_SAME}};
#endif
