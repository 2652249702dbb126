/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Template: the reducers of one dtype.
 *
 *   BLI_T, BLI_KIND   the dtype's name and kind (dtypes.def); undefined at the end
 *
 * Sums and products of integers are in reducer_integer.tmpl.h. For each of the other
 * operations this includes reducer.tmpl.h with
 *
 *   BLI_REDUCE_OP     the operation's name
 *   BLI_LANE          the C type of the numbers in lanes
 *   BLI_PARTS         numbers in an element
 *   BLI_IDENTITY      of the first number of an element; the second one starts with 0
 *   BLI_VALUE(x)      a register of numbers as they are in memory, before widening
 *   BLI_LOAD(x)       a register of lanes from the numbers at x, where that is faster
 *   BLI_JOIN(a, b)    the operation on registers of lanes
 *   BLI_TAKE(r, b)    the operation on one element: the numbers r[] accumulate b[]
 *   BLI_IS_NEUTRAL    whether the identity may be combined with any lane: a complex 1
 *                     times an infinity is NaN
 *   BLI_ASSOCIATES    whether grouping never changes the bits: true of the last NaN, or
 *                     the first of the largest, false of a sum
 */
#if PASTE(KIND_, BLI_KIND) == KIND_BOOL

#define BLI_REDUCE_OP sum
#define BLI_IDENTITY  0
#define BLI_VALUE     BLI_TRUTH
#define BLI_JOIN      BLI_PLUS
#define BLI_REDUCTION +
#define BLI_SUM       int32_t
#include "kernels/reduce/reducer_integer.tmpl.h"
#define BLI_REDUCE_OP  any
#define BLI_LANE       uint8_t
#define BLI_PARTS      1
#define BLI_IDENTITY   0
#define BLI_VALUE      BLI_TRUTH
#define BLI_JOIN       BLI_OR
#define BLI_TAKE       BLI_TAKE_OR
#define BLI_ASSOCIATES 1
#define BLI_IS_NEUTRAL 1
#include "kernels/reduce/reducer.tmpl.h"
#define BLI_REDUCE_OP  all
#define BLI_LANE       uint8_t
#define BLI_PARTS      1
#define BLI_IDENTITY   1
#define BLI_VALUE      BLI_TRUTH
#define BLI_JOIN       BLI_AND
#define BLI_TAKE       BLI_TAKE_AND
#define BLI_ASSOCIATES 1
#define BLI_IS_NEUTRAL 1
#include "kernels/reduce/reducer.tmpl.h"

#elif PASTE(KIND_, BLI_KIND) == KIND_INT || PASTE(KIND_, BLI_KIND) == KIND_REAL ||     \
    (PASTE(KIND_, BLI_KIND) == KIND_HALF && BLI_WIDENS_HALVES)

/* An element as a real number, and the type in which the largest is found. */
#if PASTE(KIND_, BLI_KIND) == KIND_HALF
#define BLI_ELEMENT PASTE(bli_f32_of_, BLI_T)
#define BLI_CHOSEN  float
#else
#define BLI_ELEMENT BLI_WHOLE
#define BLI_CHOSEN  PASTE(number_, BLI_T)
#endif
#if PASTE(KIND_, BLI_KIND) == KIND_INT
#define BLI_REDUCE_OP sum
#define BLI_IDENTITY  0
#define BLI_VALUE     BLI_WHOLE
#define BLI_JOIN      BLI_PLUS
#define BLI_REDUCTION +
#define BLI_SUM       PASTE(sum_of_, BLI_T)
#include "kernels/reduce/reducer_integer.tmpl.h"
#define BLI_REDUCE_OP prod
#define BLI_IDENTITY  1
#define BLI_VALUE     BLI_WHOLE
#define BLI_JOIN      BLI_TIMES
#define BLI_REDUCTION *
#define BLI_SUM       int64_t
#include "kernels/reduce/reducer_integer.tmpl.h"
#else
#define BLI_REDUCE_OP  sum
#define BLI_LANE       double
#define BLI_LOAD       PASTE(load_, BLI_T)
#define BLI_PARTS      1
#define BLI_IDENTITY   0
#define BLI_VALUE      BLI_ELEMENT
#define BLI_JOIN       BLI_PLUS
#define BLI_TAKE       BLI_TAKE_PLUS
#define BLI_ASSOCIATES 0
#define BLI_IS_NEUTRAL 1
#include "kernels/reduce/reducer.tmpl.h"
#define BLI_REDUCE_OP  prod
#define BLI_LANE       double
#define BLI_LOAD       PASTE(load_, BLI_T)
#define BLI_PARTS      1
#define BLI_IDENTITY   1
#define BLI_VALUE      BLI_ELEMENT
#define BLI_JOIN       BLI_TIMES
#define BLI_TAKE       BLI_TAKE_TIMES
#define BLI_ASSOCIATES 0
#define BLI_IS_NEUTRAL 1
#include "kernels/reduce/reducer.tmpl.h"
#endif
#define BLI_REDUCE_OP  max
#define BLI_LANE       BLI_CHOSEN
#define BLI_PARTS      1
#define BLI_IDENTITY   PASTE(LOWEST_, BLI_T)
#define BLI_VALUE      BLI_ELEMENT
#define BLI_JOIN       BLI_LARGER
#define BLI_TAKE       BLI_TAKE_LARGER
#define BLI_ASSOCIATES 1
#define BLI_IS_NEUTRAL 1
#if PASTE(KIND_, BLI_KIND) == KIND_HALF
#define BLI_LOAD PASTE(load_singles_, BLI_T)
#endif
#include "kernels/reduce/reducer.tmpl.h"
#define BLI_REDUCE_OP  min
#define BLI_LANE       BLI_CHOSEN
#define BLI_PARTS      1
#define BLI_IDENTITY   PASTE(HIGHEST_, BLI_T)
#define BLI_VALUE      BLI_ELEMENT
#define BLI_JOIN       BLI_SMALLER
#define BLI_TAKE       BLI_TAKE_SMALLER
#define BLI_ASSOCIATES 1
#define BLI_IS_NEUTRAL 1
#if PASTE(KIND_, BLI_KIND) == KIND_HALF
#define BLI_LOAD PASTE(load_singles_, BLI_T)
#endif
#include "kernels/reduce/reducer.tmpl.h"

#elif PASTE(KIND_, BLI_KIND) == KIND_COMPLEX

/* Sums of complex numbers are sums of their parts. */
#define BLI_REDUCE_OP  sum
#define BLI_LANE       double
#define BLI_LOAD       PASTE(load_, BLI_T)
#define BLI_PARTS      2
#define BLI_IDENTITY   0
#define BLI_VALUE      BLI_WHOLE
#define BLI_JOIN       BLI_PLUS
#define BLI_TAKE       BLI_TAKE_PLUS_BOTH
#define BLI_ASSOCIATES 0
#define BLI_IS_NEUTRAL 1
#include "kernels/reduce/reducer.tmpl.h"
#define BLI_REDUCE_OP  prod
#define BLI_LANE       double
#define BLI_LOAD       PASTE(load_, BLI_T)
#define BLI_PARTS      2
#define BLI_IDENTITY   1
#define BLI_VALUE      BLI_WHOLE
#define BLI_JOIN       times_complex
#define BLI_TAKE       take_times_complex
#define BLI_ASSOCIATES 0
#define BLI_IS_NEUTRAL 0
#include "kernels/reduce/reducer.tmpl.h"

#endif

#undef BLI_ELEMENT
#undef BLI_CHOSEN
#undef BLI_T
#undef BLI_KIND
