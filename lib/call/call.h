/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One call: checked, resolved by rules and dtypes, planned or found in the plan
 * cache, and bound to memory.
 */
#ifndef BLI_CALL_H
#define BLI_CALL_H

#include "tensor/tensor.h"

/* The address that the function it stands in returns to; NULL if unknown. */
#if defined(__GNUC__)
#define BLI_RETURN_ADDRESS __builtin_return_address(0)
#else
#define BLI_RETURN_ADDRESS NULL
#endif

/* One call as it came in. */
struct bli_call {
    bl_op op;
    int32_t count;
    const bl_array *const *inputs;
    const bl_array *out; /* NULL: to be allocated */
    const bl_options *options;
    const void *address;    /* to which the public function returns; NULL: unknown */
    bool has_default_names; /* the names in `options` are not the caller's */
    const char *function;   /* as PyTorch names the call; NULL: as its operator */
    uint32_t masks;         /* bit k set: input k is a mask; of where, the first is */
};

/*
 * bl_apply and bl_apply_new for a call that returns to `address`: what the exported
 * named forms are.
 */
bl_status bli_apply_from(const void *address, bl_context *ctx, bl_op op,
                         const bl_array *out, int32_t count,
                         const bl_array *const *inputs, const bl_options *options);
bl_status bli_apply_new_from(const void *address, bl_context *ctx, bl_op op,
                             int32_t count, const bl_array *const *inputs,
                             const bl_options *options, bl_tensor **out);

/* What PyTorch calls it, where that is more than its operator says; else NULL. */
const char *bli_call_function(const struct bli_call *call);

/* What the call's inputs are called in messages. */
const char *const *bli_call_names(const struct bli_call *call);

/* The dtype that inputs, which are checked, are promoted to: bl_result_dtype.  Pure. */
bl_dtype bli_promote(int32_t count, const bl_array *const *arrays);

/*
 * Fill in a problem's common dtype and its result's, for a call whose arrays are
 * checked.  BL_ERR_DTYPE where the operator does not take its inputs, or where its
 * result cannot be cast to what is asked for.
 */
bl_status bli_resolve_dtypes(struct bli_problem *problem, const struct bli_call *call);

/*
 * Ask the rules in force for the result's shape and each input's pairing, and tell the
 * observer, and who hears warnings, what differs from a legacy result.  Arrays are
 * checked.
 */
bl_status bli_broadcast_call(bl_rules_answer *answer, const bl_context *ctx,
                             const struct bli_call *call);

/*
 * The options of a call as this library knows them: as given where the program was
 * compiled with the same ones, else read into `*known`.  Errors as bli_sized_read().
 */
bl_status bli_options_read(const bl_options **options, bl_options *known);

static inline bl_status bli_options_known(const bl_options **options, bl_options *known)
{
    return !*options || (*options)->size == sizeof **options
               ? BL_OK
               : bli_options_read(options, known);
}

/* A call with alpha as one without: the number is its third input. */
struct bli_alpha_call {
    struct bli_call call;
    bl_scalar alpha;
    bl_array array;
    const bl_array *inputs[3];
    const char *names[3];
    bl_options options;
};

/* Whether the call has an alpha, to be made a call without by bli_alpha_call_make. */
static inline bool bli_has_alpha(const bl_options *options)
{
    return options && options->alpha;
}

/* `scaled->call` points into `scaled`.  BL_ERR_DTYPE where alpha does not fit. */
bl_status bli_alpha_call_make(struct bli_alpha_call *scaled,
                              const struct bli_call *call);

/* The shape that resolve found, and a plan for it. */
struct bli_resolved {
    struct bli_problem problem;
    bl_rules_answer answer;
};

/*
 * Check a call's arguments and resolve its rules: everything but data is looked at.
 * `needs_data` also refuses null data where there are elements.  On failure the error's
 * text and place are set.
 */
bl_status bli_resolve(struct bli_resolved *resolved, bl_context *ctx,
                      const struct bli_call *call, bool needs_data);

/*
 * Steps of it, for calls of no operator, whose options name their inputs: check the
 * arrays; state the problem, but for its kernel, of an answer and of settled dtypes.
 */
bl_status bli_check_arrays(const struct bli_call *call, bool needs_data);
bl_status bli_build_problem(struct bli_resolved *resolved, const bl_context *ctx,
                            const struct bli_call *call);

/*
 * Staging of `bytes` for each of `threads` threads, on the stack where it may be, else
 * lent by the calling thread.  BL_ERR_MEMORY.
 */
bl_status bli_staging_make(struct bli_staging *staging, int32_t threads, int64_t bytes);
void bli_staging_free(const struct bli_staging *staging);

/*
 * Settle a binding's team, which is NULL for a part of a plan, and make its staging.
 * BL_ERR_MEMORY.
 */
bl_status bli_stage(struct bli_binding *binding, const struct bl_plan *plan,
                    const struct bli_team *team);

/* Whether there are values that a plan's operator refuses: of integers, in few. */
static inline bool bli_has_integer_domain(const struct bl_plan *plan)
{
    return plan->is_integer_division ||
           (plan->op == BL_OP_POW && bli_dtypes[plan->common].class == BLI_CLASS_INT);
}

/*
 * Look for such values in the iterations `range` of a plan's nest: divisors of 0, and
 * exponents that are negative numbers.  `data` are the inputs' addresses; a NULL team
 * is the calling thread.  BL_ERR_ARGUMENT where there is one.
 */
bl_status bli_integer_domain_check(const struct bl_plan *plan,
                                   const struct bli_binding *binding,
                                   const struct bli_team *team, bl_range range);

/* A binding and what it holds for the length of a call. */
struct bli_bound {
    struct bli_binding binding;
    const bl_allocator *allocator;
    bool holds;            /* anything that follows, or staging */
    struct bli_nest *nest; /* lent where an operand was copied, else NULL */
    int32_t workspaces;
    struct bli_storage workspace[BLI_MAX_OPERANDS];
};

/* What a result that overlaps an operand is refused with: PyTorch's words. */
extern const char bli_overlap_text[];

/*
 * Put a plan's operands at addresses, with operands that overlap the result copied or
 * refused as the context has it, and make the staging of its threads: the last step
 * that may fail.  A NULL context allows no workspace, and what would need one is
 * refused; its staging is that of the calling thread.  Undo with bli_unbind.
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
 * Plans that this thread remembers.  `find` gives the one that was kept for a call of
 * the same looks, or NULL; `take` gives room for a new one, NULL without memory.  What
 * either gave is to be released; a taken plan that was made is kept for the next call,
 * where calls of the kind are remembered.
 */
struct bl_plan *bli_plan_cache_lookup(const bl_context *ctx,
                                      const struct bli_call *call);
struct bl_plan *bli_plan_cache_reserve(const bl_context *ctx,
                                       const struct bli_call *call);
void bli_plan_cache_commit(const struct bl_plan *plan, const bl_context *ctx,
                           const struct bli_call *call, const bl_rules_answer *answer);
void bli_plan_cache_release(struct bl_plan *plan);

/*
 * Put the call into the error's place, "add: f32[2,3] f32[3,2]", and return `status`.
 */
bl_status bli_fail_in_call(bl_status status, const struct bli_call *call);

#endif
