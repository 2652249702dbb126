/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Template: the functions of one operation that read numbers of one type, members of
 * struct bli_reducer.
 *
 *   BLI_T            the name of the numbers in memory
 *   BLI_L            the name of the numbers in lanes
 *   BLI_REDUCE_OP    the operation's name
 *   BLI_JOIN(a, b)   the operation on vectors of lanes
 *   BLI_TAKE(a, b)   the same on lanes and numbers, where many do not wait for each
 *                    other
 *   BLI_ADDS_ALONE   whether BLI_TAKE is BLI_JOIN where it might be another one
 *   BLI_CHAINS       registers of lanes that rows are reduced in at once
 *   BLI_FIRST(v)     the operation on the identity and v
 *   BLI_ORDER        which orders give the same bits: ORDER_TREE, none but the tree;
 *                    ORDER_GROUPS, any grouping, as of the last NaN, or the first of
 *                    the largest; ORDER_FREE, any order
 *   BLI_REPEATS      whether numbers may be joined twice
 *   BLI_IS_NEUTRAL   whether the identity may be joined to any lane
 *   BLI_HAS_ROWS     whether to define the functions for rows
 *   BLI_HAS_BESIDE   whether to define those for rows side by side
 *   BLI_HAS_PAIRS    whether rows of bf16 are read by pairs
 *   BLI_HAS_EIGHT    whether to define the function for columns of eight rows at once
 *
 * BLI_T is undefined at the end.
 */
#define NAME(of)     PASTE4(of, BLI_REDUCE_OP, _, BLI_T)
#define number       PASTE(number_, BLI_T)
#define lane_number  PASTE(number_, BLI_L)
#define vector       PASTE(lanes_, BLI_L)
#define any_vector   PASTE(any_lanes_, BLI_L)
#define LOAD(x)      ((vector)PASTE4(load_, BLI_T, _, BLI_L)(x))
#define PER_BLOCK    ((int64_t)(BLI_REDUCE_LANES / sizeof(lane_number)))
#define PER_REGISTER ((int64_t)(BLI_REGISTER / sizeof(lane_number)))
#define PER_LINE     (BLI_ALIGNMENT / (int64_t)sizeof(number))

#if BLI_HAS_ROWS
#include "kernels/reduce/rows.tmpl.h"
#endif

#include "kernels/reduce/columns.tmpl.h"
#include "kernels/reduce/columns_in_registers.tmpl.h"
#include "kernels/reduce/beside.tmpl.h"

#undef NAME
#undef number
#undef lane_number
#undef vector
#undef any_vector
#undef LOAD
#undef PER_BLOCK
#undef PER_REGISTER
#undef PER_LINE
#undef BLI_T
