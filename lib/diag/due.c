/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What each thread knows of shadow runs: whether the call that it has just warned of is
 * to be compared, and whether it computes another result now.
 */
#include "diag/warnings.h"

_Atomic uint64_t bli_shadow_word;

static _Thread_local struct {
    struct bli_site *site; /* of a call of the library to be compared */
    struct bli_site *site_of_binding;
    int32_t paused; /* computations of other results under way */
} due;

/* Count the calls of all threads that are to be compared, for bli_shadow_watches(). */
static void count_due(bool was, bool is)
{
    if (was != is)
        atomic_fetch_add_explicit(&bli_shadow_word,
                                  is ? BLI_SHADOW_DUE : -BLI_SHADOW_DUE,
                                  memory_order_relaxed);
}

void bli_shadow_set_due(struct bli_site *site)
{
    count_due(due.site != NULL, true);
    due.site = site;
}

struct bli_site *bli_shadow_take(bool of_binding)
{
    struct bli_site **const place = of_binding ? &due.site_of_binding : &due.site;
    struct bli_site *const site = *place;

    count_due(!of_binding && site, false);
    *place = NULL;
    return site;
}

void bli_shadow_give_binding(void)
{
    due.site_of_binding = bli_shadow_take(false);
}

void bli_shadow_pause(int32_t change)
{
    due.paused += change;
}

bool bli_shadow_is_paused(void)
{
    return due.paused > 0;
}
