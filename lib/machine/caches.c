/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sizes of the caches, by hwloc's topology, or else by the C library.
 */
#include "config.h"

#include "machine/discovery.h"

#include <hwloc.h>
#include <unistd.h>

/*
 * Most bytes of a last-level cache that count.  Larger ones serve more processors than
 * a virtual machine sees: of 300 MiB (Emerald Rapids, 16 processors) results that are
 * stored past it take 0.4 to 0.9 of the time where 48 MB or more are read and written,
 * on 1 to 4 threads already from 12 MB on.
 */
#define MOST_BYTES (32 << 20)

/* Whether one of the processors that share a cache is usable. */
static bool is_usable(const struct bli_machine *machine, hwloc_obj_t cache)
{
    for (int32_t p = 0; p < machine->numbers; p++)
        if (machine->usable[p] && hwloc_bitmap_isset(cache->cpuset, (unsigned)p))
            return true;
    return false;
}

/*
 * Ask the C library for caches of one core, where hwloc knows none: some virtual
 * machines have no such files in /sys, and without binding hwloc does not ask the
 * processor.  Nothing is said about the last level, nor who shares it.  Zen 5, one
 * thread and two: where L2 is known sums of f32[4096,4096] along the first axis take
 * .90 and .86 of the time, of f32[20000,4000] .67 and .70, of f64[4096,2048] .81 and
 * .70, largest of f32[4096,4096] .79 and .86.
 */
#if defined(_SC_LEVEL1_DCACHE_SIZE) && defined(_SC_LEVEL2_CACHE_SIZE)
static void ask_library(struct bli_machine *machine)
{
    static const int name[] = {_SC_LEVEL1_DCACHE_SIZE, _SC_LEVEL2_CACHE_SIZE};

    for (int k = 0; k < 2; k++) {
        const long bytes = sysconf(name[k]);

        if (bytes > 0)
            machine->cache_bytes[k] = bytes;
    }
}
#else
static void ask_library(struct bli_machine *machine)
{
    (void)machine;
}
#endif

void bli_machine_copy_caches(struct bli_machine *machine, const void *hwloc_topology)
{
    static const hwloc_obj_type_t level[] = {HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE,
                                             HWLOC_OBJ_L3CACHE};
    /* hwloc's functions take no const pointers, not even those that only read. */
    const hwloc_topology_t topology = (hwloc_topology_t)hwloc_topology;

    for (int k = 0; k < 3; k++) {
        int64_t all = 0;
        int32_t caches = 0;

        for (hwloc_obj_t cache = NULL;
             (cache = hwloc_get_next_obj_by_type(topology, level[k], cache)) != NULL;) {
            const int64_t bytes = (int64_t)cache->attr->cache.size;

            if (machine->cache_bytes[k] == 0)
                machine->cache_bytes[k] = bytes;
            if (bytes == 0 || !is_usable(machine, cache))
                continue;
            all += bytes < MOST_BYTES ? bytes : MOST_BYTES;
            caches++;
        }
        if (caches == 0)
            continue;
        machine->last_caches = caches;
        machine->last_cache_bytes = all;
    }
    if (machine->last_caches == 0 && machine->is_this_system)
        ask_library(machine);
}
