/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From a row of ops.def to functions: the macros that kernels.tmpl.h uses. They refer
 * to BLI_T and BLI_KIND, the dtype that is being expanded.
 */
#ifndef BLI_EXPAND_H
#define BLI_EXPAND_H

#include "kernels/arithmetic.h"
#include "kernels/convert/convert.h"
#include "kernels/integer/shifts.h"
#include "kernels/math/complex/division.h"
#include "kernels/loops/loops.h"
#include "kernels/loops/loops_half.h"
#include "kernels/loops/loops_function.h"
#include "kernels/loops/loops_truth.h"
#include "kernels/loops/parts.h"

/* As a macro, bool would be replaced before it can become part of a name. */
#undef bool
typedef _Bool bool;
#define PASTE_(a, b)     a##b
#define PASTE(a, b)      PASTE_(a, b)
#define PASTE3_(a, b, c) a##b##c
#define PASTE3(a, b, c)  PASTE3_(a, b, c)
#define STRING_(a)       #a
#define STRING(a)        STRING_(a)

/* u64's kernel of where selects elements of c64, which stand at multiples of 4. */
#define BLI_LEAST_ALIGNMENT(stored) (_Alignof(stored) < 4 ? _Alignof(stored) : 4)
/* Types and constants that the templates look up by a dtype's name. */
#define BL_DTYPE(name, value, class, stored, computed, load, store, digits, ...)       \
    typedef stored __attribute__((aligned(BLI_LEAST_ALIGNMENT(stored))))               \
    stored_##name;                                                                     \
    typedef computed computed_##name;                                                  \
    enum {                                                                             \
        value_##name = (value),                                                        \
        class_##name = (int)BLI_CLASS_##class,                                         \
        computes_##name = sizeof(stored) == sizeof(computed),                          \
        digits_##name = (digits)                                                       \
    };
#include "core/tables/dtypes.def"
#undef BL_DTYPE

/* Whether a dtype is in a domain of operators. */
#define BLI_TAKES(domain, dtype) ((BLI_DOMAIN_##domain & PASTE(class_, dtype)) != 0)

/* An operator's types. Without the dtype: int, never called, but it must compile. */
#define BLI_COMPUTED  PASTE(computed_, BLI_T)
#define BLI_STORED    PASTE(stored_, BLI_T)
#define BLI_OPERAND   PASTE(operand_, BLI_T)
#define BLI_DOMAIN(d) PASTE3(d, _, BLI_T)
#define BLI_TAKEN(d)                                                                   \
    __typeof__(_Generic((char(*)[1 + BLI_TAKES(d, BLI_T)])0, char(*)[2]                \
                        : (BLI_OPERAND)0, default : 0))
/* How each kind of result is stored, and the size of its elements. */
#define BLI_LOAD             PASTE(bli_load_, BLI_T)
#define BLI_STORE_SAME       PASTE(store_same_, BLI_T)
#define BLI_STORE_BOOL       bli_store_bool
#define BLI_STORE_REAL_PART  PASTE(store_real_part_, BLI_T)
#define BLI_STORE_WORD(r, x) (*(int64_t *)(void *)(r) = (x))
#define BLI_SIZE_SAME        sizeof(BLI_STORED)
#define BLI_SIZE_BOOL        1
#define BLI_SIZE_REAL_PART   sizeof(PASTE(real_part_, BLI_T))

/* ---- operators ---- */

#define BLI_NAMED(part, name) PASTE3(PASTE(part##_, name), _, BLI_T)
#define BLI_KERNEL(name)      BLI_NAMED(kernel, name)
#define BLI_ONE(name)         BLI_NAMED(element, name)
#define BLI_ONE_F32(name)     PASTE3(element_, name, _f32)
#define BLI_BLOCK(name)       BLI_NAMED(block, name)
#define BLI_DENSE(name)       BLI_NAMED(dense, name)
#define BLI_SINGLE(name)      BLI_NAMED(single, name)
#define BLI_LAYOUT(name)      BLI_NAMED(layout, name)
#define BLI_FUNCTION(name)    BLI_NAMED(bli, name)

#define BLI_BEGIN                                                                      \
    enum { dtype = PASTE(value_, BLI_T), is_truth = (int)dtype == (int)BL_DTYPE_BOOL };
#define BLI_INPUT(domain, x)                                                           \
    const BLI_DOMAIN(domain) x = (BLI_DOMAIN(domain))BLI_LOAD(p##x);

/* The number of inputs, and their loads. */
enum { inputs_UNARY = 1, inputs_BINARY, inputs_TERNARY, inputs_QUATERNARY };
#define BLI_INPUTS_UNARY(domain)      BLI_INPUT(domain, a)
#define BLI_INPUTS_BINARY(domain)     BLI_INPUTS_UNARY(domain) BLI_INPUT(domain, b)
#define BLI_INPUTS_TERNARY(domain)    BLI_INPUTS_BINARY(domain) BLI_INPUT(domain, c)
#define BLI_INPUTS_QUATERNARY(domain) BLI_INPUTS_TERNARY(domain) BLI_INPUT(domain, d)
#define BLI_RUN_UNARY                 bli_run_2
#define BLI_RUN_BINARY                bli_run_3
#define BLI_RUN_TERNARY               bli_run_4
#define BLI_RUN_SELECT                bli_run_4
#define BLI_RUN_QUATERNARY            bli_run_5

/* Sets of inputs that may be scalars: bit s for set s, of which bit k is input k. */
#define BLI_FORMS_UNARY      0x0001
#define BLI_FORMS_BINARY     0x0007
#define BLI_FORMS_TERNARY    0x00ff
#define BLI_FORMS_SELECT     0x00ff
#define BLI_FORMS_QUATERNARY 0xffff

/*
 * Sets of scalars that dense_rows has a loop for, by the kind of inputs. Three: the
 * second or the third one: lerp of f32[2000,300], a column and a row takes .59 of the
 * time. Four: the factor alone, and with the second or the third one: addcmul of
 * f64[64,64] and a column, in place, takes .61 of the time, of f64[512,512] .8 (Zen 3;
 * not measured, and so not with the second, with 512 bits).
 */
#define BLI_OFTEN_UNARY      0x0001
#define BLI_OFTEN_BINARY     0x0007
#define BLI_OFTEN_TERNARY    (BLI_WIDE == 64 ? 0x0011 : 0x0015)
#define BLI_OFTEN_SELECT     0x0015
#define BLI_OFTEN_QUATERNARY (BLI_WIDE == 64 ? 0x1100 : 0x1500)

/* Where an element or a block is; the end of a function that needs not all. */
#define BLI_AT        char *r, const char *pa, const char *pb, const char *pc, const char *pd
#define BLI_IGNORE_AT (void)pa, (void)pb, (void)pc, (void)pd

/* An entry of a table: the kernel that a struct begins with. */
#define BLI_KERNEL_AT(name) ((bli_kernel *)&(name))

/* The kernel of an operator that is another one with its inputs exchanged. */
#define BLI_SWAPPED(name, other)                                                       \
    static const struct bli_derived BLI_NAMED(swapped, name) = {                       \
        {bli_run_swapped}, &BLI_KERNEL(other), NULL};

/* The kernel of one input that is a binary operator with a constant before it. */
#define BLI_WITH_CONSTANT(name, other, first)                                          \
    static const BLI_STORED BLI_NAMED(constant, name) = (BLI_STORED)(first);           \
    static const struct bli_derived BLI_KERNEL(name) = {                               \
        {bli_run_with}, &BLI_KERNEL(other), &BLI_NAMED(constant, name)};

/*
 * Where the loop of single elements is found: in the table of the first instruction
 * set, whose loops all use. Operators without one have 0 for its name.
 */
#define BLI_SINGLE_ENTRY(name) &BLI_SINGLE_TABLE[op_##name][PASTE(value_, BLI_T)]
#define BLI_NO_SINGLE(name)    enum { BLI_SINGLE(name) = 0 };

/* BLI_NT_<rows_of>: the bit of BLI_NT_LINES, where the kernel's loops take that. */
#define BLI_NT_long_rows(...) 0
#define BLI_NT_half_rows(count, least, size, ...)                                      \
    ((uint32_t)BLI_HALF_HAS_NT_LINES(count, least, size) << BLI_NT_LINES)
#define BLI_NT_lines_rows(...) BLI_NT_dense_rows(__VA_ARGS__)
#define BLI_NT_dense_rows(count, least, size, input, ...)                              \
    ((uint32_t)BLI_HAS_NT_LINES(least, size, input) << BLI_NT_LINES)

/*
 * The kernel of a function of a block that is defined, by a function of loops.h.
 * `single` is where the loop of single elements is; the last arguments are the
 * operands' sizes.
 */
#define BLI_BLOCK_KERNEL(name, rows_of, single, inputs, count, least, ...)             \
    static const struct bli_layout BLI_LAYOUT(name) = {                                \
        count, BLI_OFTEN_##inputs, least, {__VA_ARGS__}};                              \
    static void BLI_DENSE(name)(BLI_LOOP_PARAMETERS)                                   \
    {                                                                                  \
        rows_of(BLI_BLOCK(name), BLI_LAYOUT(name), BLI_LOOP_ARGUMENTS);                \
    }                                                                                  \
    static const struct bli_loops BLI_KERNEL(name) = {                                 \
        {BLI_RUN_##inputs},                                                            \
        BLI_DENSE(name),                                                               \
        single,                                                                        \
        least,                                                                         \
        least,                                                                         \
        BLI_FORMS_##inputs | BLI_NT_##rows_of(count, least, __VA_ARGS__, ),            \
        {__VA_ARGS__}};

/* The loop of single elements of a function of one element that is defined. */
#define BLI_SINGLE_LOOP(name, count)                                                   \
    static inline void BLI_SINGLE(name)(BLI_LOOP_PARAMETERS)                           \
    {                                                                                  \
        single_rows(BLI_ONE(name), count, BLI_LOOP_ARGUMENTS);                         \
    }

/* The function of a block: of the function of one element; of truths by lanes. */
#define BLI_EACH_LEAST(result)                                                         \
    BLI_LEAST(BLI_SIZE_##result, BLI_SIZE_SAME, BLI_TAKES(COMPLEX, BLI_T))
#define BLI_BLOCK_OF(name, result)                                                     \
    block_of(BLI_ONE(name), BLI_EACH_LEAST(result),                                    \
             (const int64_t[BLI_LOOP_OPERANDS]){BLI_SIZE_##result, BLI_SIZES_SAME}, r, \
             pa, pb, pc, pd)
#define BLI_BLOCK_OF_SAME(name, inputs, domain, result, expression)                    \
    static inline void BLI_BLOCK(name)(BLI_AT)                                         \
    {                                                                                  \
        BLI_BLOCK_OF(name, result);                                                    \
    }
#define BLI_BLOCK_OF_REAL_PART(name, inputs, domain, result, expression)               \
    static inline void BLI_BLOCK(name)(BLI_AT)                                         \
    {                                                                                  \
        if (BLI_TAKES(COMPLEX, BLI_T) && (int)BLI_PART_##name >= 0)                    \
            part_block(BLI_SIZE_REAL_PART, BLI_PART_##name, r, pa);                    \
        else                                                                           \
            BLI_BLOCK_OF(name, result);                                                \
        BLI_IGNORE_AT;                                                                 \
    }
#define BLI_BLOCK_OF_BOOL(name, inputs, domain, result, expression)                    \
    BLI_ELEMENT_FUNCTION(BLI_NAMED(lane, name), inputs, domain, store_lane,            \
                         expression)                                                   \
    static inline void BLI_BLOCK(name)(BLI_AT)                                         \
    {                                                                                  \
        if (BLI_PACKS_TRUTHS(sizeof(BLI_STORED)) && !BLI_TAKES(COMPLEX, BLI_T))        \
            truth_block(BLI_NAMED(lane, name), sizeof(BLI_STORED), r, pa, pb, pc, pd); \
        else                                                                           \
            BLI_BLOCK_OF(name, result);                                                \
    }

/* The function of one element of an operator. */
#define BLI_ELEMENT(name, inputs, domain, result, expression)                          \
    BLI_ELEMENT_FUNCTION(BLI_ONE(name), inputs, domain, BLI_STORE_##result, expression)
#define BLI_ELEMENT_FUNCTION(function, inputs, domain, store, expression)              \
    static inline void function(BLI_AT)                                                \
    {                                                                                  \
        BLI_BEGIN                                                                      \
        BLI_INPUTS_##inputs(domain);                                                   \
        store(r, expression);                                                          \
        BLI_IGNORE_AT;                                                                 \
    }

/* Every dtype computed as it is stored, or narrower than f32: the expression. */
#define BLI_SHORT(...)     BLI_EACH(dense_rows, __VA_ARGS__)
#define BLI_EACH_LONG(...) BLI_EACH(long_rows, __VA_ARGS__)
#define BLI_REAL_LONG(...) BLI_EACH(lines_rows, __VA_ARGS__)
#define BLI_EACH(rows_of, name, inputs, domain, result, expression)                    \
    BLI_ELEMENT(name, inputs, domain, result, expression)                              \
    BLI_EACH_OF(rows_of, name, inputs, domain, result, expression)
#define BLI_EACH_OF(rows_of, name, inputs, domain, result, expression)                 \
    BLI_SINGLE_LOOP(name, inputs_##inputs)                                             \
    BLI_BLOCK_OF_##result(name, inputs, domain, result, expression) BLI_BLOCK_KERNEL(  \
        name, rows_of, BLI_SINGLE_ENTRY(name), inputs, inputs_##inputs,                \
        BLI_EACH_LEAST(result), BLI_SIZE_##result, BLI_SIZES_SAME)
#define BLI_SIZES_SAME BLI_SIZE_SAME, BLI_SIZE_SAME, BLI_SIZE_SAME, BLI_SIZE_SAME

/*
 * Products and quotients of complex elements, by registers where parts can be moved,
 * and shifts of 64 bits.
 */
#define BLI_PLACED_UNARY      r, pa
#define BLI_PLACED_BINARY     BLI_PLACED_UNARY, pb
#define BLI_PLACED_TERNARY    BLI_PLACED_BINARY, pc
#define BLI_PLACED_QUATERNARY BLI_PLACED_TERNARY, pd
#define BLI_PRODUCTS(...)     BLI_BY_REGISTER(BLI_PERMUTES, __VA_ARGS__)
#define BLI_SHIFTS(...)       BLI_BY_REGISTER(BLI_HAS_SHIFTS, __VA_ARGS__)
#define BLI_BY_REGISTER(has, name, inputs, domain, result, expression)                 \
    BLI_ELEMENT(name, inputs, domain, result, expression)                              \
    BLI_SINGLE_LOOP(name, inputs_##inputs)                                             \
    BLI_INLINE void BLI_BLOCK(name)(BLI_AT)                                            \
    {                                                                                  \
        if (has)                                                                       \
            BLI_NAMED(bli_block, name)(BLI_PLACED_##inputs);                           \
        else                                                                           \
            block_of(                                                                  \
                BLI_ONE(name), BLI_EACH_LEAST(SAME),                                   \
                (const int64_t[BLI_LOOP_OPERANDS]){BLI_SIZE_SAME, BLI_SIZES_SAME}, r,  \
                pa, pb, pc, pd);                                                       \
        BLI_IGNORE_AT;                                                                 \
    }                                                                                  \
    BLI_BLOCK_KERNEL(name, dense_rows, BLI_SINGLE_ENTRY(name), inputs,                 \
                     inputs_##inputs, BLI_EACH_LEAST(SAME), BLI_SIZE_SAME,             \
                     BLI_SIZES_SAME)

/* f16 and bf16: functions of `each` elements of f32, applied to widened blocks. */
#define BLI_HALF(name, ...) BLI_HALVES_BY(BLI_ONE_F32(name), 1, name, __VA_ARGS__)
#define BLI_HALVES_BY(apply, each, name, inputs, domain, result, expression)           \
    static inline void BLI_BLOCK(name)(BLI_AT)                                         \
    {                                                                                  \
        half_block(apply, each, inputs_##inputs, BLI_SIZE_##result,                    \
                   (int)PASTE(value_, BLI_T) == BL_DTYPE_F16, r, pa, pb, pc, pd);      \
    }                                                                                  \
    BLI_NO_SINGLE(name)                                                                \
    BLI_BLOCK_KERNEL(                                                                  \
        name, half_rows, BLI_SINGLE_ENTRY(name), inputs, inputs_##inputs,              \
        BLI_HALF_LEAST(BLI_SIZE_##result, (int)PASTE(value_, BLI_T) == BL_DTYPE_F16),  \
        BLI_SIZE_##result, 2, 2, 2, 2)

/* A function of blocks, bli_<name>_<dtype>. */
#define BLI_ROW_UNARY(name)  BLI_FUNCTION(name)(r, a, count)
#define BLI_ROW_BINARY(name) BLI_FUNCTION(name)(r, a, b, count)
#define BLI_BLOCKS(name, inputs, domain, result, expression)                           \
    static void BLI_BLOCK(name)(void *r, const void *a, const void *b, int64_t count)  \
    {                                                                                  \
        (void)b;                                                                       \
        BLI_ROW_##inputs(name);                                                        \
    }                                                                                  \
    static void BLI_DENSE(name)(BLI_LOOP_PARAMETERS)                                   \
    {                                                                                  \
        function_rows(data, stride, inner, outer, BLI_BLOCK(name), inputs_##inputs);   \
        (void)scalars;                                                                 \
    }                                                                                  \
    BLI_NO_SINGLE(name)                                                                \
    static const struct bli_loops BLI_KERNEL(name) = {                                 \
        {BLI_RUN_##inputs},                                                            \
        BLI_DENSE(name),                                                               \
        BLI_SINGLE_ENTRY(name),                                                        \
        BLI_FUNCTION_LEAST,                                                            \
        1,                                                                             \
        1,                                                                             \
        {sizeof(BLI_STORED), sizeof(BLI_STORED), sizeof(BLI_STORED)}};

#endif
