/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whole expressions: several operations that are planned together and executed by one
 * call.  Experimental until 1.0: a 0.x release may change what this header declares.
 *
 * A bl_expr is a graph of nodes without shapes and dtypes, built or parsed from text; a
 * bl_expr_plan is of certain ones, and strides, and executed any number of times:
 *
 * - Results have the bits that the same calls, bl_apply_new(), bl_cast() and
 *   bl_reduce_new(), give one after the other, for any number of threads: f16 and bf16
 *   are rounded after each operator, nothing is contracted or reassociated.
 * - Nothing is written unless BL_OK is returned.  Shapes, dtypes and casts are refused
 *   when the plan is made; addresses, overlap and values of integers (divisors of 0)
 *   when it is executed, before anything is written.
 * - An output may be an input, or overlap inputs; where it does otherwise than exactly,
 *   the context's overlap policy refuses it, or inputs are as if copied first (one call
 *   alone is sequential if asked to).  Two outputs that share memory are refused.
 * - Equal nodes are computed once; nodes that no output needs neither are nor refused.
 * - The warnings of all calls are raised, with the address that the execution returns
 *   to as their site, before anything is written.
 *
 * Element-wise nodes of one shape that are connected, or read the same array, are
 * fused, and reductions, last or in rows that fit in L1: in registers, box by box.
 */
#ifndef BROADLOOM_EXPR_H
#define BROADLOOM_EXPR_H

#include <broadloom/ops.h>
#include <broadloom/reduce.h>

typedef struct bl_expr bl_expr;
typedef struct bl_expr_plan bl_expr_plan;
/* A node of an expression, counted from 0 in the order in which they were made. */
typedef int32_t bl_node;
#define BL_NODE_NONE ((bl_node)-1)

#define BL_MAX_NODES 1024 /* most nodes of an expression */
#define BL_MAX_SLOTS 64   /* most inputs, and most outputs */

/* Description of an expression. */
typedef struct bl_expr_info {
    size_t size; /* set by the caller to sizeof(bl_expr_info); see base.h */
    int32_t nodes;
    int32_t inputs;
    int32_t outputs;
    int32_t reserved;         /* 0 */
    const char *const *input; /* names of the inputs, in the order of their slots */
    const bl_node *output;    /* the node of each output */
    const char *text;         /* that it was parsed from; NULL: it was built */
} bl_expr_info;

#define BL_EXPR_UNFUSED 1u /* compute every node by a call of its own */
#define BL_EXPR_FUSED   4u /* fuse what can be, also where calls seem to be faster */
/*
 * Round f16 and bf16 where they are stored and by casts to them, not after each
 * operator: bits are those with inputs cast to f32 and outputs cast back.
 */
#define BL_EXPR_WIDE_HALVES 2u

/*
 * Options of a plan.  Start from BL_EXPR_OPTIONS_DEFAULT, which sets `size` (base.h);
 * NULL options are the defaults.  Borrowed for the call, but rules for the plan's life.
 */
typedef struct bl_expr_options {
    size_t size; /* sizeof(bl_expr_options) */
    /*
     * Rules of nodes whose options name none; NULL: the context's.  PaddlePaddle's then
     * apply to operators of two arrays, with `axis`, and the modern rules to others.
     */
    const bl_rules *rules;
    int32_t axis;   /* of nodes without rules of their own; BL_AXIS_LAST */
    uint32_t flags; /* BL_EXPR_UNFUSED or BL_EXPR_FUSED, BL_EXPR_WIDE_HALVES; or 0 */
} bl_expr_options;

#define BL_EXPR_OPTIONS_DEFAULT                                                        \
    {                                                                                  \
        sizeof(bl_expr_options), NULL, BL_AXIS_LAST, 0                                 \
    }

/* Description of a plan.  Bytes are those of elements, also repeated; or INT64_MAX. */
typedef struct bl_expr_plan_info {
    size_t size; /* set by the caller to sizeof(bl_expr_plan_info); see base.h */
    int32_t inputs;
    int32_t outputs;
    int32_t nodes;       /* of the expression */
    int32_t dead;        /* of them, those that no output needs */
    int32_t distinct;    /* of the others, those that differ from each other */
    int32_t calls;       /* of distinct nodes, and of outputs that are copied */
    int64_t bytes;       /* read and written, also to copy outputs from the workspace */
    int64_t bytes_apart; /* by the same calls alone, equal nodes computed each time */
    int64_t bytes_least; /* of the inputs and the outputs alone */
    int64_t workspace;   /* bytes of values that it allocates; more for some overlap */
    int32_t phases;      /* calls and fusions, one after the other */
    int32_t fusions;     /* of them */
    int32_t fused;       /* calls that are parts of those */
    int32_t materialised;   /* values in memory besides inputs and outputs */
    int64_t part_workspace; /* bytes for bl_expr_plan_execute_part() */
    int32_t part_phases;    /* of that */
    int32_t reserved;       /* 0 */
} bl_expr_plan_info;

/* Where the value of a node is during an execution. */
typedef enum bl_expr_place {
    BL_EXPR_NOWHERE = 0, /* no output needs the node */
    BL_EXPR_NUMBER = 1,  /* in the plan */
    BL_EXPR_INPUT = 2,
    BL_EXPR_WORKSPACE = 3,
    BL_EXPR_OUTPUT = 4,   /* or the workspace, where outputs overlap inputs */
    BL_EXPR_REGISTERS = 5 /* or the L1 cache: part of a fusion, and in no memory */
} bl_expr_place;

/* Description of a node in a plan. */
typedef struct bl_expr_node_info {
    size_t size;   /* set by the caller to sizeof(bl_expr_node_info); see base.h */
    int32_t place; /* a bl_expr_place; if NOWHERE, there is no dtype and rank 0 */
    bl_node same;  /* the first node that is equal to it, or itself */
    int32_t call;  /* that computes it, from 0; -1: none */
    int32_t slot;  /* of the input or output that it is in, else -1 */
    bl_dtype dtype;
    int32_t rank;
    const int64_t *extent; /* valid until bl_expr_plan_destroy() */
    int64_t begin; /* the node's text, of an input where it is first; -1: none */
    int64_t end;
    int64_t position; /* of its operator's sign or its function's name, else `begin` */
    int32_t phase;    /* that computes it, from 0; -1: none */
    int32_t reserved; /* 0 */
} bl_expr_node_info;

BL_BEGIN_DECLS

/*
 * ---- build ----
 *
 * A builder call that is refused returns BL_NODE_NONE, and so does every later one that
 * uses it.  The first refusal is kept for bl_expr_status(), so that an expression is
 * written without a check after each line.  Refused are arguments that are wrong for
 * any operands (BL_ERR_ARGUMENT, or BL_ERR_DTYPE), more nodes or slots than there may
 * be (BL_ERR_UNSUPPORTED), and what there is no memory for (BL_ERR_MEMORY).
 *
 * One thread at a time builds an expression.  Its first plan closes it: builder calls
 * are then refused with BL_ERR_ARGUMENT, and any number of threads may use it.
 *
 * Create an expression without nodes; free it with bl_expr_destroy().  It may outlive
 * `ctx`.  BL_ERR_MEMORY; `*expr` is written on success only.
 */
BL_API BL_MUST_CHECK bl_status bl_expr_create(bl_context *ctx, bl_expr **expr);

/* Free an expression that no call uses; its plans stay.  NULL does nothing. */
BL_API void bl_expr_destroy(bl_expr *expr);

/*
 * The next input.  `name`, copied, is a letter or _, then letters, digits and _, at
 * most 63, and no other's; NULL: "a", ..., "z", "a1", ... by slot, or the next free.
 */
BL_API bl_node bl_expr_input(bl_expr *expr, const char *name);

/* A number, copied, which counts in promotion as scalars do (scalar.h). */
BL_API bl_node bl_expr_number(bl_expr *expr, const bl_scalar *number);

/*
 * `op` of `count` nodes, as by bl_apply_new().  Options, which may be NULL, are copied;
 * their rules must outlive the expression and its plans, and their names are not used.
 */
BL_API bl_node bl_expr_apply(bl_expr *expr, bl_op op, int32_t count,
                             const bl_node *nodes, const bl_options *options);

/* The elements of a node converted to `dtype`, as by bl_cast(). */
BL_API bl_node bl_expr_cast(bl_expr *expr, bl_node node, bl_dtype dtype);

/* The reduction of a node, as by bl_reduce_new(); axes and options are copied. */
BL_API bl_node bl_expr_reduce(bl_expr *expr, bl_reduction op, bl_node node,
                              int32_t axes_count, const int32_t *axes, bool keepdim,
                              const bl_reduce_options *options);

/* Make a node the next output; one node may be several. */
BL_API void bl_expr_output(bl_expr *expr, bl_node node);

/*
 * The status of the first builder call refused before the first plan, BL_OK: none, then
 * the thread's last error.  `*at`, unless NULL: the node not made, or BL_NODE_NONE.
 */
BL_API BL_MUST_CHECK bl_status bl_expr_status(const bl_expr *expr, bl_node *at);

/*
 * Parse an expression, as "d = x - mean(x, -1, keepdim); d / sqrt(mean(d * d, -1,
 * keepdim) + 1e-5)".  A text is statements, separated by ';'.  "name = " before one
 * makes its value known to those that follow; statements without a name, and the last
 * one, are outputs.  From lowest to highest precedence:
 *
 *   < <= > >= == !=   of two, not of three: comparisons do not chain
 *   |    ^    &    << >>    + -    * / // %
 *   - + ~             before an operand
 *   **                from the right; binds tighter than a sign before it
 *   ( ), numbers, names, calls
 *
 * Calls are operators by name (add, exp, where) or by what PyTorch and NumPy call them
 * (power, clip, masked_fill); reductions, sum(x, 0, -1, keepdim) or var(x, 0,
 * keepdim, correction=0), of which max and min of two arrays are maximum and minimum;
 * and dtypes, which convert, f32(x).  Numbers are i64, with a point or an exponent f64;
 * inf, nan, pi and e are numbers unless an input or a value has that name, e only where
 * `names` are given.  Operators on numbers alone are computed at once, in bool where
 * all are comparisons, in i64 with integers, where the operator takes them, else in
 * f64: their result is a number.  Reductions and conversions of numbers are 0-d arrays.
 * A number that the dtype it is computed in or converted to cannot represent, as 300 in
 * u8, is refused when the plan is made: BL_ERR_DTYPE.
 *
 * `names` are the `count` inputs in the order of their slots; another name is refused.
 * NULL: names without a value are inputs, in order of appearance.  The text is copied.
 * Free the expression with bl_expr_destroy(); it may outlive `ctx`.
 *
 * BL_ERR_FORMAT where the text is none, a name gets another value, or a real number is
 * beyond f64 or of more than 400 characters; BL_ERR_OVERFLOW for integers that do not
 * fit; BL_ERR_ARGUMENT for names, axes and functions of another number of arguments;
 * BL_ERR_UNSUPPORTED for unknown functions, and more than there may be of nodes, slots,
 * 63 characters of an input's name, 1024 other names, 1000 operations within each other
 * and 2000 operands that wait; BL_ERR_MEMORY; what operators on numbers give: at byte
 * bl_error_info.position.  `*expr` is written on success only.  Thread-safe.
 */
BL_API BL_MUST_CHECK bl_status bl_expr_parse(bl_context *ctx, const char *text,
                                             int32_t count, const char *const *names,
                                             bl_expr **expr);

/* Describe an expression, until the next builder call, in `info`, with `size` set. */
BL_API BL_MUST_CHECK bl_status bl_expr_query(const bl_expr *expr, bl_expr_info *info);

/*
 * ---- plan ----
 *
 * Plan an expression for inputs of these dtypes, shapes and strides; data is not read
 * and may be NULL.  There is an array for each input; those that no output needs are
 * not looked at.  `outs` has an array for each output, of exactly its shape; elements
 * are converted to its dtype where bl_can_cast().  NULL `outs`, or NULL for an output,
 * means a compact one of the node's dtype.  Free the plan with bl_expr_plan_destroy();
 * it may outlive `ctx` and `expr`.  It is immutable, without memory that executions
 * write, threads and placement; its rules and reproducibility are those of its context.
 * It takes up to 6 KiB a call, 2 KiB an output or other node, and 32 KiB a fusion.
 *
 * Errors are those of the calls that the nodes stand for, with the node and its place
 * in the text (bl_error_info.node, .position), that of bl_expr_status(), and
 * BL_ERR_ARGUMENT without outputs and for elements that are not aligned.  `*plan` is
 * written on success only.  Thread-safe.
 */
BL_API BL_MUST_CHECK bl_status bl_expr_plan_create(bl_context *ctx, bl_expr *expr,
                                                   const bl_array *const *outs,
                                                   const bl_array *const *inputs,
                                                   const bl_expr_options *options,
                                                   bl_expr_plan **plan);

/* Free a plan that no thread executes; NULL does nothing. */
BL_API void bl_expr_plan_destroy(bl_expr_plan *plan);

/*
 * Execute a plan.  `outs` and `data` are the addresses of element (0, ..., 0) of each
 * output and of each input.  The workspace is from the context's allocator.  Each call
 * may be refused; BL_ERR_OVERLAP.  Thread-safe, also for threads that share a plan.
 */
BL_API BL_MUST_CHECK bl_status bl_expr_plan_execute(bl_context *ctx,
                                                    const bl_expr_plan *plan,
                                                    void *const *outs,
                                                    const void *const *data);

/* Describe a plan, or a node in it, in `info`, whose `size` is set.  Thread-safe. */
BL_API BL_MUST_CHECK bl_status bl_expr_plan_query(const bl_expr_plan *plan,
                                                  bl_expr_plan_info *info);
BL_API BL_MUST_CHECK bl_status bl_expr_plan_node(const bl_expr_plan *plan, bl_node node,
                                                 bl_expr_node_info *info);

/* The array of output `k`, without data, valid as long as the plan.  Thread-safe. */
BL_API BL_MUST_CHECK bl_status bl_expr_plan_output(const bl_expr_plan *plan, int32_t k,
                                                   bl_array *array);

/*
 * Write what an execution does, as text for people: calls, fusions, places of results,
 * bytes that move.  BL_ERR_IO where `write` returns false.  Thread-safe.
 */
BL_API BL_MUST_CHECK bl_status bl_expr_plan_explain(const bl_expr_plan *plan,
                                                    bl_write_function write,
                                                    void *user);

/*
 * Plan an expression and execute it into `outs`, all given.  Each thread remembers 128
 * plans, of up to 128 nodes and 6 dimensions: of 64 in turn few are made again.
 */
BL_API BL_MUST_CHECK bl_status bl_expr_run(bl_context *ctx, bl_expr *expr,
                                           const bl_array *const *outs,
                                           const bl_array *const *inputs,
                                           const bl_expr_options *options);

/*
 * As bl_expr_run(), into new compact tensors; give each back with bl_tensor_release().
 * `outs` is written on success only.
 */
BL_API BL_MUST_CHECK bl_status bl_expr_run_new(bl_context *ctx, bl_expr *expr,
                                               const bl_array *const *inputs,
                                               const bl_expr_options *options,
                                               bl_tensor **outs);

BL_END_DECLS

#endif
