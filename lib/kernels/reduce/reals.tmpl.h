/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Template: the functions of a sum or product of real numbers in f64.
 */
#define BLI_ORDER ORDER_TREE
#define BLI_L     f64
#include "kernels/reduce/lanes.tmpl.h"
#define BLI_T f32
#include "kernels/reduce/reducer.tmpl.h"
#define BLI_T f64
#include "kernels/reduce/reducer.tmpl.h"
#if BLI_WIDENS_HALVES
#define BLI_T f16
#include "kernels/reduce/reducer.tmpl.h"
#define BLI_T bf16
#include "kernels/reduce/reducer.tmpl.h"
#endif
#undef BLI_L
#undef BLI_ORDER
