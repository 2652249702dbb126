/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One call: arguments are checked, shapes and dtypes resolved, a plan is made or found
 * in the plan cache, and bound to memory.
 */
#ifndef BLI_CALL_H
#define BLI_CALL_H

#include "core/error.h"
#include "diag/diag.h"
#include "tensor/tensor.h"

/* The arguments of one call. */
struct bli_call {
    bl_op op;
    int32_t count;
    const bl_array *const *inputs;
    const bl_array *out; /* NULL: to be allocated */
    const bl_options *options;
    const void *address;    /* that the public function returns to; NULL: unknown */
    bool has_default_names; /* the names in `options` are not the caller's */
    bool is_alpha_call;     /* rewritten by bli_alpha_call_make() */
    bool can_compare;       /* a shadow run may compute it the other way */
    bool is_quiet;          /* differences from legacy results are not reported */
    bool is_checked;      /* its arrays are valid and aligned: see bli_check_arrays() */
    bool lacks_out;       /* `out` is NULL but should not be: the call is refused */
    const char *function; /* PyTorch's name of the call; NULL: that of its operator */
    uint32_t masks; /* bit k set: input k is a mask; ignored for where, whose first
                       input is the mask */
};

/*
 * bl_apply and bl_apply_new for a call that returns to `address`.  The exported named
 * forms call these.
 */
bl_status bli_apply_from(const void *address, bl_context *ctx, bl_op op,
                         const bl_array *out, int32_t count,
                         const bl_array *const *inputs, const bl_options *options);
bl_status bli_apply_new_from(const void *address, bl_context *ctx, bl_op op,
                             int32_t count, const bl_array *const *inputs,
                             const bl_options *options, bl_tensor **out);

/* PyTorch's name of the call if it differs from that of the operator, else NULL. */
const char *bli_call_function(const struct bli_call *call);

/* The form of an operator that has a call's arguments. */
enum bli_named_form {
    BLI_FORM_NEW,
    BLI_FORM_OUT,
    BLI_FORM_IN_PLACE,
    BLI_FORM_FILL,       /* bl_fill(): copy of a scalar */
    BLI_FORM_MASKED_FILL /* bl_masked_fill() and its form in place: where */
};

/*
 * Whether the call's inputs can be listed: as many as the operator has, or those of a
 * function.  Only then it has a form.
 */
bool bli_call_has_inputs(const struct bli_call *call);
enum bli_named_form bli_call_form(const struct bli_call *call);

/*
 * Names in messages: of an operator's inputs, of input k of a call whose inputs can be
 * listed, by default where its options have none, and of the call's result.  A result
 * in place has the name of the input that it is.
 */
const char *const *bli_op_names(bl_op op);
const char *bli_input_name(const struct bli_call *call, int32_t k);
const char *bli_call_result(const struct bli_call *call);

/* The dtype that checked inputs are promoted to, see bl_result_dtype.  Pure. */
bl_dtype bli_promote(int32_t count, const bl_array *const *arrays);

/*
 * Set a problem's common dtype and the dtype of its result, for a call whose arrays are
 * checked.  BL_ERR_DTYPE if the operator does not take its inputs, or its result cannot
 * be cast to the requested dtype.
 */
bl_status bli_resolve_dtypes(struct bli_problem *problem, const struct bli_call *call);

/* The kind of a resolved call that raises warnings of a change.  Pure. */
uint64_t bli_call_kind(const bl_context *ctx, const struct bli_call *call,
                       int32_t change);

/*
 * Resolve the result's shape and each input's pairing by the rules in force.
 * Differences from a legacy result are reported to the observer and as warnings.
 * Arrays must be checked.
 */
bl_status bli_broadcast_call(bl_rules_answer *answer, const bl_context *ctx,
                             const struct bli_call *call);

/*
 * Read options whose size differs from this library's into `*known`, and point
 * `*options` to it.  Errors as from bli_sized_read.
 *
 * bli_options_known does so only where it is needed: options of this library's size are
 * used as they are.
 */
bl_status bli_options_read(const bl_options **options, bl_options *known);

/*
 * Refuse options that are wrong for any operands of a call of so many inputs, their
 * dtype excepted.  BL_ERR_ARGUMENT.
 */
bl_status bli_options_check(const bl_options *options, int32_t count);

static inline bl_status bli_options_known(const bl_options **options, bl_options *known)
{
    return !*options || (*options)->size == sizeof **options
               ? BL_OK
               : bli_options_read(options, known);
}

/* A call with alpha, rewritten as one without: alpha is its third input. */
struct bli_alpha_call {
    struct bli_call call;
    bl_scalar alpha;
    bl_array array;
    const bl_array *inputs[3];
    const char *names[3];
    bl_options options;
};

/* Whether the options have an alpha, which bli_alpha_call_make then rewrites. */
static inline bool bli_has_alpha(const bl_options *options)
{
    return options && options->alpha;
}

/*
 * Rewrite a call with alpha as `scaled->call`, which points into `scaled`.
 * BL_ERR_DTYPE if alpha does not fit the inputs, BL_ERR_ARGUMENT if the call takes no
 * alpha.
 */
bl_status bli_alpha_call_make(struct bli_alpha_call *scaled,
                              const struct bli_call *call);

/*
 * A resolved call: the problem to plan, and the rules' answer with the result's shape.
 */
struct bli_resolved {
    struct bli_problem problem;
    bl_rules_answer answer;
};

/*
 * Check a call's arguments and resolve its shapes and dtypes, without reading data.  If
 * `needs_data`, null data is refused where there are elements.
 */
bl_status bli_resolve(struct bli_resolved *resolved, bl_context *ctx,
                      const struct bli_call *call, bool needs_data);

/* Check the call itself: operator, number of inputs, their address. */
bl_status bli_check_call(const struct bli_call *call);

/*
 * Steps of bli_resolve, also for calls without an operator, whose options name their
 * inputs.  bli_check_arrays checks the arrays; bli_build_problem builds the problem
 * from the answer and the resolved dtypes, without its kernel.
 */
bl_status bli_check_arrays(const struct bli_call *call, bool needs_data);
bl_status bli_build_problem(struct bli_resolved *resolved, const bl_context *ctx,
                            const struct bli_call *call);

/*
 * Reserve `bytes` of staging memory for each of `threads` threads: on the stack if it
 * fits there, else lent by the calling thread.  BL_ERR_MEMORY.
 */
bl_status bli_staging_make(struct bli_staging *staging, int32_t threads, int64_t bytes);
void bli_staging_free(const struct bli_staging *staging);

/*
 * Decide how a binding is executed whose nest, layout, addresses and method are set:
 * stores, team, staging memory, partition.  A NULL team, for a part of a plan, is the
 * calling thread, for any range.  BL_ERR_MEMORY.  Execution follows at once: see
 * bli_partition_plan().
 */
bl_status bli_bind_execution(struct bli_binding *binding, const struct bl_plan *plan,
                             const struct bli_team *team);

/* Return the memory that bli_bind_execution() reserved, also where it failed. */
void bli_binding_free(const struct bli_binding *binding);

/*
 * Partition a new result of `count` elements of `size` bytes and call `body` for its
 * ranges, on at most `wanted` threads.  BL_ERR_MEMORY before anything is called.
 */
bl_status bli_run_ranges(const struct bli_team *team, int32_t wanted, int64_t count,
                         int64_t size, bli_body *body, const void *argument);

/* Whether a plan's operator refuses some values of its integer operands. */
static inline bool bli_has_integer_domain(const struct bl_plan *plan)
{
    return plan->is_integer_division ||
           (plan->op == BL_OP_POW && bli_dtypes[plan->common].class == BLI_CLASS_INT);
}

/*
 * Look for refused values in the iterations `range` of a plan's nest: divisors of 0,
 * and negative scalar exponents.  `binding` has the inputs' addresses; if `team` is
 * NULL, the calling thread does the work.  BL_ERR_ARGUMENT if there is one.
 */
bl_status bli_integer_domain_check(const struct bl_plan *plan,
                                   const struct bli_binding *binding,
                                   const struct bli_team *team, bl_range range);

/* Set the error of values that an operator refuses.  Returns BL_ERR_ARGUMENT. */
bl_status bli_integer_domain_refuse(bl_op op);

/* The plan's nest with the strides of copies, and the layout of staging buffers then.
 */
struct bli_private_nest {
    struct bli_nest nest;
    struct bli_staging_layout layout;
};

/* A binding and the memory that it holds during a call. */
struct bli_bound {
    struct bli_binding binding;
    const bl_allocator *allocator;
    bool holds; /* whether it holds any of the following, or memory of the binding */
    struct bli_private_nest *nest; /* lent if an operand was copied, else NULL */
    int32_t workspaces;
    struct bli_storage workspace[BLI_MAX_OPERANDS];
};

/* The error text for a result that overlaps an operand: PyTorch's words. */
extern const char bli_overlap_text[];

/*
 * Refuse a null or misaligned address of operand `k`.  Returns BL_OK if the plan has no
 * elements.
 */
bl_status bli_refuse_address(const struct bl_plan *plan, int32_t k, const void *data);

/*
 * Bind a plan's operands to addresses and decide what depends on them and on the
 * machine now: the last step that may fail, which execution follows at once.  Operands
 * that overlap the result are copied or refused, as the context's policy has it.  A
 * NULL context allows no workspace: operands that need one are refused, and staging is
 * for the calling thread alone.  Undo with bli_unbind.
 */
bl_status bli_bind(struct bli_bound *bound, const struct bl_plan *plan, bl_context *ctx,
                   void *out, const void *const *data);
void bli_bound_free(struct bli_bound *bound);

static inline void bli_unbind(struct bli_bound *bound)
{
    if (bound->holds)
        bli_bound_free(bound);
}

/*
 * Name the call that is refused, with its operands, as the public function `function`;
 * NULL is the operator's named form.  Returns `status`.
 */
bl_status bli_refuse_call(bl_status status, const struct bli_call *call,
                          const char *function);

#endif
