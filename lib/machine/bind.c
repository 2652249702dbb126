/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Binding of threads to the processors of a node, for the duration of a call and only
 * if it was requested.
 */
#include "config.h"

#include "machine/discovery.h"

#include <assert.h>
#include <errno.h>
#include <sched.h>
#include <string.h>

static_assert(sizeof(struct bli_processors) == BLI_MASK_BYTES, "a mask holds a set");

void bli_bind_to_node(const struct bli_machine *machine, int32_t node,
                      struct bli_mask *saved)
{
    const int error = errno;
    struct bli_processors before = {{0}}, wanted = {{0}};
    bool any = false;

    saved->bytes = 0;
    if (!machine->is_this_system)
        return;
    for (int32_t p = 0; p < machine->numbers; p++)
        if (machine->usable[p] && machine->node_of[p] == node) {
            bli_processors_add(&wanted, p);
            any = true;
        }
    if (any && sched_getaffinity(0, sizeof before, (cpu_set_t *)&before) == 0 &&
        sched_setaffinity(0, sizeof wanted, (const cpu_set_t *)&wanted) == 0) {
        memcpy(saved->bits, &before, sizeof before);
        saved->bytes = sizeof before;
    }
    errno = error;
}

void bli_bind_restore(const struct bli_mask *saved)
{
    const int error = errno;
    struct bli_processors before;

    if (saved->bytes == 0)
        return;
    memcpy(&before, saved->bits, sizeof before);
    /* Fails only if the system has since taken all of these processors away. */
    (void)sched_setaffinity(0, saved->bytes, (const cpu_set_t *)&before);
    errno = error;
}
