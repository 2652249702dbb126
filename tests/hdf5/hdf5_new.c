/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * New files: names that are symbolic links, what others leave beside them, and another
 * process that makes the file meanwhile.
 */
#define _XOPEN_SOURCE 700

#include <broadloom.h>
#include <broadloom/hdf5.h>

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/npy_tools.h"
#include "harness/tap.h"

static float numbers[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
static const int64_t extent[] = {3, 4};
static const bl_array matrix = {numbers, BL_DTYPE_F32, 2, extent, NULL, 0};

static bool has(const char *path, const char *dataset)
{
    bl_tensor *tensor = NULL;
    const bool same = bl_hdf5_load(NULL, path, dataset, NULL, &tensor) == BL_OK &&
                      arrays_equal(bl_tensor_array(tensor), &matrix);

    bl_tensor_release(tensor);
    return same;
}

static bool is_link(const char *path)
{
    struct stat status;

    return lstat(path, &status) == 0 && S_ISLNK(status.st_mode);
}

static void check_links(void)
{
    tap_ok(mkdir("sub", 0777) == 0 && symlink("sub/middle.h5", "link.h5") == 0 &&
               symlink("../end.h5", "sub/middle.h5") == 0 &&
               symlink("loop.h5", "loop.h5") == 0,
           "links");
    tap_ok(bl_hdf5_save(NULL, "link.h5", "x", &matrix, NULL) == BL_OK &&
               is_link("link.h5") && is_link("sub/middle.h5") && has("end.h5", "x"),
           "what links lead to is made");
    tap_ok(bl_hdf5_save(NULL, "link.h5", "y", &matrix, NULL) == BL_OK &&
               is_link("link.h5") && has("end.h5", "x") && has("end.h5", "y"),
           "and added to");
    const bl_status status = bl_hdf5_save(NULL, "loop.h5", "x", &matrix, NULL);
    tap_ok(status == BL_ERR_IO && is_link("loop.h5"), "a link to itself: %s",
           bl_error_message());
    unlink("sub/middle.h5");
    rmdir("sub");
}

/* Files of a process that had this number and was killed. */
static void check_stale(void)
{
    char name[80];
    int files;

    for (int k = -1; k < 40; k++) {
        if (k < 0)
            snprintf(name, sizeof name, "new.h5.%ld.tmp", (long)getpid());
        else
            snprintf(name, sizeof name, ".broadloom.%ld.hdf5.%d", (long)getpid(), k);
        close(open(name, O_CREAT | O_WRONLY, 0666));
    }
    files = folder_count();
    tap_ok(bl_hdf5_save(NULL, "new.h5", "x", &matrix, NULL) == BL_OK &&
               has("new.h5", "x") && folder_count() == files + 1,
           "beside temporary files that were left");
}

/* Another process makes the file while this one writes its own. */
static bool interfere(void *user, int64_t done, int64_t numel)
{
    (void)done, (void)numel;
    if (!*(bool *)user)
        *(bool *)user = rename("other.h5", "race.h5") == 0;
    return true;
}

static void check_race(void)
{
    bool is_made = false;
    const bl_hdf5_options options = {
        .size = sizeof options, .progress = interfere, .user = &is_made};

    tap_ok(bl_hdf5_save(NULL, "other.h5", "theirs", &matrix, NULL) == BL_OK, "a file");
    const int files = folder_count();
    tap_ok(bl_hdf5_save(NULL, "race.h5", "ours", &matrix, &options) == BL_OK &&
               is_made && has("race.h5", "ours") && has("race.h5", "theirs") &&
               folder_count() == files,
           "a file that was made meanwhile is added to");
    is_made = false;
    tap_ok(rename("race.h5", "other.h5") == 0 &&
               bl_hdf5_save(NULL, "race.h5", "ours", &matrix, &options) ==
                   BL_ERR_ARGUMENT &&
               is_made && has("race.h5", "theirs") && folder_count() == files,
           "or has the dataset: %s", bl_error_message());
}

/* ---- the size limit ---- */

static volatile sig_atomic_t signals;
static void count_signal(int number)
{
    (void)number;
    signals++;
}

static bl_status save_beyond_limit(void)
{
    static float many[100000];
    const int64_t count = 100000;
    const bl_array array = {many, BL_DTYPE_F32, 1, &count, NULL, 0};
    struct rlimit limit, saved;

    getrlimit(RLIMIT_FSIZE, &saved);
    limit = saved;
    limit.rlim_cur = 65536;
    setrlimit(RLIMIT_FSIZE, &limit);
    const bl_status status = bl_hdf5_save(NULL, "limit.h5", "x", &array, NULL);
    setrlimit(RLIMIT_FSIZE, &saved);
    return status;
}

static void check_signal(void)
{
    sigset_t set, before;

    signal(SIGXFSZ, count_signal);
    tap_ok(save_beyond_limit() == BL_ERR_IO && signals == 0,
           "a file beyond its size limit raises no signal: %s", bl_error_message());
    sigemptyset(&set);
    sigaddset(&set, SIGXFSZ);
    sigprocmask(SIG_BLOCK, &set, &before);
    raise(SIGXFSZ);
    tap_ok(save_beyond_limit() == BL_ERR_IO && sigpending(&set) == 0 &&
               sigismember(&set, SIGXFSZ) == 1,
           "and one that was pending stays");
    sigprocmask(SIG_SETMASK, &before, NULL);
    tap_ok(signals == 1, "until it is handled");
}

int main(void)
{
    tap_plan();
    folder_enter();
    check_links();
    check_stale();
    check_race();
    check_signal();
    folder_leave();
    return tap_done();
}
