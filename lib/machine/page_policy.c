/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The memory policy of a thread: placement of pages that it touches first, while it
 * works on memory of another node's range.
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

/* A set of the system's node numbers, in the form that the system calls take. */
#define MASK_NODES 1024
#define WORD_NODES (sizeof(unsigned long) * CHAR_BIT)
#define MASK_WORDS (MASK_NODES / WORD_NODES)

/*
 * Save the thread's policy if it names no nodes, which is the default: pages go where
 * the thread runs.  A policy that the application or numactl has set is left alone.
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
    /* The kernel reads one bit less than this count. */
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
