/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory that a thread owns until it ends.  Only one or two pointers are thread-local
 * themselves, so that the library's thread-local data fits in the static TLS block that
 * every thread has from its start: access needs no call, and a program may dlopen the
 * library late.
 */
#include "core/lend.h"
#include "core/lock.h"

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

/* What lies before memory that a thread owns. */
struct owned {
    struct owned *next;
    void **place; /* NULL: of memory that is lent */
    void *block;  /* that all of it is in, of malloc */
    size_t bytes;
    bool is_lent; /* now */
    max_align_t memory[];
};

/* What is lent begins on a page, so that threads may share it page by page. */
#define PAGE ((uintptr_t)4096)

/* Memory that was returned last and is free; NULL: look among all that is owned. */
static _Thread_local struct owned *returned;

static pthread_key_t ends;
static bool has_ends;

/*
 * Free a thread's memory when it ends.  A destructor that runs later may allocate
 * again; the system then calls this again, at most PTHREAD_DESTRUCTOR_ITERATIONS times.
 */
static void close_thread(void *value)
{
    returned = NULL;
    for (struct owned *owned = value, *next; owned; owned = next) {
        next = owned->next;
        if (owned->place)
            *owned->place = NULL;
        free(owned->block);
    }
}

static void start(void)
{
    has_ends = pthread_key_create(&ends, close_thread) == 0;
}

/* What the calling thread owns; NULL where it can own nothing, too. */
static struct owned *first_owned(void)
{
    bli_once(BLI_ONCE_THREAD_END, start);
    return has_ends ? pthread_getspecific(ends) : NULL;
}

/* Let the thread own what is in `block`, of malloc, too; false, and it is freed. */
static bool add(struct owned *owned, void *block, void **place, size_t bytes)
{
    struct owned *const next = first_owned();

    owned->next = next;
    owned->place = place;
    owned->block = block;
    owned->bytes = bytes;
    owned->is_lent = false;
    if (has_ends && pthread_setspecific(ends, owned) == 0)
        return true;
    free(block);
    return false;
}

void *bli_thread_own(void **place, size_t bytes)
{
    const int saved = errno;
    struct owned *const owned = calloc(1, sizeof *owned + bytes);
    const bool is_owned = owned && add(owned, owned, place, bytes);

    errno = saved;
    if (is_owned)
        *place = owned->memory;
    return *place;
}

/* ---- lending ---- */

static bool is_free(const struct owned *owned)
{
    return !owned->place && !owned->is_lent;
}

/* The smallest that is free and has so many bytes. */
static struct owned *find_free(size_t bytes)
{
    struct owned *best = NULL;

    for (struct owned *owned = first_owned(); owned; owned = owned->next)
        if (is_free(owned) && owned->bytes >= bytes &&
            (!best || owned->bytes < best->bytes))
            best = owned;
    return best;
}

/* Give back all that is free: it has proven too small. */
static void drop_free(void)
{
    struct owned *kept = NULL, *next;

    returned = NULL;
    for (struct owned *owned = first_owned(); owned; owned = next) {
        next = owned->next;
        if (is_free(owned)) {
            free(owned->block);
        } else {
            owned->next = kept;
            kept = owned;
        }
    }
    if (has_ends)
        (void)pthread_setspecific(ends, kept);
}

/* Not touched: its pages come to lie where the threads run that do. */
static struct owned *make_free(size_t bytes)
{
    struct owned *owned;
    char *block, *memory;

    if (bytes > SIZE_MAX - 2 * PAGE)
        return NULL;
    drop_free();
    block = malloc(bytes + 2 * PAGE);
    if (!block)
        return NULL;
    memory = block + sizeof *owned;
    memory += -(uintptr_t)memory & (PAGE - 1);
    owned = (struct owned *)(void *)memory - 1;
    return add(owned, block, NULL, bytes) ? owned : NULL;
}

/* Lend other memory than what was returned last. */
BLI_OWN_FRAME static void *lend_other(size_t bytes)
{
    const int saved = errno;
    struct owned *owned = find_free(bytes);

    if (!owned)
        owned = make_free(bytes);
    errno = saved;
    if (!owned) {
        (void)bl_error_set(BL_ERR_MEMORY, "out of memory: %zu bytes", bytes);
        return NULL;
    }
    if (owned == returned)
        returned = NULL;
    owned->is_lent = true;
    return owned->memory;
}

void *bli_thread_lend(size_t bytes)
{
    struct owned *const owned = returned;

    if (!owned || owned->bytes < bytes)
        return lend_other(bytes);
    returned = NULL;
    owned->is_lent = true;
    return owned->memory;
}

void bli_thread_return(void *memory)
{
    if (!memory)
        return;
    returned = (struct owned *)memory - 1;
    returned->is_lent = false;
}
