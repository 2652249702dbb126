/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory that a thread lends to its calls, and owns until it ends.
 */
#include "core/error.h"
#include "core/lend.h"
#include "core/thread.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

/* What is lent begins on a page, so that threads may share it page by page. */
#define PAGE ((uintptr_t)4096)

/*
 * The struct bli_owned of memory that was returned last and is free; NULL: look among
 * all that is owned.
 */
static _Thread_local void *returned;

/* Whether it is memory to lend, and not lent. */
static bool is_free(const struct bli_owned *owned)
{
    return owned->place == &returned && !owned->is_lent;
}

/* The smallest that is free and has so many bytes. */
static struct bli_owned *find_free(size_t bytes)
{
    struct bli_owned *best = NULL;

    for (struct bli_owned *owned = bli_thread_owned(); owned; owned = owned->next)
        if (is_free(owned) && owned->bytes >= bytes &&
            (!best || owned->bytes < best->bytes))
            best = owned;
    return best;
}

/* Give back all that is free: it has proven too small. */
static void drop_free(void)
{
    struct bli_owned *kept = NULL, *next;

    returned = NULL;
    for (struct bli_owned *owned = bli_thread_owned(); owned; owned = next) {
        next = owned->next;
        if (is_free(owned)) {
            free(owned->block);
        } else {
            owned->next = kept;
            kept = owned;
        }
    }
    (void)bli_thread_set_owned(kept);
}

/* Not touched: its pages come to lie where the threads run that do. */
static struct bli_owned *make_free(size_t bytes)
{
    struct bli_owned *owned;
    char *block, *memory;

    if (bytes > SIZE_MAX - 2 * PAGE)
        return NULL;
    drop_free();
    block = malloc(bytes + 2 * PAGE);
    if (!block)
        return NULL;
    memory = block + sizeof *owned;
    memory += -(uintptr_t)memory & (PAGE - 1);
    owned = (struct bli_owned *)(void *)memory - 1;
    return bli_thread_add(owned, block, &returned, bytes) ? owned : NULL;
}

/* Lend other memory than what was returned last. */
BLI_OWN_FRAME static void *lend_other(size_t bytes)
{
    const int saved = errno;
    struct bli_owned *owned = find_free(bytes);

    if (!owned)
        owned = make_free(bytes);
    errno = saved;
    if (!owned) {
        (void)bli_error_memory(bytes);
        return NULL;
    }
    if (owned == returned)
        returned = NULL;
    owned->is_lent = true;
    return owned->memory;
}

void *bli_thread_lend(size_t bytes)
{
    struct bli_owned *const owned = returned;

    if (!owned || owned->bytes < bytes)
        return lend_other(bytes);
    returned = NULL;
    owned->is_lent = true;
    return owned->memory;
}

void bli_thread_return(void *memory)
{
    struct bli_owned *owned;

    if (!memory)
        return;
    owned = (struct bli_owned *)memory - 1;
    owned->is_lent = false;
    returned = owned;
}
