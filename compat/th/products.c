/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Products of matrices and vectors, for tensors of each type.
 */
#include "core.h"

/* A matrix in memory, of elements of any type; steps are in elements. */
struct matrix {
    void *data;
    long size[2], step[2];
};

/* The matrix of two dimensions of a tensor, from its element at `data`. */
#define MATRIX(t, data, row, column)                                                   \
    ((struct matrix){(data),                                                           \
                     {(t)->size[row], (t)->size[column]},                              \
                     {(t)->stride[row], (t)->stride[column]}})

/* The matrix of one column that a vector is. */
#define COLUMN(t, data)                                                                \
    ((struct matrix){(data), {(t)->size[0], 1}, {(t)->stride[0], 0}})

static struct matrix transposed(struct matrix a)
{
    return (struct matrix){a.data, {a.size[1], a.size[0]}, {a.step[1], a.step[0]}};
}

/*
 * The distance between the columns, as a BLAS takes it, of a matrix whose columns are
 * contiguous; 0 where they are not, or overlap.
 */
static long leading(struct matrix a)
{
    if (a.size[0] != 1 && a.step[0] != 1)
        return 0;
    if (a.size[1] == 1)
        return a.size[0];
    return a.step[1] >= a.size[0] ? a.step[1] : 0;
}

/* The text of a shape, in an error. */
#define TH_SHAPE(t) THTensor_(sizeDesc)(t).str

#define TH_GENERIC_FILE "generic/give.tmpl.h"
#include "TH/THGenerateAllTypes.h"

#define TH_GENERIC_FILE "generic/products.tmpl.h"
#include "TH/THGenerateAllTypes.h"

#define TH_GENERIC_FILE "generic/match.tmpl.h"
#include "TH/THGenerateAllTypes.h"
