/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the public entry points share: the context's fields, checking and resolving a
 * call, binding a plan to memory.
 */
#ifndef BLI_API_H
#define BLI_API_H

#include <broadloom/plan.h>
#include <broadloom/warnings.h>

#include "exec/exec.h"
#include "topo/topo.h"

#include <stdatomic.h>

struct bl_context {
    struct bli_team team;
    bl_allocator allocator;
    const struct bli_isa *isa; /* cap; NULL: none */
    const bl_rules *rules;     /* never NULL */
    double max_growth;
    bl_overlap overlap;
    bool reproducible;
    bl_placement placement;
    struct bli_pool *pool; /* NULL where there was no memory for one */
    bl_observer observer;
    void *observer_user;
};

/* `ctx`, or the default context where it is NULL.  Thread-safe. */
bl_context *bli_context(bl_context *ctx);

/* Refine a context's settings by the environment's variables. */
void bli_environment_read(bl_context *ctx);

/* The process's warning flags; read with bli_backcompat(). */
enum {
    BLI_BACKCOMPAT_BROADCAST = 1,
    BLI_BACKCOMPAT_KEEPDIM = 2,
    BLI_BACKCOMPAT_PRECISE = 4
};
extern _Atomic uint32_t bli_backcompat_word;

/* Take the environment's word for them, the first time that it is called. */
void bli_backcompat_start(void);

static inline uint32_t bli_backcompat(void)
{
    return atomic_load_explicit(&bli_backcompat_word, memory_order_relaxed);
}

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
bl_status bli_settle_dtypes(struct bli_problem *problem, const struct bli_call *call);

/*
 * Ask the rules in force for the result's shape and each input's pairing, and tell the
 * observer, and who hears warnings, what differs from a legacy result.  Arrays are
 * checked.
 */
bl_status bli_pair(bl_rules_answer *answer, const bl_context *ctx,
                   const struct bli_call *call);

/* A call with alpha as one without: the number is its third input. */
struct bli_scaled {
    struct bli_call call;
    bl_scalar alpha;
    bl_array array;
    const bl_array *inputs[3];
    const char *names[3];
    bl_options options;
};

/* Whether the call has an alpha, to be made a call without by bli_scaled_make. */
static inline bool bli_has_alpha(const bl_options *options)
{
    return options && options->size >= sizeof *options && options->alpha;
}

/* `scaled->call` points into `scaled`.  BL_ERR_DTYPE where alpha does not fit. */
bl_status bli_scaled_make(struct bli_scaled *scaled, const struct bli_call *call);

/* Whether a call's elements are observed to be done in order, by context and rules. */
static inline bool bli_is_sequential(const bl_context *ctx, const bl_options *options)
{
    const bl_rules *const rules =
        options && options->rules ? options->rules : ctx->rules;

    return ctx->overlap == BL_OVERLAP_SEQUENTIAL ||
           (ctx->overlap == BL_OVERLAP_RULES && rules->is_sequential);
}

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
bl_status bli_state_problem(struct bli_resolved *resolved, const bl_context *ctx,
                            const struct bli_call *call);

/* Whether a placement is one of this machine; the check sets the error text. */
bool bli_placement_exists(const bl_placement *placement);
bl_status bli_placement_check(const bl_placement *placement);

/* Memory of elements and what it takes to give it back. */
struct bli_storage {
    void *data;
    size_t bytes;          /* 0: nothing */
    bool is_block;         /* a large block, not of the allocator */
    struct bli_pool *pool; /* of a block: retained, or NULL */
    bl_placement placement;
};

/*
 * Memory for `bytes` of elements of `size` each, uninitialised: a block placed as
 * `placement` says where they are many and the context's allocator is the library's
 * own.  BL_ERR_MEMORY.
 */
bl_status bli_storage_make(struct bli_storage *storage, bl_context *ctx, int64_t bytes,
                           int64_t size, const bl_placement *placement);

/* Give it back; `allocator` is the context's when it was made. */
void bli_storage_free(struct bli_storage *storage, const bl_allocator *allocator);

/* Whether there are values that a plan's operator refuses: of integers, in few. */
static inline bool bli_refuses_values(const struct bl_plan *plan)
{
    return plan->divides ||
           (plan->op == BL_OP_POW && bli_dtypes[plan->common].class == BLI_CLASS_INT);
}

/*
 * Look for such values in the iterations `range` of a plan's nest: divisors of 0, and
 * exponents that are negative numbers.  `data` are the inputs' addresses; a NULL team
 * is the calling thread.  BL_ERR_ARGUMENT where there is one.
 */
bl_status bli_values_check(const struct bl_plan *plan,
                           const struct bli_binding *binding,
                           const struct bli_team *team, bl_range range);

/* A binding and what it holds for the length of a call. */
struct bli_bound {
    struct bli_binding binding;
    struct bli_nest nest; /* used where an operand was copied */
    const bl_allocator *allocator;
    int32_t workspaces;
    struct bli_storage workspace[BLI_MAX_OPERANDS];
};

/* What a result that overlaps an operand is refused with: PyTorch's words. */
extern const char bli_overlap_text[];

/*
 * Put a plan's operands at addresses, with operands that overlap the result copied or
 * refused as the context has it: the last step that may fail.  A NULL context allows no
 * workspace, and what would need one is refused.  Undo with bli_unbind.
 */
bl_status bli_bind(struct bli_bound *bound, const struct bl_plan *plan, bl_context *ctx,
                   void *out, const void *const *data);
void bli_unbind(struct bli_bound *bound);

/*
 * Plans that this thread remembers.  `find` gives the one that was kept for a call of
 * the same looks, `take` room for a new one; NULL where there is none, or where calls
 * of the kind are not remembered.  What either gave is to be released; a taken plan
 * that was made is kept for the next call.
 */
struct bl_plan *bli_memo_find(const bl_context *ctx, const struct bli_call *call);
struct bl_plan *bli_memo_take(const bl_context *ctx, const struct bli_call *call);
void bli_memo_keep(const struct bl_plan *plan, const bl_context *ctx,
                   const struct bli_call *call, const bl_rules_answer *answer);
void bli_memo_release(const struct bl_plan *plan);

/*
 * Put the call into the error's place, "add: f32[2,3] f32[3,2]", and return `status`.
 */
bl_status bli_fail_in_call(bl_status status, const struct bli_call *call);

/* Check one array: rank, extents, strides and byte span.  `name` is for the text. */
bl_status bli_array_check(const bl_array *array, const char *name, bool needs_data);

/* Tell the context's observer, if it has one; its status. */
bl_status bli_observe(const bl_context *ctx, const bl_event *event);

/* A tensor of a checked shape, uninitialised; a NULL placement means the context's. */
bl_status bli_tensor_new(bl_context *ctx, bl_dtype dtype, int32_t rank,
                         const int64_t *extent, const bl_placement *placement,
                         bl_tensor **out);

/* A new tensor over `tensor`'s memory; `layout` is relative to its first element. */
bl_status bli_tensor_view(bl_tensor *tensor, const bl_layout *layout, bl_tensor **out);

/*
 * Write values first, ..., first + count - 1 of a sequence: a pure function of those.
 */
typedef void bli_sequence(const void *argument, int64_t first, int64_t count,
                          double *values);

/*
 * Convert a sequence to the elements of a compact array in order, complex ones from two
 * values each, on the context's threads.  Every value is the same whatever their
 * number.
 */
void bli_fill(bl_context *ctx, const bl_array *out, bli_sequence *sequence,
              const void *argument);

/* Philox4x32-10: a random block from a counter and a key.  Pure. */
void bli_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);

/*
 * An element as text that reads back as the same value, with '.' in any locale; returns
 * its length.
 */
#define BLI_ELEMENT_TEXT 80
int bli_element_text(char text[BLI_ELEMENT_TEXT], bl_dtype dtype, const void *element);

#endif
