/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rules of other libraries and other times, for programs that were written for them.
 */
#ifndef BROADLOOM_COMPAT_H
#define BROADLOOM_COMPAT_H

#include <broadloom/rules.h>

BL_BEGIN_DECLS

/*
 * PaddlePaddle's elementwise rules, as of v2.1: of two operands, the one of lower rank
 * (the second, where ranks are equal) is placed at `axis` of the other, its trailing
 * dimensions of extent 1 dropped; BL_AXIS_LAST aligns at the last dimension.  More than
 * two operands are refused.  Where upstream reads out of bounds or infers an extent of
 * -1, the answer of its releases before 1.6 if they had one, else BL_ERR_SHAPE.
 */
BL_API const bl_rules *bl_rules_paddle(void);

/*
 * Torch7's and PyTorch's up to 0.1.12: the number of elements is all that must agree.
 * The k-th element of each operand, in its own row-major order, meets the k-th of the
 * others, and the result has the shape of the first operand that is no mask.
 *
 * Refusals, BL_ERR_SHAPE, are in the words of Torch's C library.  Torch has no tensors
 * without dimensions: calls of one are refused with BL_ERR_RULES.  Where a query is no
 * call, () is Torch's empty tensor, of no elements.
 */
BL_API const bl_rules *bl_rules_legacy(void);

/*
 * PyTorch's of 0.2 and 0.3: all operands broadcast; where they do not and have as many
 * elements, they are paired as by the legacy rules, with an event of
 * BL_CHANGE_FALLBACK.  In place only the others are expanded, to the shape of the
 * first.  Refusals as above.
 */
BL_API const bl_rules *bl_rules_transitional(void);

BL_END_DECLS

#endif
