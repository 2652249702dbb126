/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where reports are written: files, links, pipes, devices and descriptors, beside the
 * leftovers of other writers, and by child processes.
 */
#define _DEFAULT_SOURCE

#include <broadloom/warnings.h>

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/npy_tools.h"
#include "harness/tap.h"
#include "warnings/reported.h"

enum { LEFT = 3 };

static bool is_kind(const char *path, mode_t kind)
{
    struct stat about;

    return lstat(path, &about) == 0 && (about.st_mode & S_IFMT) == kind;
}

/* ---- files and links ---- */

/*
 * Create the files that a killed process with this number leaves, under either naming
 * scheme.
 */
static void leave_names(const char *path)
{
    char name[100];

    for (int k = -1; k < LEFT; k++) {
        if (k < 0)
            snprintf(name, sizeof name, "%s.%ld", path, (long)getpid());
        else
            snprintf(name, sizeof name, ".broadloom.%ld.%d", (long)getpid(), k);
        close(open(name, O_WRONLY | O_CREAT | O_EXCL, 0600));
    }
}

static void check_files(void)
{
    const char *const file = "file", *const link = "link";
    struct stat about;

    leave_names(file);
    tap_ok(writes(file) && calls_of(file) == 2,
           "names that a killed process left are not in the way");
    tap_ok(chmod(file, 0600) == 0 && writes(file) && stat(file, &about) == 0 &&
               (about.st_mode & 07777) == 0600,
           "a file keeps its mode");
    tap_ok(symlink("target", link) == 0 && writes(link) && is_kind(link, S_IFLNK) &&
               calls_of("target") == 2,
           "a link to nothing yet leads to the report");
    tap_ok(writes(link) && is_kind(link, S_IFLNK) && calls_of("target") == 2,
           "a link to a file stays one");
    tap_ok(bl_warnings_write("none/file") == BL_ERR_IO &&
               strstr(bl_error_message(), "none/file"),
           "a folder that is missing is reported");
}

/* ---- what is no file ---- */

static void *read_pipe(void *path)
{
    static int calls;

    calls = calls_of(path);
    return &calls;
}

static void check_pipe(void)
{
    static char path[] = "pipe";
    pthread_t reader;
    void *calls = NULL;

    tap_ok(mkfifo(path, 0600) == 0 &&
               pthread_create(&reader, NULL, read_pipe, path) == 0,
           "a pipe and its reader");
    tap_ok(writes(path) && is_kind(path, S_IFIFO), "a pipe is written to");
    if (!is_kind(path, S_IFIFO)) /* lets the reader exit */
        return;
    tap_ok(pthread_join(reader, &calls) == 0 && *(int *)calls == 2,
           "and its reader has the report");
}

/* The device whose writes fail, as a node that the test creates. */
static void check_device(void)
{
    static const char full[] = "a full device is an error, and stays a device";
    static const char taken[] = "one that takes everything stays one, too";
    const char *const device = "full", *const sink = "sink";

    if (mknod(device, S_IFCHR | 0600, makedev(1, 7)) != 0 ||
        mknod(sink, S_IFCHR | 0600, makedev(1, 3)) != 0 ||
        close(open(sink, O_WRONLY)) != 0) {
        tap_skip("no device can be made here", "%s", full);
        tap_skip("no device can be made here", "%s", taken);
        return;
    }
    tap_ok(bl_warnings_write(device) == BL_ERR_IO && is_kind(device, S_IFCHR), "%s",
           full);
    tap_ok(writes(sink) && is_kind(sink, S_IFCHR), "%s", taken);
}

/* /dev/stderr leads to /proc/self/fd/2, which may be a file with previous lines. */
static void check_descriptor(void)
{
    const char *const link = "stderr", *const log = "log";
    const int file = open(log, O_RDWR | O_CREAT | O_TRUNC, 0600);
    char name[60], said[7] = "";

    snprintf(name, sizeof name, "/proc/self/fd/%d", file);
    tap_ok(file >= 0 && symlink(name, link) == 0 && write(file, "hello\n", 6) == 6,
           "a link to a descriptor");
    tap_ok(writes(link) && is_kind(link, S_IFLNK), "is written through");
    tap_ok(pread(file, said, 6, 0) == 6 && strcmp(said, "hello\n") == 0 &&
               lseek(file, 6, SEEK_SET) == 6 && count_in(fdopen(file, "r")) == 2,
           "behind what its file had");
}

/* ---- processes ---- */

/* Whether a child that makes that many calls and exits succeeds. */
static bool ends_after(int calls)
{
    pid_t child;
    int status = 1;

    fflush(stdout);
    child = fork();
    if (child == 0) {
        for (int k = 0; k < calls; k++)
            if (!call_from(50))
                _exit(1);
        exit(0);
    }
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

static void check_children(void)
{
    const char *const each = "%p", *const one = "one";
    char name[20];
    pid_t child;
    int status;

    tap_ok(writes(one) && bl_warnings_write_at_exit(one) == BL_OK && ends_after(0) &&
               calls_of(one) == 2,
           "a child that found nothing leaves its parent's report");
    fflush(stdout);
    child = fork();
    if (child == 0)
        exit(bl_warnings_write_at_exit(each) != BL_OK || !call_from(50));
    snprintf(name, sizeof name, "%ld", (long)child);
    tap_ok(child > 0 && waitpid(child, &status, 0) == child && status == 0 &&
               calls_of(name) == 1,
           "one with its own name reports its own calls alone");
    tap_ok(ends_after(3) && calls_of(one) == 3, "and so does one under the same name");
    tap_ok(bl_warnings_write_at_exit(NULL) == BL_OK, "nothing at the end");
    tap_ok(bl_warnings_write(NULL) == BL_ERR_ARGUMENT &&
               strcmp(bl_error_message(), "path is null") == 0,
           "a report needs a path: %s", bl_error_message());
}

/* A line is UTF-8 and has every byte of a name: no UTF-8 as surrogates. */
static void check_bytes(void)
{
    static const char name[] = "\xff \xc0\x80 \xed\xa0\x80 \xc3\xa4 \xf0\x9f";
    static const char wanted[] =
        "\\udcff \\udcc0\\udc80 \\udced\\udca0\\udc80 \xc3\xa4 "
        "\\udcf0\\udc9f\"";
    char text[4000] = "";
    FILE *file;

    bl_call_site_enter(name, 1);
    tap_ok(bl_call_site_leave(call()) == BL_OK && writes("bytes"), "a name of bytes");
    file = fopen("bytes", "r");
    tap_ok(file && fread(text, 1, sizeof text - 1, file) > 0 && fclose(file) == 0 &&
               strstr(text, wanted) != NULL,
           "each is in the report, as UTF-8");
}

int main(void)
{
    tap_plan();
    folder_enter();
    bl_backcompat_broadcast_warning_set_enabled(true);
    tap_ok(call_from(10) && call_from(20), "two calls");
    check_files();
    check_pipe();
    check_device();
    check_descriptor();
    check_children();
    check_bytes();
    folder_leave();
    return tap_done();
}
