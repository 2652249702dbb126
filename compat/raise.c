/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Raises warnings: counts them, and tells the handler what the filters let through.
 */
#include "warnings.h"

#include "torch.h"

#include <broadloom/ops.h>

#include <inttypes.h>
#include <stdio.h>

enum { TEXT_SIZE = 512 };

/* Add the shapes of a warning, "(4,1) (4) -> (4,4)", cut to fit. */
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

/* The order of effects, by what they may break. */
static int32_t risk_of(int32_t effect)
{
    return effect == BL_DIFFERENCE_CHANGED ? 2 : effect == BL_DIFFERENCE_SHAPE;
}

/* Let the site know the worst that was found there.  Under the lock. */
static void note(struct bli_site *site, const bl_warning *warning)
{
    const int32_t worst = atomic_load_explicit(&site->effect, memory_order_relaxed);

    if (site->shapes[0] != '\0' && risk_of(warning->effect) <= risk_of(worst))
        return;
    atomic_store_explicit(&site->effect, warning->effect, memory_order_relaxed);
    snprintf(site->name, sizeof site->name, "%s", warning->function);
    site->growth = warning->growth;
    site->grown = warning->grown;
    write_shapes(site->shapes, warning);
}

/* Ask the filters, and do as they say. */
static bl_status tell(struct bli_site *site, const bl_warning *warning)
{
    const uint32_t state =
        atomic_load_explicit(&bli_warnings_state, memory_order_relaxed);
    bl_warning_handler function;
    bl_warning_action action;
    void *user;

    pthread_mutex_lock(&bli_warnings_lock);
    note(site, warning);
    function = bli_told.handler;
    user = bli_told.user;
    action = bli_filter_decide(warning, site, function != NULL);
    if (action == BL_WARNING_IGNORE)
        atomic_store_explicit(&site->quiet, state, memory_order_relaxed);
    else
        bli_told.count[warning->difference]++;
    pthread_mutex_unlock(&bli_warnings_lock);
    if (action == BL_WARNING_ERROR)
        return bl_error_set(BL_ERR_RULES, "%s", warning->text);
    if (action == BL_WARNING_ALWAYS) {
        bl_warnings_suppress_begin();
        function(user, warning);
        bl_warnings_suppress_end();
    }
    return BL_OK;
}

/* Whether nothing is told of this site but what was before. */
static bool is_quiet(struct bli_site *site)
{
    return atomic_load_explicit(&site->quiet, memory_order_relaxed) ==
           atomic_load_explicit(&bli_warnings_state, memory_order_relaxed);
}

/* How the result differs from the shape of self. */
static void measure(bl_warning *warning, const bl_rules_query *query,
                    const bl_rules_answer *answer)
{
    struct bli_torch torch;
    double elements = 1.0;

    warning->result = (bl_shape){answer->rank, answer->extent};
    if (bli_torch_read(&torch, NULL, query) != BL_OK)
        return;

    const bl_shape *const self = &query->operand[torch.self].shape;
    const int32_t shift = answer->rank - self->rank;

    for (int32_t d = 0; d < answer->rank; d++) {
        const int64_t own = d >= shift ? self->extent[d - shift] : 1;

        elements *= (double)answer->extent[d];
        if (answer->extent[d] > own)
            warning->grown |= UINT64_C(1) << d;
    }
    warning->growth = elements / (double)torch.count[torch.self];
}

bl_status bl_warnings_raise(const bl_rules_query *query, const bl_rules_answer *answer,
                            const bl_rules_event *event, const void *address)
{
    struct bli_key key = {
        .difference = event->difference, .op = query->op, .function = query->function};
    bl_op_info info = {.size = sizeof info};
    const int32_t effect = bli_effect_of_event(query, answer, event);
    struct bli_site *site;
    char text[TEXT_SIZE];

    if (event->difference <= BL_DIFFERENCE_NONE ||
        event->difference >= BLI_DIFFERENCES || *bli_suppressed() > 0)
        return BL_OK;
    bli_key_place(&key, address);
    site = bli_count(&key);
    if (!site)
        return BL_OK;
    if (is_quiet(site) && risk_of(effect) <= risk_of(atomic_load_explicit(
                                                 &site->effect, memory_order_relaxed)))
        return BL_OK;

    bl_warning warning = {.size = sizeof warning,
                          .difference = event->difference,
                          .effect = effect,
                          .id = bl_difference_id(query, event),
                          .text = text,
                          .function = query->function,
                          .mode = query->mode,
                          .count = query->count,
                          .operand = query->operand,
                          .first = event->first,
                          .second = event->second,
                          .file = key.file,
                          .line = key.line,
                          .address = key.address};

    if (!warning.function)
        warning.function = bli_function_of(query)->name;
    if (!warning.function)
        warning.function =
            bl_op_query(query->op, &info) == BL_OK ? info.name : "broadcast";
    measure(&warning, query, answer);
    bl_difference_text(query, event, text, sizeof text);
    return tell(site, &warning);
}

bl_status bl_backcompat_keepdim_default(const char *function)
{
    struct bli_key key = {.difference = BL_DIFFERENCE_KEEPDIM, .function = function};
    struct bli_site *site;
    char text[TEXT_SIZE];

    if (!bl_backcompat_keepdim_warning_enabled() || *bli_suppressed() > 0)
        return BL_OK;
    bli_key_place(&key, BLI_RETURN_ADDRESS);
    site = bli_count(&key);
    if (!site)
        return BL_OK;
    if (is_quiet(site))
        return BL_OK;

    const bl_warning warning = {.size = sizeof warning,
                                .difference = BL_DIFFERENCE_KEEPDIM,
                                .effect = BL_DIFFERENCE_SHAPE,
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
    return tell(site, &warning);
}
