/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loads hwloc's topology, copies what is needed, and releases it: binding and placement
 * are system calls that do not need it.
 */
#include "config.h"

#include "machine/discovery.h"

#include <hwloc.h>

bool bli_discover_accepts(const void *hwloc_topology)
{
    /* hwloc's functions take no const pointers, not even those that only read. */
    const hwloc_topology_t topology = (hwloc_topology_t)hwloc_topology;
    unsigned count = 0;

    /* The last call fails for a topology that is not loaded. */
    return topology && hwloc_topology_abi_check(topology) == 0 &&
           hwloc_distances_get(topology, &count, NULL, 0, 0) == 0;
}

struct bli_machine *bli_discover(const void *hwloc_topology)
{
    struct bli_machine *machine = NULL;
    hwloc_topology_t topology;

    if (hwloc_topology)
        return bli_machine_copy(hwloc_topology);
    if (hwloc_topology_init(&topology) != 0)
        return NULL;
    /* Without this flag, loading binds this thread to each processor in turn. */
    if (hwloc_topology_set_flags(topology, HWLOC_TOPOLOGY_FLAG_DONT_CHANGE_BINDING) ==
            0 &&
        hwloc_topology_load(topology) == 0)
        machine = bli_machine_copy(topology);
    hwloc_topology_destroy(topology);
    return machine;
}
