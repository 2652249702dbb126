/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Opens builds of the library.  Libraries of one soname in two files are two libraries
 * to the dynamic linker, each with symbols and data of its own; they share the OpenMP
 * runtime and its threads.
 *
 * A file is copied into memory first, so that the pages of its code are others for each
 * process: with those of the file, which stay where they are for minutes, a cell was
 * seen to be 18 % slower in one of two files with the same code.
 */
#define _GNU_SOURCE

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <unistd.h>

#include "library.h"

/* ISO C has no conversion of what dlsym returns to a pointer to a function. */
static bool find(void *handle, const char *name, void *function, size_t size)
{
    void *const symbol = dlsym(handle, name);

    memcpy(function, &symbol, size);
    return symbol != NULL;
}

/* A copy of the file in memory, as a descriptor; -1: see errno. */
static int copy_file(const char *path)
{
    enum { MOST = 1 << 30 };
    const int from = open(path, O_RDONLY | O_CLOEXEC);
    const int to = from < 0 ? -1 : memfd_create("library", MFD_CLOEXEC);
    ssize_t copied = to < 0 ? -1 : 1;

    while (copied > 0)
        copied = sendfile(to, from, NULL, MOST);
    if (from >= 0)
        close(from);
    return copied < 0 ? -1 : to;
}

static bool create_context(const struct library *library, int32_t threads,
                           bl_context **ctx)
{
    return library->context_create(ctx) == BL_OK &&
           library->context_set_threads(*ctx, threads) == BL_OK;
}

#define FIND(name)                                                                     \
    found = find(handle, "bl_" #name, &library->name, sizeof library->name) && found;

bool library_open(const char *path, int32_t threads, struct library *library)
{
    const int file = copy_file(path);
    char name[32];

    if (file < 0) {
        fputs("bench_pair: ", stderr);
        perror(path);
        return false;
    }
    snprintf(name, sizeof name, "/proc/self/fd/%d", file);

    void *const handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    bool found = handle != NULL;

    if (found) {
        LIBRARY_FUNCTIONS(FIND)
    }
    if (!found) {
        fprintf(stderr, "bench_pair: %s: %s\n", path, dlerror());
        return false;
    }
    if (!create_context(library, 1, &library->one) ||
        !create_context(library, threads, &library->many)) {
        fprintf(stderr, "bench_pair: %s: %s\n", path, library->error_message());
        return false;
    }
    return true;
}
