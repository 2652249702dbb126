/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether limits leave room for threads: kernel files below a folder that serves as the
 * root, and a limit of this process.
 */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "harness/below.h"
#include "harness/scratch.h"
#include "harness/tap.h"
#include "machine/machine.h"

enum { FILES = 6 };

#define GROUPS "/proc/self/cgroup"
#define V2     "/sys/fs/cgroup"

static const struct {
    const char *what;
    struct {
        const char *path, *content;
    } file[FILES];
    int64_t want;
} task_cases[] = {
    {"tasks without control groups", {{"/none", ""}}, INT64_MAX},
    {"tasks without a limit",
     {{GROUPS, "0::/a\n"}, {V2 "/a/pids.max", "max\n"}, {V2 "/a/pids.current", "7\n"}},
     INT64_MAX},
    {"tasks that are left",
     {{GROUPS, "0::/a\n"}, {V2 "/a/pids.max", "9\n"}, {V2 "/a/pids.current", "7\n"}},
     2},
    {"no task left",
     {{GROUPS, "0::/a\n"}, {V2 "/a/pids.max", "7\n"}, {V2 "/a/pids.current", "7\n"}},
     0},
    {"more tasks than are allowed",
     {{GROUPS, "0::/a\n"}, {V2 "/a/pids.max", "7\n"}, {V2 "/a/pids.current", "9\n"}},
     0},
    {"fewer tasks left above the group",
     {{GROUPS, "0::/a/b\n"},
      {V2 "/a/pids.max", "100\n"},
      {V2 "/a/pids.current", "99\n"},
      {V2 "/a/b/pids.max", "50\n"},
      {V2 "/a/b/pids.current", "3\n"}},
     1},
    {"tasks of version 1",
     {{GROUPS, "8:pids:/a\n0::/\n"},
      {"/sys/fs/cgroup/pids/a/pids.max", "64\n"},
      {"/sys/fs/cgroup/pids/a/pids.current", "4\n"}},
     60},
};

static void test_tasks(const char *root)
{
    for (size_t i = 0; i < sizeof task_cases / sizeof task_cases[0]; i++) {
        bool written = true;

        for (int32_t f = 0; f < FILES && task_cases[i].file[f].path != NULL; f++)
            written = write_below(root, task_cases[i].file[f].path,
                                  task_cases[i].file[f].content) &&
                      written;
        const int64_t got = bli_tasks_left(root);

        if (!tap_ok(written && got == task_cases[i].want, "%s: %" PRId64,
                    task_cases[i].what, task_cases[i].want))
            tap_note("got %" PRId64, got);
        remove_made();
    }
}

/* Whether threads fit, given files of another machine and a limit of this process. */
static bool fits(const char *root, const char *load, const char *tasks, int64_t users,
                 int32_t threads)
{
    struct rlimit limit, before;
    bool fit = getrlimit(RLIMIT_NPROC, &before) == 0;

    limit = before;
    limit.rlim_cur = (rlim_t)users;
    fit = fit && write_below(root, "/proc/loadavg", load) &&
          write_below(root, GROUPS, "0::/a\n") &&
          write_below(root, V2 "/a/pids.max", tasks) &&
          write_below(root, V2 "/a/pids.current", "10\n") &&
          setrlimit(RLIMIT_NPROC, &limit) == 0 && bli_threads_fit(root, threads) &&
          setrlimit(RLIMIT_NPROC, &before) == 0;
    (void)setrlimit(RLIMIT_NPROC, &before);
    remove_made();
    return fit;
}

static void test_room(const char *root)
{
    static const char load[] = "0.00 0.01 0.05 2/100 4321\n";

    tap_ok(fits(root, load, "max\n", 300, 16), "room for threads");
    tap_ok(!fits(root, load, "max\n", 150, 16), "as many tasks as a user may have");
    tap_ok(!fits(root, load, "40\n", 300, 16), "as many tasks as a group may have");
    tap_ok(fits(root, load, "400\n", 300, 16), "a limit that is far");
    tap_ok(!fits(root, load, "400\n", 300, 160), "and near for a larger team");
    tap_ok(!fits(root, "none\n", "max\n", 300, 16), "tasks that nobody reports");
}

static const struct {
    const char *text;
    size_t bytes;
} stacks[] = {
    {"64", 65536},    {"64k", 65536},  {" 2 M ", 2u << 20},
    {"1g", 1u << 30}, {"1000B", 1000}, {"", 0},
    {"k", 0},         {"-1", 0},       {"64kb", 0},
    {"0", 0},         {"16 x", 0},     {"99999999999999999999", 0},
};

static void test_stacks(void)
{
    for (size_t i = 0; i < sizeof stacks / sizeof stacks[0]; i++) {
        const size_t got = bli_stack_size(stacks[i].text);

        if (!tap_ok(got == stacks[i].bytes, "a stack of \"%s\"", stacks[i].text))
            tap_note("got %zu", got);
    }
}

int main(void)
{
    char root[SCRATCH_BYTES];

    tap_plan();
    scratch_name(root, "limits");
    if (!tap_ok(mkdtemp(root) != NULL, "a folder for files"))
        return tap_done();
    test_tasks(root);
    test_room(root);
    test_stacks();
    tap_ok(bli_tasks_here() >= 1 && bli_threads_try(3) == 3 && bli_threads_try(0) == 0,
           "threads that are tried");
    tap_ok(remove(root) == 0, "nothing is left");
    return tap_done();
}
