/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Each thread remembers the last plans that calls without a plan of their own made.
 * A plan depends on the expression, the options, settings of the context and what the
 * arrays look like, which are its key.  The expression is known by its number, which no
 * other one has: it may be freed, and the plan is found no more.
 */
#include "expr/remember.h"

#include "core/sized.h"

#include <string.h>

enum {
    KEY_WORDS = 160,  /* longer keys are not remembered */
    KEY_RANK = 6,     /* nor arrays of larger rank, */
    MOST_NODES = 128, /* nor plans of more nodes: they take more to execute */
    ARRAY_WORDS = 1 + 2 * KEY_RANK
};

struct key {
    size_t words; /* 0: there is none */
    int64_t word[KEY_WORDS];
};

struct entry {
    bl_expr_plan *plan; /* NULL until there is one */
    struct key key;
};

static _Thread_local void *slots; /* struct bli_slots; NULL until the first plan */

/* ---- keys ---- */

static int64_t word_of(const void *pointer)
{
    return (int64_t)(intptr_t)pointer;
}

/*
 * Add what an array looks like.  False where it cannot be remembered, or its address
 * needs an error.
 */
static bool add_array(struct key *key, const bl_array *array)
{
    int64_t *word = key->word + key->words;

    if (key->words + ARRAY_WORDS > KEY_WORDS)
        return false;
    if (!array) {
        key->words++;
        *word = 0;
        return true;
    }
    if (!bli_dtype_is_valid(array->dtype) || array->rank < 0 ||
        array->rank > KEY_RANK || (array->rank > 0 && !array->extent) || !array->data ||
        ((uintptr_t)array->data & ((uintptr_t)bli_dtypes[array->dtype].align - 1)) != 0)
        return false;
    *word++ = (int64_t)((uint64_t)array->dtype | (uint64_t)array->rank << 8 |
                        (uint64_t)(array->stride != NULL) << 16 |
                        (uint64_t)array->flags << 32);
    for (int32_t d = 0; d < array->rank; d++)
        *word++ = array->extent[d];
    for (int32_t d = 0; array->stride && d < array->rank; d++)
        *word++ = array->stride[d];
    key->words = (size_t)(word - key->word);
    return true;
}

/* Whether the rules are the library's: a program's may answer otherwise next time. */
static bool are_built_in(const bl_rules *rules)
{
    return bl_rules_find(rules->name) == rules;
}

/* Make the key of a call; one without words where its plan cannot be remembered. */
static void make_key(struct key *key, const bl_context *ctx, const bl_expr *expr,
                     const bl_array *const *outs, const bl_array *const *inputs,
                     const bl_expr_options *given)
{
    static const bl_expr_options defaults = BL_EXPR_OPTIONS_DEFAULT;
    bl_expr_options options = defaults;
    const bl_rules *rules;
    bool is_whole = expr->nodes <= MOST_NODES && !expr->has_rules;

    key->words = 0;
    if (!is_whole || (expr->inputs > 0 && !inputs) ||
        (given && BLI_SIZED_READ(&options, flags, given, "options") != BL_OK))
        return;
    rules = options.rules ? options.rules : ctx->rules;
    key->word[0] = (int64_t)expr->number;
    key->word[1] = word_of(rules);
    key->word[2] = word_of(ctx->isa);
    key->word[3] = (int64_t)((uint64_t)options.flags << 32 | (uint32_t)options.axis);
    key->word[4] =
        (int64_t)((uint64_t)ctx->overlap << 32 | (uint64_t)ctx->reproducible |
                  (uint64_t)(outs != NULL) << 1);
    key->word[5] = ctx->team.threads;
    memcpy(&key->word[6], &ctx->max_growth, sizeof ctx->max_growth);
    key->words = 7;
    for (int32_t k = 0; is_whole && k < expr->inputs; k++)
        is_whole = add_array(key, inputs[k]);
    for (int32_t k = 0; is_whole && outs && k < expr->outputs; k++)
        is_whole = add_array(key, outs[k]);
    if (!is_whole)
        key->words = 0;
}

/* ---- entries ---- */

static void forget(void *memory)
{
    const struct bli_slots *const all = memory;

    for (int k = 0; k < BLI_SLOTS; k++)
        if (all->slot[k].entry)
            bl_expr_plan_destroy(((struct entry *)all->slot[k].entry)->plan);
    bli_slots_free(memory);
}

static uint32_t hash_of(const void *sought)
{
    const struct key *const key = sought;
    uint64_t parts = 0;

    for (size_t k = 0; k < key->words; k++)
        parts = (parts << 7 | parts >> 57) ^ (uint64_t)key->word[k];
    return bli_slot_hash(parts);
}

static bool has_key(const void *kept, const void *sought)
{
    const struct key *const known = &((const struct entry *)kept)->key;
    const struct key *const key = sought;

    return known->words == key->words &&
           memcmp(known->word, key->word, key->words * sizeof *key->word) == 0;
}

/* Remember a plan that was made; returns its slot, NULL where there is none. */
static struct bli_slot *remember(bl_expr_plan *plan, const struct key *key)
{
    const uint32_t hash = hash_of(key);
    struct bli_slot *const slot = bli_slots_reserve(slots, hash, sizeof(struct entry));
    struct entry *entry;

    if (!slot)
        return NULL;
    entry = slot->entry;
    bl_expr_plan_destroy(entry->plan);
    entry->plan = plan;
    entry->key.words = key->words;
    memcpy(entry->key.word, key->word, key->words * sizeof *key->word);
    slot->hash = hash;
    return slot;
}

/* ---- plans ---- */

bl_status bli_expr_plan_obtain(bl_context *ctx, bl_expr *expr,
                               const bl_array *const *outs,
                               const bl_array *const *inputs,
                               const bl_expr_options *options, const char *function,
                               bool *is_named, struct bli_expr_loan *loan)
{
    struct key key;
    struct bli_slot *slot;

    ctx = bli_context(ctx);
    make_key(&key, ctx, expr, outs, inputs, options);
    slot =
        slots && key.words > 0 ? bli_slots_find(slots, &key, has_key, hash_of) : NULL;
    if (slot) {
        bli_slot_use(slots, slot);
        *loan = (struct bli_expr_loan){((const struct entry *)slot->entry)->plan, slot};
        return BL_OK;
    }
    if (key.words > 0 && (!are_built_in((const bl_rules *)(intptr_t)key.word[1]) ||
                          !bli_slots_own(&slots, forget)))
        key.words = 0;
    *loan = (struct bli_expr_loan){NULL, NULL};
    BL_TRY(bli_expr_plan_make(ctx, expr, outs, inputs, options, key.words > 0, function,
                              is_named, &loan->plan));
    if (key.words > 0)
        loan->slot = remember(loan->plan, &key);
    return BL_OK;
}

void bli_expr_plan_return(const struct bli_expr_loan *loan)
{
    if (loan->slot)
        bli_slot_return(loan->slot);
    else
        bl_expr_plan_destroy(loan->plan);
}
