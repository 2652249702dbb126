/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The plan cache: each thread keeps its last plans, so that a program which does not
 * keep plans itself pays for planning once.  A plan depends on the call's signature
 * alone, so entries never have to be invalidated.
 */
#include "call/plan_cache.h"

#include "core/lend.h"

#include <float.h>

/* Operands of larger rank, and calls of more inputs, are planned each time. */
#define CACHED_RANK   6
#define CACHED_INPUTS 4

/*
 * The signature of one array: everything that a plan depends on, all but its address.
 */
struct look {
    uint64_t kind; /* dtype and rank */
    int32_t rank;
    uint32_t flags;
    uint32_t below; /* the alignment of the dtype, less 1 */
    bool has_stride;
    int64_t extent[CACHED_RANK];
    int64_t stride[CACHED_RANK];
};

/* The rest of a call's signature. */
struct settings {
    uint64_t call;         /* operator, and dtype that is asked for */
    uint64_t options;      /* axis, and inputs that must not be repeated */
    uint32_t form;         /* number of inputs, and what is so or is not */
    const bl_rules *rules; /* built-in ones, whose answer follows from the signature */
    const struct bli_isa *isa;
    uint64_t warnings; /* bli_warnings_generation() when the plan was made */
};

/* What an entry is looked for by. */
struct signature {
    struct settings settings;
    const struct bli_call *call;
};

struct entry {
    struct settings settings;
    bool raises_warnings;
    uint64_t kind;                        /* of call, as the warnings know it */
    struct look array[1 + CACHED_INPUTS]; /* the result, if given, and the inputs */
    struct bl_plan plan;
};

static _Thread_local void *slots; /* struct bli_slots; NULL until one is reserved */

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

static inline struct signature signature_of(const bl_context *ctx,
                                            const struct bli_call *call)
{
    const bl_options *const options = options_of(call);
    const uint32_t is_so = (uint32_t)ctx->reproducible |
                           (uint32_t)bli_is_sequential(ctx, call->options) << 1 |
                           (uint32_t)(call->out != NULL) << 2 |
                           (uint32_t)(call->out == call->inputs[0]) << 3;

    return (struct signature){
        {.call = (uint64_t)(uint32_t)call->op << 32 | (uint32_t)options->dtype,
         .options = (uint64_t)(uint32_t)options->axis << 32 | options->fixed,
         .form = is_so << 8 | (uint32_t)call->count,
         .rules = rules_of(ctx, options),
         .isa = ctx->isa,
         .warnings = bli_warnings_generation()},
        call,
    };
}

static inline bool are_same(const struct settings *one, const struct settings *other)
{
    return one->call == other->call && one->options == other->options &&
           one->form == other->form && one->rules == other->rules &&
           one->isa == other->isa && one->warnings == other->warnings;
}

/* Whether a result of any size is within the limit of growth of a call. */
static inline bool has_no_limit(const bl_context *ctx, const bl_options *options)
{
    const double limit =
        options->max_growth != 0 ? options->max_growth : ctx->max_growth;

    return limit == 0 || limit >= DBL_MAX;
}

/*
 * Whether a call may be in the cache, as far as its number of inputs tells: its plan
 * follows from its signature, and from no limit of growth.
 */
static inline bool is_plain(const bl_context *ctx, const struct bli_call *call)
{
    return call->inputs && call->count >= 1 && call->count <= CACHED_INPUTS &&
           has_no_limit(ctx, options_of(call));
}

/* What an array adds to a hash; 0 where it has no signature. */
static uint64_t part_of(const bl_array *array)
{
    if (!array || (uint32_t)array->rank > CACHED_RANK || !array->extent)
        return 0;
    return (uint64_t)array->dtype << 56 ^ bli_slot_extents(array->rank, array->extent)
                                              << 8;
}

/* Not of all that a plain call's signature has, but of what calls differ in most. */
static uint32_t hash_of(const void *sought)
{
    const struct signature *const signature = sought;
    const struct bli_call *const call = signature->call;

    return bli_slot_hash(
        signature->settings.call ^ (uint64_t)signature->settings.form << 40 ^
        part_of(call->inputs[0]) ^ part_of(call->inputs[call->count - 1]) >> 5);
}

static inline uint64_t kind_of(const bl_array *array)
{
    return (uint64_t)array->dtype | (uint64_t)(uint32_t)array->rank << 32;
}

/* Whether an array has this signature, and an address that needs no error. */
static inline bool matches(const struct look *look, const bl_array *array)
{
    uint64_t differs;

    if (!array || kind_of(array) != look->kind || array->flags != look->flags ||
        !array->data || ((uintptr_t)array->data & look->below) != 0 ||
        (look->rank > 0 && !array->extent) ||
        (array->stride != NULL) != look->has_stride)
        return false;
    differs = 0;
    if (look->has_stride)
        for (int32_t d = 0; d < look->rank; d++)
            differs |= (uint64_t)((array->extent[d] ^ look->extent[d]) |
                                  (array->stride[d] ^ look->stride[d]));
    else
        for (int32_t d = 0; d < look->rank; d++)
            differs |= (uint64_t)(array->extent[d] ^ look->extent[d]);
    return differs == 0;
}

static void note(struct look *look, const bl_array *array)
{
    look->kind = kind_of(array);
    look->rank = array->rank;
    look->flags = array->flags;
    look->has_stride = array->stride != NULL;
    look->below = (uint32_t)bli_dtypes[array->dtype].align - 1;
    for (int32_t d = 0; d < array->rank; d++) {
        look->extent[d] = array->extent[d];
        look->stride[d] = array->stride ? array->stride[d] : 0;
    }
}

static bool is_of(const void *kept, const void *sought)
{
    const struct entry *const entry = kept;
    const struct signature *const signature = sought;
    const struct bli_call *const call = signature->call;

    if (!are_same(&entry->settings, &signature->settings) ||
        (call->out && !matches(&entry->array[0], call->out)))
        return false;
    for (int32_t k = 0; k < call->count; k++)
        if (!matches(&entry->array[1 + k], call->inputs[k]))
            return false;
    return true;
}

bool bli_plan_cache_lookup(const bl_context *ctx, const struct bli_call *call,
                           struct bli_plan_loan *loan)
{
    struct signature signature;
    struct bli_slot *slot;
    struct entry *entry;

    if (!slots || !is_plain(ctx, call))
        return false;
    signature = signature_of(ctx, call);
    slot = bli_slots_find(slots, &signature, is_of, hash_of);
    if (!slot)
        return false;
    entry = slot->entry;
    /* Warnings that are to be emitted, or observed, are raised by resolving again. */
    if (entry->raises_warnings &&
        (ctx->observer || !bli_warnings_repeat(entry->kind, call->address))) {
        slot->hash = slot->uses > 0 ? slot->hash : 0; /* room for the same plan */
        return false;
    }
    bli_slot_use(slots, slot);
    *loan = (struct bli_plan_loan){&entry->plan, slot};
    return true;
}

/* Whether the arrays of a plain, resolved call have signatures. */
static bool has_signature(const struct bli_call *call)
{
    bool fits = !call->out || call->out->rank <= CACHED_RANK;

    for (int32_t k = 0; k < call->count; k++)
        fits &= call->inputs[k]->rank <= CACHED_RANK;
    return fits;
}

/*
 * Reserve a slot for a resolved call.  NULL if the call cannot be cached, or there is
 * none.
 */
static struct bli_slot *reserve_slot(const bl_context *ctx, const struct bli_call *call)
{
    const bl_rules *const rules = rules_of(ctx, options_of(call));
    struct signature signature;

    if (!is_plain(ctx, call) || !has_signature(call) ||
        bl_rules_find(rules->name) != rules || !bli_slots_own(&slots, bli_slots_free))
        return NULL;
    signature = signature_of(ctx, call);
    return bli_slots_reserve(slots, hash_of(&signature), sizeof(struct entry));
}

bool bli_plan_cache_reserve(const bl_context *ctx, const struct bli_call *call,
                            struct bli_plan_loan *loan)
{
    struct bli_slot *const slot = reserve_slot(ctx, call);
    struct entry *const entry = slot ? slot->entry : NULL;

    loan->slot = slot;
    loan->plan = entry ? &entry->plan : bli_thread_lend(sizeof *loan->plan);
    return loan->plan != NULL;
}

void bli_plan_cache_commit(const struct bli_plan_loan *loan, const bl_context *ctx,
                           const struct bli_call *call, const bl_rules_answer *answer)
{
    struct signature signature;
    struct entry *entry;

    if (!loan->slot)
        return;
    signature = signature_of(ctx, call);
    entry = loan->slot->entry;
    entry->settings = signature.settings;
    entry->raises_warnings = answer->events > 0;
    if (entry->raises_warnings)
        entry->kind = bli_call_kind(ctx, call, answer->event[0].change);
    if (call->out)
        note(&entry->array[0], call->out);
    for (int32_t k = 0; k < call->count; k++)
        note(&entry->array[1 + k], call->inputs[k]);
    loan->slot->hash = hash_of(&signature);
}

void bli_plan_cache_release(const struct bli_plan_loan *loan)
{
    if (loan->slot)
        bli_slot_return(loan->slot);
    else
        bli_thread_return(loan->plan);
}
