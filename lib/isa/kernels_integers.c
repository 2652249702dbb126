/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels of integers and truth values.
 */
#define BLI_SKIP_INEXACT
#define BLI_TABLE bli_integers
#include "isa/kernels.h"
