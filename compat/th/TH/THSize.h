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

#endif
