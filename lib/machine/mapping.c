/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Blocks of memory: large ones are mapped on huge pages, with preferred nodes for their
 * pages.  The system calls are made directly: hwloc's functions need a loaded topology.
 */
#include "config.h"

#include "machine/machine.h"

#include <errno.h>
#include <limits.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__linux__)
#include <linux/mempolicy.h>
#include <sys/syscall.h>
#endif

/*
 * Sizes of blocks that are not large have steps of a power of 2, at most an eighth of
 * the size, so that one that was freed serves others of about its size.
 */
#define SMALL_PAGE 4096
#define STEPS      8

size_t bli_block_room(size_t bytes)
{
    size_t step = BLI_HUGE_PAGE;

    if (bytes < BLI_LARGE_BYTES) {
        bytes += SMALL_PAGE; /* it may begin anywhere in its first page */
        for (step = SMALL_PAGE; step * 2 * STEPS <= bytes; step *= 2)
            continue;
    }
    return (bytes + step - 1) / step * step;
}

/* ---- placement ---- */

/* A set of the system's node numbers, in the form that mbind takes. */
#define MASK_NODES 1024
#define WORD_NODES (sizeof(unsigned long) * CHAR_BIT)
struct node_mask {
    unsigned long word[MASK_NODES / WORD_NODES];
};

static void mask_add(struct node_mask *mask, const struct bli_machine *machine,
                     int32_t node)
{
    const int32_t number = machine->node[node].os_index;

    if (number >= 0 && number < MASK_NODES)
        mask->word[(size_t)number / WORD_NODES] |= 1ul << (size_t)number % WORD_NODES;
}

#if defined(__linux__) && defined(SYS_mbind)
enum policy { PREFER = MPOL_PREFERRED, INTERLEAVE = MPOL_INTERLEAVE };

/*
 * Set the memory policy of a range.  On failure pages go where they are first touched,
 * which is no error.
 */
static void set_policy(char *begin, size_t bytes, enum policy policy,
                       const struct node_mask *mask)
{
    /* The kernel reads one bit less than this count. */
    (void)syscall(SYS_mbind, begin, bytes, (int)policy, mask->word, MASK_NODES + 1ul,
                  0u);
}
#else
enum policy { PREFER, INTERLEAVE };

static void set_policy(char *begin, size_t bytes, enum policy policy,
                       const struct node_mask *mask)
{
    (void)begin, (void)bytes, (void)policy, (void)mask;
}
#endif

/* Prefer a node, without binding to it: if it is full, pages come from others. */
static void prefer_node(char *begin, size_t bytes, const struct bli_machine *machine,
                        int32_t node)
{
    struct node_mask mask = {{0}};

    if (node < 0 || node >= machine->nodes)
        return;
    mask_add(&mask, machine, node);
    set_policy(begin, bytes, PREFER, &mask);
}

static void interleave(char *block, size_t room, const struct bli_machine *machine)
{
    struct node_mask mask = {{0}};

    for (int32_t n = 0; n < machine->nodes; n++)
        mask_add(&mask, machine, n);
    set_policy(block, room, INTERLEAVE, &mask);
}

/* Prefer each piece's node; boundaries within a page are rounded down to its start. */
static void prefer_pieces(char *block, size_t room, const struct bli_machine *machine,
                          const struct bli_placing *placing)
{
    const int64_t page = sysconf(_SC_PAGESIZE);

    for (int32_t i = 0; i < placing->pieces; i++) {
        const int64_t begin = placing->piece[i].begin / page * page;
        const int64_t end = i + 1 < placing->pieces
                                ? placing->piece[i + 1].begin / page * page
                                : (int64_t)room;

        if (begin < end)
            prefer_node(block + begin, (size_t)(end - begin), machine,
                        placing->piece[i].node);
    }
}

/*
 * Use small pages where a huge page would contain a boundary between nodes, since a
 * huge page lies on one node as a whole: in a guest of 4 nodes 91 % of 23 MiB came to
 * lie on the node that worked on them with huge pages throughout, and 100 % with small
 * pages at the boundaries.
 */
static void split_at_borders(char *block, const struct bli_placing *placing)
{
    for (int32_t i = 1; i < placing->pieces; i++) {
        const int64_t begin = placing->piece[i].begin;

        if (begin % BLI_HUGE_PAGE != 0)
            (void)madvise(block + begin / BLI_HUGE_PAGE * BLI_HUGE_PAGE, BLI_HUGE_PAGE,
                          MADV_NOHUGEPAGE);
    }
}

static void place(char *block, size_t room, const struct bli_placing *placing)
{
    const struct bli_machine *const machine = bli_machine();

    if (machine->nodes == 1 || !machine->is_this_system)
        return;
    switch (placing->placement.kind) {
    case BL_PLACEMENT_FIRST_TOUCH:
        split_at_borders(block, placing);
        break;
    case BL_PLACEMENT_INTERLEAVE:
        interleave(block, room, machine);
        break;
    case BL_PLACEMENT_NODE:
        prefer_node(block, room, machine, placing->placement.node);
        break;
    default:
        prefer_pieces(block, room, machine, placing);
        break;
    }
}

/* ---- mapping ---- */

static char *map(size_t room)
{
    void *const mapped =
        mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    return mapped == MAP_FAILED ? NULL : mapped;
}

/* Map more than is needed and unmap what lies before and behind. */
static char *map_aligned(size_t room)
{
    char *const mapped = map(room + BLI_HUGE_PAGE);
    size_t before;

    if (!mapped)
        return NULL;
    before = (BLI_HUGE_PAGE - (uintptr_t)mapped % BLI_HUGE_PAGE) % BLI_HUGE_PAGE;
    if (before > 0)
        (void)munmap(mapped, before);
    (void)munmap(mapped + before + room, BLI_HUGE_PAGE - before);
    return mapped + before;
}

/*
 * Where blocks that are not large begin in their first page: arrays that all begin at
 * its start would meet in the same sets of the caches, and loads of one would wait for
 * stores to another: in the caches, an add of arrays of 4 MiB that begin at different
 * places takes 0.91 to 0.96 of the time (Zen 3).
 */
#define TURNS 16

static char *shifted(char *block, size_t bytes)
{
    const uint64_t page = (uintptr_t)block / SMALL_PAGE;

    if (bytes >= BLI_LARGE_BYTES)
        return block;
    /* The upper bits of a product by the golden ratio differ for near numbers. */
    return block + (page * UINT64_C(0x9E3779B97F4A7C15) >> 60) * (SMALL_PAGE / TURNS);
}

/* The block of which shifted() made this. */
static void *unshifted(char *block, size_t bytes)
{
    return bytes < BLI_LARGE_BYTES ? block - (uintptr_t)block % SMALL_PAGE : block;
}

void *bli_block_map(size_t bytes, const struct bli_placing *placing)
{
    const size_t room = bli_block_room(bytes);
    const int saved = errno;
    const bool is_large = bytes >= BLI_LARGE_BYTES;
    char *const block = is_large ? map_aligned(room) : map(room);

    if (block && is_large) {
        /* Where huge pages are forbidden the block has small ones. */
        (void)madvise(block, room, MADV_HUGEPAGE);
        place(block, room, placing);
    }
    errno = saved;
    return block ? shifted(block, bytes) : NULL;
}

void bli_block_unmap(void *block, size_t bytes)
{
    const int saved = errno;

    (void)munmap(unshifted(block, bytes), bli_block_room(bytes));
    errno = saved;
}

void bli_block_offer(void *block, size_t bytes)
{
    const int saved = errno;

    (void)madvise(unshifted(block, bytes), bli_block_room(bytes), MADV_FREE);
    errno = saved;
}
