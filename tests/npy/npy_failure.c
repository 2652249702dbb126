/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * NPY files under failures, and special files: out of memory or disk space, no
 * permission, pipes, devices.  A file is complete or absent, and a mapping is
 * read-only.
 */
#define _XOPEN_SOURCE 700

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/npy_tools.h"
#include "harness/tap.h"

static float numbers[6] = {0, 1, 2, 3, 4, 5};
static const int64_t extent[] = {2, 3};
static const int64_t columns[] = {1, 2};
static const int64_t backwards[] = {-3, -1};
static const bl_array rows = {numbers, BL_DTYPE_F32, 2, extent, NULL, 0};
static const bl_array fortran = {numbers, BL_DTYPE_F32, 2, extent, columns, 0};
static const bl_array turned = {numbers + 5, BL_DTYPE_F32, 2, extent, backwards, 0};

static bl_status load_equal(bl_context *ctx, const char *path, bool mapping,
                            const bl_array *want)
{
    bl_tensor *tensor = NULL;
    const bl_status status =
        mapping ? bl_npy_map(ctx, path, &tensor) : bl_npy_load(ctx, path, &tensor);

    if (status != BL_OK)
        return tensor ? BL_OK : status;
    const bool same = arrays_equal(bl_tensor_array(tensor), want);
    bl_tensor_release(tensor);
    return same ? BL_OK : BL_ERR_FORMAT;
}

static bl_status run_load(bl_context *ctx)
{
    return load_equal(ctx, "fortran.npy", false, &fortran);
}

static bl_status run_map(bl_context *ctx)
{
    return load_equal(ctx, "fortran.npy", true, &fortran);
}

static bl_status run_save(bl_context *ctx)
{
    return bl_npy_save(ctx, "saved.npy", &turned);
}

/*
 * Fail request 0, 1, ... until none fails; each failure is reported and leaves nothing
 * behind.
 */
static void check_memory(void)
{
    static const struct {
        const char *what;
        bl_status (*run)(bl_context *ctx);
        int least; /* at least this many requests are made */
    } calls[] = {{"load", run_load, 2}, {"map", run_map, 2}, {"save", run_save, 1}};
    struct meter meter;
    bl_context *const ctx = meter_context(&meter);

    tap_ok(bl_npy_save(ctx, "fortran.npy", &fortran) == BL_OK, "a file to read");
    for (size_t k = 0; k < sizeof calls / sizeof calls[0]; k++) {
        const int files = folder_count();
        bl_status status = BL_ERR_MEMORY;
        bool clean = true;
        int failures = 0;
        while (status == BL_ERR_MEMORY && failures < 100) {
            meter.requests = 0;
            meter.fail_at = failures;
            status = calls[k].run(ctx);
            clean = clean && meter.held == 0;
            if (status == BL_ERR_MEMORY) {
                failures++;
                clean = clean && folder_count() == files;
            }
        }
        meter.fail_at = -1;
        tap_ok(status == BL_OK && clean && failures >= calls[k].least,
               "%s survives each allocation failing", calls[k].what);
    }
    bl_context_destroy(ctx);
}

/*
 * A failed system call is reported as BL_ERR_IO with the path, and errno is unchanged.
 */
static void check_refusals(void)
{
    static const struct {
        const char *what, *path;
        bool saving;
        const char *says;
    } calls[] = {
        {"loading what is not there", "none.npy", false,
         "none.npy: cannot be opened: "},
        {"loading a folder", ".", false, ".: cannot be read: "},
        {"loading the empty path", "", false, "\"\": cannot be opened: "},
        {"saving into no folder", "none/a.npy", true,
         "none/a.npy: cannot be written: "},
        {"saving over a folder", "folder", true, "folder: cannot be written: "},
        {"saving to the empty path", "", true, "\"\": cannot be written: "},
        {"saving to a full device", "full.npy", true, "full.npy: cannot be written: "},
    };

    mkdir("folder", 0777);
    /*
     * Through a link, so that a bug here replaces the link and not the system's device.
     */
    const bool has_device =
        access("/dev/full", W_OK) == 0 && symlink("/dev/full", "full.npy") == 0;
    const int files = folder_count();
    for (size_t k = 0; k < sizeof calls / sizeof calls[0]; k++) {
        bl_tensor *tensor = NULL;
        if (!has_device && strcmp(calls[k].path, "full.npy") == 0) {
            tap_skip("no such device", "%s", calls[k].what);
            continue;
        }
        errno = EDOM;
        const bl_status status = calls[k].saving
                                     ? bl_npy_save(NULL, calls[k].path, &rows)
                                     : bl_npy_load(NULL, calls[k].path, &tensor);
        const bool reported =
            strstr(bl_error_message(), calls[k].says) == bl_error_message();
        tap_ok(status == BL_ERR_IO && errno == EDOM && reported && !tensor &&
                   folder_count() == files,
               "%s", calls[k].what);
    }
}

static void check_arguments(void)
{
    const bl_array bfloat = {numbers, BL_DTYPE_BF16, 2, extent, NULL, 0};
    const bl_array nowhere = {NULL, BL_DTYPE_F32, 2, extent, NULL, 0};
    const bl_array nothing = {numbers, (bl_dtype)99, 2, extent, NULL, 0};
    bl_tensor *tensor = NULL;

    tap_ok(bl_npy_load(NULL, NULL, &tensor) == BL_ERR_ARGUMENT, "no path to load");
    tap_ok(bl_npy_load(NULL, "fortran.npy", NULL) == BL_ERR_ARGUMENT, "no result");
    tap_ok(bl_npy_map(NULL, NULL, &tensor) == BL_ERR_ARGUMENT, "no path to map");
    tap_ok(bl_npy_save(NULL, NULL, &rows) == BL_ERR_ARGUMENT, "no path to save");
    tap_ok(bl_npy_save(NULL, "x.npy", NULL) == BL_ERR_ARGUMENT, "no array");
    tap_ok(bl_npy_save(NULL, "x.npy", &nowhere) == BL_ERR_ARGUMENT, "no data");
    tap_ok(bl_npy_save(NULL, "x.npy", &nothing) == BL_ERR_ARGUMENT, "no dtype");
    tap_ok(bl_npy_save(NULL, "x.npy", &bfloat) == BL_ERR_UNSUPPORTED, "bf16");
    tap_ok(access("x.npy", F_OK) != 0, "a refused array makes no file");
}

/* If the disk becomes full while a file is replaced, the old file is unchanged. */
static void check_full_disk(void)
{
    static float many[100000];
    const int64_t count[] = {100000};
    const bl_array array = {many, BL_DTYPE_F32, 1, count, NULL, 0};
    struct rlimit limit, saved;

    getrlimit(RLIMIT_FSIZE, &saved);
    limit = saved;
    limit.rlim_cur = 65536;
    setrlimit(RLIMIT_FSIZE, &limit);
    const int files = folder_count();
    const bl_status status = bl_npy_save(NULL, "fortran.npy", &array);
    setrlimit(RLIMIT_FSIZE, &saved);
    tap_ok(status == BL_ERR_IO && folder_count() == files &&
               load_equal(NULL, "fortran.npy", false, &fortran) == BL_OK,
           "a file that cannot be written in full leaves the old one");
}

static void check_mode(void)
{
    const mode_t saved = umask(027);
    struct stat about = {0};

    const bl_status status = bl_npy_save(NULL, "mode.npy", &rows);
    umask(saved);
    stat("mode.npy", &about);
    tap_ok(status == BL_OK && (about.st_mode & 0777) == 0640, "the umask is respected");
}

/* A pipe is read without a known length, and written without being replaced. */
static void check_pipe(void)
{
    struct meter meter;
    char in[32], out[32], rest[24];
    bl_tensor *tensor = NULL;
    int ends[2];

    if (pipe(ends) != 0 || access("/dev/fd", X_OK) != 0) {
        tap_skip("no /dev/fd here", "pipes");
        return;
    }
    snprintf(in, sizeof in, "/dev/fd/%d", ends[0]);
    snprintf(out, sizeof out, "/dev/fd/%d", ends[1]);
    tap_ok(bl_npy_save(NULL, out, &turned) == BL_OK, "a pipe is written");
    tap_ok(load_equal(NULL, in, false, &turned) == BL_OK, "a pipe is read");
    tap_ok(bl_npy_save(NULL, out, &rows) == BL_OK &&
               bl_npy_map(NULL, in, &tensor) == BL_ERR_UNSUPPORTED &&
               read(ends[0], rest, sizeof rest) == sizeof rest,
           "a pipe is not mapped");

    unsigned char bytes[256];
    bl_context *const ctx = meter_context(&meter);
    const size_t size = npy_header_make(
        bytes, 1,
        "{'descr':'<f8','fortran_order':False,'shape':(1152921504606846975,)}");
    tap_ok(write(ends[1], bytes, size) == (ssize_t)size &&
               bl_npy_load(ctx, in, &tensor) == BL_ERR_MEMORY,
           "a pipe that promises too much is refused");
    tap_ok(!tensor && meter.held == 0, "and nothing is made of it");
    bl_context_destroy(ctx);
    close(ends[0]);
    close(ends[1]);
}

/* Mapped elements are read-only, and remain valid after the file is unlinked. */
static void check_mapping(void)
{
    const float value = 9;
    const int64_t index[] = {1, 1};
    bl_tensor *tensor = NULL;
    bl_tensor *view = NULL;

    const bool mapped = bl_npy_map(NULL, "fortran.npy", &tensor) == BL_OK &&
                        bl_tensor_transpose(tensor, 0, 1, &view) == BL_OK;
    if (!tap_ok(mapped, "a mapping has views"))
        return;
    tap_ok(bl_array_set(bl_tensor_array(tensor), index, &value) == BL_ERR_ARGUMENT,
           "an element of a mapping is not set");
    tap_ok(bl_add_inplace(NULL, bl_tensor_array(tensor), &rows) == BL_ERR_ARGUMENT &&
               bl_copy_out(NULL, bl_tensor_array(view), bl_tensor_array(view)) ==
                   BL_ERR_ARGUMENT,
           "a mapping is no result");
    tap_ok(bl_npy_save(NULL, "fortran.npy", bl_tensor_array(view)) == BL_OK,
           "a mapping is saved over its own file");
    unlink("fortran.npy");
    bl_tensor_release(tensor);
    const int64_t across[] = {3, 2};
    const bl_array want = {numbers, BL_DTYPE_F32, 2, across, NULL, 0};
    tap_ok(arrays_equal(bl_tensor_array(view), &want), "a view keeps the mapping");
    bl_tensor_release(view);
}

int main(void)
{
    tap_plan();
    folder_enter();
    check_memory();
    check_refusals();
    check_arguments();
    check_full_disk();
    check_mode();
    check_pipe();
    check_mapping();
    folder_leave();
    return tap_done();
}
