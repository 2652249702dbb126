/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Raises warnings: counts them, records what is found, and passes those that the
 * filters let through to the handler.
 */
#include "diag/warnings.h"

#include "core/lock.h"
#include "core/sized.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bl_warning_handler handler; /* NULL: none; both under the lock */
static void *handler_user;

void bl_warnings_set_handler(bl_warning_handler function, void *user)
{
    bli_warnings_enter();
    handler = function;
    handler_user = user;
    bli_warnings_change(0, 0);
    bli_warnings_leave();
}

/* ---- what a warning says ---- */

uint64_t bli_warning_kind(const bl_rules_query *query, int32_t change)
{
    /* Multiplicative hashing: the upper bits depend on every bit of every word. */
    const uint64_t factor = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t kind = (uint64_t)(uintptr_t)query->function;

    kind = (kind ^ ((uint64_t)query->op << 8 | (uint64_t)(query->mode * 8 + change))) *
           factor;
    for (int32_t k = 0; k < query->count; k++) {
        const bl_shape *const shape = &query->operand[k].shape;

        kind = (kind ^ (uint64_t)shape->rank) * factor;
        for (int32_t d = 0; d < shape->rank; d++)
            kind = (kind ^ (uint64_t)shape->extent[d]) * factor;
    }
    return kind;
}

/* What differs from the pointwise 1-D result, whatever the predicate: a bl_change. */
static int32_t effect_of(const bl_rules_query *query, const bl_rules_answer *answer,
                         int32_t change)
{
    bl_rules_event found[2];

    if (change == BL_CHANGE_KEEPDIM)
        return BL_CHANGE_SHAPE;
    return change != BL_CHANGE_FALLBACK &&
                   bl_change_find(query, answer, BL_PREDICATE_PRECISE, found) > 0
               ? found[0].change
               : BL_CHANGE_NONE;
}

/* Compare the shape of the result with that of self. */
static void measure(bl_warning *warning)
{
    const bl_rules_operand *self = warning->operand;
    double growth = 1;

    while (warning->mode != BL_MODE_IN_PLACE && self->role != BL_ROLE_PAIRED &&
           self < &warning->operand[warning->count - 1])
        self++;
    for (int32_t d = 1; d <= warning->result.rank; d++) {
        const int64_t extent = warning->result.extent[warning->result.rank - d];
        const int64_t of_self =
            d <= self->shape.rank ? self->shape.extent[self->shape.rank - d] : 1;

        growth *= (double)extent / (double)(of_self > 0 ? of_self : 1);
        if (extent > of_self)
            warning->expanded_dims |= UINT64_C(1) << (warning->result.rank - d);
    }
    warning->growth = growth;
}

void bli_warning_shapes(struct bli_text *text, const bl_warning *warning)
{
    for (int32_t k = 0; k < warning->count; k++)
        bli_text_extents(text, k > 0 ? " (" : "(", ",", ")",
                         warning->operand[k].shape.rank,
                         warning->operand[k].shape.extent);
    if (warning->count > 0)
        bli_text_extents(text, " -> (", ",", ")", warning->result.rank,
                         warning->result.extent);
}

/* ---- what is found at a site ---- */

/* Rank of an effect: values before shape before nothing. */
static int32_t rank_of(int32_t effect)
{
    return effect == BL_CHANGE_VALUE ? 2 : effect == BL_CHANGE_SHAPE;
}

/*
 * Whether a call is the worst of a site so far: its effect ranks higher, or the same
 * with a larger growth.
 */
static bool is_worst(const struct bli_findings *found, const bl_warning *warning)
{
    const int32_t difference = rank_of(warning->effect) - rank_of(found->effect);

    return found->kinds == 0 || difference > 0 ||
           (difference == 0 && warning->growth > found->growth);
}

/* The number of a kind of calls among those recorded; that of all others if it is not.
 */
static int32_t number_of(const struct bli_findings *found, uint64_t kind)
{
    int32_t k = 0;

    while (k < found->kinds && k < BLI_KINDS && found->kind[k] != kind)
        k++;
    return k;
}

/*
 * Record a kind of calls, and where it is the worst so far its effect and shapes;
 * beyond BLI_KINDS, only that there are more.  Under the lock.
 */
static void record(struct bli_findings *found, const bl_warning *warning, uint64_t kind)
{
    const int32_t number = number_of(found, kind);
    struct bli_text shapes, all;

    if (number < found->kinds && number < BLI_KINDS)
        return;
    if (is_worst(found, warning)) {
        found->effect = warning->effect;
        found->growth = warning->growth;
        found->expanded_dims = warning->expanded_dims;
        snprintf(found->name, sizeof found->name, "%s", warning->function);
        bli_text_open(&shapes, found->shapes, sizeof found->shapes);
        bli_warning_shapes(&shapes, warning);
    }
    if (found->kinds > BLI_KINDS)
        return;
    all = (struct bli_text){strchr(found->all_shapes, '\0'),
                            found->all_shapes + sizeof found->all_shapes - 1};
    if (found->kinds > 0)
        bli_text_add(&all, "; ");
    if (found->kinds == BLI_KINDS) {
        bli_text_add(&all, "...");
    } else {
        found->kind[found->kinds] = kind;
        all.end = all.at + BLI_SHAPES_SIZE - 1;
        bli_warning_shapes(&all, warning);
    }
    found->kinds++;
}

/* ---- raising ---- */

/*
 * Whether a call of a kind is to be compared, that thread caches do not count: the
 * first, and then every `every`-th.  Under the lock.
 */
static bool is_due(struct bli_findings *found, uint64_t kind, int64_t every)
{
    return found->raised[number_of(found, kind)]++ % every == 0;
}

/*
 * Count a call at its site, record it, and return what the filters do with its
 * warning: BL_WARNING_IGNORE also without memory for a site.  The first call of its
 * kind in a thread, and then every `every`-th, is to be compared.  Under the lock.
 */
static bl_warning_action count_call(const struct bli_key *key, uint64_t kind,
                                    int32_t times, int64_t every,
                                    const bl_warning *warning)
{
    struct bli_site *const site = bli_site_find(key);
    bool is_first = false;
    bl_warning_action action;

    if (!site)
        return BL_WARNING_IGNORE;
    site->found.count += times;
    record(&site->found, warning, kind);
    action = bli_filter_decide(key, site, handler != NULL);
    if (action == BL_WARNING_IGNORE)
        is_first = bli_cache_store(&key->at, kind, site, every);
    else
        site->found.emitted++;
    if (action != BL_WARNING_ERROR && every > 0 && times > 0 &&
        (is_due(&site->found, kind, every) || is_first))
        bli_shadow_set_due(site);
    return action;
}

bl_status bli_warning_raise(const struct bli_call_site *at, uint64_t kind,
                            int32_t times, bool is_flat, const bl_rules_query *query,
                            const bl_rules_answer *answer, const bl_rules_event *event)
{
    const struct bli_key key = {*at, event->change, query->op, query->function};
    bl_warning warning = {.size = sizeof warning,
                          .change = event->change,
                          .mode = query->mode,
                          .count = query->count,
                          .operand = query->operand,
                          .result = {answer->rank, answer->extent},
                          .first = event->first,
                          .second = event->second,
                          .file = at->file,
                          .line = at->line,
                          .address = at->address};
    bl_warning_handler function;
    bl_warning_action action;
    char text[512];
    void *user;

    if (event->change <= BL_CHANGE_NONE || event->change > BL_CHANGE_KEEPDIM)
        return BL_OK;
    warning.effect = effect_of(query, answer, event->change);
    warning.function = bl_change_function(query);
    if (query->count > 0)
        measure(&warning);
    bli_cache_make();
    bli_warnings_enter();
    /* What was counted before a fork, by any thread, is the parent's. */
    bli_lock_set_child_hook(BLI_LOCK_WARNINGS, bli_counts_reset);
    action =
        count_call(&key, kind, times, bli_shadow_period(&warning, is_flat), &warning);
    function = handler;
    user = handler_user;
    bli_warnings_leave();
    if (action == BL_WARNING_IGNORE)
        return BL_OK;
    warning.id = bl_change_id(query, event);
    warning.text = text;
    bl_change_text(query, event, text, sizeof text);
    if (action == BL_WARNING_ERROR)
        return bl_error_set(BL_ERR_RULES, "%s", text);
    bl_warnings_suppress_begin();
    function(user, &warning);
    bl_warnings_suppress_end();
    return BL_OK;
}

bl_status bli_warnings_raise(const bl_rules_query *given, const bl_rules_answer *answer,
                             const bl_rules_event *event, const void *address)
{
    const struct bli_call_site at = bli_call_site_here(address);
    /* The second event of an answer is of the same call: the call is counted once. */
    const int32_t times = event != &answer->event[1];
    bl_rules_query known, *const query = &known;
    uint64_t kind;

    BL_TRY(bli_query_read(&known, given));
    if (event->change < BL_CHANGE_NONE || event->change > BL_CHANGE_KEEPDIM)
        return bli_error_argument("event", "event: unknown change %" PRId32,
                                  event->change);
    if (!bli_event_is_of(event, query))
        return bli_error_argument(
            "event", "event: operands %" PRId32 " and %" PRId32 " of %" PRId32,
            event->first, event->second, query->count);
    kind = bli_warning_kind(query, event->change);
    return bli_cache_count(&at, kind, times)
               ? BL_OK
               : bli_warning_raise(&at, kind, times, false, query, answer, event);
}

bl_status bl_warnings_raise(const bl_rules_query *query, const bl_rules_answer *answer,
                            const bl_rules_event *event, const void *address)
{
    const bl_status status = bli_warnings_raise(query, answer, event, address);

    (void)bli_shadow_take(false);
    BLI_RETURN_CALL(status, "");
}
