/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The forms in which kernels walk their operands, and the choice among them: what the
 * compiled kernels do and what pick.c tells people is decided here, once.
 */
#ifndef BLI_FORM_H
#define BLI_FORM_H

#include "core/core.h"

/* A form is one of these, or the bit 1 << k of the one input k that stands still. */
enum bli_form {
    BLI_FORM_CONTIGUOUS = 0, /* every operand steps by its size */
    BLI_FORM_STRIDED = 1,    /* anything; the result's bit is free for it */
};

/*
 * The form for inner strides `stride` of `operands` operands of `size` bytes: an input
 * that stands still has stride 0 while all other operands are contiguous.  A condition
 * (the first of three inputs) that does, and more than one input, make it strided.
 */
static inline int32_t bli_form(int32_t operands, const int64_t *stride,
                               const int64_t *size)
{
    int32_t form = BLI_FORM_CONTIGUOUS;
    bool is_strided = stride[0] != size[0];

    for (int32_t k = 1; k < operands; k++) {
        const bool is_still = stride[k] == 0 && !(operands == 4 && k == 1);

        is_strided |= is_still ? form != 0 : stride[k] != size[k];
        form |= is_still ? 1 << k : 0;
    }
    return is_strided ? BLI_FORM_STRIDED : form;
}

#endif
