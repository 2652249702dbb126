/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The mathematical functions of doubles without vector functions: an element at a time.
 */
#ifndef BLI_F64_FALLBACK_H
#define BLI_F64_FALLBACK_H

#include <errno.h>
#include <stdint.h>

#include "kernels/bits.h"
#include "kernels/math/f64/scalar.h"

#define BLI_UNARY(name, expression)                                                    \
    static void bli_##name##_f64(double *r, const double *a, int64_t count)            \
    {                                                                                  \
        const int kept = errno;                                                        \
                                                                                       \
        for (int64_t j = 0; j < count; j++)                                            \
            r[j] = bli_##name##_one_f64(a[j]);                                         \
        errno = kept;                                                                  \
    }
#define BLI_BINARY(name, expression)                                                   \
    static void bli_##name##_f64(double *r, const double *a, const double *b,          \
                                 int64_t count)                                        \
    {                                                                                  \
        const int kept = errno;                                                        \
                                                                                       \
        for (int64_t j = 0; j < count; j++)                                            \
            r[j] = bli_##name##_one_f64(a[j], b[j]);                                   \
        errno = kept;                                                                  \
    }
BLI_MATH64_UNARY(BLI_UNARY)
BLI_MATH64_BINARY(BLI_BINARY)
#undef BLI_UNARY
#undef BLI_BINARY

#endif
