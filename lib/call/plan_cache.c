/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The plan cache: each thread keeps its last few plans, so that a program which does
 * not keep plans itself pays for planning once.  A plan depends on the call's signature
 * alone, so entries never have to be invalidated.
 */
#include "call/call.h"

/* Operands of larger rank are planned each time. */
#define MEMO_RANK 6

#define MEMO_INPUTS  4
#define MEMO_ENTRIES 4

/*
 * The signature of one array: everything that a plan depends on, all but its address.
 */
struct look {
    bl_dtype dtype;
    int32_t rank;
    uint32_t flags;
    bool has_stride;
    uint32_t below; /* the alignment of the dtype, less 1 */
    int64_t extent[MEMO_RANK];
    int64_t stride[MEMO_RANK];
};

struct entry {
    bl_op op; /* BL_OP_NONE: the entry is empty */
    int32_t count;
    int32_t uses; /* calls under way with the plan: a callback may call again */
    bool has_out;
    bool is_in_place;
    bool is_reproducible;
    bool is_sequential;
    const bl_rules *rules; /* built-in ones, whose answer follows from the signature */
    int32_t axis;          /* of the options, as are the next two */
    bl_dtype dtype;
    uint32_t fixed;
    uint64_t warnings; /* bli_warnings_generation() when the plan was made */
    bool raises_warnings;
    uint64_t kind; /* of call, as the warnings know it */
    const struct bli_isa *isa;
    struct look array[1 + MEMO_INPUTS]; /* signatures of the result, if given, and of
                                           the inputs */
    struct bl_plan plan;
};

static _Thread_local void
    *entries; /* MEMO_ENTRIES of them; NULL until the first is reserved */

/* The options of a call, which has no alpha; names matter for messages alone. */
static const bl_options *options_of(const struct bli_call *call)
{
    static const bl_options defaults = BL_OPTIONS_DEFAULT;

    return call->options ? call->options : &defaults;
}

static const bl_rules *rules_of(const bl_context *ctx, const bl_options *options)
{
    return options->rules ? options->rules : ctx->rules;
}

/*
 * Whether a call may be in the cache, as far as its number of inputs and their first
 * and last tell: its plan follows from its signature, and from no limit of growth.
 */
static bool is_plain(const bl_context *ctx, const struct bli_call *call)
{
    return call->inputs && call->count >= 1 && call->count <= MEMO_INPUTS &&
           call->inputs[0] && call->inputs[call->count - 1] && ctx->max_growth == 0 &&
           options_of(call)->max_growth == 0;
}

/*
 * The cache entry of a plain call, chosen by a hash of its signature.  Entries must be
 * allocated.
 */
static struct entry *place(const struct bli_call *call)
{
    const bl_array *const last = call->inputs[call->count - 1];
    const bl_dtype result = call->out ? call->out->dtype : options_of(call)->dtype;
    const uint32_t mix = (uint32_t)call->op * 5 + (uint32_t)last->dtype * 3 +
                         (uint32_t)call->inputs[0]->rank + (uint32_t)last->rank +
                         (uint32_t)result;

    return (struct entry *)entries + mix % MEMO_ENTRIES;
}

/* Whether an array has this signature, and an address that needs no error. */
static bool matches(const struct look *look, const bl_array *array)
{
    if (!array || array->dtype != look->dtype || array->rank != look->rank ||
        array->flags != look->flags || (array->stride != NULL) != look->has_stride ||
        !array->data || ((uintptr_t)array->data & look->below) != 0)
        return false;
    if (array->rank > 0 && !array->extent)
        return false;
    for (int32_t d = 0; d < look->rank; d++)
        if (array->extent[d] != look->extent[d] ||
            (look->has_stride && array->stride[d] != look->stride[d]))
            return false;
    return true;
}

static void note(struct look *look, const bl_array *array)
{
    look->dtype = array->dtype;
    look->rank = array->rank;
    look->flags = array->flags;
    look->has_stride = array->stride != NULL;
    look->below = (uint32_t)bli_dtypes[array->dtype].align - 1;
    for (int32_t d = 0; d < array->rank; d++) {
        look->extent[d] = array->extent[d];
        look->stride[d] = array->stride ? array->stride[d] : 0;
    }
}

static bool is_in_place(const struct bli_call *call)
{
    return call->out == call->inputs[0];
}

struct bl_plan *bli_plan_cache_lookup(const bl_context *ctx,
                                      const struct bli_call *call)
{
    const bl_options *const options = options_of(call);
    struct entry *entry;

    if (!entries || !is_plain(ctx, call))
        return NULL;
    entry = place(call);
    /* An entry that is reserved, or whose plan was refused, has no operator. */
    if (entry->op == BL_OP_NONE || entry->op != call->op ||
        entry->count != call->count || entry->isa != ctx->isa ||
        entry->is_reproducible != ctx->reproducible ||
        entry->rules != rules_of(ctx, options) || entry->axis != options->axis ||
        entry->dtype != options->dtype || entry->fixed != options->fixed ||
        entry->is_sequential != bli_is_sequential(ctx, call->options) ||
        entry->warnings != bli_warnings_generation() ||
        entry->has_out != (call->out != NULL) ||
        entry->is_in_place != is_in_place(call))
        return NULL;
    if (call->out && !matches(&entry->array[0], call->out))
        return NULL;
    for (int32_t k = 0; k < call->count; k++)
        if (!matches(&entry->array[1 + k], call->inputs[k]))
            return NULL;
    /* Warnings that are to be emitted, or observed, are raised by resolving again. */
    if (entry->raises_warnings &&
        (ctx->observer || !bli_warnings_repeat(entry->kind, call->address)))
        return NULL;
    entry->uses++;
    return &entry->plan;
}

/* Whether the arrays of a plain, resolved call have signatures. */
static bool has_signature(const struct bli_call *call)
{
    bool fits = !call->out || call->out->rank <= MEMO_RANK;

    for (int32_t k = 0; k < call->count; k++)
        fits &= call->inputs[k]->rank <= MEMO_RANK;
    return fits;
}

/*
 * Reserve a cache entry for a resolved call.  NULL if the call cannot be cached, or the
 * entry is in use.
 */
static struct bl_plan *take_entry(const bl_context *ctx, const struct bli_call *call)
{
    const bl_rules *const rules = rules_of(ctx, options_of(call));
    struct entry *entry;

    if (!is_plain(ctx, call) || !has_signature(call) ||
        bl_rules_find(rules->name) != rules)
        return NULL;
    if (!entries && !bli_thread_own(&entries, MEMO_ENTRIES * sizeof *entry))
        return NULL;
    entry = place(call);
    if (entry->uses > 0)
        return NULL;
    entry->op = BL_OP_NONE;
    entry->uses = 1;
    return &entry->plan;
}

struct bl_plan *bli_plan_cache_reserve(const bl_context *ctx,
                                       const struct bli_call *call)
{
    struct bl_plan *const plan = take_entry(ctx, call);

    return plan ? plan : bli_thread_lend(sizeof *plan);
}

/* The cache entry that a plan is part of; NULL for a plan elsewhere. */
static struct entry *entry_of(const struct bl_plan *plan)
{
    const uintptr_t offset = (uintptr_t)plan - (uintptr_t)entries;

    if (offset >= MEMO_ENTRIES * sizeof(struct entry))
        return NULL;
    return (struct entry *)((uintptr_t)plan - offsetof(struct entry, plan));
}

void bli_plan_cache_commit(const struct bl_plan *plan, const bl_context *ctx,
                           const struct bli_call *call, const bl_rules_answer *answer)
{
    const bl_options *const options = options_of(call);
    struct entry *const entry = entry_of(plan);

    if (!entry)
        return;
    entry->count = call->count;
    entry->isa = ctx->isa;
    entry->rules = rules_of(ctx, options);
    entry->axis = options->axis;
    entry->dtype = options->dtype;
    entry->fixed = options->fixed;
    entry->is_sequential = bli_is_sequential(ctx, call->options);
    entry->is_reproducible = ctx->reproducible;
    entry->warnings = bli_warnings_generation();
    entry->raises_warnings = answer->events > 0;
    if (entry->raises_warnings)
        entry->kind = bli_call_kind(ctx, call, answer->event[0].change);
    entry->has_out = call->out != NULL;
    entry->is_in_place = is_in_place(call);
    if (call->out)
        note(&entry->array[0], call->out);
    for (int32_t k = 0; k < call->count; k++)
        note(&entry->array[1 + k], call->inputs[k]);
    entry->op = call->op;
}

void bli_plan_cache_release(struct bl_plan *plan)
{
    struct entry *const entry = entry_of(plan);

    if (entry)
        entry->uses--;
    else
        bli_thread_return(plan);
}
