/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The hash table of warning sites: the places in the program that warnings come from.
 * All functions are called under the lock.
 */
#include "diag/warnings.h"

#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 256 };

static struct bli_site *sites;
static struct bli_site *bucket[BUCKETS];

/* Whether two texts are equal; NULL equals NULL alone. */
static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/*
 * Whether two keys are of one site.  With a file, calls of one line are from one site,
 * whatever address they return to.
 */
static bool same_key(const struct bli_key *a, const struct bli_key *b)
{
    return a->change == b->change && a->op == b->op && a->line == b->line &&
           same_text(a->function, b->function) && same_text(a->file, b->file) &&
           (a->file || a->address == b->address);
}

/* Continue an FNV-1a hash with `size` bytes. */
static uint32_t mix(uint32_t hash, const void *bytes, size_t size)
{
    const unsigned char *const at = bytes;

    for (size_t i = 0; i < size; i++)
        hash = (hash ^ at[i]) * UINT32_C(16777619);
    return hash;
}

/* Hash of a key, equal for keys of one site. */
static uint32_t hash_of(const struct bli_key *key)
{
    uint32_t hash = UINT32_C(2166136261);

    hash = mix(hash, &key->op, sizeof key->op);
    hash = mix(hash, &key->line, sizeof key->line);
    if (!key->file)
        return mix(hash, &key->address, sizeof key->address);
    return mix(hash, key->file, strlen(key->file));
}

/* Copy a text, which may be NULL, to `*cursor`, and advance that past the copy. */
static const char *copy_text(const char *text, char **cursor)
{
    char *const copy = *cursor;

    if (!text)
        return NULL;
    strcpy(copy, text);
    *cursor += strlen(text) + 1;
    return copy;
}

/*
 * Make the site of a key, first in its bucket; NULL without memory.  The address is
 * looked up at once: its library may be closed before the report is written.
 */
static struct bli_site *make_site(const struct bli_key *key, struct bli_site **head)
{
    struct bli_loaded_file loaded_file = {.path = ""};
    struct bli_site *site;
    size_t size;
    char *cursor;

    if (!key->file)
        bli_loaded_file_find(key->address, &loaded_file);
    size = strlen(loaded_file.path) + 1;
    size += key->file ? strlen(key->file) + 1 : 0;
    size += key->function ? strlen(key->function) + 1 : 0;
    site = calloc(1, sizeof *site + size);
    if (!site)
        return NULL;
    cursor = (char *)(site + 1);
    site->key = *key;
    site->key.file = copy_text(key->file, &cursor);
    site->key.function = copy_text(key->function, &cursor);
    site->loaded_file = loaded_file;
    site->loaded_file.path = copy_text(loaded_file.path, &cursor);
    site->hash_next = *head;
    *head = site;
    site->next = sites;
    sites = site;
    return site;
}

struct bli_site *bli_site_find(const struct bli_key *key)
{
    struct bli_site **const head = &bucket[hash_of(key) % BUCKETS];

    for (struct bli_site *site = *head; site; site = site->hash_next)
        if (same_key(&site->key, key))
            return site;
    return make_site(key, head);
}

struct bli_site *bli_site_unlocated(const struct bli_key *key)
{
    const struct bli_key unlocated = {
        .change = key->change, .op = key->op, .function = key->function};

    return bli_site_find(&unlocated);
}

struct bli_site *bli_site_first(void)
{
    return sites;
}
