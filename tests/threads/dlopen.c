/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The shared library as a plug-in: loading it starts no thread and does not detect the
 * machine, and it can be loaded, used and unloaded repeatedly.
 *
 * The library is $top_builddir/lib/.libs/libbroadloom.so.  `dlopen.t load` only loads
 * it, for load.t.sh to trace.
 */
#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <broadloom.h>

#include "harness/limits.h"
#include "harness/tap.h"

enum { TIMES = 50, COUNT = 1 << 20 };

static float x[COUNT], sum[COUNT];

static bool add(void *library)
{
    static const int64_t extent[1] = {COUNT};
    const bl_array a = {x, BL_DTYPE_F32, 1, extent, NULL, 0};
    const bl_array out = {sum, BL_DTYPE_F32, 1, extent, NULL, 0};
    bl_status (*add_out)(bl_context *, const bl_array *, const bl_array *,
                         const bl_array *);

    *(void **)&add_out = dlsym(library, "bl_add_out");
    memset(sum, 0, sizeof sum);
    if (add_out == NULL || add_out(NULL, &out, &a, &a) != BL_OK)
        return false;
    for (int64_t i = 0; i < COUNT; i++)
        if (sum[i] != 2 * x[i])
            return false;
    return true;
}

static bool load_and_add(const char *path)
{
    void *const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);

    if (library == NULL) {
        tap_note("%s", dlerror());
        return false;
    }
    const bool pass = add(library);

    return dlclose(library) == 0 && pass;
}

int main(int argc, char **argv)
{
    const char *const build = getenv("top_builddir");
    char path[4096];
    bool pass = true;
    void *library;

    snprintf(path, sizeof path, "%s/lib/.libs/libbroadloom.so", build ? build : ".");
    if (argc > 1 && strcmp(argv[1], "load") == 0)
        return dlopen(path, RTLD_NOW | RTLD_LOCAL) == NULL;
    tap_plan();
    if (access(path, R_OK) != 0) {
        tap_skip("built without a shared library", "the library as a plug-in");
        return tap_done();
    }
    for (int64_t i = 0; i < COUNT; i++)
        x[i] = (float)(i % 65536);
    alarm(60);
    library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    tap_ok(library != NULL, "the library is loaded");
    tap_ok(limits_tasks() == 1, "which starts no thread");
    tap_ok(library != NULL && dlclose(library) == 0, "and unloaded");

    const int before = load_and_add(path) ? limits_tasks() : 0;

    for (int32_t i = 0; i < TIMES; i++)
        pass = load_and_add(path) && pass;
    tap_ok(pass && before > 0, "loaded, used and unloaded %d times", TIMES);
    if (!tap_ok(limits_tasks() == before, "without gathering threads"))
        tap_note("%d threads after the first time, %d at the end", before,
                 limits_tasks());
    return tap_done();
}
