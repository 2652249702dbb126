/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Raises warnings: counts them, and passes those that the filters let through to the
 * handler.
 */
#include "diag/change.h"
#include "diag/warnings.h"

#include <broadloom/ops.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_SIZE = 512 };

/* Write the shapes of a warning, "(4,1) (4) -> (4,4)", cut to fit. */
static void write_shapes(char text[BLI_SHAPES_SIZE], const bl_warning *warning)
{
    size_t used = 0;

    text[0] = '\0';
    for (int32_t k = 0; k <= warning->count && warning->count > 0; k++) {
        const bl_shape *const shape =
            k < warning->count ? &warning->operand[k].shape : &warning->result;

        for (int32_t d = -1; d <= shape->rank && used < BLI_SHAPES_SIZE; d++)
            if (d < 0)
                used += (size_t)snprintf(text + used, BLI_SHAPES_SIZE - used, "%s(",
                                         k == warning->count ? " -> "
                                         : k > 0             ? " "
                                                             : "");
            else if (d == shape->rank)
                used += (size_t)snprintf(text + used, BLI_SHAPES_SIZE - used, ")");
            else
                used +=
                    (size_t)snprintf(text + used, BLI_SHAPES_SIZE - used, "%s%" PRId64,
                                     d > 0 ? "," : "", shape->extent[d]);
    }
}

/* Rank of an effect: values before shape before nothing. */
static int32_t rank_of(int32_t effect)
{
    return effect == BL_CHANGE_VALUE ? 2 : effect == BL_CHANGE_SHAPE;
}

/*
 * Whether a call is worse than all calls of a site before it: its effect ranks higher,
 * or the same with a larger growth.
 */
static bool is_worse(const struct bli_site *site, int32_t effect, double growth)
{
    const int32_t worst = atomic_load_explicit(&site->effect, memory_order_relaxed);

    return rank_of(effect) > rank_of(worst) ||
           (rank_of(effect) == rank_of(worst) &&
            growth > atomic_load_explicit(&site->growth, memory_order_relaxed));
}

/* Record the shapes of a kind of calls; beyond BLI_KINDS, only that there are more. */
static void record_kind(struct bli_site *site, uint64_t kind, const char *shapes)
{
    for (int k = 0; k < BLI_KINDS; k++) {
        if (atomic_load_explicit(&site->known[k], memory_order_relaxed) != 0)
            continue;
        strcpy(site->kind[k], shapes);
        atomic_store_explicit(&site->known[k], kind, memory_order_relaxed);
        return;
    }
    atomic_store_explicit(&site->has_more, true, memory_order_relaxed);
}

/*
 * Record a call at its site: its kind, and its effect and shapes where it is the worst
 * so far.  Does nothing for a kind recorded before.  Under the lock.
 */
static void record(struct bli_site *site, const bl_warning *warning, uint64_t kind)
{
    char shapes[BLI_SHAPES_SIZE];

    if (bli_site_knows(site, kind))
        return;
    write_shapes(shapes, warning);
    if (is_worse(site, warning->effect, warning->growth) || site->shapes[0] == '\0') {
        atomic_store_explicit(&site->effect, warning->effect, memory_order_relaxed);
        atomic_store_explicit(&site->growth, warning->growth, memory_order_relaxed);
        snprintf(site->name, sizeof site->name, "%s", warning->function);
        site->expanded_dims = warning->expanded_dims;
        strcpy(site->shapes, shapes);
    }
    record_kind(site, kind, shapes);
}

/*
 * Record a warning, ask the filters, and do as they say: call the handler, refuse the
 * call with BL_ERR_RULES, or nothing.
 */
static bl_status emit(struct bli_site *site, const bl_warning *warning, uint64_t kind)
{
    const uint32_t generation =
        atomic_load_explicit(&bli_filter_generation, memory_order_relaxed);
    bl_warning_handler function;
    bl_warning_action action;
    void *user;

    bli_warnings_enter();
    record(site, warning, kind);
    function = bli_emitted.handler;
    user = bli_emitted.user;
    action = bli_filter_decide(warning, site, function != NULL);
    if (action == BL_WARNING_IGNORE)
        atomic_store_explicit(&site->suppressed_generation, generation,
                              memory_order_relaxed);
    else
        bli_emitted.count[warning->change]++;
    bli_warnings_leave();
    if (action == BL_WARNING_ERROR)
        return bl_error_set(BL_ERR_RULES, "%s", warning->text);
    if (action == BL_WARNING_ALWAYS) {
        bl_warnings_suppress_begin();
        function(user, warning);
        bl_warnings_suppress_end();
    }
    return BL_OK;
}

/* Whether the current filters suppress all warnings of a site. */
static bool is_suppressed(struct bli_site *site)
{
    return atomic_load_explicit(&site->suppressed_generation, memory_order_relaxed) ==
           atomic_load_explicit(&bli_filter_generation, memory_order_relaxed);
}

/*
 * The kind of a call, which distinguishes calls of one site: a hash of the mode, the
 * effect and all shapes, by FNV-1a over words.  Never 0.
 */
static uint64_t kind_of(const bl_rules_query *query, int32_t effect)
{
    const uint64_t prime = UINT64_C(1099511628211);
    uint64_t kind = UINT64_C(14695981039346656037);

    kind = (kind ^ (uint64_t)(query->mode * 8 + effect)) * prime;
    for (int32_t k = 0; k < query->count; k++) {
        const bl_shape *const shape = &query->operand[k].shape;

        kind = (kind ^ (uint64_t)shape->rank) * prime;
        for (int32_t d = 0; d < shape->rank; d++)
            kind = (kind ^ (uint64_t)shape->extent[d]) * prime;
    }
    return kind | 1;
}

bl_status bl_warnings_raise(const bl_rules_query *query, const bl_rules_answer *answer,
                            const bl_rules_event *event, const void *address)
{
    struct bli_key key = {
        .change = event->change, .op = query->op, .function = query->function};
    bl_op_info info = {.size = sizeof info};
    const int32_t effect = bli_effect_of_event(query, answer, event);
    const uint64_t kind = kind_of(query, effect);
    struct bli_site *site;
    char text[TEXT_SIZE];

    if (event->change <= BL_CHANGE_NONE || event->change >= BLI_CHANGES)
        return BL_OK;
    if (*bli_suppressed() > 0) {
        bli_forget_kind();
        return BL_OK;
    }
    bli_key_set_location(&key, address);
    /* The second event of an answer is of the same call: the call is counted once. */
    site = bli_count(&key, kind, event != &answer->event[1]);
    if (!site || (is_suppressed(site) && bli_site_knows(site, kind)))
        return BL_OK;

    bl_warning warning = {.size = sizeof warning,
                          .change = event->change,
                          .effect = effect,
                          .text = text,
                          .function = query->function,
                          .mode = query->mode,
                          .count = query->count,
                          .operand = query->operand,
                          .result = {answer->rank, answer->extent},
                          .first = event->first,
                          .second = event->second,
                          .file = key.file,
                          .line = key.line,
                          .address = key.address};

    bli_measure_change(query, answer, &warning.growth, &warning.expanded_dims);
    if (is_suppressed(site) && !is_worse(site, effect, warning.growth) &&
        atomic_load_explicit(&site->has_more, memory_order_relaxed))
        return BL_OK;
    warning.id = bl_change_id(query, event);
    if (!warning.function)
        warning.function = bli_torch_function(query);
    if (!warning.function)
        warning.function =
            bl_op_query(query->op, &info) == BL_OK ? info.name : "broadcast";
    bl_change_text(query, event, text, sizeof text);
    return emit(site, &warning, kind);
}

bl_status bl_backcompat_keepdim_default(const char *function, const void *address)
{
    const uint64_t kind = 1; /* there are no shapes */
    struct bli_key key = {.change = BL_CHANGE_KEEPDIM, .function = function};
    struct bli_site *site;
    char text[TEXT_SIZE];

    if (!bl_backcompat_keepdim_warning_enabled() || *bli_suppressed() > 0)
        return BL_OK;
    bli_key_set_location(&key, address ? address : BLI_RETURN_ADDRESS);
    site = bli_count(&key, kind, 1);
    if (!site)
        return BL_OK;
    if (is_suppressed(site))
        return BL_OK;

    const bl_warning warning = {.size = sizeof warning,
                                .change = BL_CHANGE_KEEPDIM,
                                .effect = BL_CHANGE_SHAPE,
                                .id = "W_KEEPDIM",
                                .text = text,
                                .function = function,
                                .file = key.file,
                                .line = key.line,
                                .address = key.address};

    snprintf(text, sizeof text,
             "backwards compatibility: call to \"%s\" uses default value for keepdim "
             "which has changed default to False.  Consider passing as kwarg.",
             function);
    return emit(site, &warning, kind);
}
