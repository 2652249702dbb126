/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory that a thread owns until it ends.  Only one or two pointers are thread-local
 * themselves, so that the library's thread-local data fits in the static TLS block that
 * every thread has from its start: access needs no call, and a program may dlopen the
 * library late.
 */
#include "core/core.h"
#include "core/lock.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

struct owned {
    struct owned *next;
    void **place;
    max_align_t memory[];
};

static pthread_key_t ends;
static bool has_ends;

/*
 * Free a thread's memory when it ends.  A destructor that runs later may allocate
 * again; the system then calls this again, at most PTHREAD_DESTRUCTOR_ITERATIONS times.
 */
static void close_thread(void *value)
{
    for (struct owned *owned = value, *next; owned; owned = next) {
        next = owned->next;
        *owned->place = NULL;
        free(owned);
    }
}

static void start(void)
{
    has_ends = pthread_key_create(&ends, close_thread) == 0;
}

void *bli_thread_own(void **place, size_t bytes)
{
    const int saved = errno;
    struct owned *owned = NULL;

    bli_once(BLI_ONCE_THREAD_END, start);
    if (has_ends)
        owned = calloc(1, sizeof *owned + bytes);
    if (owned) {
        owned->next = pthread_getspecific(ends);
        owned->place = place;
        if (pthread_setspecific(ends, owned) != 0) {
            free(owned);
            owned = NULL;
        }
    }
    errno = saved;
    if (owned)
        *place = owned->memory;
    return *place;
}
