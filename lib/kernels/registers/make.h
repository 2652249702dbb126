/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Making a program: a segment's values become nodes, one for each instruction or
 * operand (lower.c); nodes get an order, banks, slots and instructions (make.c).
 */
#ifndef BLI_MAKE_H
#define BLI_MAKE_H

#include "kernels/registers/instructions.h"
#include "kernels/registers/program.h"

enum { BLI_NODES = 3 * BLI_SEGMENT_VALUES };

enum bli_node_kind {
    BLI_NODE_STREAM, /* elements of the computed type: read by any instruction */
    BLI_NODE_STILL,  /* one of them */
    BLI_NODE_LOAD,   /* elements that are converted */
    BLI_NODE_UNARY,
    BLI_NODE_BINARY,
    BLI_NODE_WHERE
};

struct bli_node {
    uint8_t kind;     /* an enum bli_node_kind */
    uint8_t name;     /* an enum bli_name */
    uint8_t operand;  /* of streams, stills and loads */
    bool commutes;    /* the order of two inputs does not matter */
    int16_t input[3]; /* nodes with lower indices; -1 */
};

/* How an operator is one instruction. */
struct bli_register_form {
    int16_t op;
    uint8_t kind; /* an enum bli_node_kind */
    uint8_t name; /* an enum bli_name */
    bool takes_truths, gives_truths;
    bool commutes, swaps;
    bool is_exact; /* gives a number of the same half type, without rounding */
};

/* The form of an operator; NULL if it is not one instruction. */
const struct bli_register_form *bli_register_form(bl_op op);

static inline bool bli_is_half(bl_dtype dtype)
{
    return dtype == BL_DTYPE_F16 || dtype == BL_DTYPE_BF16;
}

/* A store of a node. */
struct bli_store {
    int16_t node;
    uint8_t name; /* an enum bli_name */
    uint8_t operand;
};

struct bli_nodes {
    int32_t count, results;
    struct bli_node node[BLI_NODES];
    struct bli_store result[BLI_PROGRAM_OPERANDS];
};

/* Streams and stills are operands of instructions, and need none themselves. */
static inline bool bli_is_leaf(const struct bli_node *node)
{
    return node->kind == BLI_NODE_STREAM || node->kind == BLI_NODE_STILL;
}

/* What is done, in order: nodes to make, and BLI_STORES + k to store result k. */
enum { BLI_STORES = BLI_NODES, BLI_ACTIONS = BLI_NODES + BLI_PROGRAM_OPERANDS };
struct bli_order {
    int32_t actions;
    int16_t action[BLI_ACTIONS];
    int16_t last[BLI_NODES]; /* action that uses a node last; -1 */
};

/* Make nodes of a segment's values; false if there are too many. */
bool bli_segment_lower(struct bli_nodes *nodes, const struct bli_segment *segment);

/*
 * The order of all actions. A result is stored when it is made, unless it may overwrite
 * what is read later.
 */
void bli_nodes_order(struct bli_order *order, const struct bli_nodes *nodes,
                     bool is_in_place);

/* The nodes that action `at` uses, at most 3; their number. */
int32_t bli_order_uses(const struct bli_order *order, const struct bli_nodes *nodes,
                       int32_t at, int16_t *node);

/* The next action after `at` that uses node `k`; BLI_ACTIONS if there is none. */
int32_t bli_order_next(const struct bli_order *order, const struct bli_nodes *nodes,
                       int32_t at, int32_t k);

/* Set what a program's operands are; those that no output needs are nothing. */
void bli_program_set_operands(struct bli_program *program,
                              const struct bli_segment *segment,
                              const struct bli_nodes *nodes,
                              const struct bli_order *order);

#endif
