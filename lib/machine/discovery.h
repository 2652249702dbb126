/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The parts of machine discovery: hwloc's data, the kernel's own files where hwloc
 * leaves a choice, and the process's affinity mask.
 */
#ifndef BLI_DISCOVERY_H
#define BLI_DISCOVERY_H

#include "machine/machine.h"

/* ---- discover.c ---- */

/*
 * Make a machine from a loaded hwloc_topology_t, or from one that is loaded for the
 * purpose if it is NULL.  One block of memory, to be freed with free(); NULL if hwloc
 * has no data or out of memory.
 */
struct bli_machine *bli_discover(const void *hwloc_topology);

/* Whether an hwloc_topology_t is loaded, and by a compatible version of hwloc. */
bool bli_discover_accepts(const void *hwloc_topology);

/* ---- caches.c ---- */

/*
 * Set the sizes of caches, all 0 before, of a machine whose processors are known, by a
 * loaded hwloc_topology_t.
 */
void bli_machine_copy_caches(struct bli_machine *machine, const void *hwloc_topology);

/* ---- copy.c ---- */

/*
 * Make a machine from a loaded hwloc_topology_t.  One block of memory, to be freed with
 * free(); NULL if hwloc has no nodes or usable processors, or out of memory.
 */
struct bli_machine *bli_machine_copy(const void *hwloc_topology);

/* ---- mask.c ---- */

/* A set of processors by the system's numbers; no Linux kernel has more than fit. */
#define BLI_MASK_WORDS (BLI_MASK_BYTES / sizeof(unsigned long))
struct bli_processors {
    unsigned long word[BLI_MASK_WORDS];
};

void bli_processors_add(struct bli_processors *set, int32_t processor);
bool bli_processors_has(const struct bli_processors *set, int32_t processor);

/*
 * The processors that the process may use: OpenMP's places, else the union of the masks
 * of the first thread and of the calling one.  False if the system does not report
 * them.
 */
bool bli_processors_of_process(struct bli_processors *set);

/* ---- system.c: nodes as the Linux kernel reports them, in files below `root` ---- */

/* The system's number of a processor's node; -1 if unknown. */
int32_t bli_system_node(const char *root, int32_t processor);

/* Distance between nodes given by the system's numbers; INT32_MAX if unknown. */
int32_t bli_system_distance(const char *root, int32_t from, int32_t to);

/*
 * Read a small file as a terminated text, cut at `size` - 1 bytes; false if it is empty
 * or cannot be read.
 */
bool bli_system_read(const char *root, const char *path, char *text, size_t size);

#endif
