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

/*
 * Extents to which tensors broadcast.  0, or -1 after writing a text of at most
 * buffer_len bytes: the tensors' extents, `output` is unchanged then.
 */
TH_API int THLongStorage_inferSize2(THLongStorage *output, long *sizesA, long dimsA,
                                    long *sizesB, long dimsB, char *error_buffer,
                                    int buffer_len);
TH_API int THLongStorage_inferSizeN(THLongStorage *output, int n, long **sizes,
                                    long *dims, char *error_buffer, int buffer_len);

/*
 * Extents and strides of a tensor that is expanded to `sizes`, in which -1 keeps an
 * extent: two new lists, for THFree().  0, or -1 after writing a text; nothing is made
 * then.
 */
TH_API int THLongStorage_inferExpandGeometry(long *tensorSizes, long *tensorStrides,
                                             long tensorDim, THLongStorage *sizes,
                                             long **expandedSizes,
                                             long **expandedStrides, char *error_buffer,
                                             int buffer_len);

#endif
