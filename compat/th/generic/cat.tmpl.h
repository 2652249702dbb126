/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tensors of one type joined along a dimension, and elements by their number.
 */

#include "generic/wide.tmpl.h"

/* The extent of a dimension, 1 beyond the last. */
static long THTensor_(extent)(const THTensor *t, int dim)
{
    return dim < t->nDimension ? t->size[dim] : 1;
}

/* Add a tensor, joined along `dim`, to the extents; an error where others differ. */
static bool THTensor_(joinExtents)(THLongStorage *size, const THTensor *first,
                                   const THTensor *t, int dim)
{
    for (int d = 0; d < size->size; d++) {
        if (d == dim) {
            size->data[d] += THTensor_(extent)(t, d);
        } else if (THTensor_(extent)(t, d) != THTensor_(extent)(first, d)) {
            THLongStorage_free(size);
            THError("inconsistent tensor sizes: %s and %s along dimension %d",
                    THTensor_(sizeDesc)(first).str, THTensor_(sizeDesc)(t).str,
                    dim + TH_INDEX_BASE);
            return false;
        } else {
            size->data[d] = THTensor_(extent)(t, d);
        }
    }
    return true;
}

/* Copy a tensor to the part of the result that begins at `offset` along `dim`. */
static void THTensor_(placePart)(THTensor *result, THTensor *t, int dim, long offset)
{
    THTensor *const part =
        THTensor_(newNarrow)(result, dim, offset, THTensor_(extent)(t, dim));
    THTensor *const view = THTensor_(newWithTensor)(t);

    for (int d = t->nDimension; d < result->nDimension; d++)
        THTensor_(unsqueeze1d)(view, view, d);
    THTensor_(copy)(part, view);
    THTensor_(free)(view);
    THTensor_(free)(part);
}

void THTensor_(catArray)(THTensor *result, THTensor **inputs, int numInputs,
                         int dimension)
{
    const THTensor *first = NULL;
    THTensor *joined;
    THLongStorage *size;
    int rank = 0;
    long offset = 0;

    THArgCheck(numInputs > 0, 3, "invalid number of inputs %d", numInputs);
    for (int i = 0; i < numInputs; i++) {
        rank = THMax(rank, inputs[i]->nDimension);
        if (!first && inputs[i]->nDimension > 0)
            first = inputs[i];
    }
    if (dimension == -2) /* what Torch7 passes for its -1 */
        dimension = THMax(rank - 1, 0);
    THArgCheck(dimension >= 0, 4, "invalid dimension %d", dimension + TH_INDEX_BASE);
    size = THLongStorage_newWithSize(THMax(rank, dimension + 1));
    THLongStorage_fill(size, 0);
    for (int i = 0; i < numInputs; i++)
        if (inputs[i]->nDimension > 0 &&
            !THTensor_(joinExtents)(size, first, inputs[i], dimension))
            return;
    joined = THTensor_(new)();
    if (first)
        THTensor_(resize)(joined, size, NULL);
    THLongStorage_free(size);
    for (int i = 0; i < numInputs; i++) {
        if (inputs[i]->nDimension == 0)
            continue;
        THTensor_(placePart)(joined, inputs[i], dimension, offset);
        offset += THTensor_(extent)(inputs[i], dimension);
    }
    THTensor_(give)(joined, result);
}

void THTensor_(cat)(THTensor *r_, THTensor *ta, THTensor *tb, int dimension)
{
    THTensor_(catArray)(r_, (THTensor *[]){ta, tb}, 2, dimension);
}

/* ---- elements by their number in logical order ---- */

/* The indices as numbers from 0 on, contiguous, to be freed; NULL after an error. */
static THLongTensor *THTensor_(newNumbers)(THTensor *t, THLongTensor *index, int base)
{
    const ptrdiff_t count = THTensor_(nElement)(t);
    THLongTensor *const numbers = THLongTensor_newClone(index);

    for (ptrdiff_t i = 0; i < THLongTensor_nElement(numbers); i++) {
        long *const number = TH_DATA(numbers) + i;

        if (*number < base || *number - base >= count) {
            const long bad = *number;

            THLongTensor_free(numbers);
            THError("out of range: %ld out of %ld", bad, (long)count);
            return NULL;
        }
        *number -= base;
    }
    return numbers;
}

void THTensor_(takeFrom)(THTensor *tensor, THTensor *src, THLongTensor *index, int base)
{
    THLongTensor *const numbers = THTensor_(newNumbers)(src, index, base);
    THTensor *list, *found;

    if (!numbers)
        return;
    list = THTensor_(newContiguous)(src);
    found = THTensor_(new)();
    THTensor_(resizeNd)(found, index->nDimension, index->size, NULL);
    for (ptrdiff_t i = 0; i < THLongTensor_nElement(numbers); i++)
        TH_DATA(found)[i] = TH_DATA(list)[TH_DATA(numbers)[i]];
    THTensor_(carry)(found, 1, &src);
    THTensor_(free)(list);
    THLongTensor_free(numbers);
    THTensor_(give)(found, tensor);
}

void THTensor_(putFrom)(THTensor *tensor, THLongTensor *index, THTensor *src,
                        int accumulate, int base)
{
    THLongTensor *numbers;
    THTensor *values, *list;

    THArgCheck(THLongTensor_nElement(index) == THTensor_(nElement)(src), 3,
               "src should have the same number of elements as index");
    numbers = THTensor_(newNumbers)(tensor, index, base);
    if (!numbers)
        return;
    values = THTensor_(newContiguous)(src);
    list = THTensor_(newClone)(tensor);
    for (ptrdiff_t i = 0; i < THLongTensor_nElement(numbers); i++) {
        real *const to = TH_DATA(list) + TH_DATA(numbers)[i];
        const real from = TH_DATA(values)[i];

        *to = accumulate ? (real)((TH_WIDE)*to + (TH_WIDE)from) : from;
    }
    THTensor_(carry)(list, 2, (THTensor *[]){list, values});
    THTensor_(free)(values);
    THLongTensor_free(numbers);
    THTensor_(freeCopyTo)(list, tensor);
}
