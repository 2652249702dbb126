/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where the pages go that a thread touches first, for as long as it works on memory
 * whose home is another node.
 */
#include "config.h"

#include "topo/topo.h"

#include <errno.h>
#include <limits.h>
#include <unistd.h>

#if defined(__linux__)
#include <linux/mempolicy.h>
#include <sys/syscall.h>
#endif

#if defined(__linux__) && defined(SYS_set_mempolicy) && defined(SYS_get_mempolicy)

#define WORD_NODES (sizeof(unsigned long) * CHAR_BIT)

void bli_touch_on_node(const struct bli_machine *machine, int32_t node,
                       struct bli_touch *saved)
{
    const int error = errno;
    unsigned long mask[BLI_TOUCH_WORDS] = {0};
    const int32_t number = machine->node[node].os_index;

    if (number < 0 || number >= (int32_t)(BLI_TOUCH_WORDS * WORD_NODES))
        return;
    if (!saved->is_saved)
        saved->is_saved = syscall(SYS_get_mempolicy, &saved->mode, saved->mask,
                                  BLI_TOUCH_WORDS * WORD_NODES, NULL, 0) == 0;
    mask[(size_t)number / WORD_NODES] = 1ul << (size_t)number % WORD_NODES;
    /* Without the old policy at hand it could not be put back. */
    if (saved->is_saved)
        (void)syscall(SYS_set_mempolicy, MPOL_PREFERRED, mask,
                      BLI_TOUCH_WORDS * WORD_NODES + 1);
    errno = error;
}

void bli_touch_restore(struct bli_touch *saved)
{
    const int error = errno;
    bool has_nodes = false;

    if (!saved->is_saved)
        return;
    for (int32_t i = 0; i < BLI_TOUCH_WORDS; i++)
        has_nodes = has_nodes || saved->mask[i] != 0;
    /* The default policy takes no nodes. */
    (void)syscall(SYS_set_mempolicy, saved->mode, has_nodes ? saved->mask : NULL,
                  has_nodes ? BLI_TOUCH_WORDS * WORD_NODES + 1 : 0);
    saved->is_saved = false;
    errno = error;
}

#else

void bli_touch_on_node(const struct bli_machine *machine, int32_t node,
                       struct bli_touch *saved)
{
    (void)machine, (void)node, (void)saved;
}

void bli_touch_restore(struct bli_touch *saved)
{
    (void)saved;
}

#endif
