/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The plan of an expression: its values, the calls that compute them, and where each
 * value is during an execution.
 */
#ifndef BLI_EXPR_PLAN_H
#define BLI_EXPR_PLAN_H

#include "expr/expr.h"
#include "ops/reduce_run.h"

/*
 * A value: that of a node; after those, one for each output, which is used where the
 * output is not just the value of its node; with wide halves, and where functions of
 * halves are split, for each node what it is converted to where that is f16 or bf16;
 * and where they are split, for each node what its function is before it is rounded.
 */
struct bli_expr_value {
    bl_dtype dtype; /* BL_DTYPE_NONE: no output needs it */
    bl_dtype plain; /* that it has without wide halves */
    int32_t rank;
    const int64_t *extent;
    const int64_t *stride; /* of an input's array; NULL: compact */
    uint32_t flags;        /* of an input's array */
    int64_t bytes;         /* of a compact array */
    int32_t step;          /* that computes it; -1: an input or a number */
    int32_t phase;         /* of that step; -1 */
    int32_t last;          /* phase that reads it last; -1: none */
    bool is_internal;      /* only the phase that computes it reads it: it is nowhere */
    int32_t output;        /* whose memory it is in unless that overlaps; -1 */
    int64_t begin, end;    /* bytes that an input spans, relative to its address */
    int32_t lodges;        /* output that has room for it, too; -1 */
    int64_t at[2];         /* in the workspace; [1] while values lodge in outputs; -1 */
};

/* One operation of an execution: a call, or a part of a fusion. */
struct bli_expr_step {
    int32_t value;          /* that it computes */
    bl_node node;           /* whose operation it is; that of the output for a copy */
    int32_t count;          /* of operands; alpha is not among them */
    const int32_t *operand; /* their values */
    bl_scalar alpha;        /* the third operand, where `has_alpha` */
    bool has_alpha;
    bool raises;    /* its rules report differences from legacy results */
    bool is_sure;   /* cannot fail once it could be bound */
    bool refuses;   /* some values of its second operand, integers: see values.c */
    bool is_plain;  /* broadcasts its operands, in any order of elements */
    int32_t member; /* its index in the phase that it is of */
    int32_t shift[BL_MAX_INPUTS]; /* of each operand's axes, where it is plain */
    struct bl_plan *plan;   /* into compact memory; NULL of a reduction, and fused */
    struct bl_plan *direct; /* into the output's memory; may be `plan` */
    struct bli_reduce_call *reduce; /* without its array */
    const char *why; /* it is a call, or a reduction comes last in its fusion; NULL */
};

/*
 * What is executed at a time: the call of one step, or several steps that are fused.
 */
struct bli_expr_phase {
    int32_t count;       /* of steps */
    const int32_t *step; /* in the order of the plan's */
    bool may_write;      /* outputs: no later phase can fail */
    bool is_elementwise; /* may write its only result over an operand of its shape */
    bool has_siblings;   /* steps of it only read the same array: plan_siblings.c */
    struct bli_fusion *fusion; /* into compact memory; NULL: a call */
    struct bli_fusion *direct; /* into the outputs' memory; may be `fusion` */
};

/* An output: the array that was given, or a compact one. */
struct bli_expr_out {
    int32_t value;      /* that is the output */
    bl_array array;     /* its extents are the value's; without data */
    int64_t begin, end; /* bytes that it spans, relative to its address */
    bool is_compact;
    int32_t first;  /* phase that writes it first, where values lodge in it */
    bool is_direct; /* its phase may write it, if it overlaps nothing read later */
    struct bl_plan *copy; /* from a compact value; NULL: see bli_expr_copy_problem() */
    int64_t at[2];        /* of that value in the workspace, as `at` of values */
};

struct bl_expr_plan {
    bl_allocator allocator;
    bl_expr *expr;         /* a reference, unless the plan is remembered */
    bool is_remembered;    /* the expression may be freed before the plan */
    const bl_rules *rules; /* of nodes without rules of their own */
    int32_t axis;
    uint32_t flags; /* of bl_expr_options */
    bool splits;    /* functions of halves are split: plan_halves.c */
    int32_t nodes, steps, phases, outputs;
    int32_t values;
    struct bli_expr_value *value;
    struct bli_expr_step *step;   /* room for as many */
    struct bli_expr_phase *phase; /* likewise */
    int32_t *member;              /* steps of phases */
    struct bli_expr_out *out;
    int32_t reads;   /* inputs that are needed */
    int32_t *read;   /* their nodes */
    bool raises;     /* some step does */
    bool refuses;    /* some step does */
    bool *is_needed; /* of each node, also of those that are equal to an earlier one */
    int32_t *list;   /* operands of steps */
    int64_t *extent; /* of inputs and outputs: extents, strides */
    int64_t *kept_extent; /* of values whose calls are fused */
    int64_t kept;         /* bytes of those */
    size_t bytes;         /* of the plan and all of these, which are one block */
    int64_t workspace[2]; /* bytes, as `at` of values */
    int64_t partials;     /* bytes of the most partial results of a phase */
    const struct bli_fusion
        *alone; /* all that an execution is, in the usual case; NULL */
    int64_t
        workspace_all;   /* of workspace[0], and of outputs that are written directly */
    int32_t part_phases; /* of an execution in parts */
};

/* What making a plan works with. */
struct bli_expr_making {
    bl_context *ctx;
    bl_expr_plan *plan;
    const bl_array *const *inputs;
    const bl_array *const *outs; /* or NULL */
    const char *function;        /* the public one */
    bool is_named;               /* the error names it already */
    bool *is_whole; /* of each node: it is not split; NULL where none may be */
};

/*
 * Steps of making a plan, in order: values and calls of the nodes; outputs; phases;
 * memory; copies.
 */
bl_status bli_expr_plan_nodes(struct bli_expr_making *making);
bl_status bli_expr_plan_outputs(struct bli_expr_making *making);
bl_status bli_expr_plan_phases(struct bli_expr_making *making);
bl_status bli_expr_plan_memory(bl_expr_plan *plan);
bl_status bli_expr_plan_copies(struct bli_expr_making *making);

/*
 * The copy of a compact value of an output's dtype to its array.  It is planned where
 * an output needs it in each execution or is not compact; else by executions in which
 * outputs overlap inputs.
 */
void bli_expr_copy_problem(struct bli_problem *problem, const bl_context *ctx,
                           const struct bli_expr_out *out);

/* Count what a plan tells of itself: when it is asked. */
void bli_expr_plan_count(const bl_expr_plan *plan, bl_expr_plan_info *info);

/* Add the call that computes value `v` from operands. */
bl_status bli_expr_add_step(struct bli_expr_making *making, int32_t v, bl_node node,
                            int32_t count, const int32_t *operand);

/* Refuse the call of a value: bli_expr_refuse() with the public function. */
bl_status bli_expr_refuse_making(struct bli_expr_making *making, bl_status status,
                                 int32_t v);

/*
 * Make a plan for `function`; `*is_named` where an error names it already.  One that is
 * remembered is in memory of the library's own: the context's allocator may be gone
 * before it.  Errors of bl_expr_plan_create().
 */
bl_status bli_expr_plan_make(bl_context *ctx, bl_expr *expr,
                             const bl_array *const *outs, const bl_array *const *inputs,
                             const bl_expr_options *options, bool is_remembered,
                             const char *function, bool *is_named, bl_expr_plan **plan);

/* An operation's arguments, as a call that has no data, for rules and messages. */
struct bli_expr_call {
    struct bli_call call;
    struct bli_alpha_call scaled;
    bl_options options;
    bl_scalar alpha;
    bl_array array[BL_MAX_INPUTS];
    const bl_array *inputs[BL_MAX_INPUTS];
    char text[BL_MAX_INPUTS][BLI_EXPR_NAME];
    const char *names[BL_MAX_INPUTS];
};

/*
 * Make the call that computes value `v`, an operator, a cast or a copy.  `*call` is the
 * one to resolve, in which alpha is an input.  With `is_cited`, operands are called
 * what they are in the text.  Errors of bli_alpha_call_make().
 */
bl_status bli_expr_call_make(struct bli_expr_call *made, const bl_expr_plan *plan,
                             int32_t v, bool is_cited, const struct bli_call **call);

/* The same call as it is without wide halves. */
bl_status bli_expr_call_make_plain(struct bli_expr_call *made, const bl_expr_plan *plan,
                                   int32_t v, bool is_cited,
                                   const struct bli_call **call);

/* The dtype that wide halves have in place of one that options ask for. */
bl_dtype bli_expr_asked_dtype(const bl_expr_plan *plan, bl_dtype dtype);

/* Whether two values have the same shape. */
static inline bool bli_expr_same_shape(const struct bli_expr_value *a,
                                       const struct bli_expr_value *b)
{
    bool is_same = a->rank == b->rank;

    for (int32_t d = 0; is_same && d < a->rank; d++)
        is_same = a->extent[d] == b->extent[d];
    return is_same;
}

/* The phase that computes a value, or NULL. */
static inline const struct bli_expr_phase *
bli_expr_phase_of(const bl_expr_plan *plan, const struct bli_expr_value *value)
{
    return value->phase >= 0 ? &plan->phase[value->phase] : NULL;
}

/*
 * Whether a result of a phase has an element for each one that the phase's reductions
 * are over, if there are any.  Others are written while elements of operands that have
 * their shape, but are broadcast, are still to be read.
 */
bool bli_expr_is_whole(const bl_expr_plan *plan, const struct bli_expr_value *value);

/*
 * Whether all values that a step may refuse are checked before the first phase: it is
 * fused, and they are an input's.
 */
static inline bool bli_expr_is_checked_first(const bl_expr_plan *plan, int32_t s)
{
    const struct bli_expr_step *const step = &plan->step[s];

    return step->refuses && plan->phase[plan->value[step->value].phase].fusion &&
           plan->value[step->operand[1]].step < 0;
}

/*
 * Whether a step of an earlier phase looks for all that this one would refuse, which
 * then does not look itself.
 */
bool bli_expr_take_check(const bl_expr_plan *plan, struct bli_expr_step *step);

/* Check that numbers of the text fit in the dtype that an operator computes in. */
bl_status bli_expr_check_literals(const bl_expr_plan *plan,
                                  const struct bli_expr_step *step, bl_op op,
                                  bl_dtype dtype);

/*
 * Whether a call refuses some values of its second operand, which is no number of the
 * expression that it takes.
 */
bool bli_expr_may_refuse(const bl_expr_plan *plan, const struct bli_expr_step *step);

/* The array of a value at `data`. */
bl_array bli_expr_value_array(const bl_expr_plan *plan, int32_t v, void *data);

/*
 * Refuse the call of a value: the error gets the node and its position, the function's
 * name, and the operands.  Returns `status`.
 */
bl_status bli_expr_refuse(bl_status status, const bl_expr_plan *plan, int32_t v,
                          const char *function);

/* Execute a plan for `function`, called from `address`; else as bli_expr_plan_make().
 */
bl_status bli_expr_execute(const void *address, bl_context *ctx,
                           const bl_expr_plan *plan, void *const *outs,
                           const void *const *data, const char *function,
                           bool *is_named);

/*
 * How two checked arrays share memory: EXACT where they are the same elements in the
 * same places.
 */
enum bli_overlap bli_expr_overlap(const bl_array *a, const bl_array *b);

/* Write the bytes that a checked array spans, relative to its address. */
void bli_expr_span(const bl_array *array, int64_t *begin, int64_t *end);

#endif
