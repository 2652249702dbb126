/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Warnings that bindings ask for: of calls whose operands still pair as 1-D, to keep
 * Torch's results, and of reductions that leave out keepdim.
 */
#include "diag/warnings.h"

#include "core/lend.h"
#include "core/sized.h"

/* Raise the warnings of a call; where it has none, the thread caches that. */
BLI_OWN_FRAME static bl_status raise(const struct bli_call_site *at, uint64_t kind,
                                     const bl_rules_query *query)
{
    bl_rules_answer answer;
    bl_status status;

    status = bl_rules_resolve(bl_rules_transitional(), query, &answer);
    if (status != BL_OK) /* the call itself refuses what does not pair */
        return status == BL_ERR_ARGUMENT ? status : BL_OK;
    if (answer.events == 0)
        answer.events = bl_change_find(
            query, &answer, bl_backcompat_broadcast_warning_predicate(), answer.event);
    for (int32_t i = 0; i < answer.events && status == BL_OK; i++)
        status =
            bli_warning_raise(at, kind, i == 0, true, query, &answer, &answer.event[i]);
    if (answer.events == 0) {
        bli_cache_make();
        bli_warnings_enter();
        bli_cache_store(at, kind, NULL, 0);
        bli_warnings_leave();
    }
    return status;
}

static bl_status raise_pointwise(const bl_rules_query *given,
                                 const struct bli_call_site *at)
{
    bl_rules_query known, *const query = &known;
    uint64_t kind;

    BL_TRY(bli_query_read(&known, given));
    /* Without the change, which need not be found again for calls that are cached. */
    kind = bli_warning_kind(query, BL_CHANGE_NONE);
    return bli_cache_count(at, kind, 1) ? BL_OK : raise(at, kind, query);
}

bl_status bl_warnings_raise_pointwise(const bl_rules_query *query, const char *file,
                                      int32_t line, const void *address)
{
    const struct bli_call_site at = {file, address, file ? line : 0};
    const bl_status status = raise_pointwise(query, &at);

    bli_shadow_give_binding();
    BLI_RETURN_CALL(status, "file %s, line %d", file, line);
}

bl_status bli_warnings_raise_flat(const bl_rules_query *query, const void *address)
{
    const struct bli_call_site at = bli_call_site_here(address);

    return raise_pointwise(query, &at);
}

static bl_status keepdim_default(const char *function, const void *address)
{
    static const bl_rules_answer answer = {.rank = 0};
    static const bl_rules_event event = {.change = BL_CHANGE_KEEPDIM};
    const bl_rules_query query = {
        .size = sizeof query, .axis = BL_AXIS_LAST, .function = function};

    if (!bl_backcompat_keepdim_warning_enabled())
        return BL_OK;
    return bl_warnings_raise(&query, &answer, &event, address);
}

bl_status bl_backcompat_keepdim_default(const char *function, const void *address)
{
    BLI_RETURN_CALL(keepdim_default(function, address ? address : BLI_RETURN_ADDRESS),
                    "function %s", function);
}
