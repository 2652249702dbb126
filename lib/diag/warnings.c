/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The handler of warnings, their counts, and the visit of all warning sites.
 */
#include "diag/warnings.h"

#include "core/lock.h"

#include <stdio.h>
#include <string.h>

_Atomic uint32_t bli_filter_generation = 1;

struct bli_emitted bli_emitted;

void bli_warnings_enter(void)
{
    bli_lock(BLI_LOCK_WARNINGS);
    /* What was counted before a fork, by any thread, is the parent's. */
    bli_lock_set_child_hook(BLI_LOCK_WARNINGS, bli_count_from_zero);
}

void bli_warnings_leave(void)
{
    bli_unlock(BLI_LOCK_WARNINGS);
}

/*
 * Start a new filter generation: decisions made in an earlier one may no longer hold.
 * Steps of 2 never reach 0.  Under the lock.
 */
static void next_generation(void)
{
    atomic_fetch_add_explicit(&bli_filter_generation, 2, memory_order_relaxed);
}

void bl_warnings_set_handler(bl_warning_handler function, void *user)
{
    bli_warnings_enter();
    bli_emitted.handler = function;
    bli_emitted.user = user;
    next_generation();
    bli_warnings_leave();
}

void bli_count_from_zero(void)
{
    bli_count_all();
    for (struct bli_site *site = bli_site_first(); site; site = site->next) {
        site->count_at_reset += site->total;
        atomic_store_explicit(&site->effect, BL_CHANGE_NONE, memory_order_relaxed);
        site->shapes[0] = '\0';
        for (int k = 0; k < BLI_KINDS; k++)
            atomic_store_explicit(&site->known[k], 0, memory_order_relaxed);
        atomic_store_explicit(&site->has_more, false, memory_order_relaxed);
        atomic_store_explicit(&site->growth, 0, memory_order_relaxed);
    }
    memset(bli_emitted.count, 0, sizeof bli_emitted.count);
    next_generation();
}

void bl_warnings_reset(void)
{
    bli_warnings_enter();
    bli_filter_reset();
    bli_count_from_zero();
    for (struct bli_site *site = bli_site_first(); site; site = site->next)
        site->was_emitted = false;
    bli_warnings_leave();
}

void bl_warnings_suppress_begin(void)
{
    ++*bli_suppressed();
}

void bl_warnings_suppress_end(void)
{
    int32_t *const depth = bli_suppressed();

    *depth -= *depth > 0;
}

/* ---- counts ---- */

/* Whether a change is the one asked for; BL_CHANGE_NONE asks for all. */
static bool is_about(int32_t change, bl_change asked)
{
    return asked == BL_CHANGE_NONE || change == (int32_t)asked;
}

int64_t bl_warnings_count(bl_change change)
{
    int64_t total = 0;

    bli_warnings_enter();
    bli_count_all();
    for (struct bli_site *site = bli_site_first(); site; site = site->next)
        if (is_about(site->key.change, change))
            total += site->total;
    bli_warnings_leave();
    return total;
}

int64_t bl_warnings_emitted(bl_change change)
{
    int64_t total = 0;

    bli_warnings_enter();
    for (int32_t k = 0; k < BLI_CHANGES; k++)
        if (is_about(k, change))
            total += bli_emitted.count[k];
    bli_warnings_leave();
    return total;
}

enum { KINDS_SIZE = BLI_KINDS * (BLI_SHAPES_SIZE + 2) + 4 };

/*
 * Join the shapes of all kinds of calls of a site: "(4,1) (4) -> (4,4); ...".  Under
 * the lock.
 */
static void join_kinds(char text[KINDS_SIZE], const struct bli_site *site)
{
    char *at = text;

    *at = '\0';
    for (int k = 0; k < BLI_KINDS; k++)
        if (atomic_load_explicit(&site->known[k], memory_order_relaxed) != 0)
            at += sprintf(at, "%s%s", k > 0 ? "; " : "", site->kind[k]);
    if (atomic_load_explicit(&site->has_more, memory_order_relaxed))
        strcpy(at, "; ...");
}

void bl_warnings_visit(bl_warning_visitor visit, void *user)
{
    struct bli_site *next;

    bli_warnings_enter();
    bli_count_all();
    next = bli_site_first();
    bli_warnings_leave();
    while (next) {
        struct bli_site *const site = next;
        char name[sizeof site->name], shapes[sizeof site->shapes], kinds[KINDS_SIZE];
        bl_warning_site found = {.size = sizeof found,
                                 .change = site->key.change,
                                 .function = name,
                                 .shapes = shapes,
                                 .file = site->key.file,
                                 .line = site->key.line,
                                 .address = site->key.address,
                                 .module = site->loaded_file.path,
                                 .build_id = site->loaded_file.build_id,
                                 .offset = site->loaded_file.offset,
                                 .kinds = kinds};

        bli_warnings_enter();
        next = site->next;
        found.count = site->total;
        found.effect = atomic_load_explicit(&site->effect, memory_order_relaxed);
        found.growth = atomic_load_explicit(&site->growth, memory_order_relaxed);
        found.expanded_dims = site->expanded_dims;
        memcpy(name, site->name, sizeof name);
        memcpy(shapes, site->shapes, sizeof shapes);
        join_kinds(kinds, site);
        bli_warnings_leave();
        if (found.count > 0 && !visit(user, &found))
            return;
    }
}
