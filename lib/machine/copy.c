/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies what Broadloom needs from a loaded hwloc topology.  Nodes are enumerated as
 * objects: the kernel's numbers may have holes, several nodes may share one set of
 * processors, and a node's set may be empty.
 */
#include "config.h"

#include "machine/discovery.h"

#include <hwloc.h>
#include <stdlib.h>
#include <string.h>

/* Processor numbers from here on are rejected: descriptions may be wrong. */
#define MOST_NUMBERS (1 << 20)

/* A topology that is being copied. */
struct source {
    hwloc_topology_t topology;
    bool is_this_system;
    struct bli_processors process; /* processors that the process may use */
    int32_t far_from;              /* node of the last nearest_node() */
    int32_t far_nearest;
};

static int32_t count_of(const struct source *source, hwloc_obj_type_t type)
{
    const int count = hwloc_get_nbobjs_by_type(source->topology, type);

    return count > 0 ? count : 0;
}

static hwloc_obj_t object(const struct source *source, hwloc_obj_type_t type, int32_t k)
{
    return hwloc_get_obj_by_type(source->topology, type, (unsigned)k);
}

/* ---- the node of a processor ---- */

/* Whether a node's memory is ordinary; hwloc names other kinds in the subtype. */
static bool is_plain(hwloc_obj_t node)
{
    return !node->subtype || strcmp(node->subtype, "DRAM") == 0;
}

/*
 * Whether node `a` is a better choice than `b` for a processor that both are local to:
 * first the node with the kernel's number `told`, if not -1, then the one with fewer
 * processors, then the one with ordinary memory.
 */
static bool is_nearer(hwloc_obj_t a, hwloc_obj_t b, int32_t told)
{
    const int weight_a = hwloc_bitmap_weight(a->cpuset);
    const int weight_b = hwloc_bitmap_weight(b->cpuset);

    if (told >= 0 && ((int32_t)a->os_index == told) != ((int32_t)b->os_index == told))
        return (int32_t)a->os_index == told;
    if (weight_a != weight_b)
        return weight_a < weight_b;
    return is_plain(a) && !is_plain(b);
}

/*
 * Index of the node that a processor belongs to among those that are local to it, -1 if
 * there is none.  A memory-only node may list its neighbour's processors; the kernel is
 * then asked, or else the first such node is taken.
 */
static int32_t local_node(const struct source *source, hwloc_obj_t processor)
{
    const int32_t nodes = count_of(source, HWLOC_OBJ_NUMANODE);
    hwloc_obj_t best = NULL;
    int32_t told = -1;

    for (int32_t n = 0; n < nodes; n++) {
        const hwloc_obj_t node = object(source, HWLOC_OBJ_NUMANODE, n);

        if (!hwloc_bitmap_isset(node->cpuset, processor->os_index))
            continue;
        if (best && told < 0 && source->is_this_system)
            told = bli_system_node("", (int32_t)processor->os_index);
        if (!best || is_nearer(node, best, told))
            best = node;
    }
    return best ? (int32_t)best->logical_index : -1;
}

/*
 * For a processor whose node has no memory, or none that the process may use: the
 * nearest node, from which the kernel allocates its memory, else the first.
 */
static int32_t nearest_node(struct source *source, hwloc_obj_t processor)
{
    const int32_t nodes = count_of(source, HWLOC_OBJ_NUMANODE);
    const int32_t own =
        source->is_this_system ? bli_system_node("", (int32_t)processor->os_index) : -1;
    int32_t least = INT32_MAX;

    if (own == source->far_from)
        return source->far_nearest;
    source->far_from = own;
    source->far_nearest = 0;
    for (int32_t n = 0; n < nodes; n++) {
        const hwloc_obj_t node = object(source, HWLOC_OBJ_NUMANODE, n);
        const int32_t far = bli_system_distance("", own, (int32_t)node->os_index);

        if (far < least) {
            least = far;
            source->far_nearest = n;
        }
    }
    return source->far_nearest;
}

/* ---- copying ---- */

static void copy_nodes(const struct source *source, struct bli_node *node)
{
    const int32_t nodes = count_of(source, HWLOC_OBJ_NUMANODE);

    for (int32_t n = 0; n < nodes; n++) {
        const hwloc_obj_t found = object(source, HWLOC_OBJ_NUMANODE, n);
        const hwloc_uint64_t bytes = found->attr->numanode.local_memory;

        node[n].os_index = (int32_t)found->os_index;
        node[n].bytes = bytes < INT64_MAX ? (int64_t)bytes : INT64_MAX;
    }
}

static void copy_processors(struct source *source, struct bli_node *node,
                            int32_t *node_of, bool *usable)
{
    const int32_t processors = count_of(source, HWLOC_OBJ_PU);

    for (int32_t p = 0; p < processors; p++) {
        const hwloc_obj_t processor = object(source, HWLOC_OBJ_PU, p);
        const int32_t number = (int32_t)processor->os_index;

        if (number < 0 || number >= MOST_NUMBERS)
            continue;
        const int32_t local = local_node(source, processor);

        node_of[number] = local >= 0 ? local : nearest_node(source, processor);
        usable[number] =
            !source->is_this_system || bli_processors_has(&source->process, number);
        node[node_of[number]].processors += usable[number];
    }
}

static bool copy_distances(const struct source *source, int32_t nodes,
                           int32_t *distance)
{
    struct hwloc_distances_s *matrix = NULL;
    unsigned count = 1;

    if (hwloc_distances_get_by_type(source->topology, HWLOC_OBJ_NUMANODE, &count,
                                    &matrix, HWLOC_DISTANCES_KIND_MEANS_LATENCY,
                                    0) != 0 ||
        count == 0)
        return false;
    for (unsigned i = 0; i < matrix->nbobjs; i++)
        for (unsigned j = 0; j < matrix->nbobjs; j++) {
            const hwloc_uint64_t value = matrix->values[i * matrix->nbobjs + j];
            const unsigned from = matrix->objs[i]->logical_index;
            const unsigned to = matrix->objs[j]->logical_index;

            distance[from * (unsigned)nodes + to] =
                value < INT32_MAX ? (int32_t)value : INT32_MAX;
        }
    hwloc_distances_release(source->topology, matrix);
    return true;
}

/* Highest processor number, plus one. */
static int32_t numbers_of(const struct source *source)
{
    const int32_t processors = count_of(source, HWLOC_OBJ_PU);
    int32_t numbers = 0;

    for (int32_t p = 0; p < processors; p++) {
        const int32_t number = (int32_t)object(source, HWLOC_OBJ_PU, p)->os_index;

        if (number >= numbers && number < MOST_NUMBERS)
            numbers = number + 1;
    }
    return numbers;
}

/*
 * Allocate a machine and its arrays as one zeroed block, arrays in order of falling
 * alignment.
 */
static struct bli_machine *allocate(int32_t nodes, int32_t numbers)
{
    struct bli_machine *machine;
    const size_t node_bytes = (size_t)nodes * sizeof *machine->node;
    const size_t distance_bytes =
        (size_t)nodes * (size_t)nodes * sizeof *machine->distance;
    const size_t weight_bytes = (size_t)nodes * sizeof *machine->weight;
    const size_t number_bytes = (size_t)numbers * sizeof *machine->node_of;
    char *const block =
        calloc(1, sizeof *machine + node_bytes + distance_bytes + weight_bytes +
                      number_bytes + (size_t)numbers * sizeof *machine->usable);

    if (!block)
        return NULL;
    machine = (struct bli_machine *)block;
    machine->node = (const struct bli_node *)(block + sizeof *machine);
    machine->distance = (const int32_t *)(block + sizeof *machine + node_bytes);
    machine->weight = machine->distance + (size_t)nodes * (size_t)nodes;
    machine->node_of = machine->weight + nodes;
    machine->usable = (const bool *)(machine->node_of + numbers);
    machine->nodes = nodes;
    machine->numbers = numbers;
    return machine;
}

static struct bli_machine *copy(struct source *source)
{
    const int32_t nodes = count_of(source, HWLOC_OBJ_NUMANODE);
    const int32_t numbers = numbers_of(source);
    struct bli_machine *const machine =
        nodes > 0 && numbers > 0 ? allocate(nodes, numbers) : NULL;

    if (!machine)
        return NULL;
    /* The machine's own memory, which others only read. */
    struct bli_node *const node = (struct bli_node *)machine->node;
    int32_t *const node_of = (int32_t *)machine->node_of;

    for (int32_t p = 0; p < numbers; p++)
        node_of[p] = -1;
    copy_nodes(source, node);
    copy_processors(source, node, node_of, (bool *)machine->usable);
    for (int32_t n = 0; n < nodes; n++) {
        ((int32_t *)machine->weight)[n] = node[n].processors;
        machine->processors += node[n].processors;
    }
    if (!copy_distances(source, nodes, (int32_t *)machine->distance))
        machine->distance = NULL;
    machine->is_this_system = source->is_this_system;
    machine->source = source->is_this_system ? "machine" : "description";
    bli_machine_copy_caches(machine, source->topology);

    const int kinds = hwloc_cpukinds_get_nr(source->topology, 0);

    machine->core_kinds = kinds > 1 ? kinds : 1;
    return machine;
}

struct bli_machine *bli_machine_copy(const void *hwloc_topology)
{
    /* hwloc's functions take no const pointers, not even those that only read. */
    struct source source = {.topology = (hwloc_topology_t)hwloc_topology,
                            .far_from = -1};

    source.is_this_system = hwloc_topology_is_thissystem(source.topology);
    /* If the system does not report them, every processor is usable. */
    if (!bli_processors_of_process(&source.process))
        memset(&source.process, 0xff, sizeof source.process);

    struct bli_machine *const machine = copy(&source);

    if (machine && machine->processors == 0) {
        free(machine);
        return NULL;
    }
    return machine;
}
