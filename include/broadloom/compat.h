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
BL_API extern const bl_rules bl_rules_paddle;

BL_END_DECLS

#endif
