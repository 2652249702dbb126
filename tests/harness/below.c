/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files below a folder that serves as the machine's root.
 */
#define _POSIX_C_SOURCE 200809L

#include "below.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { MADE = 64, PATH = 512 };

/* Files and folders that were created, for removal in reverse order. */
static char made[MADE][PATH];
static int made_count;

/* Record a file or folder that was created, for remove_made(). */
static void note_made(const char *path)
{
    if (made_count < MADE)
        snprintf(made[made_count++], PATH, "%s", path);
}

bool write_below(const char *root, const char *path, const char *content)
{
    char name[PATH];
    FILE *file;

    snprintf(name, sizeof name, "%s%s", root, path);
    for (char *slash = strchr(name + strlen(root) + 1, '/'); slash;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(name, 0700) == 0)
            note_made(name);
        *slash = '/';
    }
    file = fopen(name, "w");
    if (!file)
        return false;
    note_made(name);
    fputs(content, file);
    return fclose(file) == 0;
}

void remove_made(void)
{
    while (made_count > 0)
        remove(made[--made_count]);
}
