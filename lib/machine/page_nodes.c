/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where pages lie, as Linux reports it.  The system call is made directly: hwloc's
 * functions return the nodes of a whole range, and need a loaded topology.
 */
#include "config.h"

#include "machine/machine.h"

#include <errno.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/syscall.h>
#endif

/* Addresses per system call: six KiB of stack. */
#define CHUNK 512

/*
 * Query the system's node number, or a negative error, of each page; false if unknown.
 */
#if defined(SYS_move_pages)
static bool ask(int64_t count, void **page, int *status)
{
    /* Without target nodes the call moves nothing and only reports. */
    return syscall(SYS_move_pages, 0, (unsigned long)count, page, NULL, status, 0) >= 0;
}
#else
static bool ask(int64_t count, void **page, int *status)
{
    (void)count;
    (void)page;
    (void)status;
    return false;
}
#endif

static int32_t index_of(const struct bli_machine *machine, int32_t number)
{
    for (int32_t n = 0; number >= 0 && n < machine->nodes; n++)
        if (machine->node[n].os_index == number)
            return n;
    return -1;
}

bool bli_page_nodes(const struct bli_machine *machine, int64_t count,
                    const void *const *address, int32_t *node)
{
    const uintptr_t in_page = (uintptr_t)sysconf(_SC_PAGESIZE) - 1;
    const int error = errno;
    void *page[CHUNK];
    int status[CHUNK];
    bool known = machine->is_this_system;

    for (int64_t done = 0; known && done < count; done += CHUNK) {
        const int64_t chunk = count - done < CHUNK ? count - done : CHUNK;

        for (int64_t i = 0; i < chunk; i++)
            page[i] = (void *)((uintptr_t)address[done + i] & ~in_page);
        known = ask(chunk, page, status);
        for (int64_t i = 0; known && i < chunk; i++)
            node[done + i] = index_of(machine, status[i]);
    }
    errno = error;
    return known;
}
