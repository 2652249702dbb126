/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loops over all elements of one to three tensors of the same number of elements, in
 * row-major order, whatever their shapes.
 *
 *   TH_TENSOR_APPLY2(float, x, double, y, *x_data = *y_data + 1;)
 *
 * Tensors are given by plain identifiers, as all that the code sees is named after
 * them:
 *
 *   x_data        the element
 *   x_stride      stride of the segment: the trailing dimensions that are fused to one
 *   x_size, x_i   the segment's number of elements, and which of them it is
 *   x_dim         the last dimension that is not in the segment, or -1
 *   x_counter     the segment's index in dimensions 0 to x_dim; NULL without them
 *   x_n           number of elements
 *   x_contiguous  whether there is only one segment
 *
 * `break` leaves the segment.  With a single tensor the loop goes on at the next one;
 * with several, the code must have advanced x_i and x_data of each by the same number
 * of elements, or set TH_TENSOR_APPLY_hasFinished.  Code that calls THError() frees the
 * counters first.  The forms in _D do not fuse dimension DIM with others: *x_dimOffset
 * is the index in it.
 */
#ifndef TH_TENSOR_APPLY_INC
#define TH_TENSOR_APPLY_INC

#include "THGeneral.h"

/* ---- parts of the macros ---- */

/* The name, rank and extents of a tensor, as arguments for an error. */
#define TH_APPLY_NAMED_(T) #T, T->nDimension, T->size

/*
 * Raise the error of `count` tensors whose numel differs; each is a name, a rank and
 * extents.
 */
TH_API void THApplyMismatch_(const char *file, int line, int count, ...);

/*
 * Report a loop of the program over tensors of different shapes, where the broadcast
 * warning is on.  With a NULL `file` its site is the address that this call returns to.
 */
TH_API void THApplyPair_(const char *file, int line, int count, ...);

#ifndef TH_APPLY_REPORT_
#ifdef TH_NO_CALL_SITES
#define TH_APPLY_REPORT_(...) THApplyPair_(NULL, 0, __VA_ARGS__);
#else
#define TH_APPLY_REPORT_(...) THApplyPair_(__FILE__, __LINE__, __VA_ARGS__);
#endif
#endif

/* Whether two shapes are equal. */
static inline int THApplySame_(int rank, const long *size, int other_rank,
                               const long *other_size)
{
    int d;

    if (rank != other_rank)
        return 0;
    for (d = 0; d < rank; d++)
        if (size[d] != other_size[d])
            return 0;
    return 1;
}

#define TH_APPLY_SAME_(T1, T2)                                                         \
    THApplySame_(T1->nDimension, T1->size, T2->nDimension, T2->size)

/* Number of elements. */
static inline long THApplyCount_(int rank, const long *size)
{
    long count = rank > 0;
    int d;

    for (d = 0; d < rank; d++)
        count *= size[d];
    return count;
}

/*
 * Find the segment of a tensor, its trailing dimensions of one stride: `*inner` is its
 * extent, `*step` its stride.  Returns the last dimension outside it, -1 if there is
 * none.  Dimension `keep` is not fused with others.
 */
static inline long THApplySegment_(int rank, const long *size, const long *stride,
                                   int keep, long *inner, long *step)
{
    int kept = 0; /* whether `keep` is in the segment */
    int d = rank - 1;

    *inner = 1;
    *step = 0;
    for (; d >= 0; d--) {
        if (size[d] == 1)
            continue;
        if (*inner != 1 && (kept || d == keep || stride[d] != *inner * *step))
            break;
        if (*inner == 1)
            *step = stride[d];
        *inner *= size[d];
        kept = d == keep;
    }
    return d;
}

/* A counter of zeros for dimensions 0 to `outer`, at least one; free with THFree(). */
static inline long *THApplyCounter_(long outer)
{
    const size_t bytes = sizeof(long) * (size_t)(outer > 0 ? outer + 1 : 1);

    return (long *)memset(THAlloc((ptrdiff_t)bytes), 0, bytes);
}

/*
 * Advance the counter to the next segment, and return the distance of its first element
 * from that of the current one.  Sets `*finished` after the last.
 */
static inline long THApplyNext_(const long *size, const long *stride, long outer,
                                long *counter, int *finished)
{
    long jump = 0, d;

    for (d = outer; d >= 0; d--) {
        jump += stride[d];
        if (++counter[d] < size[d])
            return jump;
        jump -= size[d] * stride[d];
        counter[d] = 0;
    }
    *finished = 1;
    return jump;
}

#define TH_APPLY_DECLARE_(TYPE, T)                                                     \
    TYPE *T##_data = NULL;                                                             \
    long *T##_counter = NULL;                                                          \
    long T##_stride = 0, T##_size = 0, T##_dim = -1, T##_i = 0;                        \
    const long T##_n = THApplyCount_(T->nDimension, T->size);                          \
    int T##_contiguous = 0;                                                            \
    (void)T##_contiguous;

#define TH_APPLY_ENTER_(T, KEEP, ALWAYS)                                               \
    if (T##_n > 0) {                                                                   \
        T##_data = T->storage->data + T->storageOffset;                                \
        T##_dim = THApplySegment_(T->nDimension, T->size, T->stride, KEEP, &T##_size,  \
                                  &T##_stride);                                        \
        T##_contiguous = T##_dim < 0;                                                  \
        if (ALWAYS || T##_dim >= 0)                                                    \
            T##_counter = THApplyCounter_(T##_dim);                                    \
    } else {                                                                           \
        TH_TENSOR_APPLY_hasFinished = 1;                                               \
    }

#define TH_APPLY_ADVANCE_(T)                                                           \
    if (T##_i == T##_size)                                                             \
    TH_APPLY_LEAVE_(T)

#define TH_APPLY_LEAVE_(T)                                                             \
    {                                                                                  \
        T##_data += THApplyNext_(T->size, T->stride, T##_dim, T##_counter,             \
                                 &TH_TENSOR_APPLY_hasFinished) -                       \
                    T##_i * T##_stride;                                                \
        T##_i = 0;                                                                     \
    }

/* Declare T_dimOffset, which points to the current index in dimension DIM. */
#define TH_APPLY_OFFSET_(T, DIM)                                                       \
    long T##_noOffset = 0;                                                             \
    const long *const T##_dimOffset = (DIM) < 0 || (DIM) >= T->nDimension              \
                                          ? &T##_noOffset                              \
                                      : (DIM) <= T##_dim  ? T##_counter + (DIM)        \
                                      : T->size[DIM] == 1 ? &T##_noOffset              \
                                                          : &T##_i;                    \
    (void)T##_dimOffset;

/* ---- the loops ---- */

#define TH_TENSOR_APPLY_D(TYPE, T, DIM, ...)                                           \
    {                                                                                  \
        int TH_TENSOR_APPLY_hasFinished = 0;                                           \
        TH_APPLY_DECLARE_(TYPE, T)                                                     \
        TH_APPLY_ENTER_(T, DIM, 1)                                                     \
        TH_APPLY_OFFSET_(T, DIM)                                                       \
        while (!TH_TENSOR_APPLY_hasFinished) {                                         \
            for (; T##_i < T##_size; T##_i++, T##_data += T##_stride) {                \
                __VA_ARGS__                                                            \
            }                                                                          \
            TH_APPLY_LEAVE_(T)                                                         \
        }                                                                              \
        THFree(T##_counter);                                                           \
    }

#define TH_TENSOR_APPLY2_D(TYPE1, T1, TYPE2, T2, DIM, ...)                             \
    {                                                                                  \
        int TH_TENSOR_APPLY_hasFinished = 0;                                           \
        TH_APPLY_DECLARE_(TYPE1, T1)                                                   \
        TH_APPLY_DECLARE_(TYPE2, T2)                                                   \
        if (T1##_n != T2##_n)                                                          \
            THApplyMismatch_(__FILE__, __LINE__, 2, TH_APPLY_NAMED_(T1),               \
                             TH_APPLY_NAMED_(T2));                                     \
        else if (!TH_APPLY_SAME_(T1, T2)) {                                            \
            TH_APPLY_REPORT_(2, TH_APPLY_NAMED_(T1), TH_APPLY_NAMED_(T2))              \
        }                                                                              \
        TH_APPLY_ENTER_(T1, DIM, 0)                                                    \
        TH_APPLY_ENTER_(T2, DIM, 0)                                                    \
        TH_APPLY_OFFSET_(T1, DIM)                                                      \
        TH_APPLY_OFFSET_(T2, DIM)                                                      \
        while (!TH_TENSOR_APPLY_hasFinished) {                                         \
            for (; T1##_i < T1##_size && T2##_i < T2##_size;                           \
                 T1##_i++, T2##_i++, T1##_data += T1##_stride,                         \
                 T2##_data += T2##_stride) {                                           \
                __VA_ARGS__                                                            \
            }                                                                          \
            TH_APPLY_ADVANCE_(T1)                                                      \
            TH_APPLY_ADVANCE_(T2)                                                      \
        }                                                                              \
        THFree(T1##_counter);                                                          \
        THFree(T2##_counter);                                                          \
    }

#define TH_TENSOR_APPLY3_D(TYPE1, T1, TYPE2, T2, TYPE3, T3, DIM, ...)                  \
    {                                                                                  \
        int TH_TENSOR_APPLY_hasFinished = 0;                                           \
        TH_APPLY_DECLARE_(TYPE1, T1)                                                   \
        TH_APPLY_DECLARE_(TYPE2, T2)                                                   \
        TH_APPLY_DECLARE_(TYPE3, T3)                                                   \
        if (T1##_n != T2##_n || T1##_n != T3##_n)                                      \
            THApplyMismatch_(__FILE__, __LINE__, 3, TH_APPLY_NAMED_(T1),               \
                             TH_APPLY_NAMED_(T2), TH_APPLY_NAMED_(T3));                \
        else if (!TH_APPLY_SAME_(T1, T2) || !TH_APPLY_SAME_(T1, T3)) {                 \
            TH_APPLY_REPORT_(3, TH_APPLY_NAMED_(T1), TH_APPLY_NAMED_(T2),              \
                             TH_APPLY_NAMED_(T3))                                      \
        }                                                                              \
        TH_APPLY_ENTER_(T1, DIM, 0)                                                    \
        TH_APPLY_ENTER_(T2, DIM, 0)                                                    \
        TH_APPLY_ENTER_(T3, DIM, 0)                                                    \
        TH_APPLY_OFFSET_(T1, DIM)                                                      \
        TH_APPLY_OFFSET_(T2, DIM)                                                      \
        TH_APPLY_OFFSET_(T3, DIM)                                                      \
        while (!TH_TENSOR_APPLY_hasFinished) {                                         \
            for (; T1##_i < T1##_size && T2##_i < T2##_size && T3##_i < T3##_size;     \
                 T1##_i++, T2##_i++, T3##_i++, T1##_data += T1##_stride,               \
                 T2##_data += T2##_stride, T3##_data += T3##_stride) {                 \
                __VA_ARGS__                                                            \
            }                                                                          \
            TH_APPLY_ADVANCE_(T1)                                                      \
            TH_APPLY_ADVANCE_(T2)                                                      \
            TH_APPLY_ADVANCE_(T3)                                                      \
        }                                                                              \
        THFree(T1##_counter);                                                          \
        THFree(T2##_counter);                                                          \
        THFree(T3##_counter);                                                          \
    }

#define TH_TENSOR_APPLY(TYPE, T, ...) TH_TENSOR_APPLY_D(TYPE, T, -1, __VA_ARGS__)
#define TH_TENSOR_APPLY2(TYPE1, T1, TYPE2, T2, ...)                                    \
    TH_TENSOR_APPLY2_D(TYPE1, T1, TYPE2, T2, -1, __VA_ARGS__)
#define TH_TENSOR_APPLY3(TYPE1, T1, TYPE2, T2, TYPE3, T3, ...)                         \
    TH_TENSOR_APPLY3_D(TYPE1, T1, TYPE2, T2, TYPE3, T3, -1, __VA_ARGS__)

#endif
