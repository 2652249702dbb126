/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The calls that an expression stands for, for programs that make them themselves, over
 * ranks or on other machines.  Experimental until 1.0, as <broadloom/expr.h>.
 */
#ifndef BROADLOOM_EXPR_CALL_H
#define BROADLOOM_EXPR_CALL_H

#include <broadloom/expr.h>

/* What a node stands for. */
typedef enum bl_node_kind {
    BL_NODE_INPUT = 0,
    BL_NODE_NUMBER = 1,
    BL_NODE_APPLY = 2, /* bl_apply_new() */
    BL_NODE_CAST = 3,  /* bl_cast() */
    BL_NODE_REDUCE = 4 /* bl_reduce_new() */
} bl_node_kind;

/* The call that a node stands for, as it was built: the members that its kind has. */
typedef struct bl_expr_call {
    size_t size;            /* set by the caller to sizeof(bl_expr_call); see base.h */
    int32_t kind;           /* a bl_node_kind */
    int32_t what;           /* an input's slot, a bl_op, a bl_reduction; else 0 */
    bl_dtype dtype;         /* of a cast, or that the options ask for */
    int32_t count;          /* of operands */
    const bl_node *operand; /* valid until the next builder call, as all pointers */
    const int32_t *axes;    /* of a reduction */
    int32_t axes_count;
    int32_t keepdim;         /* 1 or 0 */
    const bl_scalar *number; /* a number, or the alpha of options; NULL: none */
    const bl_rules *rules;   /* of options, as the members that follow */
    int32_t axis;
    uint32_t fixed;
    double max_growth;
    double correction; /* of a reduction */
} bl_expr_call;

BL_BEGIN_DECLS

/*
 * Describe the call that a node stands for in `call`, whose `size` is set.
 * BL_ERR_ARGUMENT for a node that is none.
 */
BL_API BL_MUST_CHECK bl_status bl_expr_node_call(const bl_expr *expr, bl_node node,
                                                 bl_expr_call *call);

BL_END_DECLS

#endif
