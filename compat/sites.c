/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The places in the program that warnings come from.  Each thread remembers those that
 * it found last, so that a loop's warnings cost a comparison and an addition.
 */
#include "warnings.h"

#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 256, RECENT = 8 };

static struct bli_site *all;
static struct bli_site *bucket[BUCKETS];

static _Thread_local struct {
    int32_t suppressed;
    int32_t line;
    const char *file; /* NULL: unknown */
    struct {
        struct bli_key key;
        struct bli_site *site; /* NULL: none is kept here */
    } recent[RECENT];
} thread;

int32_t *bli_suppressed(void)
{
    return &thread.suppressed;
}

void bl_call_site_enter(const char *file, int32_t line)
{
    thread.file = file;
    thread.line = line;
}

bl_status bl_call_site_leave(bl_status status)
{
    thread.file = NULL;
    return status;
}

void bli_key_place(struct bli_key *key, const void *address)
{
    key->file = thread.file;
    key->line = thread.file ? thread.line : 0;
    key->address = address;
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* With a file, calls of one line are from one place, wherever they return to. */
static bool same_key(const struct bli_key *a, const struct bli_key *b)
{
    return a->difference == b->difference && a->op == b->op && a->line == b->line &&
           same_text(a->function, b->function) && same_text(a->file, b->file) &&
           (a->file || a->address == b->address);
}

/* FNV-1a. */
static uint32_t mix(uint32_t hash, const void *bytes, size_t size)
{
    const unsigned char *const at = bytes;

    for (size_t i = 0; i < size; i++)
        hash = (hash ^ at[i]) * UINT32_C(16777619);
    return hash;
}

static uint32_t hash_of(const struct bli_key *key)
{
    uint32_t hash = UINT32_C(2166136261);

    hash = mix(hash, &key->op, sizeof key->op);
    hash = mix(hash, &key->line, sizeof key->line);
    if (!key->file)
        return mix(hash, &key->address, sizeof key->address);
    return mix(hash, key->file, strlen(key->file));
}

/* A text's copy behind a site; `*room` is stepped over it. */
static const char *keep_text(const char *text, char **room)
{
    char *const copy = *room;

    if (!text)
        return NULL;
    strcpy(copy, text);
    *room += strlen(text) + 1;
    return copy;
}

static struct bli_site *make_site(const struct bli_key *key, struct bli_site **place)
{
    const size_t file = key->file ? strlen(key->file) + 1 : 0;
    const size_t function = key->function ? strlen(key->function) + 1 : 0;
    struct bli_site *const site = calloc(1, sizeof *site + file + function);
    char *room = (char *)(site + 1);

    if (!site)
        return NULL;
    site->key = *key;
    site->key.file = keep_text(key->file, &room);
    site->key.function = keep_text(key->function, &room);
    site->beside = *place;
    *place = site;
    site->next = all;
    all = site;
    return site;
}

static struct bli_site *find(const struct bli_key *key)
{
    struct bli_site **const place = &bucket[hash_of(key) % BUCKETS];

    for (struct bli_site *site = *place; site; site = site->beside)
        if (same_key(&site->key, key))
            return site;
    return make_site(key, place);
}

struct bli_site *bli_site_anywhere(const struct bli_key *key)
{
    const struct bli_key anywhere = {
        .difference = key->difference, .op = key->op, .function = key->function};

    return find(&anywhere);
}

struct bli_site *bli_site_first(void)
{
    return all;
}

/* Where a thread keeps the site of a key. */
static size_t slot_of(const struct bli_key *key)
{
    const uintptr_t mixed = ((uintptr_t)key->address >> 2) ^
                            ((uintptr_t)key->address >> 6) ^ (uintptr_t)key->line;

    return mixed % RECENT;
}

struct bli_site *bli_site_recall(const struct bli_key *key)
{
    const size_t at = slot_of(key);
    const struct bli_key *const kept = &thread.recent[at].key;

    if (!thread.recent[at].site || kept->difference != key->difference ||
        kept->op != key->op || kept->function != key->function ||
        kept->file != key->file || kept->line != key->line ||
        kept->address != key->address)
        return NULL;
    return thread.recent[at].site;
}

struct bli_site *bli_site_find(const struct bli_key *key)
{
    struct bli_site *site = bli_site_recall(key);

    if (site)
        return site;
    pthread_mutex_lock(&bli_warnings_lock);
    site = find(key);
    pthread_mutex_unlock(&bli_warnings_lock);
    thread.recent[slot_of(key)].key = *key;
    thread.recent[slot_of(key)].site = site;
    return site;
}
