/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Limits of control groups, from files as in kernels and containers, and the kernel's
 * files about nodes; each below a folder that serves as the root.
 */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/below.h"
#include "harness/scratch.h"
#include "harness/tap.h"
#include "machine/discovery.h"

enum { FILES = 6 };

#define GROUPS "/proc/self/cgroup"
#define V2     "/sys/fs/cgroup"
#define V1     "/sys/fs/cgroup/cpu,cpuacct"

static const struct {
    const char *what;
    struct {
        const char *path, *content;
    } file[FILES];
    int32_t want;
} cases[] = {
    {"no control groups", {{"/none", ""}}, 0},
    {"version 2 without a limit",
     {{GROUPS, "0::/user\n"}, {V2 "/user/cpu.max", "max 100000\n"}},
     0},
    {"version 2 without the controller", {{GROUPS, "0::/user\n"}}, 0},
    {"one processor", {{GROUPS, "0::/a\n"}, {V2 "/a/cpu.max", "100000 100000\n"}}, 1},
    {"one and a half", {{GROUPS, "0::/a\n"}, {V2 "/a/cpu.max", "150000 100000\n"}}, 2},
    {"a tenth", {{GROUPS, "0::/a\n"}, {V2 "/a/cpu.max", "10000 100000\n"}}, 1},
    {"a short period", {{GROUPS, "0::/a\n"}, {V2 "/a/cpu.max", "8000 2000\n"}}, 4},
    {"a limit above the group",
     {{GROUPS, "0::/a/b/c\n"},
      {V2 "/a/cpu.max", "300000 100000\n"},
      {V2 "/a/b/cpu.max", "max 100000\n"},
      {V2 "/a/b/c/cpu.max", "800000 100000\n"}},
     3},
    {"the least of several",
     {{GROUPS, "0::/a/b\n"},
      {V2 "/a/cpu.max", "400000 100000\n"},
      {V2 "/a/b/cpu.max", "200000 100000\n"}},
     2},
    {"a container's own root",
     {{GROUPS, "0::/\n"}, {V2 "/cpu.max", "250000 100000\n"}},
     3},
    {"a group outside the namespace",
     {{GROUPS, "0::/../../other\n"}, {V2 "/cpu.max", "200000 100000\n"}},
     2},
    {"a path that is not mounted",
     {{GROUPS, "0::/docker/0123/x\n"}, {V2 "/cpu.max", "200000 100000\n"}},
     2},
    {"no end of line", {{GROUPS, "0::/a"}, {V2 "/a/cpu.max", "100000 100000"}}, 1},
    {"a limit that is no number",
     {{GROUPS, "0::/a\n"}, {V2 "/a/cpu.max", "many 100000\n"}},
     0},
    {"a limit without a period", {{GROUPS, "0::/a\n"}, {V2 "/a/cpu.max", "100\n"}}, 0},
    {"a period of nothing", {{GROUPS, "0::/a\n"}, {V2 "/a/cpu.max", "100 0\n"}}, 0},
    {"a limit beyond numbers",
     {{GROUPS, "0::/a\n"}, {V2 "/a/cpu.max", "99999999999999999999999 1\n"}},
     INT32_MAX},
    {"version 1",
     {{GROUPS, "5:memory:/x\n4:cpu,cpuacct:/a\n1:name=systemd:/a\n"},
      {V1 "/a/cpu.cfs_quota_us", "350000\n"},
      {V1 "/a/cpu.cfs_period_us", "100000\n"}},
     4},
    {"version 1 without a limit",
     {{GROUPS, "4:cpu,cpuacct:/a\n"},
      {V1 "/a/cpu.cfs_quota_us", "-1\n"},
      {V1 "/a/cpu.cfs_period_us", "100000\n"}},
     0},
    {"version 1, limit above",
     {{GROUPS, "4:cpuacct,cpu:/a/b\n"},
      {V1 "/a/cpu.cfs_quota_us", "200000\n"},
      {V1 "/a/cpu.cfs_period_us", "100000\n"},
      {V1 "/a/b/cpu.cfs_quota_us", "-1\n"},
      {V1 "/a/b/cpu.cfs_period_us", "100000\n"}},
     2},
    {"version 1 in a container",
     {{GROUPS, "3:cpu:/docker/0123\n"},
      {"/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "100000\n"},
      {"/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n"}},
     1},
    {"processor sets are not processor time",
     {{GROUPS, "3:cpuset:/a\n"},
      {V1 "/a/cpu.cfs_quota_us", "100000\n"},
      {V1 "/a/cpu.cfs_period_us", "100000\n"}},
     0},
    {"both versions, limit in the first",
     {{GROUPS, "4:cpu,cpuacct:/a\n0::/a\n"},
      {V1 "/a/cpu.cfs_quota_us", "200000\n"},
      {V1 "/a/cpu.cfs_period_us", "100000\n"},
      {V2 "/unified/a/cgroup.procs", "1\n"}},
     2},
    {"both versions, limit in the second",
     {{GROUPS, "4:memory:/a\n0::/a\n"}, {V2 "/unified/a/cpu.max", "500000 100000\n"}},
     5},
    {"colons in a group's name",
     {{GROUPS, "0::/a:b\n"}, {V2 "/a:b/cpu.max", "100000 100000\n"}},
     1},
    {"lines that are none", {{GROUPS, "\n\nx\n7:cpu\n"}}, 0},
};

static void test_quotas(const char *root)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bool written = true;

        for (int k = 0; k < FILES && cases[i].file[k].path; k++)
            written =
                write_below(root, cases[i].file[k].path, cases[i].file[k].content) &&
                written;
        errno = EXDEV;
        const int32_t got = bli_quota(root);

        if (!tap_ok(written && got == cases[i].want && errno == EXDEV, "%s: %" PRId32,
                    cases[i].what, cases[i].want))
            tap_note("got %" PRId32, got);
        remove_made();
    }
}

/* Memory limits follow the same groups. */
static const struct {
    const char *what;
    const char *groups, *path, *content;
    int64_t want;
} memories[] = {
    {"memory without a limit", "0::/a\n", V2 "/a/memory.max", "max\n", 0},
    {"memory, version 2", "0::/a/b\n", V2 "/a/memory.max", "314572800\n", 314572800},
    {"memory, version 1", "4:memory:/a\n3:cpu:/b\n",
     "/sys/fs/cgroup/memory/a/memory.limit_in_bytes", "8589934592\n", 8589934592},
    {"memory of another group", "4:memory:/a\n3:cpu:/b\n",
     "/sys/fs/cgroup/memory/b/memory.limit_in_bytes", "4096\n", 0},
};

static void test_memories(const char *root)
{
    for (size_t i = 0; i < sizeof memories / sizeof memories[0]; i++) {
        const bool written = write_below(root, GROUPS, memories[i].groups) &&
                             write_below(root, memories[i].path, memories[i].content);
        const int64_t got = bli_memory_limit(root);

        if (!tap_ok(written && got == memories[i].want, "%s: %" PRId64,
                    memories[i].what, memories[i].want))
            tap_note("got %" PRId64, got);
        remove_made();
    }
    tap_ok(bli_memory_limit("") == 0 ||
               bli_pool_default_limit() <= bli_memory_limit("") / 8,
           "a pool keeps an eighth of what is allowed at most");
}

/* Node 1 has no processors, node 2 is off, and processor 3 has no node. */
static void test_nodes(const char *root)
{
#define NODES      "/sys/devices/system/node"
#define PROCESSORS "/sys/devices/system/cpu"
    const bool written =
        write_below(root, NODES "/online", "0-1,3,5-6\n") &&
        write_below(root, NODES "/node0/distance", "10 21 17 28 40\n") &&
        write_below(root, NODES "/node5/distance", "28 40 31 10 12\n") &&
        write_below(root, PROCESSORS "/cpu0/node0/link", "") &&
        write_below(root, PROCESSORS "/cpu2/node_list", "") &&
        write_below(root, PROCESSORS "/cpu2/node5/link", "") &&
        write_below(root, PROCESSORS "/cpu3/topology/core_id", "");

    tap_ok(written && bli_system_node(root, 0) == 0 && bli_system_node(root, 2) == 5,
           "nodes of processors");
    tap_ok(bli_system_node(root, 3) == -1 && bli_system_node(root, 4) == -1,
           "processors without a node");
    tap_ok(bli_system_distance(root, 0, 0) == 10 &&
               bli_system_distance(root, 0, 3) == 17 &&
               bli_system_distance(root, 0, 6) == 40 &&
               bli_system_distance(root, 5, 1) == 40,
           "distances between numbers with holes");
    tap_ok(bli_system_distance(root, 0, 2) == INT32_MAX &&
               bli_system_distance(root, 0, 7) == INT32_MAX &&
               bli_system_distance(root, 1, 0) == INT32_MAX,
           "distances that nobody reports");
    remove_made();
}

int main(void)
{
    char root[SCRATCH_BYTES];

    tap_plan();
    scratch_name(root, "quota");
    if (!tap_ok(mkdtemp(root) != NULL, "a folder for files"))
        return tap_done();
    test_quotas(root);
    test_memories(root);
    test_nodes(root);
    tap_ok(bli_quota_here() == bli_quota(""), "this process: %" PRId32,
           bli_quota_here());
    tap_ok(remove(root) == 0, "nothing is left");
    return tap_done();
}
