/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Processor time, memory and tasks that control groups allow.  A container with a quota
 * of two processors on a machine of 64 would be throttled for most of each period if 64
 * threads used it up at once; one that may have a gigabyte would be killed if an eighth
 * of the machine's memory were kept in a pool.
 */
#include "core/lock.h"
#include "machine/discovery.h"

#include <string.h>

#define PATH_SIZE   1024
#define GROUPS_SIZE 4096

/*
 * Parse a decimal number, saturating; returns what follows it, NULL if there are no
 * digits.
 */
static const char *read_number(const char *text, int64_t *number)
{
    int64_t value = 0;

    if (*text < '0' || *text > '9')
        return NULL;
    for (; *text >= '0' && *text <= '9'; text++)
        if (value < INT64_MAX / 10 - 1)
            value = 10 * value + (*text - '0');
    *number = value;
    return text;
}

/* Processors that `quota` of every `period` amounts to, rounded up; 0: no limit. */
static int64_t processors_of(int64_t quota, int64_t period)
{
    return quota <= 0 || period <= 0 ? 0 : quota / period + (quota % period != 0);
}

static bool read_in(const char *root, const char *folder, const char *name, char *text,
                    size_t size)
{
    char path[PATH_SIZE];
    struct bli_text joined;

    bli_text_open(&joined, path, sizeof path);
    bli_text_add(&joined, "%s/%s", folder, name);
    return joined.at < joined.end && bli_system_read(root, path, text, size);
}

/* Read cpu.max: "150000 100000", or "max 100000" for no limit. */
static int64_t time_of_version_2(const char *root, const char *folder)
{
    char text[64];
    int64_t quota, period;

    if (!read_in(root, folder, "cpu.max", text, sizeof text))
        return 0;
    const char *const rest = read_number(text, &quota);

    if (!rest || *rest != ' ' || !read_number(rest + 1, &period))
        return 0;
    return processors_of(quota, period);
}

/* Read quota and period from two files; a quota of -1 is no limit. */
static int64_t time_of_version_1(const char *root, const char *folder)
{
    char text[64];
    int64_t quota, period;

    if (!read_in(root, folder, "cpu.cfs_quota_us", text, sizeof text) ||
        !read_number(text, &quota) ||
        !read_in(root, folder, "cpu.cfs_period_us", text, sizeof text) ||
        !read_number(text, &period))
        return 0;
    return processors_of(quota, period);
}

/* Read a number of bytes; 0 for "max", which is no limit. */
static int64_t read_bytes(const char *root, const char *folder, const char *name)
{
    char text[64];
    int64_t bytes;

    return read_in(root, folder, name, text, sizeof text) && read_number(text, &bytes)
               ? bytes
               : 0;
}

static int64_t memory_of_version_2(const char *root, const char *folder)
{
    return read_bytes(root, folder, "memory.max");
}

/* Version 1 shows no limit as a number larger than any machine's memory. */
static int64_t memory_of_version_1(const char *root, const char *folder)
{
    return read_bytes(root, folder, "memory.limit_in_bytes");
}

/*
 * Tasks that a group still allows, plus 1, as 0 means no limit.  The files are the same
 * in both versions.
 */
static int64_t tasks_left(const char *root, const char *folder)
{
    char text[64];
    int64_t most, now;

    if (!read_in(root, folder, "pids.max", text, sizeof text) ||
        !read_number(text, &most) ||
        !read_in(root, folder, "pids.current", text, sizeof text) ||
        !read_number(text, &now))
        return 0;
    return 1 + (now < most ? most - now : 0);
}

/*
 * Where the groups of a hierarchy are mounted, and the function that reads a group's
 * limit.
 */
struct hierarchy {
    const char *mount;
    int64_t (*limit)(const char *root, const char *folder);
};

/* A limited resource: the name of its controller in version 1, and possible mounts. */
enum { PLACES = 2 };
struct resource {
    const char *controller;
    struct hierarchy version_2[PLACES];
    struct hierarchy version_1[PLACES];
};

static const struct resource processor_time = {
    "cpu",
    {{"/sys/fs/cgroup", time_of_version_2},
     {"/sys/fs/cgroup/unified", time_of_version_2}},
    {{"/sys/fs/cgroup/cpu", time_of_version_1},
     {"/sys/fs/cgroup/cpu,cpuacct", time_of_version_1}},
};

static const struct resource memory = {
    "memory",
    {{"/sys/fs/cgroup", memory_of_version_2},
     {"/sys/fs/cgroup/unified", memory_of_version_2}},
    {{"/sys/fs/cgroup/memory", memory_of_version_1}},
};

static const struct resource tasks = {
    "pids",
    {{"/sys/fs/cgroup", tasks_left}, {"/sys/fs/cgroup/unified", tasks_left}},
    {{"/sys/fs/cgroup/pids", tasks_left}},
};

/* The lesser of two limits, where 0 means no limit. */
static int64_t lesser(int64_t a, int64_t b)
{
    return a == 0 || (b > 0 && b < a) ? b : a;
}

/*
 * The least limit of a group and all above it.  In a container the group's path may be
 * the one outside, of which the mount shows only the end: folders that do not exist are
 * skipped on the way up, and the mount's root is always read.
 */
static int64_t least_above(const char *root, const struct hierarchy *hierarchy,
                           const char *group, size_t length)
{
    const size_t top = strlen(hierarchy->mount);
    char folder[PATH_SIZE];
    int64_t least = 0;

    if (top + length >= sizeof folder)
        return 0;
    memcpy(folder, hierarchy->mount, top);
    memcpy(folder + top, group, length);
    folder[top + length] = '\0';
    /* A group outside the namespace's root cannot be seen. */
    if (strncmp(folder + top, "/..", 3) == 0)
        folder[top] = '\0';
    for (;;) {
        least = lesser(least, hierarchy->limit(root, folder));

        char *const slash = strrchr(folder + top, '/');

        if (!slash)
            return least;
        *slash = '\0';
    }
}

/* Whether `name` is in a comma-separated list. */
static bool is_listed(const char *list, size_t length, const char *name)
{
    const size_t size = strlen(name);

    for (size_t begin = 0, end; begin < length; begin = end + 1) {
        for (end = begin; end < length && list[end] != ',';)
            end++;
        if (end - begin == size && memcmp(list + begin, name, size) == 0)
            return true;
    }
    return false;
}

/*
 * The limit by one line of /proc/self/cgroup, "NUMBER:CONTROLLERS:GROUP", where version
 * 2 has no controllers; 0 if it sets none.
 */
static int64_t limit_of_line(const char *root, const struct resource *resource,
                             const char *line, size_t length)
{
    const char *const list = memchr(line, ':', length);
    const char *const group =
        list ? memchr(list + 1, ':', length - (size_t)(list + 1 - line)) : NULL;

    if (!group)
        return 0;
    const size_t listed = (size_t)(group - (list + 1));
    const struct hierarchy *const places =
        listed == 0 ? resource->version_2 : resource->version_1;
    int64_t least = 0;

    if (listed > 0 && !is_listed(list + 1, listed, resource->controller))
        return 0;
    for (int k = 0; k < PLACES && places[k].mount; k++)
        least = lesser(least, least_above(root, &places[k], group + 1,
                                          length - (size_t)(group + 1 - line)));
    return least;
}

static int64_t limit_of(const char *root, const struct resource *resource)
{
    char groups[GROUPS_SIZE];
    int64_t least = 0;

    if (!bli_system_read(root, "/proc/self/cgroup", groups, sizeof groups))
        return 0;
    for (const char *line = groups; *line;) {
        const size_t length = strcspn(line, "\n");

        least = lesser(least, limit_of_line(root, resource, line, length));
        line += length + (line[length] == '\n');
    }
    return least;
}

int32_t bli_quota(const char *root)
{
    const int64_t processors = limit_of(root, &processor_time);

    return processors < INT32_MAX ? (int32_t)processors : INT32_MAX;
}

int64_t bli_memory_limit(const char *root)
{
    return limit_of(root, &memory);
}

int64_t bli_tasks_left(const char *root)
{
    const int64_t left = limit_of(root, &tasks);

    return left == 0 ? INT64_MAX : left - 1;
}

static int32_t quota_here;

static void read_quota(void)
{
    quota_here = bli_quota("");
}

int32_t bli_quota_here(void)
{
    bli_once(BLI_ONCE_QUOTA, read_quota);
    return quota_here;
}
