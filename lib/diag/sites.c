/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The places in the program that warnings come from.  What is here is called under the
 * lock.
 */
#include "diag/warnings.h"

#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 256 };

static struct bli_site *all;
static struct bli_site *bucket[BUCKETS];

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

/* Looks the address up at once: its module may be closed before anybody asks. */
static struct bli_site *make_site(const struct bli_key *key, struct bli_site **place)
{
    struct bli_module module = {.path = ""};
    struct bli_site *site;
    size_t size;
    char *room;

    if (!key->file)
        bli_module_find(key->address, &module);
    size = strlen(module.path) + 1;
    size += key->file ? strlen(key->file) + 1 : 0;
    size += key->function ? strlen(key->function) + 1 : 0;
    site = calloc(1, sizeof *site + size);
    if (!site)
        return NULL;
    room = (char *)(site + 1);
    site->key = *key;
    site->key.file = keep_text(key->file, &room);
    site->key.function = keep_text(key->function, &room);
    site->module = module;
    site->module.path = keep_text(module.path, &room);
    site->beside = *place;
    *place = site;
    site->next = all;
    all = site;
    return site;
}

struct bli_site *bli_site_find(const struct bli_key *key)
{
    struct bli_site **const place = &bucket[hash_of(key) % BUCKETS];

    for (struct bli_site *site = *place; site; site = site->beside)
        if (same_key(&site->key, key))
            return site;
    return make_site(key, place);
}

struct bli_site *bli_site_unlocated(const struct bli_key *key)
{
    const struct bli_key anywhere = {
        .difference = key->difference, .op = key->op, .function = key->function};

    return bli_site_find(&anywhere);
}

struct bli_site *bli_site_first(void)
{
    return all;
}
