/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Public queries on the machine and on where memory lies, and the partition of a plan.
 */
#include "config.h"

#include <broadloom/topology.h>

#include "context/context.h"
#include "core/sized.h"
#include "exec/bind/bind.h"
#include "exec/thread_limits.h"

#include <inttypes.h>
#include <unistd.h>

/* Indexed by bl_team_limit. */
static const char *const limit_texts[] = {
    "OpenMP's settings",
    "affinity mask",
    "control group quota",
    "the context's number of threads",
    "an active parallel region",
    "a forked child",
    "the system's limits on threads and memory",
};

/*
 * Name the limit of the team in words.  OpenMP's default is the number of processors in
 * the affinity mask, so where the two agree the mask is the reason; a mask that has
 * every processor of the real machine is reported as such, whatever topology is
 * described.
 */
static void explain(bl_topology_info *info, bool is_this_system)
{
    if (info->limit == BL_TEAM_LIMIT_OPENMP && info->team == info->mask)
        info->limit = BL_TEAM_LIMIT_MASK;
    info->limit_text = limit_texts[info->limit];
    if (info->limit == BL_TEAM_LIMIT_MASK &&
        info->mask >= sysconf(_SC_NPROCESSORS_ONLN))
        info->limit_text = is_this_system
                               ? "every processor is used"
                               : "every processor of the real machine is used";
}

/* Size of the team that a call with plenty of work would get, and what limits it. */
static int32_t find_team(const struct bli_team *team, int32_t *limit)
{
    const int32_t threads = bli_team_size(team, INT32_MAX, limit);
    bool is_locked;

    if (team->run || threads == 1)
        return threads;
    const int32_t granted = bli_thread_limits_reserve(threads, &is_locked);

    bli_thread_limits_release(is_locked);
    if (granted < threads)
        *limit = BL_TEAM_LIMIT_SYSTEM;
    return granted;
}

static bl_status query(bl_context *ctx, bl_topology_info *info)
{
    bl_topology_info known = {.size = sizeof known};

    BL_TRY(BLI_SIZED_CHECK(info, limit_text, "info"));

    const struct bli_machine *const machine = bli_machine();
    int32_t limit = BL_TEAM_LIMIT_OPENMP;

    known.team = find_team(&bli_context(ctx)->team, &limit);
    known.limit = limit;
    known.source = machine->source;
    known.nodes = machine->nodes;
    known.processors = machine->processors;
    for (int k = 0; k < 3; k++)
        known.cache_bytes[k] = machine->cache_bytes[k];
    known.core_kinds = machine->core_kinds;
    known.mask = bli_mask_processors();
    known.quota = bli_quota_here();
    explain(&known, machine->is_this_system);
    bli_sized_write(info, &known, sizeof known);
    return BL_OK;
}

bl_status bl_topology_query(bl_context *ctx, bl_topology_info *info)
{
    BLI_RETURN_CALL(query(ctx, info), "");
}

static bl_status node_query(int32_t node, bl_node_info *info)
{
    const struct bli_machine *const machine = bli_machine();
    bl_node_info known = {.size = sizeof known};

    BL_TRY(BLI_SIZED_CHECK(info, bytes, "info"));
    if (node < 0 || node >= machine->nodes)
        return bli_error_argument("node",
                                  "node %" PRId32 " of %" PRId32 " does not exist",
                                  node, machine->nodes);
    known.os_index = machine->node[node].os_index;
    known.processors = machine->node[node].processors;
    known.bytes = machine->node[node].bytes;
    bli_sized_write(info, &known, sizeof known);
    return BL_OK;
}

bl_status bl_node_query(int32_t node, bl_node_info *info)
{
    BLI_RETURN_CALL(node_query(node, info), "node %d", node);
}

int32_t bl_topology_distance(int32_t from, int32_t to)
{
    const struct bli_machine *const machine = bli_machine();

    if (!machine->distance || from < 0 || from >= machine->nodes || to < 0 ||
        to >= machine->nodes)
        return 0;
    return machine->distance[(int64_t)from * machine->nodes + to];
}

int32_t bl_processor_node(int32_t processor)
{
    const struct bli_machine *const machine = bli_machine();

    return processor < 0 || processor >= machine->numbers ? -1
                                                          : machine->node_of[processor];
}

bool bl_processor_is_usable(int32_t processor)
{
    const struct bli_machine *const machine = bli_machine();

    return processor >= 0 && processor < machine->numbers && machine->usable[processor];
}

static bl_status import_hwloc(const void *hwloc_topology)
{
    if (!hwloc_topology)
        return bli_error_null("topology");
    return bli_machine_use(hwloc_topology);
}

bl_status bl_topology_import_hwloc(const void *hwloc_topology)
{
    BLI_RETURN_CALL(import_hwloc(hwloc_topology),
                    hwloc_topology ? "topology" : "topology null");
}

static bl_status page_nodes(int64_t count, const void *const *address, int32_t *node)
{
    if (count < 0)
        return bli_error_argument("count", "count is negative: %" PRId64, count);
    if (count > 0 && (!address || !node))
        return bli_error_null(!address ? "address" : "node");
    if (!bli_page_nodes(bli_machine(), count, address, node))
        return bl_error_set(BL_ERR_UNSUPPORTED,
                            "the system does not tell where pages lie");
    return BL_OK;
}

bl_status bl_memory_page_nodes(int64_t count, const void *const *address, int32_t *node)
{
    BLI_RETURN_CALL(page_nodes(count, address, node), "count %l", count);
}

/* A team whose threads are assigned to the nodes, and the node ranges they work on. */
struct spread {
    int16_t node[BLI_MAX_TEAM];
    struct bli_team_map team_map;
    struct bli_node_ranges ranges;
};

static void spread_open(struct spread *spread, const struct bl_plan *plan,
                        int32_t threads)
{
    const struct bli_machine *const machine = bli_machine();
    const int32_t nodes = bli_nodes(machine);

    bli_node_ranges_even(&spread->ranges, plan->nest.count, plan->size[0], nodes,
                         machine->weight);
    for (int32_t p = 0; p < threads; p++)
        spread->node[p] = (int16_t)bli_assign_node(p, threads, nodes, machine->weight);
    spread->team_map = (struct bli_team_map){threads, nodes, spread->node};
}

static bl_status check_slices(const bl_plan *plan, int32_t threads, int32_t capacity,
                              const bl_slice *slice, const int32_t *count)
{
    if (!plan || !count || (!slice && capacity > 0))
        return bli_error_null(!plan ? "plan" : !count ? "count" : "slice");
    if (threads < 1 || threads > BLI_MAX_TEAM)
        return bli_error_argument("threads", "threads must be 1 to %d, got %" PRId32,
                                  BLI_MAX_TEAM, threads);
    if (capacity < 0)
        return bli_error_argument("capacity", "capacity is negative: %" PRId32,
                                  capacity);
    return BL_OK;
}

static bl_status partition(const bl_plan *plan, int32_t threads, int32_t capacity,
                           bl_slice *slice, int32_t *count)
{
    struct spread spread;
    int32_t found = 0;

    BL_TRY(check_slices(plan, threads, capacity, slice, count));
    spread_open(&spread, plan, threads);
    /* Nodes rise with thread numbers, so this order is sorted by node and by thread. */
    for (int32_t p = 0; p < threads; p++) {
        struct bli_work_share share;
        bl_range range;

        bli_work_share_begin(&share, &spread.ranges, &spread.team_map, p,
                             bli_plan_line(plan));
        for (; bli_work_share_next(&share, &range); found++)
            if (found < capacity)
                slice[found] = (bl_slice){spread.node[p], p, range};
    }
    *count = found;
    return BL_OK;
}

bl_status bl_plan_partition(const bl_plan *plan, int32_t threads, int32_t capacity,
                            bl_slice *slice, int32_t *count)
{
    BLI_RETURN_CALL(partition(plan, threads, capacity, slice, count),
                    "threads %d, capacity %d", threads, capacity);
}
