/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Warnings of calls over ranks.
 */
#include <broadloom/warnings.h>

#include "mpi/spread/limits.h"

bl_status bli_call_warn(const struct bli_spread_options *options, const bl_rules *rules,
                        const bl_rules_query *query, bl_rules_answer *answer)
{
    const bool broadcasts = !rules || rules == bl_rules_modern() ||
                            rules == bl_rules_strict() ||
                            rules == bl_rules_transitional();

    if (!options->warns)
        return BL_OK;
    if (answer->events == 0 && broadcasts && bl_backcompat_broadcast_warning_enabled())
        answer->events = bl_change_find(
            query, answer, bl_backcompat_broadcast_warning_predicate(), answer->event);
    for (int32_t i = 0; i < answer->events; i++)
        BL_TRY(bl_warnings_raise(query, answer, &answer->event[i], options->address));
    return BL_OK;
}
