/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Template: the functions that find the largest or smallest numbers.
 *
 *   BLI_REDUCE_OP   max or min; undefined at the end
 */
#define BLI_JOIN(a, b)       PASTE(BLI_EXTREME_, BLI_L)(BLI_REDUCE_OP, a, b)
#define BLI_SMALL_JOIN(a, b) PASTE(BLI_PICK_, BLI_REDUCE_OP)(a, b)
#define BLI_ORDER            ORDER_GROUPS
#define BLI_REPEATS          0
#define BLI_L                f64
#include "kernels/reduce/lanes.tmpl.h"
#define BLI_T f64
#include "kernels/reduce/reducer.tmpl.h"
#undef BLI_L
#define BLI_L f32
#include "kernels/reduce/lanes.tmpl.h"
#define BLI_T f32
#include "kernels/reduce/reducer.tmpl.h"
#if BLI_WIDENS_HALVES
#define BLI_T f16
#include "kernels/reduce/reducer.tmpl.h"
#define BLI_T bf16
#include "kernels/reduce/reducer.tmpl.h"
#endif
#undef BLI_L
#undef BLI_ORDER
#undef BLI_REPEATS
/* Several at once where they are not one instruction. */
#if BLI_REGISTER == 16
#define BLI_ORDER ORDER_GROUPS
#else
#define BLI_ORDER ORDER_FREE
#endif
#define BLI_REPEATS 1
#define BLI_L       u8
#include "kernels/reduce/lanes.tmpl.h"
#define BLI_T u8
#include "kernels/reduce/reducer.tmpl.h"
#undef BLI_L
#define BLI_L i8
#include "kernels/reduce/lanes.tmpl.h"
#define BLI_T i8
#include "kernels/reduce/reducer.tmpl.h"
#undef BLI_L
#define BLI_L u16
#include "kernels/reduce/lanes.tmpl.h"
#define BLI_T u16
#include "kernels/reduce/reducer.tmpl.h"
#undef BLI_L
#define BLI_L i16
#include "kernels/reduce/lanes.tmpl.h"
#define BLI_T i16
#include "kernels/reduce/reducer.tmpl.h"
#undef BLI_L
#define BLI_L u32
#include "kernels/reduce/lanes.tmpl.h"
#define BLI_T u32
#include "kernels/reduce/reducer.tmpl.h"
#undef BLI_L
#define BLI_L i32
#include "kernels/reduce/lanes.tmpl.h"
#define BLI_T i32
#include "kernels/reduce/reducer.tmpl.h"
#undef BLI_L
#undef BLI_ORDER
/* Not one instruction everywhere. */
#define BLI_ORDER ORDER_GROUPS
#define BLI_L     u64
#include "kernels/reduce/lanes.tmpl.h"
#define BLI_T u64
#include "kernels/reduce/reducer.tmpl.h"
#undef BLI_L
#define BLI_L i64
#include "kernels/reduce/lanes.tmpl.h"
#define BLI_T i64
#include "kernels/reduce/reducer.tmpl.h"
#undef BLI_L
#undef BLI_ORDER
#undef BLI_REPEATS
#undef BLI_JOIN
#undef BLI_SMALL_JOIN
#undef BLI_REDUCE_OP
