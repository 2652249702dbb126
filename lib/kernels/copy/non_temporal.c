/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The address that asks kernels for non-temporal stores.
 */
#include "kernels/kernel.h"

const char bli_nt_stores = 1;
