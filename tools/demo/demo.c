/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Dispatches the demonstration's steps: demo expose|check|develop FOLDER.
 */
#include "demo.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void demo_need(bl_status status, const char *what)
{
    if (status == BL_OK)
        return;
    fprintf(stderr, "demo: %s: %s (%s)\n", what, bl_status_string(status),
            bl_error_message());
    exit(1);
}

bl_array demo_array(void *data, bl_dtype dtype, int32_t rank, const int64_t *extent)
{
    return (bl_array){data, dtype, rank, extent, NULL, 0};
}

const char *demo_path(const char *folder, const char *name)
{
    static char path[4096];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

bl_tensor *demo_load(const char *folder, const char *name, bl_dtype dtype, int32_t rank,
                     const int64_t *extent)
{
    bl_tensor *tensor = NULL;

    demo_need(bl_npy_load(NULL, demo_path(folder, name), &tensor), name);

    const bl_array *const array = bl_tensor_array(tensor);
    bool fits = array->dtype == dtype && array->rank == rank;

    for (int32_t d = 0; fits && d < rank; d++)
        fits = array->extent[d] == extent[d];
    if (!fits)
        demo_need(BL_ERR_SHAPE, name);
    return tensor;
}

static const struct {
    const char *name;
    void (*run)(const char *folder);
} steps[] = {
    {"expose", demo_expose},
    {"check", demo_check},
    {"develop", demo_develop},
};

int main(int argc, char **argv)
{
    for (size_t i = 0; argc == 3 && i < sizeof steps / sizeof *steps; i++) {
        if (strcmp(argv[1], steps[i].name) == 0) {
            steps[i].run(argv[2]);
            return 0;
        }
    }
    fprintf(stderr, "usage: demo expose|check|develop FOLDER\n");
    return 2;
}
