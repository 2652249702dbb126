/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels of integer and boolean dtypes.
 */
#include "kernels/integer/divide64.h"
#include "kernels/integer/power.h"

#define BLI_SKIP_INEXACT
#define BLI_TABLE bli_integers
#include "kernels/kernels.h"
