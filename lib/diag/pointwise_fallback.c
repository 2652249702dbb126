/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Warnings of calls whose operands still pair as 1-D, for bindings that keep Torch's
 * results.  The warnings of a call follow from its shapes: each thread caches the last
 * call signature of each call site, so that a loop's calls are only compared and
 * counted.
 */
#include "diag/change.h"
#include "diag/warnings.h"

/*
 * Record the shapes of a call and whether it raised warnings; `count` stays 0 where it
 * has too many operands or dimensions for a signature.
 */
static void record_signature(struct bli_call_signature *signature,
                             const bl_rules_query *query, const char *file,
                             int32_t line, const void *address, bool raises)
{
    signature->count = 0;
    if (query->count > BLI_SIGNATURE_OPERANDS)
        return;
    for (int32_t k = 0; k < query->count; k++) {
        const bl_shape *const shape = &query->operand[k].shape;

        if (shape->rank > BLI_SIGNATURE_RANK)
            return;
        signature->rank[k] = shape->rank;
        for (int32_t d = 0; d < shape->rank; d++)
            signature->extent[k][d] = shape->extent[d];
    }
    signature->function = query->function;
    signature->file = file;
    signature->line = line;
    signature->address = address;
    signature->raises = raises;
    signature->mode = query->mode;
    signature->predicate = bl_backcompat_broadcast_warning_predicate();
    signature->count = query->count;
}

/*
 * Raise all warnings of an answer, as of a call from that line of a file or from an
 * address.  The first status that is not BL_OK is returned.
 */
static bl_status raise(const bl_rules_query *query, const bl_rules_answer *answer,
                       const char *file, int32_t line, const void *address)
{
    bl_status status = BL_OK;

    bl_call_site_enter(file, line);
    for (int32_t i = 0; i < answer->events && status == BL_OK; i++)
        status = bl_warnings_raise(query, answer, &answer->event[i], address);
    return bl_call_site_leave(status);
}

bl_status bl_warnings_raise_pointwise(const bl_rules_query *query, const char *file,
                                      int32_t line, const void *address)
{
    const bl_rules *const rules = bli_pointwise_rules(query);
    bl_rules_answer answer;
    struct bli_cache_entry *entry;
    bl_status status;

    line = file ? line : 0;
    if (bl_rules_resolve(rules, query, &answer) != BL_OK)
        return BL_OK; /* the call itself refuses what does not pair */
    if (answer.events == 0)
        answer.events = bl_change_find(
            query, &answer, bl_backcompat_broadcast_warning_predicate(), answer.event);
    status = raise(query, &answer, file, line, address);
    /* A suppressed call is not counted, and must be raised again later. */
    if (status == BL_OK && query->op == BL_OP_NONE && *bli_suppressed() == 0 &&
        bli_has_thread_cache())
        record_signature(bli_signature_at(line, address, &entry), query, file, line,
                         address, answer.events > 0);
    return status;
}

/* Whether a call has the mode, predicate and shapes of a signature. */
static bool matches(const struct bli_call_signature *signature, bl_mode mode,
                    int32_t count, const bl_array *const *operands)
{
    if (signature->count != count || signature->mode != (int32_t)mode ||
        signature->predicate != bl_backcompat_broadcast_warning_predicate())
        return false;
    for (int32_t k = 0; k < count; k++) {
        if (operands[k]->rank != signature->rank[k])
            return false;
        for (int32_t d = 0; d < signature->rank[k]; d++)
            if (operands[k]->extent[d] != signature->extent[k][d])
                return false;
    }
    return true;
}

bool bl_warnings_count_repeat_pointwise(const char *function, bl_mode mode,
                                        int32_t count, const bl_array *const *operands,
                                        const char *file, int32_t line,
                                        const void *address)
{
    struct bli_cache_entry *entry;
    const struct bli_call_signature *const signature =
        bli_signature_at(file ? line : 0, address, &entry);

    if (signature->function != function || signature->file != file ||
        signature->line != (file ? line : 0) || signature->address != address ||
        !matches(signature, mode, count, operands))
        return false;
    if (!signature->raises)
        return true;
    if (entry->suppressed_generation !=
        atomic_load_explicit(&bli_filter_generation, memory_order_relaxed))
        return false;
    if (*bli_suppressed() == 0)
        bli_count_in_entry(entry, 1);
    return true;
}
