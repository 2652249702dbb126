/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Synthetic machines from hwloc descriptions, each in a separate child, since the
 * library detects the topology once; and the slices of plans on them.
 */
#define _POSIX_C_SOURCE 200809L

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <broadloom.h>

#include "harness/child.h"
#include "harness/machines.h"
#include "harness/scratch.h"
#include "harness/tap.h"
#include "machine/machine.h"

/* ---- synthetic machines ---- */

/* Write "description: 2 nodes of 1 3", and anything unusual. */
static void describe(struct bli_text *text)
{
    bl_topology_info info = {.size = sizeof info};
    bl_node_info node = {.size = sizeof node};
    int32_t total = 0;

    if (bl_topology_query(NULL, &info) != BL_OK)
        return;
    bli_text_add(text, "%s:", info.source);
    for (int32_t n = 0; n < info.nodes; n++) {
        if (bl_node_query(n, &node) != BL_OK)
            return;
        bli_text_add(text, " %" PRId32, node.processors);
        if (node.os_index != n)
            bli_text_add(text, "(%" PRId32 ")", node.os_index);
        total += node.processors;
    }
    if (total != info.processors)
        bli_text_add(text, " of %" PRId32, info.processors);
    for (int32_t i = 0; bl_topology_distance(0, 0) > 0 && i < info.nodes * info.nodes;
         i++)
        bli_text_add(text, "%s%" PRId32, i == 0 ? ", distances " : " ",
                     bl_topology_distance(i / info.nodes, i % info.nodes));
    if (info.cache_bytes[2] > 0)
        bli_text_add(text, ", caches %" PRId64 " %" PRId64 " %" PRId64,
                     info.cache_bytes[0], info.cache_bytes[1], info.cache_bytes[2]);
    if (info.core_kinds > 1)
        bli_text_add(text, ", kinds %" PRId32, info.core_kinds);
}

static const struct {
    const char *what, *description, *want;
} lines[] = {
    {"one node", "pack:1 core:4 pu:1", "description: 4"},
    {"one processor", "pu:1", "description: 1"},
    {"two nodes", "numa:2 pu:2", "description: 2 2"},
    {"four nodes", "numa:4 core:2 pu:1", "description: 2 2 2 2"},
    {"eight nodes", "pack:2 numa:4 core:4 pu:1", "description: 4 4 4 4 4 4 4 4"},
    {"two threads a core", "pack:2 [numa] core:4 pu:2", "description: 8 8"},
    {"nodes within packages",
     "pack:2 die:2 [numa] l3:1(size=16777216) "
     "l2:1(size=524288) l1d:1(size=32768) core:2 pu:1",
     "description: 2 2 2 2, caches 32768 524288 16777216"},
    {"processors numbered across nodes", "numa:2 pu:2(indexes=0,2,1,3)",
     "description: 2 2"},
    {"nodes numbered backwards", "pack:2 [numa(indexes=1,0)] pu:2",
     "description: 2(1) 2(0)"},
    {"fast memory next to each node", "pack:2 [numa] [numa] core:2 pu:1",
     "description: 2 0 2 0"},
    {"256 processors", "numa:2 core:64 pu:2", "description: 128 128"},
    {"2048 processors on 64 nodes", "pack:32 numa:2 pu:32",
     "description: 32 32 32 32 32 32 32 32 32 32 32 32 32 32 32 32 32 32 32 32 32 32 "
     "32 "
     "32 32 32 32 32 32 32 32 32 32 32 32 32 32 32 32 32 32 32 32 32 32 32 32 32 32 32 "
     "32 32 32 32 32 32 32 32 32 32 32 32 32 32"},
};

static const struct {
    const char *what;
    struct machine machine;
    const char *want;
} files[] = {
    {"uneven nodes", {.package = {{0, 1, 1}, {1, 3, 1}}}, "description: 1 3"},
    {"three uneven nodes",
     {.package = {{0, 2, 1}, {2, 5, 1}, {7, 1, 1}}},
     "description: 2 5 1"},
    {"a node without processors near another",
     {.package = {{0, 2, 1}, {2, 2, 2}}, .distances = "10 21 28 21 10 17 28 17 10 "},
     "description: 2 2 0, distances 10 21 28 21 10 17 28 17 10"},
    {"a node without processors near none",
     {.package = {{0, 2, 1}, {2, 2, 1}}, .bare = 1},
     "description: 2 2 0"},
    {"processors without a node",
     {.package = {{0, 2, 1}, {2, 2, 0}, {4, 2, 1}}},
     "description: 4 2"},
    {"a number that no node has",
     {.package = {{0, 2, 1}, {2, 2, 1}}, .hole = 4, .distances = "10 20 20 10 "},
     "description: 2 2(5), distances 10 20 20 10"},
    {"two kinds of core",
     {.package = {{0, 8, 1}}, .fast = 4},
     "description: 8, kinds 2"},
};

static void test_lines(void)
{
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        child_expect(lines[i].what,
                     child_run("HWLOC_SYNTHETIC", lines[i].description, describe),
                     lines[i].want);
}

static void test_files(void)
{
    char path[SCRATCH_BYTES];

    scratch_name(path, "machine");

    const int file = mkstemp(path);

    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        const bool written = file >= 0 && machine_write(&files[i].machine, path);

        child_expect(files[i].what,
                     written ? child_run("HWLOC_XMLFILE", path, describe) : "no file",
                     files[i].want);
    }
    if (file >= 0) {
        close(file);
        unlink(path);
    }
}

/* On a synthetic machine nothing is bound, placed or reported about pages. */
static void use_description(struct bli_text *text)
{
    static const int on_a_page;
    const struct bli_machine *const machine = bli_machine();
    const void *const address = &on_a_page;
    struct bli_mask saved;
    int32_t node;

    bli_bind_to_node(machine, 1, &saved);
    bli_text_add(text, "here %" PRId32 ", bound %d, pages %d, node of 5: %" PRId32,
                 bli_machine_here(machine), saved.bytes != 0,
                 bl_memory_page_nodes(1, &address, &node) == BL_OK,
                 bl_processor_node(5));
}

/* ---- slices of a plan ---- */

static int by_begin(const void *a, const void *b)
{
    const bl_slice *const first = a, *const second = b;

    return (first->range.begin > second->range.begin) -
           (first->range.begin < second->range.begin);
}

/* Describe what is wrong with the slices for a team; NULL if nothing is. */
static const char *slices_fault(const bl_plan *plan, int64_t elements, int32_t threads)
{
    static bl_slice slice[4096];
    int64_t covered = 0;
    int32_t count = 0, counted = 0;

    if (bl_plan_partition(plan, threads, 4096, slice, &count) != BL_OK || count > 4096)
        return "refused";
    if (bl_plan_partition(plan, threads, 0, NULL, &counted) != BL_OK ||
        counted != count)
        return "counted differently";
    for (int32_t i = 1; i < count; i++)
        if (slice[i].node < slice[i - 1].node || slice[i].thread < slice[i - 1].thread)
            return "not by node, then thread";
    qsort(slice, (size_t)count, sizeof slice[0], by_begin);
    for (int32_t i = 0; i < count; i++) {
        if (slice[i].range.begin != covered || slice[i].range.end <= covered)
            return "not every iteration once";
        covered = slice[i].range.end;
    }
    return covered == elements ? NULL : "not every iteration";
}

static void examine_slices(struct bli_text *text)
{
    static const int64_t extent[][2] = {
        {2, 1 << 23}, {1 << 23, 2}, {4096, 4096}, {3, 5}};

    for (size_t i = 0; i < sizeof extent / sizeof extent[0]; i++) {
        const bl_array array = {.dtype = BL_DTYPE_F32, .rank = 2, .extent = extent[i]};
        const bl_array *const in[] = {&array, &array};
        bl_plan *plan;

        if (bl_plan_create(NULL, BL_OP_ADD, NULL, 2, in, NULL, &plan) != BL_OK)
            return;
        for (int32_t threads = 1; threads <= 48; threads++) {
            const char *const fault =
                slices_fault(plan, extent[i][0] * extent[i][1], threads);

            if (fault)
                bli_text_add(text, "%" PRId32 " threads: %s; ", threads, fault);
        }
        bl_plan_destroy(plan);
    }
}

static void test_slices(void)
{
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        const char *const text =
            child_run("HWLOC_SYNTHETIC", lines[i].description, examine_slices);

        if (!tap_ok(text[0] == '\0', "slices on a machine of %s", lines[i].what))
            tap_note("%s", text);
    }
}

/* ---- this machine ---- */

#if !defined(_SC_LEVEL2_CACHE_SIZE)
#define _SC_LEVEL1_DCACHE_SIZE (-1)
#define _SC_LEVEL2_CACHE_SIZE  (-1)
#endif

/* Write which caches of a core the machine lacks that the C library knows. */
static void lack_caches(struct bli_text *text)
{
    static const int known[] = {_SC_LEVEL1_DCACHE_SIZE, _SC_LEVEL2_CACHE_SIZE};
    bl_topology_info info = {.size = sizeof info};

    if (bl_topology_query(NULL, &info) != BL_OK)
        return;
    bli_text_add(text, "lacking");
    for (int k = 0; k < 2; k++)
        if (info.cache_bytes[k] == 0 && sysconf(known[k]) > 0)
            bli_text_add(text, " L%d", k + 1);
}

int main(void)
{
    tap_plan();
    unsetenv("HWLOC_SYNTHETIC");
    unsetenv("HWLOC_XMLFILE");
    test_lines();
    test_files();
    child_expect("a description",
                 child_run("HWLOC_SYNTHETIC", "numa:2 pu:4", use_description),
                 "here -1, bound 0, pages 0, node of 5: 1");
    test_slices();
    child_expect("caches of this machine", child_run(NULL, NULL, lack_caches),
                 "lacking");
    child_expect("also where hwloc sees nothing of it",
                 child_run("HWLOC_COMPONENTS", "no_os,stop", lack_caches), "lacking");
    return tap_done();
}
