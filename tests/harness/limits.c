/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE

#include "harness/limits.h"

#include <dirent.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <unistd.h>

#include "harness/tap.h"

bool limits_set(int resource, int64_t value)
{
    struct rlimit limit;

    if (getrlimit(resource, &limit) != 0)
        return false;
    limit.rlim_cur = (rlim_t)value;
    return setrlimit(resource, &limit) == 0;
}

int limits_tasks(void)
{
    DIR *const folder = opendir("/proc/self/task");
    int count = -2; /* "." and ".." */

    while (folder && readdir(folder))
        count++;
    if (folder)
        closedir(folder);
    return count;
}

void limits_one_thread(void)
{
    tap_ok(limits_tasks() <= 1, "one thread did all of it");
}

bool limits_become_user(void)
{
    const uid_t user = 1000000 + (uid_t)getpid();

    return geteuid() != 0 || setresuid(user, user, user) == 0;
}
