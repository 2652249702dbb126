/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Datasets under failures: arguments, options, out of memory, no permission, a full
 * disk; several threads.
 */
#define _XOPEN_SOURCE 700

#include <broadloom.h>
#include <broadloom/hdf5.h>

#include <hdf5.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/npy_tools.h"
#include "harness/tap.h"

static float numbers[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
static const int64_t extent[] = {3, 4};
static const bl_array matrix = {numbers, BL_DTYPE_F32, 2, extent, NULL, 0};

/* ---- options and arguments ---- */

static const int64_t two[] = {2, 2}, minus[] = {0, -1}, far[] = {0, 5}, zero[] = {1, 0},
                     huge[] = {1, INT64_MAX}, edge[] = {3, 0}, all[] = {3, 4};

static const struct {
    const char *what;
    bl_hdf5_options options;
    bl_status status;
    const char *says;
} parts[] = {
    {"another rank",
     {.rank = 3, .offset = two},
     BL_ERR_SHAPE,
     "a part of 3 dimensions, but the dataset has the shape (3,4)"},
    {"a negative offset",
     {.rank = 2, .offset = minus},
     BL_ERR_ARGUMENT,
     "offset -1 and stride 1 of dimension 1 of the shape (3,4)"},
    {"an offset beyond", {.rank = 2, .offset = far}, BL_ERR_ARGUMENT, "offset 5"},
    {"a stride of 0", {.rank = 2, .stride = zero}, BL_ERR_ARGUMENT, "stride 0"},
    {"a negative count", {.rank = 2, .count = minus}, BL_ERR_ARGUMENT, "-1 elements"},
    {"a count beyond",
     {.rank = 2, .offset = two, .count = all},
     BL_ERR_ARGUMENT,
     "3 elements from 2 on with stride 1 of dimension 0 of the shape (3,4)"},
    {"a huge count",
     {.rank = 2, .count = huge},
     BL_ERR_ARGUMENT,
     "9223372036854775807"},
    {"a count beyond by its stride",
     {.rank = 2, .count = two, .stride = huge},
     BL_ERR_ARGUMENT,
     "2 elements"},
    {"33 dimensions", {.rank = 33, .offset = two}, BL_ERR_ARGUMENT, "rank 33"},
    {"-1 dimensions", {.rank = -1, .offset = two}, BL_ERR_ARGUMENT, "rank -1"},
    {"unknown flags", {.flags = 6}, BL_ERR_ARGUMENT, "unknown flags 0x6"},
    {"flags of saving", {.flags = BL_HDF5_REPLACE}, BL_ERR_ARGUMENT, "bl_hdf5_save()"},
};

static void check_parts(void)
{
    bl_tensor *tensor = NULL;

    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++) {
        bl_hdf5_options options = parts[k].options;

        options.size = sizeof options;
        const bl_status status = bl_hdf5_load(NULL, "a.h5", "x", &options, &tensor);
        tap_ok(status == parts[k].status && !tensor &&
                   strncmp(bl_error_message(), "a.h5:x: ", 8) == 0 &&
                   strstr(bl_error_message(), parts[k].says),
               "%s: %s", parts[k].what, bl_error_message());
    }
    const bl_hdf5_options last = {.size = sizeof last, .rank = 2, .offset = edge};
    tap_ok(bl_hdf5_load(NULL, "a.h5", "x", &last, &tensor) == BL_OK &&
               bl_tensor_numel(tensor) == 0 && bl_tensor_extent(tensor, 1) == 4,
           "an offset at the end leaves nothing");
    bl_tensor_release(tensor);
}

/* Options of a program that was built against a newer version. */
static void check_sizes(void)
{
    struct {
        bl_hdf5_options known;
        int64_t newer;
    } options = {.known = {.size = sizeof options}};
    struct {
        bl_hdf5_info known;
        int64_t newer;
    } info = {.known = {.size = sizeof info}, .newer = 7};
    bl_tensor *tensor = NULL;

    tap_ok(bl_hdf5_load(NULL, "a.h5", "x", &options.known, &tensor) == BL_OK,
           "longer options");
    bl_tensor_release(tensor);
    tensor = NULL;
    options.newer = 1;
    tap_ok(bl_hdf5_load(NULL, "a.h5", "x", &options.known, &tensor) ==
                   BL_ERR_UNSUPPORTED &&
               !tensor,
           "an option that is newer: %s", bl_error_message());
    options.known.size = 8;
    tap_ok(bl_hdf5_load(NULL, "a.h5", "x", &options.known, &tensor) == BL_ERR_ARGUMENT,
           "options that are too short: %s", bl_error_message());
    tap_ok(bl_hdf5_query("a.h5", "x", &info.known) == BL_OK && info.newer == 0 &&
               info.known.size == sizeof info && info.known.rank == 2,
           "longer info");
    for (int k = 0; k < 2; k++) {
        info.known.size = k ? (size_t)1 << 40 : 8;
        tap_ok(bl_hdf5_query("a.h5", "x", &info.known) == BL_ERR_ARGUMENT,
               "info that is too %s: %s", k ? "long" : "short", bl_error_message());
    }
}

static void check_arguments(void)
{
    const bl_array nowhere = {NULL, BL_DTYPE_F32, 2, extent, NULL, 0};
    const bl_array deep = {numbers, BL_DTYPE_F32, 33, (const int64_t[33]){0}, NULL, 0};
    const bl_array doubles = {numbers, BL_DTYPE_F64, 1, two, NULL, 0};
    const bl_hdf5_options part = {.size = sizeof part, .rank = 2, .count = two};
    bl_tensor *tensor = NULL;

    tap_ok(bl_hdf5_load(NULL, NULL, "x", NULL, &tensor) == BL_ERR_ARGUMENT &&
               bl_hdf5_load(NULL, "a.h5", NULL, NULL, &tensor) == BL_ERR_ARGUMENT &&
               bl_hdf5_load(NULL, "a.h5", "x", NULL, NULL) == BL_ERR_ARGUMENT &&
               bl_hdf5_query("a.h5", "x", NULL) == BL_ERR_ARGUMENT &&
               bl_hdf5_save(NULL, "a.h5", NULL, &matrix, NULL) == BL_ERR_ARGUMENT &&
               bl_hdf5_save(NULL, "b.h5", "x", NULL, NULL) == BL_ERR_ARGUMENT,
           "null arguments");
    tap_ok(bl_hdf5_save(NULL, "b.h5", "x", &nowhere, NULL) == BL_ERR_ARGUMENT,
           "no data: %s", bl_error_message());
    tap_ok(bl_hdf5_save(NULL, "b.h5", "x", &deep, NULL) == BL_ERR_UNSUPPORTED,
           "33 dimensions: %s", bl_error_message());
    tap_ok(bl_hdf5_save(NULL, "a.h5", "x", &doubles, &part) == BL_ERR_DTYPE,
           "a part of another dtype: %s", bl_error_message());
    tap_ok(
        bl_hdf5_save(NULL, "a.h5", "x", &matrix, &part) == BL_ERR_SHAPE &&
            strstr(bl_error_message(), "the part has the shape (2,2), the array (3,4)"),
        "a part of another shape: %s", bl_error_message());
    tap_ok(bl_hdf5_save(NULL, "b.h5", "x", &matrix, &part) == BL_ERR_IO,
           "a part of no file: %s", bl_error_message());
    tap_ok(bl_hdf5_save(NULL, "a.h5", "x/y", &matrix, NULL) == BL_ERR_ARGUMENT,
           "a dataset as a group: %s", bl_error_message());
    tap_ok(bl_hdf5_save(NULL, "a.h5", "g", &matrix, NULL) == BL_ERR_ARGUMENT,
           "a group: %s", bl_error_message());
    tap_ok(bl_hdf5_save(NULL, "none/b.h5", "x", &matrix, NULL) == BL_ERR_IO,
           "no folder: %s", bl_error_message());
    tap_ok(bl_hdf5_load(NULL, ".", "x", NULL, &tensor) == BL_ERR_IO &&
               !strchr(bl_error_message(), '\n'),
           "a folder: %s", bl_error_message());
    tap_ok(folder_count() == 1, "no file is left");
}

/* ---- memory and disk ---- */

static bl_status run_load(bl_context *ctx)
{
    bl_tensor *tensor = NULL;
    const bl_status status = bl_hdf5_load(ctx, "a.h5", "x", NULL, &tensor);

    bl_tensor_release(tensor);
    return (tensor != NULL) == (status == BL_OK) ? status : BL_ERR_RULES;
}

static bl_status run_save(bl_context *ctx)
{
    static const int64_t turned[] = {1, 3};
    const bl_array array = {numbers, BL_DTYPE_F32, 2, extent, turned, 0};

    return bl_hdf5_save(ctx, "new.h5", "x", &array, NULL);
}

static void check_memory(void)
{
    bl_status (*const calls[])(bl_context * ctx) = {run_load, run_save};
    struct meter meter;
    bl_context *const ctx = meter_context(&meter);

    for (size_t k = 0; k < 2; k++) {
        bl_status status = BL_ERR_MEMORY;
        bool clean = true;
        int failures = -1;

        while (status == BL_ERR_MEMORY && failures < 100) {
            meter.requests = 0;
            meter.fail_at = ++failures;
            status = calls[k](ctx);
            clean =
                clean && meter.held == 0 && (status == BL_OK || folder_count() == 1);
        }
        tap_ok(status == BL_OK && clean && failures >= 1,
               "%s survives each of %d allocations failing", k ? "saving" : "loading",
               failures);
    }
    bl_context_destroy(ctx);
}

static bool is_intact(void)
{
    bl_tensor *tensor = NULL;
    const bool same = bl_hdf5_load(NULL, "a.h5", "x", NULL, &tensor) == BL_OK &&
                      arrays_equal(bl_tensor_array(tensor), &matrix);

    bl_tensor_release(tensor);
    return same;
}

static void check_full_disk(void)
{
    static float many[100000];
    const int64_t count = 100000;
    const bl_array array = {many, BL_DTYPE_F32, 1, &count, NULL, 0};
    struct rlimit limit, saved;

    getrlimit(RLIMIT_FSIZE, &saved);
    limit = saved;
    limit.rlim_cur = 65536;
    setrlimit(RLIMIT_FSIZE, &limit);
    const int files = folder_count();
    const bl_status added = bl_hdf5_save(NULL, "a.h5", "y", &array, NULL);
    tap_ok(added == BL_ERR_IO, "a dataset beyond the disk: %s", bl_error_message());
    const bl_status created = bl_hdf5_save(NULL, "full.h5", "y", &array, NULL);
    tap_ok(created == BL_ERR_IO && folder_count() == files,
           "a file beyond the disk, of which nothing is left: %s", bl_error_message());
    setrlimit(RLIMIT_FSIZE, &saved);

    bl_tensor *tensor = NULL;
    tap_ok(is_intact() &&
               bl_hdf5_load(NULL, "a.h5", "y", NULL, &tensor) == BL_ERR_ARGUMENT,
           "the file has what it had: %s", bl_error_message());
}

static void check_permission(void)
{
    chmod("a.h5", 0444);
    if (access("a.h5", W_OK) == 0)
        tap_skip("the user may write everything", "a file that is not writable");
    else
        tap_ok(bl_hdf5_save(NULL, "a.h5", "y", &matrix, NULL) == BL_ERR_IO,
               "a file that is not writable: %s", bl_error_message());
    chmod("a.h5", 0644);
}

/* ---- threads ---- */

static void *load_often(void *user)
{
    for (int k = 0; k < 50; k++)
        if (!is_intact())
            return NULL;
    return user;
}

static void check_threads(void)
{
    pthread_t thread[4];
    int started = 0, loaded = 0;
    hbool_t is_safe = 0;

    if (H5is_library_threadsafe(&is_safe) < 0 || !is_safe) {
        tap_skip("HDF5 is not thread-safe", "four threads load one dataset");
        return;
    }
    while (started < 4 &&
           pthread_create(&thread[started], NULL, load_often, thread) == 0)
        started++;
    for (int k = 0; k < started; k++) {
        void *result = NULL;

        pthread_join(thread[k], &result);
        loaded += result != NULL;
    }
    tap_ok(loaded == 4, "four threads load one dataset");
}

int main(void)
{
    tap_plan();
    folder_enter();
    tap_ok(bl_hdf5_save(NULL, "a.h5", "x", &matrix, NULL) == BL_OK &&
               bl_hdf5_save(NULL, "a.h5", "g/z", &matrix, NULL) == BL_OK,
           "a file");
    check_parts();
    check_sizes();
    check_arguments();
    check_memory();
    check_full_disk();
    check_permission();
    check_threads();
    folder_leave();
    return tap_done();
}
