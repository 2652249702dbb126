/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Opens builds of the library.  Libraries of one soname at two paths are two libraries
 * to the dynamic linker, each with symbols and data of its own; they share the OpenMP
 * runtime and its threads.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "library.h"

/* ISO C has no conversion of what dlsym returns to a pointer to a function. */
static bool find(void *handle, const char *name, void *function, size_t size)
{
    void *const symbol = dlsym(handle, name);

    memcpy(function, &symbol, size);
    return symbol != NULL;
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
    void *const handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    bool found = handle != NULL;

    if (found) {
        LIBRARY_FUNCTIONS(FIND)
    }
    if (!found) {
        fprintf(stderr, "bench_pair: %s\n", dlerror());
        return false;
    }
    if (!create_context(library, 1, &library->one) ||
        !create_context(library, threads, &library->many)) {
        fprintf(stderr, "bench_pair: %s: %s\n", path, library->error_message());
        return false;
    }
    return true;
}
