/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random expressions, whose nodes are computed call by call as they are made.
 */
#ifndef TESTS_DAG_H
#define TESTS_DAG_H

#include <broadloom/compat.h>
#include <broadloom/expr.h>

#include "harness/problem.h"

enum { DAG_INPUTS = 4, DAG_NODES = 24, DAG_RANK = 4, DAG_OPERANDS = 4 };

enum dag_kind { DAG_INPUT, DAG_NUMBER, DAG_APPLY, DAG_CAST, DAG_REDUCE };

struct dag_node {
    enum dag_kind kind;
    bl_op op;
    bl_reduction reduction;
    bl_dtype dtype; /* of a cast, or that a reduction's options ask for */
    int32_t count;
    int32_t operand[DAG_OPERANDS];
    int32_t axes_count;
    int32_t axes[DAG_RANK];
    bool keepdim;
    bl_scalar number;
    bl_scalar alpha;
    bl_options options;
    bl_tensor *value; /* from its call; NULL of inputs and numbers */
    bl_tensor *wide;  /* with wide halves, likewise */
};

/* An array with memory of its own. */
struct dag_array {
    struct problem_operand operand;
    unsigned char *saved; /* the memory before, to compare */
    size_t bytes;
};

struct dag {
    struct rng *rng;
    bl_context *ctx; /* of the calls */
    bool is_plain;   /* arithmetic of a few dtypes, as register machines have it */
    bool reduces;    /* a quarter of the nodes are reductions */
    bool is_wide;    /* halves are computed as f32, too */
    int32_t nodes;
    struct dag_node node[DAG_NODES + 1]; /* the last one is that which was refused */
    int32_t inputs;
    struct dag_array input[DAG_INPUTS];
    const bl_array *array[DAG_INPUTS];
    bool has_refused; /* node[nodes] is a call that was refused, with this status */
    bl_status refused;
    char message[512];
};

/*
 * Make a random expression with arrays of about `most` elements, and compute its nodes
 * with `ctx`.  A plain one has arithmetic of f32 and few other dtypes, and shapes
 * around what registers, boxes and blocks take.  One that reduces has many reductions,
 * whose results are used.  Free with dag_close().
 */
void dag_open(struct dag *dag, struct rng *rng, bl_context *ctx, int64_t most,
              bool is_plain, bool reduces, bool is_wide);
void dag_close(struct dag *dag);

/* Allocate and fill an array of a layout drawn at random. */
void dag_array_make(struct dag_array *array, struct rng *rng, bl_dtype dtype,
                    int32_t rank, const int64_t *extent, bool may_repeat);
void dag_array_free(struct dag_array *array);

/* The expression with these outputs; `nodes` of its nodes. */
bl_expr *dag_build(const struct dag *dag, int32_t nodes, int32_t outputs,
                   const int32_t *output);

/* A node's value as an array; that of a number is `*number`. */
const bl_array *dag_value(const struct dag *dag, int32_t n, bl_array *number);

/* The call of a node whose operands are these arrays, with its result in `*value`. */
bl_status dag_call(const struct dag *dag, const struct dag_node *node,
                   const bl_array *const *in, bl_tensor **value);

/* Compute a node as BL_EXPR_WIDE_HALVES says: with casts of operands to f32. */
bl_status dag_widen(struct dag *dag, int32_t n);

/* What an output is cast from: the value with wide halves, where there are such. */
const bl_array *dag_result(const struct dag *dag, int32_t n, bl_array *number);

/* Print the nodes as notes. */
void dag_note(const struct dag *dag);

#endif
