/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Marks: ranges of memory whose elements differ, or were computed from such, and the
 * sites that they differ for.
 *
 * A range whose elements no longer differ stays in the table without origins, so that a
 * loop which marks the same memory again and again does not change the ranges.  Each
 * thread caches ranges that met none, which holds until a range is added.
 */
#include "diag/warnings.h"

#include <string.h>

enum { MARKS = 256, WORDS = BLI_ORIGINS / 64 };

/* The sites that a range is marked for, by their numbers. */
struct origins {
    uint64_t bits[WORDS];
};

/* All under the lock of warnings. */
static struct mark {
    uintptr_t begin, end;
    uint64_t age; /* when it was last marked */
    struct origins origins;
} marks[MARKS];
static int used;     /* entries of `marks` with a range */
static uint64_t now; /* counts what is marked */
static struct bli_site *origin_site[BLI_ORIGINS];
static int origins_known = 1; /* number 0 is no site */

static bool is_marked(const struct mark *mark)
{
    uint64_t any = 0;

    for (int w = 0; w < WORDS; w++)
        any |= mark->origins.bits[w];
    return any != 0;
}

static bool meets(const struct mark *mark, const struct bli_bytes *span)
{
    return mark->begin < span->end && span->begin < mark->end;
}

/* ---- ranges that met no mark ---- */

_Thread_local void *bli_clean_ranges;

static bool is_clean(const struct bli_bytes *span)
{
    return bli_clean_ranges && bli_is_clean(span->begin, span->end);
}

/* Cache that a range meets no entry of the table.  Under the lock. */
static void store_clean(const struct bli_bytes *span)
{
    if (bli_clean_ranges)
        *bli_clean_of(span->begin) = (struct bli_clean){
            span->begin, span->end, bli_shadow_state() / BLI_SHADOW_GENERATION};
}

/* ---- the table, under the lock ---- */

/* Call a function for each site of a set. */
static void each_origin(const struct origins *origins, bli_site_visitor visit,
                        void *user)
{
    for (int o = 1; o < origins_known; o++)
        if (origins->bits[o / 64] >> (o % 64) & 1)
            visit(user, origin_site[o]);
}

static void count_spread(void *user, struct bli_site *site)
{
    (void)user;
    site->found.shadow.spread++;
}

static void count_forgotten(void *user, struct bli_site *site)
{
    (void)user;
    site->found.shadow.forgotten++;
}

/* Add the origins of the ranges that a span meets; false where it meets no range. */
static bool gather(const struct bli_bytes *span, struct origins *origins)
{
    bool found = false;

    for (int m = 0; m < used; m++)
        if (meets(&marks[m], span)) {
            found = true;
            for (int w = 0; w < WORDS; w++)
                origins->bits[w] |= marks[m].origins.bits[w];
        }
    if (!found)
        store_clean(span);
    return found;
}

/* Unmark what a dense span overwrites: whole ranges, and their first or last bytes. */
static void clear(const struct bli_bytes *span)
{
    for (int m = 0; span->is_dense && m < used; m++) {
        struct mark *const mark = &marks[m];

        if (!meets(mark, span))
            continue;
        if (span->begin <= mark->begin && mark->end <= span->end)
            mark->origins = (struct origins){{0}};
        else if (span->begin <= mark->begin)
            mark->begin = span->end;
        else if (mark->end <= span->end)
            mark->end = span->begin;
    }
}

/* The entry for a new range: an unused one, else the oldest, first without origins. */
static struct mark *make_room(void)
{
    struct mark *oldest = &marks[0];
    bool is_free = false;

    if (used < MARKS)
        return &marks[used++];
    for (int m = 0; m < MARKS; m++) {
        const bool is_empty = !is_marked(&marks[m]);

        if ((is_empty && !is_free) ||
            (is_empty == is_free && marks[m].age < oldest->age))
            oldest = &marks[m];
        is_free = is_free || is_empty;
    }
    if (!is_free)
        each_origin(&oldest->origins, count_forgotten, NULL);
    return oldest;
}

/* Mark a span for these origins. */
static void mark_span(const struct bli_bytes *span, const struct origins *origins)
{
    struct mark *mark = NULL;

    for (int m = 0; m < used && !mark; m++)
        if (marks[m].begin == span->begin && marks[m].end == span->end)
            mark = &marks[m];
    if (!mark) {
        mark = make_room();
        *mark = (struct mark){.begin = span->begin, .end = span->end};
        atomic_fetch_add_explicit(&bli_shadow_word, BLI_SHADOW_GENERATION,
                                  memory_order_relaxed);
    }
    mark->age = ++now;
    for (int w = 0; w < WORDS; w++)
        mark->origins.bits[w] |= origins->bits[w];
    atomic_fetch_or_explicit(&bli_shadow_word, BLI_SHADOW_MARKS, memory_order_relaxed);
}

/* The number of a site; 0 where there are too many. */
static int origin_of(struct bli_site *site)
{
    if (site->origin == 0 && origins_known < BLI_ORIGINS) {
        site->origin = origins_known++;
        origin_site[site->origin] = site;
    }
    return site->origin;
}

void bli_marks_add(struct bli_site *site, const struct bli_bytes *result, int32_t count,
                   const struct bli_bytes *inputs, bool differs)
{
    struct origins origins = {{0}};
    bool is_computed = false;

    for (int32_t k = 0; k < count; k++)
        is_computed |= gather(&inputs[k], &origins);
    if (is_computed)
        each_origin(&origins, count_spread, NULL);
    if (differs) {
        const int origin = origin_of(site);

        site->found.shadow.forgotten += origin == 0;
        origins.bits[origin / 64] |= (uint64_t)(origin > 0) << (origin % 64);
    }
    clear(result);
    for (int w = 0; w < WORDS; w++)
        if (origins.bits[w] != 0) {
            mark_span(result, &origins);
            break;
        }
}

void bli_marks_drop(void)
{
    used = 0;
    atomic_fetch_and_explicit(&bli_shadow_word, ~BLI_SHADOW_MARKS,
                              memory_order_relaxed);
    atomic_fetch_add_explicit(&bli_shadow_word, BLI_SHADOW_GENERATION,
                              memory_order_relaxed);
}

/* ---- for calls ---- */

void bli_marks_carry(const struct bli_bytes *result, int32_t count,
                     const struct bli_bytes *inputs)
{
    bool is_known = true;

    if (!bli_shadow_has_marks() || bli_shadow_is_paused())
        return;
    if (!bli_clean_ranges)
        (void)bli_thread_own(&bli_clean_ranges, BLI_CLEAN * sizeof(struct bli_clean));
    for (int32_t k = 0; k < count && is_known; k++)
        is_known = is_clean(&inputs[k]);
    if (is_known && is_clean(result))
        return;
    bli_warnings_enter();
    bli_marks_add(NULL, result, count, inputs, false);
    /* A result that met nothing before it was written meets nothing now. */
    (void)gather(result, &(struct origins){{0}});
    bli_warnings_leave();
}

void bli_marks_forget_freed(const void *data, size_t bytes)
{
    const struct bli_bytes span = {(uintptr_t)data, (uintptr_t)data + bytes, true};

    if (!data || is_clean(&span))
        return;
    bli_warnings_enter();
    clear(&span);
    bli_warnings_leave();
}

void bli_marks_visit(const struct bli_bytes *span, bli_site_visitor visit, void *user)
{
    struct origins origins = {{0}};

    if (!bli_shadow_has_marks() || is_clean(span))
        return;
    bli_warnings_enter();
    (void)gather(span, &origins);
    each_origin(&origins, visit, user);
    bli_warnings_leave();
}
