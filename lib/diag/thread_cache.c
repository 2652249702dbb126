/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The state of each thread: the line of its call, how deep it is in scopes that
 * suppress warnings, and a cache of calls whose warnings need no report, with counts.
 * A warning that a loop raises again costs some comparisons and an addition: no lock,
 * no locked instruction.
 *
 * An entry's count grows in its thread alone.  It is added to that of its site when
 * counts are read, when another call takes the entry, and at the end of the thread.
 */
#include "diag/warnings.h"

#include "core/thread.h"

enum { CACHE_ENTRIES = 128 };

/* Written by its thread under the lock, except for `count`, and `collected`. */
struct entry {
    uint64_t generation; /* bli_warnings_generation() when it was stored; 0: empty */
    uint64_t kind;
    struct bli_call_site at;
    struct bli_site *site; /* NULL: the call raises nothing */
    int64_t every;         /* of these calls one is to be compared; 0: none */
    int64_t until;         /* how many are left until then */
    _Atomic int64_t count;
    int64_t collected; /* how much of `count` the site has; under the lock */
};

struct cache {
    struct cache *next, **link; /* in the list of all caches; NULL: not yet */
    struct entry entry[CACHE_ENTRIES];
};

static struct cache *caches; /* under the lock */

/* Enclosing call sites that are remembered; deeper calls return to an unknown line. */
enum { OUTER = 4 };

/* A line of a file; NULL and 0 if unknown. */
struct line {
    const char *file;
    int32_t line;
};

static _Thread_local struct {
    void *cache; /* a struct cache; NULL: none */
    struct line at;
    int32_t suppressed;
    int32_t depth; /* of call sites that were entered */
    struct line outer[OUTER];
} thread;

/* ---- call sites and scopes ---- */

void bl_call_site_enter(const char *file, int32_t line)
{
    if (thread.depth < OUTER)
        thread.outer[thread.depth] = thread.at;
    thread.depth++;
    thread.at = (struct line){file, file ? line : 0};
}

bl_status bl_call_site_leave(bl_status status)
{
    thread.depth -= thread.depth > 0;
    thread.at =
        thread.depth < OUTER ? thread.outer[thread.depth] : (struct line){NULL, 0};
    return status;
}

struct bli_call_site bli_call_site_here(const void *address)
{
    return (struct bli_call_site){thread.at.file, address, thread.at.line};
}

void bl_warnings_suppress_begin(void)
{
    thread.suppressed++;
}

void bl_warnings_suppress_end(void)
{
    thread.suppressed -= thread.suppressed > 0;
}

/* ---- the cache ---- */

/* The entry for a kind of calls from a call site. */
static inline struct entry *entry_of(struct cache *cache, struct bli_call_site at,
                                     uint64_t kind)
{
    return &cache->entry[(((uintptr_t)at.address >> 1) + (uintptr_t)at.line +
                          (uintptr_t)(kind >> 57)) %
                         CACHE_ENTRIES];
}

static inline bool count(struct bli_call_site at, uint64_t kind, int32_t times)
{
    struct cache *const cache = thread.cache;
    struct entry *entry;

    if (thread.suppressed > 0)
        return true;
    if (!cache)
        return false;
    entry = entry_of(cache, at, kind);
    if (entry->kind != kind || entry->at.address != at.address ||
        entry->at.file != at.file || entry->at.line != at.line ||
        entry->generation != bli_warnings_generation())
        return false;
    if (entry->every > 0 && times > 0 && --entry->until == 0) {
        entry->until = entry->every;
        bli_shadow_set_due(entry->site);
    }
    /* No other thread writes it: nothing is lost between load and store. */
    atomic_store_explicit(&entry->count,
                          atomic_load_explicit(&entry->count, memory_order_relaxed) +
                              times,
                          memory_order_relaxed);
    return true;
}

bool bli_cache_count(const struct bli_call_site *at, uint64_t kind, int32_t times)
{
    return count(*at, kind, times);
}

bool bli_warnings_repeat(uint64_t kind, const void *address)
{
    return count(bli_call_site_here(address), kind, 1);
}

/* Add what an entry has counted to its site.  Under the lock. */
static void collect(struct entry *entry)
{
    const int64_t count = atomic_load_explicit(&entry->count, memory_order_relaxed);

    if (entry->site)
        entry->site->found.count += count - entry->collected;
    entry->collected = count;
}

static void collect_all(struct cache *cache)
{
    for (int k = 0; k < CACHE_ENTRIES; k++)
        collect(&cache->entry[k]);
}

/* At the end of a thread. */
static void close_cache(void *memory)
{
    struct cache *const ended = memory;

    bli_warnings_enter();
    collect_all(ended);
    if (ended->link)
        *ended->link = ended->next;
    if (ended->next)
        ended->next->link = ended->link;
    bli_warnings_leave();
}

void bli_cache_make(void)
{
    if (!thread.cache && bli_thread_own(&thread.cache, sizeof(struct cache)))
        bli_thread_on_end(thread.cache, close_cache);
}

bool bli_cache_store(const struct bli_call_site *at, uint64_t kind,
                     struct bli_site *site, int64_t every)
{
    struct cache *const cache = thread.cache;
    struct entry *entry;
    bool is_first;

    if (!cache)
        return false;
    if (!cache->link) {
        cache->next = caches;
        cache->link = &caches;
        if (caches)
            caches->link = &cache->next;
        caches = cache;
    }
    entry = entry_of(cache, *at, kind);
    collect(entry);
    is_first = entry->generation != bli_warnings_generation();
    entry->generation = bli_warnings_generation();
    entry->kind = kind;
    entry->at = *at;
    entry->site = site;
    entry->every = entry->until = every;
    return is_first;
}

void bli_counts_collect(void)
{
    for (struct cache *cache = caches; cache; cache = cache->next)
        collect_all(cache);
}

static void reset(struct bli_site *site)
{
    site->found = (struct bli_findings){.count = 0};
    for (struct bli_read *read = site->reads; read; read = read->next)
        read->count = 0;
}

void bli_counts_reset(void)
{
    bli_counts_collect();
    for (struct bli_site *site = bli_site_first(); site; site = site->next)
        reset(site);
    bli_marks_drop();
    bli_warnings_change(0, 0);
}
