/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The state of each thread: the line of its call, how deep it is in scopes that
 * suppress warnings, and a cache of the sites it found last, with counts.  A warning
 * that a loop raises again costs some comparisons and an addition: no lock, no locked
 * instruction.
 *
 * A thread's counts are added to those of the sites when it ends, and when another site
 * takes the entry; until then they are found through a list of all threads' caches.
 */
#define _POSIX_C_SOURCE 200809L

#include "diag/warnings.h"

#include <stdlib.h>

enum { CACHE_ENTRIES = 32 };

/*
 * One thread's cache.  Other threads read its counts, and its sites under the lock; the
 * list of all caches is under the lock too.
 */
struct thread_cache {
    struct thread_cache *next, **link; /* under the lock */
    struct bli_cache_entry entry[CACHE_ENTRIES];
    struct bli_call_signature signature[CACHE_ENTRIES]; /* of the same call sites */
};

static struct thread_cache *thread_caches; /* under the lock */

/* An empty cache: its suppressed generations are 0, which is none. */
static struct thread_cache null_cache;

/* Its destructor runs at the end of a thread; both are under the lock. */
static pthread_key_t exit_key;
static bool has_exit_key;

/* A line of a file; NULL and 0 if unknown. */
struct line {
    const char *file;
    int32_t line;
};

/* Enclosing call sites that are remembered; deeper calls return to an unknown line. */
enum { OUTER = 4 };

static _Thread_local struct {
    struct thread_cache *cache;
    struct line at;
    int32_t suppressed;
    int32_t depth; /* of call sites that were entered */
    uint64_t kind; /* of the last warning; 0: suppressed */
    struct line outer[OUTER];
} thread = {.cache = &null_cache};

/* ---- call sites and scopes ---- */

int32_t *bli_suppressed(void)
{
    return &thread.suppressed;
}

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

void bli_key_set_location(struct bli_key *key, const void *address)
{
    key->file = thread.at.file;
    key->line = thread.at.line;
    key->address = address;
}

void bli_forget_kind(void)
{
    thread.kind = 0;
}

uint64_t bl_warnings_kind(void)
{
    return thread.kind;
}

/* ---- thread caches ---- */

/* Add an entry's count to its site, and empty it.  Under the lock. */
static void flush_entry(struct bli_cache_entry *entry)
{
    if (entry->site)
        entry->site->count += atomic_load_explicit(&entry->count, memory_order_relaxed);
    atomic_store_explicit(&entry->count, 0, memory_order_relaxed);
    entry->site = NULL;
    entry->suppressed_generation = 0;
}

/* At the end of a thread: flush its cache, take it off the list and free it. */
static void destroy_cache(void *value)
{
    struct thread_cache *const cache = value;

    thread.cache = &null_cache;
    bli_warnings_enter();
    for (int k = 0; k < CACHE_ENTRIES; k++)
        flush_entry(&cache->entry[k]);
    *cache->link = cache->next;
    if (cache->next)
        cache->next->link = cache->link;
    bli_warnings_leave();
    free(cache);
}

/* The calling thread's cache, made at first; `null_cache` without memory. */
static struct thread_cache *get_cache(void)
{
    struct thread_cache *cache;

    if (thread.cache != &null_cache)
        return thread.cache;
    cache = calloc(1, sizeof *cache);
    if (!cache)
        return &null_cache;
    bli_warnings_enter();
    has_exit_key = has_exit_key || pthread_key_create(&exit_key, destroy_cache) == 0;
    if (has_exit_key && pthread_setspecific(exit_key, cache) == 0) {
        cache->next = thread_caches;
        cache->link = &thread_caches;
        if (thread_caches)
            thread_caches->link = &cache->next;
        thread_caches = cache;
        thread.cache = cache;
    }
    bli_warnings_leave();
    if (thread.cache != cache)
        free(cache);
    return thread.cache;
}

/* ---- sites ---- */

/* The slot of a call site in the cache of a thread. */
static size_t slot_of(const void *address, int32_t line)
{
    return (((uintptr_t)address >> 1) + (uintptr_t)line) % CACHE_ENTRIES;
}

/*
 * Whether two keys are the same, by their pointers: faster than a comparison of texts,
 * and a cache may miss.
 */
static bool is_same(const struct bli_key *a, const struct bli_key *b)
{
    return a->address == b->address && a->file == b->file &&
           a->function == b->function && a->line == b->line && a->op == b->op &&
           a->change == b->change;
}

/*
 * Count calls at the site itself, for a thread without memory for a cache.  Returns the
 * site; NULL without memory.
 */
static struct bli_site *count_in_site(const struct bli_key *key, int32_t times)
{
    struct bli_site *site;

    bli_warnings_enter();
    site = bli_site_find(key);
    if (site)
        site->count += times;
    bli_warnings_leave();
    return site;
}

struct bli_site *bli_count(const struct bli_key *key, uint64_t kind, int32_t times)
{
    struct thread_cache *const cache = get_cache();
    const size_t slot = slot_of(key->address, key->line);
    struct bli_cache_entry *const entry = &cache->entry[slot];

    thread.kind = kind;
    if (cache == &null_cache)
        return count_in_site(key, times);
    if (!entry->site || !is_same(&entry->key, key)) {
        bli_warnings_enter();
        flush_entry(entry);
        cache->signature[slot].count = 0;
        entry->key = *key;
        entry->site = bli_site_find(key);
        bli_warnings_leave();
    }
    if (!entry->site)
        return NULL;
    entry->kind = kind;
    entry->suppressed_generation =
        atomic_load_explicit(&entry->site->suppressed_generation, memory_order_relaxed);
    bli_count_in_entry(entry, times);
    return entry->site;
}

/* Whether an entry is of this call, and the current filters suppress its warnings. */
static inline bool is_suppressed_at(const struct bli_cache_entry *entry, bl_op op,
                                    const char *function, const char *file,
                                    int32_t line, const void *address)
{
    const struct bli_key *const key = &entry->key;

    /* Building a key to compare it would cost as much as all of this. */
    return entry->suppressed_generation ==
               atomic_load_explicit(&bli_filter_generation, memory_order_relaxed) &&
           key->address == address && key->file == file && key->op == op &&
           key->function == function && key->line == line;
}

/* An entry that is taken by another site loses its signature too: see bli_count(). */
struct bli_call_signature *bli_signature_at(int32_t line, const void *address,
                                            struct bli_cache_entry **entry)
{
    const size_t slot = slot_of(address, line);

    *entry = &thread.cache->entry[slot];
    return &thread.cache->signature[slot];
}

bool bli_has_thread_cache(void)
{
    return get_cache() != &null_cache;
}

bool bl_warnings_count_repeat(bl_change change, bl_op op, const char *function,
                              uint64_t kind, const void *address)
{
    const struct line *const at = &thread.at;
    struct bli_cache_entry *const entry =
        &thread.cache->entry[slot_of(address, at->line)];

    if (thread.suppressed > 0)
        return true;
    if (!is_suppressed_at(entry, op, function, at->file, at->line, address) ||
        entry->key.change != (int32_t)change)
        return false;
    if (entry->kind != kind) {
        if (kind == 0 || !bli_site_knows(entry->site, kind))
            return false;
        entry->kind = kind;
    }
    bli_count_in_entry(entry, 1);
    return true;
}

void bli_count_all(void)
{
    for (struct bli_site *site = bli_site_first(); site; site = site->next)
        site->total = site->count - site->count_at_reset;
    for (const struct thread_cache *cache = thread_caches; cache; cache = cache->next)
        for (int k = 0; k < CACHE_ENTRIES; k++)
            if (cache->entry[k].site)
                cache->entry[k].site->total +=
                    atomic_load_explicit(&cache->entry[k].count, memory_order_relaxed);
}
