/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The processor time that control groups allow.  A container with a quota of two
 * processors on a machine of 64 would be stopped for most of each period if 64 threads
 * used it up at once.
 */
#include "topo/machine.h"

#include <pthread.h>
#include <string.h>

#define PATH_SIZE   4096
#define GROUPS_SIZE 8192

/* A whole number of digits; NULL where there is none, else what follows it. */
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

/* Processors that `quota` of every `period` is worth, rounded up; 0: no limit. */
static int32_t processors_of(int64_t quota, int64_t period)
{
    if (quota <= 0 || period <= 0)
        return 0;
    const int64_t count = quota / period + (quota % period != 0);

    return count < INT32_MAX ? (int32_t)count : INT32_MAX;
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

/* "150000 100000", or "max 100000" where there is no limit. */
static int32_t limit_of_version_2(const char *root, const char *folder)
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

/* Two files; a quota of -1 is no limit. */
static int32_t limit_of_version_1(const char *root, const char *folder)
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

/* Where the groups of one hierarchy are, and how a group tells its limit. */
struct hierarchy {
    const char *mount;
    int32_t (*limit)(const char *root, const char *folder);
};

/*
 * The least limit of a group and all above it.  In a container the group's path may be
 * that outside, of which the mount shows the end alone: what does not exist is passed
 * over on the way up, and the mount's own root is always asked.
 */
static int32_t least_above(const char *root, const struct hierarchy *hierarchy,
                           const char *group, size_t length)
{
    const size_t top = strlen(hierarchy->mount);
    char folder[PATH_SIZE];
    int32_t least = 0;

    if (top + length >= sizeof folder)
        return 0;
    memcpy(folder, hierarchy->mount, top);
    memcpy(folder + top, group, length);
    folder[top + length] = '\0';
    /* A group outside of the namespace's root is none that can be seen. */
    if (strncmp(folder + top, "/..", 3) == 0)
        folder[top] = '\0';
    for (;;) {
        const int32_t limit = hierarchy->limit(root, folder);

        if (limit > 0 && (least == 0 || limit < least))
            least = limit;
        char *const slash = strrchr(folder + top, '/');

        if (!slash)
            return least;
        *slash = '\0';
    }
}

/* Whether `name` stands in a list with commas. */
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

/* A line of /proc/self/cgroup, "NUMBER:CONTROLLERS:GROUP"; version 2 has no list. */
static int32_t limit_of_line(const char *root, const char *line, size_t length)
{
    static const struct hierarchy version_2[] = {
        {"/sys/fs/cgroup", limit_of_version_2},
        {"/sys/fs/cgroup/unified", limit_of_version_2},
    };
    static const struct hierarchy version_1[] = {
        {"/sys/fs/cgroup/cpu", limit_of_version_1},
        {"/sys/fs/cgroup/cpu,cpuacct", limit_of_version_1},
    };
    const char *const list = memchr(line, ':', length);
    const char *const group =
        list ? memchr(list + 1, ':', length - (size_t)(list + 1 - line)) : NULL;

    if (!group)
        return 0;
    const size_t listed = (size_t)(group - (list + 1));
    const struct hierarchy *const places = listed == 0 ? version_2 : version_1;
    int32_t least = 0;

    if (listed > 0 && !is_listed(list + 1, listed, "cpu"))
        return 0;
    for (int k = 0; k < 2; k++) {
        const int32_t limit = least_above(root, &places[k], group + 1,
                                          length - (size_t)(group + 1 - line));

        if (limit > 0 && (least == 0 || limit < least))
            least = limit;
    }
    return least;
}

int32_t bli_quota(const char *root)
{
    char groups[GROUPS_SIZE];
    int32_t least = 0;

    if (!bli_system_read(root, "/proc/self/cgroup", groups, sizeof groups))
        return 0;
    for (const char *line = groups; *line;) {
        const size_t length = strcspn(line, "\n");
        const int32_t limit = limit_of_line(root, line, length);

        if (limit > 0 && (least == 0 || limit < least))
            least = limit;
        line += length + (line[length] == '\n');
    }
    return least;
}

static int32_t quota_here;
static pthread_once_t quota_once = PTHREAD_ONCE_INIT;

static void read_quota(void)
{
    quota_here = bli_quota("");
}

int32_t bli_quota_here(void)
{
    pthread_once(&quota_once, read_quota);
    return quota_here;
}
