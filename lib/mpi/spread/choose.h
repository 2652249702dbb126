/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The choice of where a new result lies.
 */
#ifndef BLI_CHOOSE_H
#define BLI_CHOOSE_H

#include "mpi/spread/call.h"

/*
 * Choose the spread of a new result of a plan whose operands, sizes and shifts are
 * known, and write it to plan->result and plan->follows.
 *
 * Each operand is asked in turn: the result lies as the operand does, and its other
 * dimensions along axes that are left as the other operands do.  Taken is the one for
 * which the rank that receives most receives least; of equal ones that which moves
 * fewest bytes altogether, then that which cuts along most axes, then the first.
 */
bl_status bli_choose_result(struct bli_spread_call *plan, int32_t rank,
                            const int64_t *extent);

#endif
