/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels of integers and truth values.
 */
#include "isa/divide64.h"
#include "isa/power.h"

#define BLI_SKIP_INEXACT
#define BLI_TABLE bli_integers
#include "isa/kernels.h"
