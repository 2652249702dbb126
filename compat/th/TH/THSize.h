/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lists of extents.
 */
#ifndef TH_SIZE_INC
#define TH_SIZE_INC

#include "THStorage.h"

/* Whether two lists are the same. */
TH_API int THSize_isSameSizeAs(const long *sizeA, long dimsA, const long *sizeB,
                               long dimsB);

/* Product of the extents; 0 for none at all. */
TH_API ptrdiff_t THSize_nElement(long dims, long *size);

/* "[2 x 3]" */
TH_API THDescBuff THLongStorage_sizeDesc(const THLongStorage *size);

/*
 * A new list of extents of which one may be -1: what is left of `nElement` elements.
 * Others must have as many.
 */
TH_API THLongStorage *THLongStorage_newInferSize(THLongStorage *size,
                                                 ptrdiff_t nElement);

#endif
