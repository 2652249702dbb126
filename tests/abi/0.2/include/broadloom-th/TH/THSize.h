/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lists of extents.
 */
#ifndef TH_SIZE_INC
#define TH_SIZE_INC

#include "THStorage.h"

/* Whether two lists of extents are equal. */
TH_API int THSize_isSameSizeAs(const long *sizeA, long dimsA, const long *sizeB,
                               long dimsB);

/* Product of the extents; 0 for an empty list. */
TH_API ptrdiff_t THSize_nElement(long dims, long *size);

/* "[2 x 3]" */
TH_API THDescBuff THLongStorage_sizeDesc(const THLongStorage *size);

/*
 * A new list of extents, where one of -1 is replaced so that the product is `nElement`.
 * An error where no extent does that.
 */
TH_API THLongStorage *THLongStorage_newInferSize(THLongStorage *size,
                                                 ptrdiff_t nElement);

#endif
