/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The lock and the generation of warnings, and the hash table of warning sites: the
 * places in the program that warnings come from.
 */
#include "diag/warnings.h"

#include "core/lock.h"

#include <stdlib.h>
#include <string.h>

_Atomic uint64_t bli_warnings_word = BLI_WARN_GENERATION;

void bli_warnings_enter(void)
{
    bli_lock(BLI_LOCK_WARNINGS);
}

void bli_warnings_leave(void)
{
    bli_unlock(BLI_LOCK_WARNINGS);
}

void bli_warnings_change(uint64_t clear, uint64_t set)
{
    atomic_store_explicit(&bli_warnings_word,
                          ((bli_warnings_generation() & ~clear) | set) +
                              BLI_WARN_GENERATION,
                          memory_order_relaxed);
}

/* ---- sites ---- */

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
    return a->change == b->change && a->op == b->op && a->at.line == b->at.line &&
           same_text(a->function, b->function) && same_text(a->at.file, b->at.file) &&
           (a->at.file || a->at.address == b->at.address);
}

/* Hash of a key, equal for keys of one site. */
static size_t hash_of(const struct bli_key *key)
{
    size_t hash = (size_t)key->op * 31 + (size_t)key->at.line;

    if (!key->at.file)
        return hash * 31 + ((uintptr_t)key->at.address >> 1);
    for (const char *at = key->at.file; *at != '\0'; at++)
        hash = hash * 31 + (unsigned char)*at;
    return hash;
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

    if (!key->at.file)
        bli_loaded_file_find(key->at.address, &loaded_file);
    size = strlen(loaded_file.path) + 1;
    size += key->at.file ? strlen(key->at.file) + 1 : 0;
    size += key->function ? strlen(key->function) + 1 : 0;
    site = calloc(1, sizeof *site + size);
    if (!site)
        return NULL;
    cursor = (char *)(site + 1);
    site->key = *key;
    site->key.at.file = copy_text(key->at.file, &cursor);
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

struct bli_site *bli_site_first(void)
{
    return sites;
}
