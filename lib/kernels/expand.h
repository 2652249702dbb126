/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From a row of ops.def to functions: the macros that kernels.tmpl.h uses. They refer
 * to BLI_T and BLI_KIND, the dtype that is being expanded.
 */
#ifndef BLI_EXPAND_H
#define BLI_EXPAND_H

#include "kernels/arithmetic.h"
#include "kernels/convert/convert.h"
#include "kernels/loops/loops.h"
#include "kernels/loops/loops_half.h"

/* As a macro, bool would be replaced before it can become part of a name. */
#undef bool
typedef _Bool bool;

#define PASTE_(a, b)     a##b
#define PASTE(a, b)      PASTE_(a, b)
#define PASTE3_(a, b, c) a##b##c
#define PASTE3(a, b, c)  PASTE3_(a, b, c)
#define STRING_(a)       #a
#define STRING(a)        STRING_(a)

/* Types and constants that the templates look up by a dtype's name. */
#define BL_DTYPE(name, value, class, stored, computed, ...)                            \
    typedef stored stored_##name;                                                      \
    typedef computed computed_##name;                                                  \
    enum {                                                                             \
        value_##name = (value),                                                        \
        class_##name = (int)BLI_CLASS_##class,                                         \
        computes_##name = sizeof(stored) == sizeof(computed)                           \
    };
#include "core/tables/dtypes.def"
#undef BL_DTYPE

/* Whether a dtype is in a domain of operators. */
#define BLI_TAKES(domain, dtype) ((BLI_DOMAIN_##domain & PASTE(class_, dtype)) != 0)

/*
 * The types that an operator has for this dtype. A domain without the dtype computes in
 * int: its functions are never called, but must compile.
 */
#define BLI_COMPUTED  PASTE(computed_, BLI_T)
#define BLI_STORED    PASTE(stored_, BLI_T)
#define BLI_OPERAND   PASTE(operand_, BLI_T)
#define BLI_DOMAIN(d) PASTE3(d, _, BLI_T)
#define BLI_TAKEN(d)                                                                   \
    __typeof__(_Generic((char(*)[1 + BLI_TAKES(d, BLI_T)])0, char(*)[2]                \
                        : (BLI_OPERAND)0, default : 0))
/* How each kind of result is stored, and the size of its elements. */
#define BLI_LOAD            PASTE(bli_load_, BLI_T)
#define BLI_STORE_SAME      PASTE(store_same_, BLI_T)
#define BLI_STORE_BOOL      bli_store_bool
#define BLI_STORE_REAL_PART PASTE(store_real_part_, BLI_T)
#define BLI_SIZE_SAME       sizeof(BLI_STORED)
#define BLI_SIZE_BOOL       1
#define BLI_SIZE_REAL_PART  sizeof(PASTE(real_part_, BLI_T))

/* ---- operators ---- */

#define BLI_NAME(name)     PASTE3(PASTE(kernel_, name), _, BLI_T)
#define BLI_ONE(name)      PASTE3(PASTE(element_, name), _, BLI_T)
#define BLI_FUNCTION(name) PASTE3(PASTE(bli_, name), _, BLI_T)
#define BLI_BEGIN                                                                      \
    enum { dtype = PASTE(value_, BLI_T), is_truth = (int)dtype == (int)BL_DTYPE_BOOL };
#define BLI_INPUT(domain, x)                                                           \
    const BLI_DOMAIN(domain) x = (BLI_DOMAIN(domain))BLI_LOAD(p##x);

#define BLI_EACH_UNARY(name, domain, result, expression)                               \
    static inline void BLI_ONE(name)(char *r, const char *pa)                          \
    {                                                                                  \
        BLI_BEGIN                                                                      \
        BLI_INPUT(domain, a)                                                           \
        BLI_STORE_##result(r, expression);                                             \
    }                                                                                  \
    static void BLI_NAME(name)(BLI_PARAMETERS)                                         \
    {                                                                                  \
        unary(BLI_NAME(name), BLI_ONE(name), BLI_SIZE_##result, sizeof(BLI_STORED),    \
              BLI_ARGUMENTS);                                                          \
    }

#define BLI_EACH_BINARY(name, domain, result, expression)                              \
    static inline void BLI_ONE(name)(char *r, const char *pa, const char *pb)          \
    {                                                                                  \
        BLI_BEGIN                                                                      \
        BLI_INPUT(domain, a)                                                           \
        BLI_INPUT(domain, b)                                                           \
        BLI_STORE_##result(r, expression);                                             \
    }                                                                                  \
    static void BLI_NAME(name)(BLI_PARAMETERS)                                         \
    {                                                                                  \
        binary(BLI_NAME(name), BLI_ONE(name), BLI_SIZE_##result, sizeof(BLI_STORED),   \
               BLI_ARGUMENTS);                                                         \
    }

#define BLI_EACH_TERNARY(name, domain, result, expression)                             \
    static inline void BLI_ONE(name)(char *r, const char *pa, const char *pb,          \
                                     const char *pc)                                   \
    {                                                                                  \
        BLI_BEGIN                                                                      \
        BLI_INPUT(domain, a)                                                           \
        BLI_INPUT(domain, b)                                                           \
        BLI_INPUT(domain, c)                                                           \
        BLI_STORE_##result(r, expression);                                             \
    }                                                                                  \
    static void BLI_NAME(name)(BLI_PARAMETERS)                                         \
    {                                                                                  \
        ternary(BLI_NAME(name), BLI_ONE(name), sizeof(BLI_STORED), sizeof(BLI_STORED), \
                BLI_ARGUMENTS);                                                        \
    }

#define BLI_EACH_QUATERNARY(name, domain, result, expression)                          \
    static inline void BLI_ONE(name)(char *r, const char *pa, const char *pb,          \
                                     const char *pc, const char *pd)                   \
    {                                                                                  \
        BLI_BEGIN                                                                      \
        BLI_INPUT(domain, a)                                                           \
        BLI_INPUT(domain, b)                                                           \
        BLI_INPUT(domain, c)                                                           \
        BLI_INPUT(domain, d)                                                           \
        BLI_STORE_##result(r, expression);                                             \
    }                                                                                  \
    static void BLI_NAME(name)(BLI_PARAMETERS)                                         \
    {                                                                                  \
        quaternary(BLI_NAME(name), BLI_ONE(name), BLI_SIZE_##result,                   \
                   sizeof(BLI_STORED), BLI_ARGUMENTS);                                 \
    }

/* f16 and bf16: the element functions of f32, applied to widened blocks. */
#define BLI_HALF_KERNEL(name, many, result, ...)                                       \
    static inline void BLI_ONE(name)(char *r, const float(*x)[BLI_HALF_MOST],          \
                                     int64_t count)                                    \
    {                                                                                  \
        const int64_t size = BLI_SIZE_##result == 1 ? 1 : (int64_t)sizeof(float);      \
                                                                                       \
        _Pragma("omp simd") for (int64_t j = 0; j < count; j++)                        \
            BLI_ONE_F32(name)(r + j * size, __VA_ARGS__);                              \
    }                                                                                  \
    static void BLI_HALF_ROW(name)(char *r, const char *const *from,                   \
                                   const int64_t *step, int64_t count, bool streams)   \
    {                                                                                  \
        const struct bli_half half = {BLI_ONE(name), many, BLI_SIZE_##result,          \
                                      (int)PASTE(value_, BLI_T) == BL_DTYPE_F16};      \
                                                                                       \
        half_row(half, r, from, step, count, streams);                                 \
    }                                                                                  \
    static void BLI_NAME(name)(BLI_PARAMETERS)                                         \
    {                                                                                  \
        halves(BLI_NAME(name), BLI_HALF_ROW(name), many, BLI_SIZE_##result,            \
               BLI_ARGUMENTS);                                                         \
    }
#define BLI_HALF_ROW(name) PASTE3(PASTE(row_, name), _, BLI_T)
#define BLI_ONE_F32(name)  PASTE3(element_, name, _f32)
#define BLI_HALF_INPUT(k)  (const char *)(x[k] + j)
#define BLI_HALF_UNARY(name, domain, result, expression)                               \
    BLI_HALF_KERNEL(name, 1, result, BLI_HALF_INPUT(0))
#define BLI_HALF_BINARY(name, domain, result, expression)                              \
    BLI_HALF_KERNEL(name, 2, result, BLI_HALF_INPUT(0), BLI_HALF_INPUT(1))
#define BLI_HALF_TERNARY(name, domain, result, expression)                             \
    BLI_HALF_KERNEL(name, 3, result, BLI_HALF_INPUT(0), BLI_HALF_INPUT(1),             \
                    BLI_HALF_INPUT(2))
#define BLI_HALF_QUATERNARY(name, domain, result, expression)                          \
    BLI_HALF_KERNEL(name, 4, result, BLI_HALF_INPUT(0), BLI_HALF_INPUT(1),             \
                    BLI_HALF_INPUT(2), BLI_HALF_INPUT(3))

#define BLI_LOOPS_BOOL         EACH
#define BLI_LOOPS_INT          EACH
#define BLI_LOOPS_HALF         HALF
#define BLI_LOOPS_NARROW       EACH
#define BLI_LOOPS_REAL         EACH
#define BLI_LOOPS_COMPLEX      EACH
#define BLI_LOOPS(inputs)      PASTE3(BLI_, PASTE(BLI_LOOPS_, BLI_KIND), inputs)
#define BLI_ELEMENT_UNARY      BLI_LOOPS(_UNARY)
#define BLI_ELEMENT_BINARY     BLI_LOOPS(_BINARY)
#define BLI_ELEMENT_TERNARY    BLI_LOOPS(_TERNARY)
#define BLI_ELEMENT_QUATERNARY BLI_LOOPS(_QUATERNARY)

/* Elements are selected, not computed with: they are copied as they are stored. */
#define BLI_BITWISE_SELECT(name, domain, result, expression)                           \
    static inline void BLI_ONE(name)(char *r, const char *pc, const char *pa,          \
                                     const char *pb)                                   \
    {                                                                                  \
        const _Bool c = bli_load_bool(pc);                                             \
        const BLI_STORED a = *(const BLI_STORED *)pa;                                  \
        const BLI_STORED b = *(const BLI_STORED *)pb;                                  \
        *(BLI_STORED *)r = expression;                                                 \
    }                                                                                  \
    static void BLI_NAME(name)(BLI_PARAMETERS)                                         \
    {                                                                                  \
        ternary(BLI_NAME(name), BLI_ONE(name), sizeof(BLI_STORED), 1, BLI_ARGUMENTS);  \
    }

#define BLI_BITWISE_CONVERT(name, domain, result, expression)
#define BLI_BITWISE_BINARY BLI_EACH_BINARY

/* Block functions are for real dtypes; complex dtypes have element functions. */
#define BLI_VECTOR_UNARY_REAL(name, domain, result, expression)                        \
    static inline void BLI_ONE(name)(void *r, const void *a, int64_t count)            \
    {                                                                                  \
        BLI_FUNCTION(name)(r, a, count);                                               \
    }                                                                                  \
    static void BLI_NAME(name)(BLI_PARAMETERS)                                         \
    {                                                                                  \
        unary_block(BLI_NAME(name), BLI_ONE(name), sizeof(BLI_STORED), BLI_ARGUMENTS); \
    }
#define BLI_VECTOR_BINARY_REAL(name, domain, result, expression)                       \
    static inline void BLI_ONE(name)(void *r, const void *a, const void *b,            \
                                     int64_t count)                                    \
    {                                                                                  \
        BLI_FUNCTION(name)(r, a, b, count);                                            \
    }                                                                                  \
    static void BLI_NAME(name)(BLI_PARAMETERS)                                         \
    {                                                                                  \
        binary_block(BLI_NAME(name), BLI_ONE(name), sizeof(BLI_STORED),                \
                     BLI_ARGUMENTS);                                                   \
    }
#define BLI_VECTOR_UNARY_COMPLEX(name, domain, result, expression)                     \
    BLI_EACH_UNARY(name, domain, result, BLI_IF_TAKEN(domain, name, (a), expression))
#define BLI_VECTOR_BINARY_COMPLEX(name, domain, result, expression)                    \
    BLI_EACH_BINARY(name, domain, result,                                              \
                    BLI_IF_TAKEN(domain, name, (a, b), expression))

/* Operators that do not take complex dtypes have no complex function either. */
#define BLI_IF_TAKEN(domain, name, arguments, expression)                              \
    PASTE(BLI_IF_, domain)(BLI_FUNCTION(name) arguments, expression)
#define BLI_IF_NUMBER(function, expression)  function
#define BLI_IF_INEXACT(function, expression) function
#define BLI_IF_ORDERED(function, expression) expression
#define BLI_IF_FLOAT(function, expression)   expression

#define BLI_VECTOR_UNARY_BOOL    BLI_EACH_UNARY
#define BLI_VECTOR_UNARY_INT     BLI_EACH_UNARY
#define BLI_VECTOR_UNARY_HALF    BLI_EACH_UNARY
#define BLI_VECTOR_UNARY_NARROW  BLI_EACH_UNARY
#define BLI_VECTOR_BINARY_BOOL   BLI_EACH_BINARY
#define BLI_VECTOR_BINARY_HALF   BLI_EACH_BINARY
#define BLI_VECTOR_BINARY_NARROW BLI_EACH_BINARY
#define BLI_VECTOR_UNARY         PASTE(BLI_VECTOR_UNARY_, BLI_KIND)
#define BLI_VECTOR_BINARY        PASTE(BLI_VECTOR_BINARY_, BLI_KIND)

/* 64-bit integers are divided in blocks: integer/divide64.h. */
#define BLI_VECTOR_BINARY_INT PASTE3(BLI_VECTOR_BINARY, _, BLI_T)
#define BLI_VECTOR_BINARY_u8  BLI_EACH_BINARY
#define BLI_VECTOR_BINARY_i8  BLI_EACH_BINARY
#define BLI_VECTOR_BINARY_u16 BLI_EACH_BINARY
#define BLI_VECTOR_BINARY_i16 BLI_EACH_BINARY
#define BLI_VECTOR_BINARY_u32 BLI_EACH_BINARY
#define BLI_VECTOR_BINARY_i32 BLI_EACH_BINARY
#define BLI_VECTOR_BINARY_u64 BLI_DIVIDED
#define BLI_VECTOR_BINARY_i64 BLI_DIVIDED
#define BLI_DIVIDED(name, domain, result, expression)                                  \
    PASTE(BLI_DIVIDED_, domain)(name, domain, result, expression)
#define BLI_DIVIDED_ORDERED BLI_VECTOR_BINARY_REAL
#define BLI_DIVIDED_FLOAT   BLI_EACH_BINARY

/* VECTOR_ALL operators have block functions for integers too. */
#define BLI_VECTOR_ALL_BINARY_BOOL    BLI_EACH_BINARY
#define BLI_VECTOR_ALL_BINARY_INT     BLI_VECTOR_BINARY_REAL
#define BLI_VECTOR_ALL_BINARY_HALF    BLI_EACH_BINARY
#define BLI_VECTOR_ALL_BINARY_NARROW  BLI_EACH_BINARY
#define BLI_VECTOR_ALL_BINARY_REAL    BLI_VECTOR_BINARY_REAL
#define BLI_VECTOR_ALL_BINARY_COMPLEX BLI_VECTOR_BINARY_COMPLEX
#define BLI_VECTOR_ALL_BINARY         PASTE(BLI_VECTOR_ALL_BINARY_, BLI_KIND)

#endif
