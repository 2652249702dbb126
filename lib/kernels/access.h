/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The forms in which kernels walk their operands: what the compiled kernels do and what
 * pick.c tells people is decided here, once.
 */
#ifndef BLI_ACCESS_H
#define BLI_ACCESS_H

#include "core/core.h"

/* A form is a set of inputs that stand still, bit 1 << k for operand k, or STRIDED. */
enum bli_access {
    BLI_ACCESS_CONTIGUOUS = 0, /* every operand steps by its size */
    BLI_ACCESS_STRIDED = 1,    /* anything; the result's bit is free for it */
};

/* The form for inner strides `stride` of `operands` operands of `size` bytes. */
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
