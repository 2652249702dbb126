/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Plain C arrays as operands, in one expression and without a cast:
 *
 *     bl_add_out(NULL, BL_VIEW(c, n, m), BL_VIEW(a, n, m), BL_VIEW(b, m));
 *
 * Each macro gives a `const bl_array *`, a view of the caller's memory, which is
 * neither copied nor kept.  The view lives until the end of the block that it is
 * written in.  Its dtype is that of what the pointer points to.  Memory behind a
 * pointer to const is BL_ARRAY_READ_ONLY: a call that would write it is refused with
 * BL_ERR_ARGUMENT.  A pointer to a type that is no dtype does not compile.  Pointers,
 * extents and strides are evaluated once.
 *
 * For C11; C++ has no _Generic, and the macros are not defined there.
 */
#ifndef BROADLOOM_DESCRIBE_H
#define BROADLOOM_DESCRIBE_H

#include <broadloom/tensor.h>

#ifndef __cplusplus

/* The dtype of what a pointer points to; an integer type by its size and sign. */
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
 * A view of compact row-major memory, of any rank from 1 on: BL_VIEW(pointer,
 * extents...).
 */
#define BL_VIEW(pointer, ...)                                                          \
    BL_DESCRIBE_(pointer, BL_DTYPE_OF(pointer), BL_COUNT_(__VA_ARGS__),                \
                 BL_LIST(__VA_ARGS__), NULL)

/*
 * A view of memory with strides, which count elements: BL_STRIDED_VIEW(pointer, rank,
 * BL_LIST(extents...), BL_LIST(strides...)).
 */
#define BL_STRIDED_VIEW(pointer, rank, extents, strides)                               \
    BL_DESCRIBE_(pointer, BL_DTYPE_OF(pointer), rank, extents, strides)

/*
 * A view of memory with strides in bytes: BL_BYTE_STRIDED_VIEW(pointer, rank,
 * BL_LIST(extents...), BL_LIST(strides...)).
 */
#define BL_BYTE_STRIDED_VIEW(pointer, rank, extents, strides)                          \
    BL_DESCRIBE_WITH_(pointer, BL_DTYPE_OF(pointer), rank, extents, strides,           \
                      BL_ARRAY_BYTE_STRIDES)

/*
 * A view of one member of `count` structs one after another: with struct particle
 * { double x; float y; } p[100], BL_FIELD_VIEW(p, 100, y) is f32[100].  Read-only where
 * the structs are const.
 */
#define BL_FIELD_VIEW(structs, count, member)                                          \
    BL_BYTE_STRIDED_VIEW(&(structs)->member, 1, BL_LIST(count),                        \
                         BL_LIST((int64_t)sizeof *(structs)))

/*
 * A view of compact memory of a dtype that C has no type for, as BL_DTYPE_F16 in
 * uint16_t: BL_VIEW_AS(dtype, pointer, extents...).
 */
#define BL_VIEW_AS(dtype, pointer, ...)                                                \
    BL_DESCRIBE_(pointer, dtype, BL_COUNT_(__VA_ARGS__), BL_LIST(__VA_ARGS__), NULL)

/* A list of extents or strides, for BL_STRIDED_VIEW. */
#define BL_LIST(...) ((const int64_t[]){__VA_ARGS__})

/* ---- parts of the macros above; not part of the interface ---- */

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

/* A conditional of a pointer and a void pointer is const where either is. */
#define BL_READ_ONLY_(pointer)                                                         \
    _Generic(1 ? (pointer) : (void *)(uintptr_t)(pointer),                             \
        const void *: BL_ARRAY_READ_ONLY,                                              \
        void *: 0)
#define BL_DESCRIBE_(pointer, dtype, rank, extents, strides)                           \
    BL_DESCRIBE_WITH_(pointer, dtype, rank, extents, strides, 0)
#define BL_DESCRIBE_WITH_(pointer, dtype, rank, extents, strides, flags)               \
    (&(const bl_array){(void *)(uintptr_t)(pointer), (dtype), (rank), (extents),       \
                       (strides), BL_READ_ONLY_(pointer) | (flags)})
#define BL_COUNT_(...)                                                                 \
    ((int32_t)(sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t)))

#endif

#endif
