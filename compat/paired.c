/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Warnings of calls whose operands pair as 1-D still, for bindings that give the
 * results of old.  What a call raises follows from its shapes: a thread keeps the last
 * ones of each place, so that a loop's calls are compared and counted.
 */
#include "warnings.h"

/* Keep how a call looks that raised `events` warnings, if there is room for it. */
static void note(struct bli_look *look, const bl_rules_query *query, int32_t events)
{
    look->count = 0;
    if (query->count > BLI_LOOK_OPERANDS)
        return;
    for (int32_t k = 0; k < query->count; k++) {
        const bl_shape *const shape = &query->operand[k].shape;

        if (shape->rank > BLI_LOOK_RANK)
            return;
        look->rank[k] = shape->rank;
        for (int32_t d = 0; d < shape->rank; d++)
            look->extent[k][d] = shape->extent[d];
    }
    look->events = events;
    look->mode = query->mode;
    look->predicate = bl_backcompat_broadcast_warning_predicate();
    look->count = query->count;
}

bl_status bl_warnings_raise_paired(const bl_rules_query *query, const char *file,
                                   int32_t line)
{
    bl_rules_answer answer;
    struct bli_look *look;
    bl_status status = BL_OK;

    if (bl_rules_resolve(&bl_rules_transitional, query, &answer) != BL_OK)
        return BL_OK; /* what does not pair is refused elsewhere */
    if (answer.events == 0)
        answer.events = bl_difference_find(
            query, &answer, bl_backcompat_broadcast_warning_predicate(), answer.event);
    bl_call_site_enter(file, line);
    for (int32_t i = 0; i < answer.events && status == BL_OK; i++)
        status = bl_warnings_raise(query, &answer, &answer.event[i], NULL);
    status = bl_call_site_leave(status);
    /* What is suppressed is not counted, and must be told another time. */
    if (status == BL_OK && answer.events > 0 && query->op == BL_OP_NONE &&
        *bli_suppressed() == 0 &&
        bli_recall(query->function, file, file ? line : 0, &look))
        note(look, query, answer.events);
    return status;
}

/* Whether a call looks like one that was kept. */
static bool is_alike(const struct bli_look *look, bl_mode mode, int32_t count,
                     const bl_array *const *operands)
{
    if (look->count != count || look->mode != (int32_t)mode ||
        look->predicate != bl_backcompat_broadcast_warning_predicate())
        return false;
    for (int32_t k = 0; k < count; k++) {
        if (operands[k]->rank != look->rank[k])
            return false;
        for (int32_t d = 0; d < look->rank[k]; d++)
            if (operands[k]->extent[d] != look->extent[k][d])
                return false;
    }
    return true;
}

bool bl_warnings_repeat_paired(const char *function, bl_mode mode, int32_t count,
                               const bl_array *const *operands, const char *file,
                               int32_t line)
{
    struct bli_look *look;
    struct bli_kept *const kept = bli_recall(function, file, file ? line : 0, &look);

    if (!kept || !is_alike(look, mode, count, operands))
        return false;
    if (*bli_suppressed() == 0)
        bli_count_kept(kept, look->events);
    return true;
}
