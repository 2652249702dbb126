/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The machine, discovered once, on first use, and kept for the life of the process: a
 * snapshot that every thread reads without a lock.
 */
#include "config.h"

#include "core/lock.h"
#include "machine/discovery.h"

#include <errno.h>
#include <omp.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(const struct bli_machine *) known;

/* The machine without hwloc's data: one node that has everything. */
static struct bli_node only_node;
static struct bli_machine only_machine = {
    .source = "none",
    .is_this_system = true,
    .nodes = 1,
    .node = &only_node,
    .weight = &only_node.processors,
    .core_kinds = 1,
};

static const struct bli_machine *make(const void *hwloc_topology)
{
    const struct bli_machine *const found = bli_discover(hwloc_topology);

    if (found)
        return found;
    only_node.processors = only_machine.processors = bli_mask_processors();
    return &only_machine;
}

const struct bli_machine *bli_machine(void)
{
    const struct bli_machine *machine =
        atomic_load_explicit(&known, memory_order_acquire);
    const int error = errno;

    if (machine)
        return machine;
    bli_lock(BLI_LOCK_MACHINE);
    machine = atomic_load_explicit(&known, memory_order_relaxed);
    if (!machine) {
        machine = make(NULL);
        atomic_store_explicit(&known, machine, memory_order_release);
    }
    bli_unlock(BLI_LOCK_MACHINE);
    errno = error;
    return machine;
}

int64_t bli_machine_cache(int32_t threads)
{
    const struct bli_machine *const machine = bli_machine();
    const int64_t all = machine->last_cache_bytes;

    return threads < machine->last_caches ? all / machine->last_caches * threads : all;
}

bl_status bli_machine_use(const void *hwloc_topology)
{
    const int error = errno;
    bl_status status = BL_OK;

    bli_lock(BLI_LOCK_MACHINE);
    if (atomic_load_explicit(&known, memory_order_relaxed)) {
        status =
            bl_error_set(BL_ERR_UNSUPPORTED, "the machine has been looked at already");
    } else if (!bli_discover_accepts(hwloc_topology)) {
        status = bl_error_set(BL_ERR_ARGUMENT,
                              "the topology is not loaded, or of another hwloc");
    } else {
        const struct bli_machine *const machine = bli_discover(hwloc_topology);

        if (machine)
            atomic_store_explicit(&known, machine, memory_order_release);
        else
            status = bl_error_set(BL_ERR_MEMORY, "no memory for the machine's nodes");
    }
    bli_unlock(BLI_LOCK_MACHINE);
    errno = error;
    return status;
}

int32_t bli_machine_here(const struct bli_machine *machine)
{
    if (!machine->is_this_system)
        return -1;
    const int32_t here = sched_getcpu();
    const int32_t count = machine->numbers;

    /* Processors that were added later, or that hwloc does not know, are rare. */
    for (int32_t off = 0; here >= 0 && off < count + here; off++) {
        if (here - off >= 0 && here - off < count && machine->node_of[here - off] >= 0)
            return machine->node_of[here - off];
        if (here + off < count && machine->node_of[here + off] >= 0)
            return machine->node_of[here + off];
    }
    return 0;
}
