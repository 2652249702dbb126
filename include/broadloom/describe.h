/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Plain C arrays as operands, in one expression and without a cast:
 *
 *     bl_add_out(NULL, BL_VIEW(c, n, m), BL_VIEW(a, n, m), BL_VIEW(b, m));
 *
 * Each macro gives a `const bl_array *` that describes memory of the caller's.  The
 * description lives until the end of the block it is written in, and the memory is
 * neither copied nor kept.  The dtype is that of what the pointer points to; memory
 * behind a pointer to const is BL_ARRAY_READ_ONLY, so that a call which would write it
 * is refused with BL_ERR_ARGUMENT.  A pointer to anything else than the dtypes' types
 * does not compile.  Pointers are evaluated once, extents and strides too.
 *
 * C11 only: C++ has <broadloom/broadloom.hpp> for that, and has no _Generic.
 */
#ifndef BROADLOOM_DESCRIBE_H
#define BROADLOOM_DESCRIBE_H

#include <broadloom/tensor.h>

#ifndef __cplusplus

/* The dtype of what a pointer points to: integers by their size and sign. */
#define BL_DTYPE_OF(pointer)                                                           \
    _Generic(                                                                          \
        (pointer), BL_EITHER_(_Bool, BL_DTYPE_BOOL),                                   \
        BL_EITHER_(signed char, BL_DTYPE_I8), BL_EITHER_(unsigned char, BL_DTYPE_U8),  \
        BL_EITHER_(short, BL_SIGNED_(short)),                                          \
        BL_EITHER_(unsigned short, BL_UNSIGNED_(short)),                               \
        BL_EITHER_(int, BL_SIGNED_(int)), BL_EITHER_(unsigned int, BL_UNSIGNED_(int)), \
        BL_EITHER_(long, BL_SIGNED_(long)),                                            \
        BL_EITHER_(unsigned long, BL_UNSIGNED_(long)),                                 \
        BL_EITHER_(long long, BL_SIGNED_(long long)),                                  \
        BL_EITHER_(unsigned long long, BL_UNSIGNED_(long long)),                       \
        BL_EITHER_(float, BL_DTYPE_F32), BL_EITHER_(double, BL_DTYPE_F64),             \
        BL_EITHER_(float _Complex, BL_DTYPE_C64),                                      \
        BL_EITHER_(double _Complex, BL_DTYPE_C128))

/*
 * Compact memory, the last extent fastest, of rank 1 to 8: BL_VIEW(pointer,
 * extents...).
 */
#define BL_VIEW(pointer, ...)                                                          \
    BL_DESCRIBE_(pointer, BL_DTYPE_OF(pointer), BL_COUNT_(__VA_ARGS__),                \
                 BL_LIST(__VA_ARGS__), NULL)

/*
 * Memory with strides, in elements: BL_STRIDED_VIEW(pointer, rank, BL_LIST(extents...),
 * BL_LIST(strides...)).
 */
#define BL_STRIDED_VIEW(pointer, rank, extents, strides)                               \
    BL_DESCRIBE_(pointer, BL_DTYPE_OF(pointer), rank, extents, strides)

/*
 * Compact memory of a dtype that C has no type for, as BL_DTYPE_F16 in uint16_t:
 * BL_VIEW_AS(dtype, pointer, extents...).
 */
#define BL_VIEW_AS(dtype, pointer, ...)                                                \
    BL_DESCRIBE_(pointer, dtype, BL_COUNT_(__VA_ARGS__), BL_LIST(__VA_ARGS__), NULL)

/* A list of extents or strides. */
#define BL_LIST(...) ((const int64_t[]){__VA_ARGS__})

/* ---- what the macros above are made of ---- */

#define BL_EITHER_(type, dtype) type * : (dtype), const type * : (dtype)
#define BL_BY_SIZE_(type, one, two, four, eight)                                       \
    (sizeof(type) == 1   ? (one)                                                       \
     : sizeof(type) == 2 ? (two)                                                       \
     : sizeof(type) == 4 ? (four)                                                      \
                         : (eight))
#define BL_SIGNED_(type)                                                               \
    BL_BY_SIZE_(type, BL_DTYPE_I8, BL_DTYPE_I16, BL_DTYPE_I32, BL_DTYPE_I64)
#define BL_UNSIGNED_(type)                                                             \
    BL_BY_SIZE_(type, BL_DTYPE_U8, BL_DTYPE_U16, BL_DTYPE_U32, BL_DTYPE_U64)

/* A conditional of a pointer and a void pointer keeps the const of either. */
#define BL_READ_ONLY_(pointer)                                                         \
    _Generic(1 ? (pointer) : (void *)(uintptr_t)(pointer),                             \
        const void *: BL_ARRAY_READ_ONLY,                                              \
        void *: 0)
#define BL_DESCRIBE_(pointer, dtype, rank, extents, strides)                           \
    (&(const bl_array){(void *)(uintptr_t)(pointer), (dtype), (rank), (extents),       \
                       (strides), BL_READ_ONLY_(pointer)})
#define BL_PICK_(a, b, c, d, e, f, g, h, count, ...) count
#define BL_COUNT_(...)                               BL_PICK_(__VA_ARGS__, 8, 7, 6, 5, 4, 3, 2, 1, 0)

#endif

#endif
