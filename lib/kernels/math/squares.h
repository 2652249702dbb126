/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pow of blocks of f32 and f64.
 */
#ifndef BLI_SQUARES_H
#define BLI_SQUARES_H

#include "kernels/math/f32/functions.h"
#include "kernels/math/f64/functions.h"

/*
 * Elements that are tested together: few, as one exponent 2 among others costs the
 * squares of its piece. With pieces as long as rows pow of 1M f32 takes 1.2 times as
 * long, as one exponent in a million is 2 by chance.
 */
enum { BLI_SQUARES_PIECE = 256 };

#define BLI_SQUARES_REAL       float
#define BLI_SQUARES_COUNT      int32_t
#define BLI_SQUARES_TWO        UINT32_C(0x40000000)
#define BLI_SQUARES_BITS(x)    bli_bits_of_f32(x)
#define BLI_SQUARES_CHOOSE     bli_choose_f32
#define BLI_SQUARES_NAME(name) bli_##name##_f32
#include "kernels/math/squares.tmpl.h"

#define BLI_SQUARES_REAL       double
#define BLI_SQUARES_COUNT      int64_t
#define BLI_SQUARES_TWO        UINT64_C(0x4000000000000000)
#define BLI_SQUARES_BITS(x)    bli_bits_of_f64(x)
#define BLI_SQUARES_CHOOSE     bli_choose_f64
#define BLI_SQUARES_NAME(name) bli_##name##_f64
#include "kernels/math/squares.tmpl.h"

#endif
