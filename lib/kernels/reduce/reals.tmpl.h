/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Template: the functions of a sum or product of real numbers in f64.
 */
#define BLI_ORDER ORDER_TREE
#define BLI_L     f64
#include "kernels/reduce/lanes.tmpl.h"
#undef BLI_HAS_EIGHT
#define BLI_HAS_EIGHT (BLI_HAS_FEW && BLI_HAS_BESIDE)
#define BLI_T         f32
#include "kernels/reduce/reducer.tmpl.h"
#define BLI_T f64
#include "kernels/reduce/reducer.tmpl.h"
#undef BLI_HAS_EIGHT
#define BLI_HAS_EIGHT 0
#if BLI_WIDENS_HALVES
#define BLI_T f16
#include "kernels/reduce/reducer.tmpl.h"
#undef BLI_HAS_PAIRS
#define BLI_HAS_PAIRS (BLI_REGISTER == 32)
#define BLI_T         bf16
#include "kernels/reduce/reducer.tmpl.h"
#endif
#undef BLI_HAS_PAIRS
#define BLI_HAS_PAIRS 0
#undef BLI_L
#undef BLI_ORDER
