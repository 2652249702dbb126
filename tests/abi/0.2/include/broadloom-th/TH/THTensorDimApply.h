/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loops over the lines along one dimension of one to three tensors that have the same
 * extents in all others.
 *
 *   TH_TENSOR_DIM_APPLY2(float, x, float, y, dimension, code;)
 *
 * The code runs once for each line and sees of each tensor x_data, the line's first
 * element, x_stride, and x_size, the extent along the dimension.  `break` ends the
 * loop.  Code that calls THError() frees TH_TENSOR_DIM_APPLY_counter, the line's index,
 * first.
 *
 * TH_TENSOR_DIM_APPLY3 is Torch7's, where the code follows the dimension and has no
 * comma outside parentheses.  With TH_DIM_APPLY_SIZE_CHECK defined it is PyTorch's,
 * where a macro stands between them, CHECK(x, y, z, dimension), which refuses extents
 * instead of the loop: TH_TENSOR_DIM_APPLY3_SIZE_EQ_EXCEPT_DIM, which refuses what the
 * other form does, or one of the program.  Lines are those of the first tensor.
 */
#ifndef TH_TENSOR_DIM_APPLY_INC
#define TH_TENSOR_DIM_APPLY_INC

#include "THTensorApply.h"

/*
 * Raise an error unless the first of `count` tensors has dimension `dim`, and all have
 * its rank and its extents in the other dimensions.  Each is a name, a rank and
 * extents.
 */
TH_API void THDimApplyCheck_(const char *file, int line, int dim, int count, ...);

/*
 * Raise an error unless the first of `count` tensors has dimension `dim`, and all have
 * its rank, whatever their extents.  Each is a name, a rank and extents.
 */
TH_API void THDimApplyCheckRank_(const char *file, int line, int dim, int count, ...);

/* The distance of the line at `counter` from the first line, in elements. */
static inline long THDimApplyOffset_(int rank, const long *counter, const long *stride)
{
    long offset = 0;
    int d;

    for (d = 0; d < rank; d++)
        offset += counter[d] * stride[d];
    return offset;
}

/* Advance to the next line; the first dimension varies fastest.  False after the last.
 */
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

/* A compile error that says `what` unless `holds`. */
#define TH_DIM_APPLY_EXPECT_(what, holds)                                              \
    typedef char what[(holds) ? 1 : -1] __attribute__((unused));

#define TH_DIM_APPLY3_(TYPE1, T1, TYPE2, T2, TYPE3, T3, DIMENSION, CHECK, ...)         \
    {                                                                                  \
        TH_DIM_APPLY_DECLARE_(TYPE1, T1)                                               \
        TH_DIM_APPLY_DECLARE_(TYPE2, T2)                                               \
        TH_DIM_APPLY_DECLARE_(TYPE3, T3)                                               \
        CHECK                                                                          \
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

#define TH_DIM_APPLY_CHECK3_(CHECK, T1, T2, T3, DIMENSION)                             \
    CHECK(__FILE__, __LINE__, DIMENSION, 3, TH_APPLY_NAMED_(T1), TH_APPLY_NAMED_(T2),  \
          TH_APPLY_NAMED_(T3));

#if defined(TH_DIM_APPLY_SIZE_CHECK)

#define TH_TENSOR_DIM_APPLY3_SIZE_EQ_EXCEPT_DIM(T1, T2, T3, DIMENSION)                 \
    TH_DIM_APPLY_CHECK3_(THDimApplyCheck_, T1, T2, T3, DIMENSION)

/* Run the program's check; checks written for PyTorch use the loop variable _i. */
#define TH_DIM_APPLY_CHECKED_(SIZE_CHECK, T1, T2, T3, DIMENSION)                       \
    TH_DIM_APPLY_CHECK3_(THDimApplyCheckRank_, T1, T2, T3, DIMENSION)                  \
    {                                                                                  \
        int TH_TENSOR_DIM_APPLY_i = 0;                                                 \
        (void)TH_TENSOR_DIM_APPLY_i;                                                   \
        SIZE_CHECK(T1, T2, T3, DIMENSION)                                              \
    }

#define TH_TENSOR_DIM_APPLY3(TYPE1, T1, TYPE2, T2, TYPE3, T3, DIMENSION, SIZE_CHECK,   \
                             ...)                                                      \
    {                                                                                  \
        TH_DIM_APPLY_EXPECT_(                                                          \
            TH_DIM_APPLY_SIZE_CHECK_is_defined_but_this_loop_has_no_size_check,        \
            sizeof(#__VA_ARGS__) > 1)                                                  \
        TH_DIM_APPLY3_(TYPE1, T1, TYPE2, T2, TYPE3, T3, DIMENSION,                     \
                       TH_DIM_APPLY_CHECKED_(SIZE_CHECK, T1, T2, T3, DIMENSION),       \
                       __VA_ARGS__)                                                    \
    }

#else

/* The arguments after CODE as a string. */
#define TH_DIM_APPLY_REST_(CODE, ...) #__VA_ARGS__

#define TH_TENSOR_DIM_APPLY3(TYPE1, T1, TYPE2, T2, TYPE3, T3, DIMENSION, ...)          \
    {                                                                                  \
        TH_DIM_APPLY_EXPECT_(                                                          \
            define_TH_DIM_APPLY_SIZE_CHECK_for_loops_with_a_size_check,                \
            sizeof(TH_DIM_APPLY_REST_(__VA_ARGS__, )) == 1)                            \
        TH_DIM_APPLY3_(TYPE1, T1, TYPE2, T2, TYPE3, T3, DIMENSION,                     \
                       TH_DIM_APPLY_CHECK3_(THDimApplyCheck_, T1, T2, T3, DIMENSION),  \
                       __VA_ARGS__)                                                    \
    }

#endif

#endif
