/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Broadcasting rules of other libraries and of earlier releases of PyTorch, for
 * programs that were written for them.
 */
#ifndef BROADLOOM_COMPAT_H
#define BROADLOOM_COMPAT_H

#include <broadloom/rules.h>

BL_BEGIN_DECLS

/*
 * PaddlePaddle's elementwise rules, as of v2.1.  Of two operands, the one of lower rank
 * (the second, where ranks are equal) is placed at `axis` of the other, with its
 * trailing dimensions of extent 1 dropped; BL_AXIS_LAST aligns at the last dimension.
 * More than two operands are refused.  Where PaddlePaddle reads out of bounds or infers
 * an extent of -1, the answer is that of its releases before 1.6 if they had one, else
 * BL_ERR_SHAPE.
 */
BL_API const bl_rules *bl_rules_paddle(void);

/*
 * The rules of Torch7 and of PyTorch up to 0.1.12: operands need only have the same
 * number of elements.  The k-th element of each operand, in row-major order, is paired
 * with the k-th of the others, and the result has the shape of the first operand that
 * is no mask.
 *
 * Refusals are BL_ERR_SHAPE, in the words of Torch's C library.  Torch has no tensors
 * of rank 0: a call with one is refused with BL_ERR_RULES.  In a query that is no call,
 * () is Torch's empty tensor, which has no elements.
 */
BL_API const bl_rules *bl_rules_legacy(void);

/*
 * The rules of PyTorch 0.2 and 0.3: operands broadcast; where their shapes do not fit
 * but their numbers of elements agree, they are paired as by bl_rules_legacy(), with an
 * event of BL_CHANGE_FALLBACK.  In place, the first operand keeps its shape and the
 * others are expanded to it.  Refusals are those of bl_rules_legacy().
 */
BL_API const bl_rules *bl_rules_transitional(void);

BL_END_DECLS

#endif
