/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#define _FILE_OFFSET_BITS 64

#include "mpi/entry/file.h"

#include <broadloom/error.h>
#include "mpi/spread/spread.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Most bytes of one write: Linux's limit is 2 GiB less a page. */
#define MOST (INT64_C(1) << 30)

static bl_status fail(const char *path, const char *what)
{
    const int code = errno;

    return bl_error_set(BL_ERR_IO, "%s: %s: %s", path, what, strerror(code));
}

static int open_for_writing(const char *path, int flags)
{
    int descriptor;

    do {
        descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY | flags, 0666);
    } while (descriptor < 0 && errno == EINTR);
    return descriptor;
}

/*
 * Find the name of a file that is not there yet, in `target`: what the symbolic links
 * of a path lead to.  False and errno.
 */
static bool follow(struct bli_mpi_file *file, const char *path)
{
    char *const target = file->target, *const link = file->beside;
    size_t folder = 0, length = strlen(path);

    for (int links = 0; links < 40; links++) {
        errno = folder + length == 0 ? ENOENT : ENAMETOOLONG;
        if (folder + length == 0 || folder + length >= BLI_FILE_PATH)
            return false;
        memcpy(target + folder, links > 0 ? link : path, length);
        target[folder + length] = '\0';
        const ssize_t read = readlink(target, link, BLI_FILE_PATH);
        const char *const slash = strrchr(target, '/');

        if (read < 0)
            return errno == ENOENT || errno == EINVAL;
        length = (size_t)read;
        folder = slash && link[0] != '/' ? (size_t)(slash + 1 - target) : 0;
    }
    errno = ELOOP;
    return false;
}

/* Find what a path leads to, and the status of a file that is there. */
static bl_status find_target(struct bli_mpi_file *file, const char *path,
                             struct stat *old, bool *is_there)
{
    char *const real = realpath(path, NULL);

    *is_there = real != NULL;
    const bool is_found = (real || errno == ENOENT) && follow(file, real ? real : path);
    const int code = errno;

    free(real);
    errno = code;
    if (!is_found)
        return fail(path, "cannot be written");
    if (!*is_there)
        return BL_OK;
    if (stat(file->target, old) != 0)
        return fail(path, "cannot be written");
    if (!S_ISREG(old->st_mode))
        return bl_error_set(BL_ERR_UNSUPPORTED, "%s is not a regular file", path);

    const int descriptor = open_for_writing(file->target, 0);

    if (descriptor < 0)
        return fail(path, "cannot be written");
    close(descriptor);
    return BL_OK;
}

bl_status bli_mpi_file_create(struct bli_mpi_file *file, const char *path)
{
    static atomic_uint serial;
    struct stat old;
    bool is_there;

    BL_TRY(find_target(file, path, &old, &is_there));
    const char *const slash = strrchr(file->target, '/');
    const int folder = slash ? (int)(slash + 1 - file->target) : 0;

    do {
        if (snprintf(file->beside, sizeof file->beside, "%.*s.broadloom.%ld.mpi%u",
                     folder, file->target, (long)getpid(),
                     atomic_fetch_add(&serial, 1u)) >= (int)sizeof file->beside) {
            errno = ENAMETOOLONG;
            break;
        }
        file->descriptor = open_for_writing(file->beside, O_CREAT | O_EXCL);
    } while (file->descriptor < 0 && errno == EEXIST);
    if (file->descriptor < 0)
        return fail(path, "cannot be written");
    file->is_created = true;
    if (is_there && fchown(file->descriptor, old.st_uid, old.st_gid) != 0)
        errno = 0; /* another's file: it becomes this user's */
    if (is_there && fchmod(file->descriptor, old.st_mode & 0777) != 0)
        return fail(path, "cannot be written");
    return BL_OK;
}

bl_status bli_mpi_file_open(struct bli_mpi_file *file)
{
    file->descriptor = open_for_writing(file->beside, 0);
    return file->descriptor < 0 ? fail(file->beside, "cannot be written") : BL_OK;
}

/* Have a function of the file's size return EFBIG, without SIGXFSZ. */
static void hold_signal(sigset_t *ours, sigset_t *blocked)
{
    sigset_t before;

    sigemptyset(ours);
    sigpending(&before);
    if (!sigismember(&before, SIGXFSZ))
        sigaddset(ours, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, ours, blocked);
}

/* Then consume the signal, unless it was pending before. */
static void drop_signal(const sigset_t *ours, const sigset_t *blocked, bool has_failed)
{
    static const struct timespec at_once;
    const int code = errno;

    if (has_failed)
        while (sigtimedwait(ours, NULL, &at_once) > 0 || errno == EINTR) {
        }
    pthread_sigmask(SIG_SETMASK, blocked, NULL);
    errno = code;
}

static ssize_t write_quietly(int descriptor, const void *data, size_t size, off_t at)
{
    sigset_t ours, blocked;

    hold_signal(&ours, &blocked);
    const ssize_t wrote = pwrite(descriptor, data, size, at);

    drop_signal(&ours, &blocked, wrote < 0);
    return wrote;
}

bl_status bli_mpi_file_reserve(struct bli_mpi_file *file, int64_t bytes)
{
    sigset_t ours, blocked;
    int code;

    hold_signal(&ours, &blocked);
    do {
        code = fallocate(file->descriptor, FALLOC_FL_KEEP_SIZE, 0, (off_t)bytes);
    } while (code != 0 && errno == EINTR);
    drop_signal(&ours, &blocked, code != 0);
    return code != 0 && errno == ENOSPC ? fail(file->beside, "cannot be written")
                                        : BL_OK;
}

bl_status bli_mpi_file_write(struct bli_mpi_file *file, int64_t at, const void *data,
                             int64_t bytes)
{
    for (int64_t done = 0; done < bytes;) {
        const int64_t rest = bytes - done;
        const ssize_t step =
            write_quietly(file->descriptor, (const char *)data + done,
                          (size_t)(rest < MOST ? rest : MOST), (off_t)(at + done));

        if (step == 0)
            errno = EIO;
        if (step <= 0 && errno != EINTR)
            return fail(file->beside, "cannot be written");
        done += step > 0 ? step : 0;
    }
    return BL_OK;
}

bl_status bli_mpi_file_close(struct bli_mpi_file *file)
{
    const int descriptor = file->descriptor;

    file->descriptor = -1;
    if (close(descriptor) != 0 && errno != EINTR)
        return fail(file->beside, "cannot be written");
    return BL_OK;
}

bl_status bli_mpi_file_commit(struct bli_mpi_file *file)
{
    if (rename(file->beside, file->target) != 0)
        return fail(file->target, "cannot be replaced");
    file->is_created = false;
    return BL_OK;
}

void bli_mpi_file_end(struct bli_mpi_file *file)
{
    if (file->descriptor >= 0)
        close(file->descriptor);
    if (file->is_created)
        unlink(file->beside);
    file->descriptor = -1;
    file->is_created = false;
}
