/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Broadloom: element-wise tensor arithmetic with broadcasting, across cores and nodes.
 *
 * The header that a program includes; what it declares stays compatible as base.h
 * promises.  Not included here: <broadloom/describe.h> (plain C arrays as operands),
 * <broadloom/dlpack.h> (memory that other libraries share), <broadloom/expr.h> (whole
 * expressions), <broadloom/reduce_pieces.h> (reductions of more than fits in memory),
 * <broadloom/compat.h> and <broadloom/paddle.h> (rules and functions of other
 * libraries), and <broadloom/warnings.h> (for programs that are brought over).
 */
#ifndef BROADLOOM_H
#define BROADLOOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <broadloom/base.h>
#include <broadloom/error.h>
#include <broadloom/shape.h>
#include <broadloom/rules.h>
#include <broadloom/context.h>
#include <broadloom/tensor.h>
#include <broadloom/scalar.h>
#include <broadloom/promote.h>
#include <broadloom/ops.h>
#include <broadloom/map.h>
#include <broadloom/mask.h>
#include <broadloom/reduce.h>
#include <broadloom/plan.h>
#include <broadloom/topology.h>
#include <broadloom/npy.h>

#ifdef BROADLOOM_CALL_SITES
#include <broadloom/sites.h>
#endif

#endif
