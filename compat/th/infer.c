/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Extents of broadcast tensors, for extensions that broadcast by themselves.
 */
#include "core.h"

/* The extent of dimension `d` of `rank`, aligned at the last; 1 before the first. */
static long aligned(const long *size, long dims, ptrdiff_t rank, ptrdiff_t d)
{
    const ptrdiff_t own = d - (rank - dims);

    return own < 0 ? 1 : size[own];
}

int THLongStorage_inferSizeN(THLongStorage *output, int n, long **sizes, long *dims,
                             char *error_buffer, int buffer_len)
{
    ptrdiff_t rank = 0;
    THLongStorage *result;

    THArgCheck(n > 0, 2, "n must be greater than 0");
    THArgCheck(sizes != NULL && dims != NULL, 3, "sizes and dims must not be null");
    for (int j = 0; j < n; j++) {
        THArgCheck(sizes[j] != NULL, 3, "size %d must not be null", j);
        THArgCheck(dims[j] > 0, 4, "Can't expand empty tensor %d", j);
        rank = THMax(rank, dims[j]);
    }
    result = THLongStorage_newWithSize(rank);
    for (ptrdiff_t d = 0; d < rank; d++) {
        long extent = 1;
        int from = 0; /* the tensor that it is of */

        for (int j = 0; j < n; j++) {
            const long own = aligned(sizes[j], dims[j], rank, d);

            if (own != 1 && extent != 1 && own != extent) {
                snprintf(error_buffer, (size_t)buffer_len,
                         "The size of tensor %i (%ld) must match the size of tensor %i "
                         "(%ld) at non-singleton dimension %ld.",
                         from, extent, j, own, (long)d);
                THLongStorage_free(result);
                return -1;
            }
            if (own != 1) {
                extent = own;
                from = j;
            }
        }
        result->data[d] = extent;
    }
    THLongStorage_resize(output, rank);
    memcpy(output->data, result->data, sizeof(long) * (size_t)rank);
    THLongStorage_free(result);
    return 0;
}

int THLongStorage_inferSize2(THLongStorage *output, long *sizesA, long dimsA,
                             long *sizesB, long dimsB, char *error_buffer,
                             int buffer_len)
{
    return THLongStorage_inferSizeN(output, 2, (long *[]){sizesA, sizesB},
                                    (long[]){dimsA, dimsB}, error_buffer, buffer_len);
}

int THLongStorage_inferExpandGeometry(long *tensorSizes, long *tensorStrides,
                                      long tensorDim, THLongStorage *sizes,
                                      long **expandedSizes, long **expandedStrides,
                                      char *error_buffer, int buffer_len)
{
    const ptrdiff_t rank = sizes->size, skipped = rank - tensorDim;
    long *const size = THAlloc((ptrdiff_t)sizeof(long) * rank);
    long *const stride = THAlloc((ptrdiff_t)sizeof(long) * rank);

    for (ptrdiff_t d = rank - 1; d >= 0; d--) {
        const bool exists = d >= skipped;
        const long own = exists ? tensorSizes[d - skipped] : 1;
        const long wanted = sizes->data[d] == -1 && exists ? own : sizes->data[d];

        if (wanted < 0 || (wanted != own && own != 1)) {
            if (wanted < 0)
                snprintf(error_buffer, (size_t)buffer_len,
                         "The expanded size of the tensor (%ld) isn't allowed in a "
                         "leading, non-existing dimension %ld.",
                         wanted, (long)d);
            else
                snprintf(error_buffer, (size_t)buffer_len,
                         "The expanded size of the tensor (%ld) must match the "
                         "existing size (%ld) at non-singleton dimension %ld.",
                         wanted, own, (long)d);
            THFree(size);
            THFree(stride);
            return -1;
        }
        size[d] = wanted;
        if (wanted != own)
            stride[d] = 0;
        else if (exists)
            stride[d] = tensorStrides[d - skipped];
        else
            stride[d] = d + 1 < rank ? size[d + 1] * stride[d + 1] : 1;
    }
    *expandedSizes = size;
    *expandedStrides = stride;
    return 0;
}
