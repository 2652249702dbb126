/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lists of extents: comparison, numel, text, the extent that is left to be inferred.
 */
#include "core.h"

int THSize_isSameSizeAs(const long *sizeA, long dimsA, const long *sizeB, long dimsB)
{
    if (dimsA != dimsB)
        return 0;
    for (long d = 0; d < dimsA; d++)
        if (sizeA[d] != sizeB[d])
            return 0;
    return 1;
}

ptrdiff_t THSize_nElement(long dims, long *size)
{
    return THApplyCount_((int)dims, size);
}

THDescBuff _THSizeDesc(const long *size, const long ndim)
{
    THDescBuff text;

    th_describe((int)ndim, size, " x ", text.str, sizeof text.str);
    return text;
}

THDescBuff THLongStorage_sizeDesc(const THLongStorage *size)
{
    return _THSizeDesc(size->data, size->size);
}

/*
 * The product of all extents except one of -1, whose index is `*unknown` (-1 if there
 * is none).  An error for more than one.
 */
static ptrdiff_t multiply_known(const THLongStorage *size, ptrdiff_t *unknown)
{
    ptrdiff_t product = size->size > 0;

    *unknown = -1;
    for (ptrdiff_t d = 0; d < size->size; d++) {
        if (size->data[d] != -1) {
            product *= size->data[d];
            continue;
        }
        THArgCheck(*unknown == -1, 1, "only one dimension can be inferred");
        *unknown = d;
    }
    return product;
}

THLongStorage *THLongStorage_newInferSize(THLongStorage *size, ptrdiff_t nElement)
{
    ptrdiff_t unknown;
    const ptrdiff_t product = multiply_known(size, &unknown);
    THLongStorage *known;

    THArgCheck(unknown < 0 ? nElement == product
                           : product > 0 && nElement % product == 0,
               2, "size '%s' is invalid for input with %td elements",
               THLongStorage_sizeDesc(size).str, nElement);
    known = THLongStorage_newWithSize(size->size);
    THLongStorage_copy(known, size);
    if (unknown >= 0)
        known->data[unknown] = (long)(nElement / product);
    return known;
}
