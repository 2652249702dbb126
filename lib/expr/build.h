/* SPDX-License-Identifier: BSD-3-Clause */
/* What builder calls share. */
#ifndef BLI_EXPR_BUILD_H
#define BLI_EXPR_BUILD_H

#include "expr/expr.h"

/* Whether a builder call may add to an expression, and use these nodes. */
bl_status bli_expr_check_open(const bl_expr *expr);
bl_status bli_expr_check_nodes(const bl_expr *expr, int32_t count,
                               const bl_node *nodes);

/* Add a node with its operands and axes; it is written to `*made`. */
bl_status bli_expr_add_node(bl_expr *expr, struct bli_expr_node node,
                            const bl_node *operand, const int32_t *axes, bl_node *made);

/* Copy a scalar, with 0 in the bytes that its dtype does not use. */
bl_scalar bli_expr_clean_scalar(const bl_scalar *scalar);

/*
 * Refuse the builder call `function`.  The first refusal of an open expression is kept.
 * Returns BL_NODE_NONE.
 */
bl_node bli_expr_refuse_node(bl_expr *expr, bl_status status, const char *function);

#endif
