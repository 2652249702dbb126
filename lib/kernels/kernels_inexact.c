/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels of floating-point and complex dtypes.
 */
#include "config.h"

#include "kernels/math/math.h"

#define BLI_SKIP_INTEGERS
#define BLI_TABLE bli_inexact
#include "kernels/kernels.h"
