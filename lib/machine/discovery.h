/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What discovery consists of: hwloc's data, the kernel's own word where hwloc's leaves
 * a choice, and the process's mask.
 */
#ifndef BLI_DISCOVERY_H
#define BLI_DISCOVERY_H

#include "machine/machine.h"

/* ---- discover.c ---- */

/*
 * A machine from a loaded hwloc_topology_t, or from one that is loaded for it where
 * that is NULL.  In one block of memory, to be freed with free(); NULL where hwloc has
 * no data or there is no memory.
 */
struct bli_machine *bli_discover(const void *hwloc_topology);

/* Whether an hwloc_topology_t is loaded, by an hwloc that this one understands. */
bool bli_discover_accepts(const void *hwloc_topology);

/* ---- copy.c ---- */

/* The same from a loaded topology. */
struct bli_machine *bli_machine_copy(const void *hwloc_topology);

/* ---- mask.c ---- */

/* A set of the system's processors; no Linux kernel has more than fit. */
#define BLI_MASK_WORDS (BLI_MASK_BYTES / sizeof(unsigned long))
struct bli_processors {
    unsigned long word[BLI_MASK_WORDS];
};

void bli_processors_add(struct bli_processors *set, int32_t processor);
bool bli_processors_has(const struct bli_processors *set, int32_t processor);

/*
 * What the process may use: OpenMP's places, else the masks of the first thread and of
 * the calling one together.  False where the system does not tell.
 */
bool bli_processors_of_process(struct bli_processors *set);

/* ---- system.c: what the Linux kernel says of nodes, in files below `root` ---- */

/* The system's number of the node of a processor; -1 if unknown. */
int32_t bli_system_node(const char *root, int32_t processor);

/* Distance between nodes by the system's numbers; INT32_MAX if unknown. */
int32_t bli_system_distance(const char *root, int32_t from, int32_t to);

/* Read a small file to a terminated text, cut at `size` - 1 bytes; false if none. */
bool bli_system_read(const char *root, const char *path, char *text, size_t size);

#endif
