/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Small files in which the Linux kernel describes its nodes, read where hwloc's data
 * leave a choice, and this process.
 */
#include "config.h"

#include "machine/discovery.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A path below the machine's root, with a test's root before it. */
#define PATH_SIZE 4352
/* The kernel's PF_FORKNOEXEC: the same number since Linux 2.4. */
#define FORKED_WITHOUT_EXEC 0x40ul
/* Room for the distances of a thousand nodes. */
#define LINE_SIZE 4096

static int open_file(const char *root, const char *path)
{
    char name[PATH_SIZE];
    struct bli_text text;

    bli_text_open(&text, name, sizeof name);
    bli_text_add(&text, "%s%s", root, path);
    if (text.at == text.end)
        return -1;
    return open(name, O_RDONLY | O_CLOEXEC);
}

bool bli_system_read(const char *root, const char *path, char *text, size_t size)
{
    const int error = errno;
    const int file = open_file(root, path);
    size_t length = 0;

    while (file >= 0 && length < size - 1) {
        const ssize_t got = read(file, text + length, size - 1 - length);

        if (got > 0)
            length += (size_t)got;
        else if (got == 0 || errno != EINTR)
            break;
    }
    text[length] = '\0';
    if (file >= 0)
        close(file);
    errno = error;
    return length > 0;
}

/* Position of a number in a list of ranges such as "0-2,5"; -1 if it is not in it. */
static int32_t position_in(const char *list, int32_t number)
{
    int32_t passed = 0;

    while (*list >= '0' && *list <= '9') {
        char *end;
        const long first = strtol(list, &end, 10);
        const long last = *end == '-' ? strtol(end + 1, &end, 10) : first;

        if (number >= first && number <= last)
            return passed + (int32_t)(number - first);
        passed += (int32_t)(last - first + 1);
        list = *end == ',' ? end + 1 : end;
    }
    return -1;
}

int32_t bli_system_distance(const char *root, int32_t from, int32_t to)
{
    char path[PATH_SIZE], line[LINE_SIZE];
    struct bli_text text;

    /* Distances are listed for the nodes that are online, in order. */
    if (!bli_system_read(root, "/sys/devices/system/node/online", line, sizeof line))
        return INT32_MAX;
    const int32_t position = position_in(line, to);

    bli_text_open(&text, path, sizeof path);
    bli_text_add(&text, "/sys/devices/system/node/node%" PRId32 "/distance", from);
    if (position < 0 || !bli_system_read(root, path, line, sizeof line))
        return INT32_MAX;
    char *at = line;

    for (int32_t i = 0;; i++) {
        char *end;
        const long distance = strtol(at, &end, 10);

        if (end == at)
            return INT32_MAX;
        if (i == position)
            return distance > 0 && distance < INT32_MAX ? (int32_t)distance : INT32_MAX;
        at = end;
    }
}

int32_t bli_system_node(const char *root, int32_t processor)
{
    char path[PATH_SIZE];
    struct bli_text text;
    int32_t node = -1;

    bli_text_open(&text, path, sizeof path);
    bli_text_add(&text, "%s/sys/devices/system/cpu/cpu%" PRId32, root, processor);
    DIR *const folder = opendir(path);

    /* A link in that folder, such as "node1", leads to the node. */
    for (struct dirent *entry; folder && node < 0 && (entry = readdir(folder));) {
        const char *const number = entry->d_name + 4;

        if (strncmp(entry->d_name, "node", 4) == 0 && *number >= '0' && *number <= '9')
            node = (int32_t)strtol(number, NULL, 10);
    }
    if (folder)
        closedir(folder);
    return node;
}

bool bli_process_is_forked(void)
{
    char line[512];

    if (!bli_system_read("", "/proc/self/stat", line, sizeof line))
        return false;
    /*
     * The flags are the seventh word behind the program's name, which may hold any
     * character.
     */
    const char *at = strrchr(line, ')');

    for (int32_t word = 0; at && word < 7; word++)
        at = strchr(at + 1, ' ');
    return at && (strtoul(at + 1, NULL, 10) & FORKED_WITHOUT_EXEC) != 0;
}
