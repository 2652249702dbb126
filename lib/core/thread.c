/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory that a thread owns until it ends.  Only one or two pointers are thread-local
 * themselves, so that the library's thread-local data fits in the static TLS block that
 * every thread has from its start: access needs no call, and a program may dlopen the
 * library late.
 */
#include "core/thread.h"
#include "core/lock.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t ends;
static bool has_ends;

/*
 * Free a thread's memory when it ends.  A destructor that runs later may allocate
 * again; the system then calls this again, at most PTHREAD_DESTRUCTOR_ITERATIONS times.
 */
static void close_thread(void *value)
{
    for (struct bli_owned *owned = value, *next; owned; owned = next) {
        next = owned->next;
        *owned->place = NULL;
        if (owned->close)
            owned->close(owned->memory);
        free(owned->block);
    }
}

static void start(void)
{
    has_ends = pthread_key_create(&ends, close_thread) == 0;
}

struct bli_owned *bli_thread_owned(void)
{
    bli_once(BLI_ONCE_THREAD_END, start);
    return has_ends ? pthread_getspecific(ends) : NULL;
}

bool bli_thread_set_owned(struct bli_owned *first)
{
    return has_ends && pthread_setspecific(ends, first) == 0;
}

bool bli_thread_add(struct bli_owned *owned, void *block, void **place, size_t bytes)
{
    *owned = (struct bli_owned){
        .next = bli_thread_owned(), .place = place, .block = block, .bytes = bytes};
    if (bli_thread_set_owned(owned))
        return true;
    free(block);
    return false;
}

void *bli_thread_own(void **place, size_t bytes)
{
    const int saved = errno;
    struct bli_owned *const owned = calloc(1, sizeof *owned + bytes);
    const bool is_owned = owned && bli_thread_add(owned, owned, place, bytes);

    errno = saved;
    if (is_owned)
        *place = owned->memory;
    return *place;
}

void bli_thread_on_end(void *memory, void (*close)(void *memory))
{
    ((struct bli_owned *)memory - 1)->close = close;
}
