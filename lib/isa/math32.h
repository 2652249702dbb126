/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Mathematics of f32 in blocks, for every operator of ops.def whose way is BLOCK:
 *
 *   void bli_<name>_f32(float *r, const float *a[, const float *b], int64_t count);
 *
 * r may be exactly a or b.  An element's result depends on its arguments alone, and is
 * the same on every instruction set.
 */
#ifndef BLI_MATH32_H
#define BLI_MATH32_H

#include "isa/math32_error.h"
#include "isa/math32_exp.h"
#include "isa/math32_gamma.h"
#include "isa/math32_hyper.h"
#include "isa/math32_inverse.h"
#include "isa/math32_log.h"
#include "isa/math32_log1p.h"
#include "isa/math32_pair.h"
#include "isa/math32_pow.h"
#include "isa/math32_sigmoid.h"
#include "isa/math32_trig.h"

#endif
