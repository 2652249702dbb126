/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Expressions as they are built: a list of nodes, each of which uses earlier ones.
 */
#ifndef BLI_EXPR_H
#define BLI_EXPR_H

#include <broadloom/expr_call.h>

#include "core/error.h"

#include <stdatomic.h>

/* Longest name of an input; room for what messages call a node. */
#define BLI_INPUT_NAME 63
#define BLI_EXPR_NAME  80

enum bli_node_kind {
    BLI_NODE_INPUT = BL_NODE_INPUT,
    BLI_NODE_NUMBER = BL_NODE_NUMBER,
    BLI_NODE_APPLY = BL_NODE_APPLY,
    BLI_NODE_CAST = BL_NODE_CAST,
    BLI_NODE_REDUCE = BL_NODE_REDUCE
};

enum bli_node_flags {
    BLI_NODE_HAS_ALPHA = 1,
    BLI_NODE_KEEPDIM = 2,
    BLI_NODE_LITERAL = 4 /* a number of the text, which must fit where it is used */
};

struct bli_expr_node {
    int32_t kind;   /* an enum bli_node_kind */
    int32_t what;   /* the input's slot, the operator, the reduction */
    bl_dtype dtype; /* of a cast; else that the options ask for */
    uint32_t flags; /* of enum bli_node_flags */
    int32_t count;  /* of operands */
    int32_t axes;   /* of a reduction, as given */
    int32_t first;  /* in the expression's list: operands, then axes */
    int32_t axis;   /* from here on as in bl_options */
    uint32_t fixed;
    double max_growth;
    double correction; /* of a reduction */
    const bl_rules *rules;
    bl_scalar number; /* or alpha; bytes that its dtype does not use are 0 */
    bl_node same;     /* the first node that is equal, or itself */
    int64_t begin, end, position; /* in the text; -1 */
};

struct bl_expr {
    bl_allocator allocator;
    _Atomic int32_t references; /* the program's, and one for each plan */
    _Atomic bool is_closed;     /* there has been a plan */
    uint64_t number;            /* that no other expression of the process has */
    bool has_rules;             /* a node has rules of its own */
    int32_t nodes, inputs, outputs;
    struct bli_expr_node *node;
    int32_t node_room;
    int32_t *list; /* operands and axes of all nodes */
    int32_t listed, list_room;
    bl_node output[BL_MAX_SLOTS];
    const char *input[BL_MAX_SLOTS];
    char name[BL_MAX_SLOTS][BLI_EXPR_NAME];
    char *text; /* NULL: built */
    size_t text_bytes;
    bl_status status; /* of the first refusal, its node and its message */
    bl_node refused;
    char message[256];
};

/* What a node is made of besides its fields: the text that it stands for. */
struct bli_span {
    int64_t begin, end, position;
};

/*
 * Set what the next builder calls give their nodes as text.  Builder calls give -1
 * otherwise.
 */
void bli_expr_set_span(bl_expr *expr, bl_node node, struct bli_span span);

/* A number of the text: as bl_expr_number(), but it must fit where it is used. */
bl_node bli_expr_literal(bl_expr *expr, const bl_scalar *number);

/*
 * A reduction of the text: as bl_expr_reduce(), but its axes are left to the plan,
 * which says what axes there are.
 */
bl_node bli_expr_reduce(bl_expr *expr, bl_reduction op, bl_node node, int32_t count,
                        const int32_t *axes, bool keepdim,
                        const bl_reduce_options *options);

/* Create an expression of `text`, or NULL.  BL_ERR_MEMORY. */
bl_status bli_expr_make(bl_context *ctx, const char *text, bl_expr **expr);

/* Whether the text is a name: a letter or _, then letters, digits and _, not too long.
 */
bool bli_expr_is_name(const char *text, size_t length);

/* The slot of the input of a name; -1: none. */
int32_t bli_expr_find_input(const bl_expr *expr, const char *name, size_t length);

/* Add or give back a plan's reference. */
void bli_expr_retain(bl_expr *expr);

static inline const struct bli_expr_node *bli_expr_node(const bl_expr *expr,
                                                        bl_node node)
{
    return &expr->node[node];
}

/* Operand k of a node. */
static inline bl_node bli_expr_operand(const bl_expr *expr,
                                       const struct bli_expr_node *node, int32_t k)
{
    return expr->list[node->first + k];
}

/*
 * What messages and texts call a node: an input's name, a number, else "%5".  `longer`
 * writes the node's text instead where it has one that is short.
 */
void bli_expr_call_node(const bl_expr *expr, bl_node node, char name[BLI_EXPR_NAME]);
void bli_expr_cite_node(const bl_expr *expr, bl_node node, char name[BLI_EXPR_NAME]);

/* The name of a node's operation: "add", "sum", "f32"; "" of inputs and numbers. */
const char *bli_expr_operation(const struct bli_expr_node *node);

#endif
