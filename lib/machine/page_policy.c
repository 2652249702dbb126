/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where the pages go that a thread touches first, for as long as it works on memory
 * whose home is another node.
 */
#include "config.h"

#include "machine/machine.h"

#include <errno.h>
#include <limits.h>
#include <unistd.h>

#if defined(__linux__)
#include <linux/mempolicy.h>
#include <sys/syscall.h>
#endif

#if defined(__linux__) && defined(SYS_set_mempolicy) && defined(SYS_get_mempolicy)

/* A set of the system's node numbers, as the calls take it. */
#define MASK_NODES 1024
#define WORD_NODES (sizeof(unsigned long) * CHAR_BIT)
#define MASK_WORDS (MASK_NODES / WORD_NODES)

/*
 * Save a policy that names no nodes: pages go where the thread runs, and nobody has
 * said otherwise.  One that the application or numactl has set is theirs.
 */
static void save(struct bli_page_policy *saved)
{
    unsigned long mask[MASK_WORDS] = {0};
    bool is_local =
        syscall(SYS_get_mempolicy, &saved->mode, mask, MASK_NODES, NULL, 0) == 0;

    for (size_t i = 0; i < MASK_WORDS; i++)
        is_local = is_local && mask[i] == 0;
    saved->is_saved = is_local;
}

void bli_page_policy_prefer(const struct bli_machine *machine, int32_t node,
                            struct bli_page_policy *saved)
{
    const int error = errno;
    unsigned long mask[MASK_WORDS] = {0};
    const int32_t number = machine->node[node].os_index;

    if (number < 0 || number >= MASK_NODES)
        return;
    if (!saved->is_saved)
        save(saved);
    mask[(size_t)number / WORD_NODES] = 1ul << (size_t)number % WORD_NODES;
    /* The kernel looks at one node less than it is told of. */
    if (saved->is_saved)
        (void)syscall(SYS_set_mempolicy, MPOL_PREFERRED, mask, MASK_NODES + 1);
    errno = error;
}

void bli_page_policy_restore(struct bli_page_policy *saved)
{
    const int error = errno;

    if (!saved->is_saved)
        return;
    (void)syscall(SYS_set_mempolicy, saved->mode, NULL, 0);
    saved->is_saved = false;
    errno = error;
}

#else

void bli_page_policy_prefer(const struct bli_machine *machine, int32_t node,
                            struct bli_page_policy *saved)
{
    (void)machine, (void)node, (void)saved;
}

void bli_page_policy_restore(struct bli_page_policy *saved)
{
    (void)saved;
}

#endif
