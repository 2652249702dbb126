/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions of VECTOR operators of ops.def: of blocks of f32 and f64, and of single
 * complex numbers.
 */
#ifndef BLI_MATH_H
#define BLI_MATH_H

#include "kernels/math/division.h"
#include "kernels/math/f32/functions.h"
#include "kernels/math/f64/functions.h"
#include "kernels/math/squares.h"
#include "kernels/math/complex/functions.h"

#endif
