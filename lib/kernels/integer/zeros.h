/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A search for zero elements.
 */
#ifndef BLI_ZEROS_H
#define BLI_ZEROS_H

#include "kernels/bits.h"

#define BLI_ZEROS_TYPE uint8_t
#define BLI_ZEROS_NAME has_zero_1
#include "kernels/integer/zeros.tmpl.h"
#define BLI_ZEROS_TYPE uint16_t
#define BLI_ZEROS_NAME has_zero_2
#include "kernels/integer/zeros.tmpl.h"
#define BLI_ZEROS_TYPE uint32_t
#define BLI_ZEROS_NAME has_zero_4
#include "kernels/integer/zeros.tmpl.h"
#define BLI_ZEROS_TYPE uint64_t
#define BLI_ZEROS_NAME has_zero_8
#include "kernels/integer/zeros.tmpl.h"

/* Whether any of `count` contiguous elements of `size` bytes, 1, 2, 4 or 8, is 0. */
static bool bli_has_zero(const char *data, int64_t size, int64_t count)
{
    const void *const x = data;

    return size == 1   ? has_zero_1(x, count)
           : size == 2 ? has_zero_2(x, count)
           : size == 4 ? has_zero_4(x, count)
                       : has_zero_8(x, count);
}

#endif
