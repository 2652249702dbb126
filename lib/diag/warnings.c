/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counts of warnings, their reset, and the visit of all warning sites.
 */
#include "diag/warnings.h"

#include <stdlib.h>

void bl_warnings_reset(void)
{
    bli_warnings_enter();
    bli_filter_reset();
    bli_counts_reset();
    for (struct bli_site *site = bli_site_first(); site; site = site->next) {
        site->was_emitted = false;
        bli_reads_free(site);
    }
    bli_warnings_leave();
}

/* What sites of a change have counted and emitted; BL_CHANGE_NONE means of all. */
static struct bli_findings sum_of(bl_change change)
{
    struct bli_findings sum = {.count = 0};

    bli_warnings_enter();
    bli_counts_collect();
    for (struct bli_site *site = bli_site_first(); site; site = site->next)
        if (change == BL_CHANGE_NONE || site->key.change == (int32_t)change) {
            sum.count += site->found.count;
            sum.emitted += site->found.emitted;
        }
    bli_warnings_leave();
    return sum;
}

int64_t bl_warnings_count(bl_change change)
{
    return sum_of(change).count;
}

int64_t bl_warnings_emitted(bl_change change)
{
    return sum_of(change).emitted;
}

void bl_warnings_visit(bl_warning_visitor visit, void *user)
{
    struct bli_site *next;

    bli_warnings_enter();
    bli_counts_collect();
    next = bli_site_first();
    bli_warnings_leave();
    while (next) {
        struct bli_site *const site = next;
        struct bli_findings found;
        char *reads;

        bli_warnings_enter();
        next = site->next;
        found = site->found;
        reads = bli_reads_text(site);
        bli_warnings_leave();

        const struct bli_difference *const difference = &found.shadow.difference;
        const bl_warning_site visited = {.size = sizeof visited,
                                         .change = site->key.change,
                                         .effect = found.effect,
                                         .count = found.count,
                                         .function = found.name,
                                         .shapes = found.shapes,
                                         .growth = found.growth,
                                         .file = site->key.at.file,
                                         .line = site->key.at.line,
                                         .address = site->key.at.address,
                                         .expanded_dims = found.expanded_dims,
                                         .module = site->loaded_file.path,
                                         .build_id = site->loaded_file.build_id,
                                         .offset = site->loaded_file.offset,
                                         .kinds = found.all_shapes,
                                         .compared = found.shadow.compared,
                                         .unequal = found.shadow.unequal,
                                         .elements = difference->elements,
                                         .differ = difference->differ,
                                         .not_finite = difference->not_finite,
                                         .max_abs = difference->max_abs,
                                         .max_rel = difference->max_rel,
                                         .max_ulp = difference->max_ulp,
                                         .spread = found.shadow.spread,
                                         .forgotten = found.shadow.forgotten,
                                         .reads = reads};
        const bool goes_on = found.count == 0 || visit(user, &visited);

        free(reads);
        if (!goes_on)
            return;
    }
}
