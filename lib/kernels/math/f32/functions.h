/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Mathematical functions of blocks of f32, for every operator of ops.def whose impl is
 * VECTOR (pow: squares.h):
 *
 *   void bli_<name>_f32(float *r, const float *a[, const float *b], int64_t count);
 *
 * r may be exactly a or b. An element's result depends on its arguments alone, and is
 * the same on every instruction set.
 *
 * <name>_first and _last in these headers are two stages for frequent arguments, with
 * _guard and _fix for any argument before and after them; <name>_calm is a fast path in
 * one stage, or the second of two, and _any the same for any argument (loops.h).
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
