/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loops over the lines along one dimension of one to three tensors that have the same
 * extents in all others.
 *
 *   TH_TENSOR_DIM_APPLY2(float, x, float, y, dimension, code;)
 *
 * The code runs once for each line and sees of each tensor x_data, the line's first
 * element, x_stride, and x_size, the extent along the dimension.  `break` ends the
 * loop. Code that calls THError() frees TH_TENSOR_DIM_APPLY_counter first, the line's
 * index.
 */
#ifndef TH_TENSOR_DIM_APPLY_INC
#define TH_TENSOR_DIM_APPLY_INC

#include "THTensorApply.h"

/*
 * Refuse a dimension that the first of `count` tensors does not have, and others of
 * another rank or other extents.  Each is a name, a rank and extents.
 */
TH_API void THDimApplyCheck_(const char *file, int line, int dim, int count, ...);

/* The distance of a line from the first. */
static inline long THDimApplyOffset_(int rank, const long *counter, const long *stride)
{
    long offset = 0;
    int d;

    for (d = 0; d < rank; d++)
        offset += counter[d] * stride[d];
    return offset;
}

/* Go on to the next line, along the first dimension first; false after the last. */
static inline int THDimApplyNext_(int rank, const long *size, int dim, long *counter)
{
    int d;

    for (d = 0; d < rank; d++) {
        if (d == dim)
            continue;
        if (++counter[d] < size[d])
            return 1;
        counter[d] = 0;
    }
    return 0;
}

#define TH_DIM_APPLY_DECLARE_(TYPE, T)                                                 \
    TYPE *T##_data = NULL;                                                             \
    long T##_stride = 0, T##_size = 0;

#define TH_DIM_APPLY_ENTER_(T, DIM)                                                    \
    T##_data = T->storage->data + T->storageOffset;                                    \
    T##_stride = T->stride[DIM];                                                       \
    T##_size = T->size[DIM];                                                           \
    (void)T##_data;                                                                    \
    (void)T##_stride;                                                                  \
    (void)T##_size;

#define TH_DIM_APPLY_OPEN_(T)                                                          \
    long *const TH_TENSOR_DIM_APPLY_counter = THApplyCounter_(T->nDimension);          \
    int TH_TENSOR_DIM_APPLY_hasFinished = 0;

#define TH_DIM_APPLY_NEXT_(T, DIM)                                                     \
    if (!THDimApplyNext_(T->nDimension, T->size, DIM, TH_TENSOR_DIM_APPLY_counter))    \
        TH_TENSOR_DIM_APPLY_hasFinished = 1;

#define TH_DIM_APPLY_MOVE_(T)                                                          \
    T##_data =                                                                         \
        T->storage->data + T->storageOffset +                                          \
        THDimApplyOffset_(T->nDimension, TH_TENSOR_DIM_APPLY_counter, T->stride);

/* ---- the loops ---- */

#define TH_TENSOR_DIM_APPLY(TYPE, T, DIMENSION, ...)                                   \
    {                                                                                  \
        TH_DIM_APPLY_DECLARE_(TYPE, T)                                                 \
        THDimApplyCheck_(__FILE__, __LINE__, DIMENSION, 1, TH_APPLY_NAMED_(T));        \
        TH_DIM_APPLY_ENTER_(T, DIMENSION)                                              \
        TH_DIM_APPLY_OPEN_(T)                                                          \
        while (!TH_TENSOR_DIM_APPLY_hasFinished) {                                     \
            __VA_ARGS__                                                                \
            TH_DIM_APPLY_NEXT_(T, DIMENSION)                                           \
            TH_DIM_APPLY_MOVE_(T)                                                      \
        }                                                                              \
        THFree(TH_TENSOR_DIM_APPLY_counter);                                           \
    }

#define TH_TENSOR_DIM_APPLY2(TYPE1, T1, TYPE2, T2, DIMENSION, ...)                     \
    {                                                                                  \
        TH_DIM_APPLY_DECLARE_(TYPE1, T1)                                               \
        TH_DIM_APPLY_DECLARE_(TYPE2, T2)                                               \
        THDimApplyCheck_(__FILE__, __LINE__, DIMENSION, 2, TH_APPLY_NAMED_(T1),        \
                         TH_APPLY_NAMED_(T2));                                         \
        TH_DIM_APPLY_ENTER_(T1, DIMENSION)                                             \
        TH_DIM_APPLY_ENTER_(T2, DIMENSION)                                             \
        TH_DIM_APPLY_OPEN_(T1)                                                         \
        while (!TH_TENSOR_DIM_APPLY_hasFinished) {                                     \
            __VA_ARGS__                                                                \
            TH_DIM_APPLY_NEXT_(T1, DIMENSION)                                          \
            TH_DIM_APPLY_MOVE_(T1)                                                     \
            TH_DIM_APPLY_MOVE_(T2)                                                     \
        }                                                                              \
        THFree(TH_TENSOR_DIM_APPLY_counter);                                           \
    }

#define TH_TENSOR_DIM_APPLY3(TYPE1, T1, TYPE2, T2, TYPE3, T3, DIMENSION, ...)          \
    {                                                                                  \
        TH_DIM_APPLY_DECLARE_(TYPE1, T1)                                               \
        TH_DIM_APPLY_DECLARE_(TYPE2, T2)                                               \
        TH_DIM_APPLY_DECLARE_(TYPE3, T3)                                               \
        THDimApplyCheck_(__FILE__, __LINE__, DIMENSION, 3, TH_APPLY_NAMED_(T1),        \
                         TH_APPLY_NAMED_(T2), TH_APPLY_NAMED_(T3));                    \
        TH_DIM_APPLY_ENTER_(T1, DIMENSION)                                             \
        TH_DIM_APPLY_ENTER_(T2, DIMENSION)                                             \
        TH_DIM_APPLY_ENTER_(T3, DIMENSION)                                             \
        TH_DIM_APPLY_OPEN_(T1)                                                         \
        while (!TH_TENSOR_DIM_APPLY_hasFinished) {                                     \
            __VA_ARGS__                                                                \
            TH_DIM_APPLY_NEXT_(T1, DIMENSION)                                          \
            TH_DIM_APPLY_MOVE_(T1)                                                     \
            TH_DIM_APPLY_MOVE_(T2)                                                     \
            TH_DIM_APPLY_MOVE_(T3)                                                     \
        }                                                                              \
        THFree(TH_TENSOR_DIM_APPLY_counter);                                           \
    }

#endif
