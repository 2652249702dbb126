/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Mathematics of f32 in blocks, for every operator of ops.def whose way is BLOCK:
 *
 *   void bli_<name>_f32(float *r, const float *a[, const float *b], int64_t count);
 *
 * r may be exactly a or b.  An element's result depends on its arguments alone, and is
 * the same on every instruction set.
 */
#ifndef BLI_F32_FUNCTIONS_H
#define BLI_F32_FUNCTIONS_H

#include "kernels/math/f32/error.h"
#include "kernels/math/f32/exp.h"
#include "kernels/math/f32/gamma.h"
#include "kernels/math/f32/hyperbolic.h"
#include "kernels/math/f32/inverse_trig.h"
#include "kernels/math/f32/log.h"
#include "kernels/math/f32/log1p.h"
#include "kernels/math/f32/binary.h"
#include "kernels/math/f32/pow.h"
#include "kernels/math/f32/sigmoid.h"
#include "kernels/math/f32/trig.h"

#endif
