/* SPDX-License-Identifier: BSD-3-Clause */
/* For the samples of TH: tensors of numbers, and their elements as text. */
#ifndef TH_SHOW_H
#define TH_SHOW_H

#include <TH/TH.h>
#include <stdio.h>

/* A new tensor of `rows` times `columns` numbers from `first` on; of rank 1 if columns
 * is 0. */
#define DEFINE_NUMBERS(Type, real)                                                     \
    static inline TH##Type##Tensor *numbers##Type(long rows, long columns, real first) \
    {                                                                                  \
        TH##Type##Tensor *const t =                                                    \
            TH##Type##Tensor_newWithSize1d(columns > 0 ? rows * columns : rows);       \
                                                                                       \
        for (long k = 0; k < t->size[0]; k++)                                          \
            TH##Type##Tensor_set1d(t, k, (real)(first + (real)(k * k)));               \
        if (columns > 0)                                                               \
            TH##Type##Tensor_resize2d(t, rows, columns);                               \
        return t;                                                                      \
    }                                                                                  \
                                                                                       \
    static inline void show##Type(const char *name, TH##Type##Tensor *t)               \
    {                                                                                  \
        TH##Type##Tensor *const dense = TH##Type##Tensor_newContiguous(t);             \
        const real *const data = TH##Type##Tensor_data(dense);                         \
                                                                                       \
        printf("%s (", name);                                                          \
        for (int d = 0; d < t->nDimension; d++)                                        \
            printf("%s%ld", d > 0 ? "," : "", t->size[d]);                             \
        printf("):");                                                                  \
        for (long k = 0; k < TH##Type##Tensor_nElement(t); k++)                        \
            printf(" %g", (double)data[k]);                                            \
        printf("\n");                                                                  \
        TH##Type##Tensor_free(dense);                                                  \
    }

DEFINE_NUMBERS(Float, float)
DEFINE_NUMBERS(Double, double)
DEFINE_NUMBERS(Byte, unsigned char)

#endif
