/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What each thread keeps: the place of its call, how deep it is in scopes without
 * warnings, and the sites that it found last, with how often.  A warning that a loop
 * raises again costs some comparisons and an addition: no lock, no locked instruction.
 *
 * A thread's counts are added to those of the sites when it ends, and when another site
 * takes the room; until then they are found through a list of all threads' rooms.
 */
#define _POSIX_C_SOURCE 200809L

#include "diag/warnings.h"

#include <stdlib.h>

enum { KEPT = 32 };

/* One thread's sites.  Others read counts, and sites under the lock. */
struct room {
    struct room *next, **link; /* under the lock */
    struct bli_cache_entry kept[KEPT];
    struct bli_call_signature look[KEPT]; /* of the same places */
};

static struct room *rooms;     /* under the lock */
static struct room null_cache; /* where nothing is found: its `quiet` is no state */

static pthread_key_t ends; /* under the lock, as whether there is one */
static bool has_ends;

/* A line of a file; NULL and 0 where it is unknown. */
struct line {
    const char *file;
    int32_t line;
};

/* Places that are kept for calls to come back to; of more, the innermost is known. */
enum { OUTER = 4 };

static _Thread_local struct {
    struct room *room;
    struct line at;
    int32_t suppressed;
    int32_t depth; /* of places that were entered */
    uint64_t kind; /* of the last warning; 0: suppressed */
    struct line outer[OUTER];
} thread = {.room = &null_cache};

/* ---- places and scopes ---- */

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

/* ---- rooms ---- */

static void flush_entry(struct bli_cache_entry *kept)
{
    if (kept->site)
        kept->site->count += atomic_load_explicit(&kept->count, memory_order_relaxed);
    atomic_store_explicit(&kept->count, 0, memory_order_relaxed);
    kept->site = NULL;
    kept->quiet = 0;
}

/* The end of a thread. */
static void close_room(void *value)
{
    struct room *const room = value;

    thread.room = &null_cache;
    bli_warnings_enter();
    for (int k = 0; k < KEPT; k++)
        flush_entry(&room->kept[k]);
    *room->link = room->next;
    if (room->next)
        room->next->link = room->link;
    bli_warnings_leave();
    free(room);
}

/* The calling thread's room; `null_cache` without memory. */
static struct room *open_room(void)
{
    struct room *room;

    if (thread.room != &null_cache)
        return thread.room;
    room = calloc(1, sizeof *room);
    if (!room)
        return &null_cache;
    bli_warnings_enter();
    has_ends = has_ends || pthread_key_create(&ends, close_room) == 0;
    if (has_ends && pthread_setspecific(ends, room) == 0) {
        room->next = rooms;
        room->link = &rooms;
        if (rooms)
            rooms->link = &room->next;
        rooms = room;
        thread.room = room;
    }
    bli_warnings_leave();
    if (thread.room != room)
        free(room);
    return thread.room;
}

/* ---- sites ---- */

/* Where a thread keeps what was found from a place. */
static size_t slot_of(const void *address, int32_t line)
{
    return (((uintptr_t)address >> 1) + (uintptr_t)line) % KEPT;
}

static bool is_same(const struct bli_key *a, const struct bli_key *b)
{
    return a->address == b->address && a->file == b->file &&
           a->function == b->function && a->line == b->line && a->op == b->op &&
           a->difference == b->difference;
}

/* Without memory for a room the site counts. */
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
    struct room *const room = open_room();
    const size_t slot = slot_of(key->address, key->line);
    struct bli_cache_entry *const kept = &room->kept[slot];

    thread.kind = kind;
    if (room == &null_cache)
        return count_in_site(key, times);
    if (!kept->site || !is_same(&kept->key, key)) {
        bli_warnings_enter();
        flush_entry(kept);
        room->look[slot].count = 0;
        kept->key = *key;
        kept->site = bli_site_find(key);
        bli_warnings_leave();
    }
    if (!kept->site)
        return NULL;
    kept->kind = kind;
    kept->quiet = atomic_load_explicit(&kept->site->quiet, memory_order_relaxed);
    bli_count_kept(kept, times);
    return kept->site;
}

/* Whether a site is this one, and nothing is to be told from there. */
static inline bool is_quiet(const struct bli_cache_entry *kept, bl_op op,
                            const char *function, const char *file, int32_t line,
                            const void *address)
{
    const struct bli_key *const key = &kept->key;

    /* A key put together to be compared costs as much as all of this. */
    return kept->quiet ==
               atomic_load_explicit(&bli_warnings_state, memory_order_relaxed) &&
           key->address == address && key->file == file && key->op == op &&
           key->function == function && key->line == line;
}

/* A place that takes another's room has no call yet: looks and sites go together. */
struct bli_call_signature *bli_look_at(int32_t line, const void *address,
                                       struct bli_cache_entry **site)
{
    const size_t slot = slot_of(address, line);

    *site = &thread.room->kept[slot];
    return &thread.room->look[slot];
}

bool bli_has_room(void)
{
    return open_room() != &null_cache;
}

bool bl_warnings_count_repeat(bl_change difference, bl_op op, const char *function,
                              uint64_t kind, const void *address)
{
    const struct line *const at = &thread.at;
    struct bli_cache_entry *const kept = &thread.room->kept[slot_of(address, at->line)];

    if (thread.suppressed > 0)
        return true;
    if (!is_quiet(kept, op, function, at->file, at->line, address) ||
        kept->key.difference != (int32_t)difference)
        return false;
    if (kept->kind != kind) {
        if (kind == 0 || !bli_site_knows(kept->site, kind))
            return false;
        kept->kind = kind;
    }
    bli_count_kept(kept, 1);
    return true;
}

void bli_count_all(void)
{
    for (struct bli_site *site = bli_site_first(); site; site = site->next)
        site->total = site->count - site->forgotten;
    for (const struct room *room = rooms; room; room = room->next)
        for (int k = 0; k < KEPT; k++)
            if (room->kept[k].site)
                room->kept[k].site->total +=
                    atomic_load_explicit(&room->kept[k].count, memory_order_relaxed);
}
