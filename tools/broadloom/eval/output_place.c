/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L

#include "output_place.h"

#include "dataset.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Most links that are followed to a file that does not exist, and bytes of its path. */
enum { MOST_LINKS = 40, MOST_PATH = 4096 };

/* A file: itself, or its name in a folder where it does not exist yet. */
struct place {
    dev_t device;
    ino_t inode;
    char name[MOST_PATH]; /* in the folder; "": the file exists */
};

/* Replace the path of a link by what it leads to; false where it is none. */
static bool follow(char *path)
{
    char target[MOST_PATH];
    const ssize_t length = readlink(path, target, sizeof target);
    char *const slash = strrchr(path, '/');
    char *const at = length > 0 && target[0] != '/' && slash ? slash + 1 : path;

    if (length <= 0 || (at - path) + length >= MOST_PATH)
        return false;
    memcpy(at, target, (size_t)length);
    at[length] = '\0';
    return true;
}

/*
 * Find out where a path leads. False where nothing can be written there, or nothing is
 * lost by writing twice, as to a pipe.
 */
static bool find(const char *text, struct place *place)
{
    char path[MOST_PATH];
    struct stat about;
    char *slash;

    if (strlen(text) >= sizeof path)
        return false;
    strcpy(path, text);
    place->name[0] = '\0';
    if (stat(path, &about) != 0) {
        for (int links = 0; links < MOST_LINKS && follow(path);)
            links++;
        slash = strrchr(path, '/');
        strcpy(place->name, slash ? slash + 1 : path);
        if (slash)
            slash[1] = '\0';
        if (place->name[0] == '\0' || stat(slash ? path : ".", &about) != 0)
            return false;
    } else if (!S_ISREG(about.st_mode)) {
        return false;
    }
    place->device = about.st_dev;
    place->inode = about.st_ino;
    return true;
}

/* The next part of a dataset's name; its length, 0 at the end. */
static size_t next_part(const char **at)
{
    for (;; ++*at) {
        *at += strspn(*at, "/");
        const size_t length = strcspn(*at, "/");
        if (length != 1 || **at != '.')
            return length;
    }
}

static bool is_same_dataset(const char *a, const char *b)
{
    size_t length;

    do {
        length = next_part(&a);
        if (next_part(&b) != length || memcmp(a, b, length) != 0)
            return false;
        a += length;
        b += length;
    } while (length > 0);
    return true;
}

/* The dataset that is named behind the file's path, of `*length` bytes; NULL: none. */
static const char *dataset_of(const char *text, size_t *length)
{
    const char *const colon = dataset_is_named(text) ? strstr(text, ":/") : NULL;

    *length = colon ? (size_t)(colon - text) : strlen(text);
    return colon ? colon + 1 : NULL;
}

bool output_is_same(const char *first, const char *second)
{
    size_t lengths[2];
    const char *const a = dataset_of(first, &lengths[0]);
    const char *const b = dataset_of(second, &lengths[1]);
    char *const file[2] = {strndup(first, lengths[0]), strndup(second, lengths[1])};
    struct place place[2];
    bool is_same = false;

    if (file[0] && file[1] && (!a || !b || is_same_dataset(a, b)))
        is_same =
            strcmp(file[0], file[1]) == 0 ||
            (find(file[0], &place[0]) && find(file[1], &place[1]) &&
             place[0].device == place[1].device && place[0].inode == place[1].inode &&
             strcmp(place[0].name, place[1].name) == 0);
    free(file[0]);
    free(file[1]);
    return is_same;
}
