/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The access patterns in which kernels step through their operands. What the compiled
 * kernels do and what dispatch.c reports to people are decided here, once.
 */
#ifndef BLI_ACCESS_H
#define BLI_ACCESS_H

#include "core/core.h"

/*
 * An access pattern: the set of stride-0 inputs, bit 1 << k for operand k, or STRIDED.
 */
enum bli_access {
    BLI_ACCESS_CONTIGUOUS = 0, /* every inner stride is the element size */
    BLI_ACCESS_STRIDED = 1,    /* any strides; uses the result's bit, which is free */
};

/*
 * The access pattern of `operands` operands with inner strides `stride`, in bytes, and
 * elements of `size` bytes.
 */
static inline int32_t bli_access(int32_t operands, const int64_t *stride,
                                 const int64_t *size)
{
    int32_t form = BLI_ACCESS_CONTIGUOUS;
    bool is_strided = stride[0] != size[0];

    for (int32_t k = 1; k < operands; k++) {
        form |= stride[k] == 0 ? 1 << k : 0;
        is_strided |= stride[k] != 0 && stride[k] != size[k];
    }
    return is_strided ? BLI_ACCESS_STRIDED : form;
}

#endif
