/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions of ops.def's BLOCK operators: of blocks of f32 and f64, of single
 * complex numbers.
 */
#ifndef BLI_MATH_H
#define BLI_MATH_H

#include "isa/divide.h"
#include "isa/math32.h"
#include "isa/math64.h"
#include "isa/math_complex.h"

#endif
