/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Saving a file: a new one is renamed over the old one, or the old one is overwritten.
 */
#define _POSIX_C_SOURCE   200809L
#define _FILE_OFFSET_BITS 64

#include "core/save.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

/* ---- choosing the file to write ---- */

/* open(2) for writing, retried when a signal interrupts it; -1 and errno on failure. */
static int open_for_writing(const char *path, int flags, mode_t mode)
{
    int file;

    do {
        file = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY | flags, mode);
    } while (file < 0 && errno == EINTR);
    return file;
}

/*
 * Store in `target` what the symbolic links of `path` lead to, a file or a name that
 * does not exist yet.  A link in /proc is a process's descriptor, whatever name it
 * shows, and is not followed.  False and errno on failure.
 */
static bool follow(struct bli_save *save, bool *is_descriptor)
{
    struct stat link, process;
    const bool has_processes = lstat("/proc/self", &process) == 0;

    strcpy(save->target, save->path);
    for (int links = 0; links < 40; links++) {
        if (lstat(save->target, &link) != 0)
            return errno == ENOENT;
        *is_descriptor =
            S_ISLNK(link.st_mode) && has_processes && link.st_dev == process.st_dev;
        if (!S_ISLNK(link.st_mode) || *is_descriptor)
            return true;
        const ssize_t length = readlink(save->target, save->beside, BLI_SAVE_PATH);
        const char *const slash = strrchr(save->target, '/');
        const size_t folder =
            slash && save->beside[0] != '/' ? (size_t)(slash + 1 - save->target) : 0;
        if (length < 0)
            return false;
        if (folder + (size_t)length >= BLI_SAVE_PATH) {
            errno = ENAMETOOLONG;
            return false;
        }
        memcpy(save->target + folder, save->beside, (size_t)length);
        save->target[folder + (size_t)length] = '\0';
    }
    errno = ELOOP;
    return false;
}

/*
 * Create a temporary file in the target's folder: on the same file system, so rename(2)
 * replaces the target atomically.  Its name does not contain the target's, which may be
 * as long as names get.  A name that exists is of a process with this number on another
 * machine, or of one that was killed; another is tried.  -1 and errno on failure.
 */
static int open_beside(struct bli_save *save, mode_t mode)
{
    static atomic_uint serial;
    const char *const slash = strrchr(save->target, '/');
    const int folder = slash ? (int)(slash + 1 - save->target) : 0;

    for (int tries = 0; tries < 1000; tries++) {
        const int length =
            snprintf(save->beside, BLI_SAVE_PATH, "%.*s.broadloom.%ld.%u", folder,
                     save->target, (long)getpid(), atomic_fetch_add(&serial, 1u));
        if (length >= BLI_SAVE_PATH) {
            errno = ENAMETOOLONG;
            return -1;
        }
        const int file = open_for_writing(save->beside, O_CREAT | O_EXCL, mode);
        if (file >= 0 || errno != EEXIST)
            return file;
    }
    return -1;
}

/* Give `file` the access control list of `from`, or none if that has none. */
static bool keeps_access_list(int file, int from)
{
    static const char name[] = "system.posix_acl_access";
    char list[2048];
    const ssize_t size = fgetxattr(from, name, list, sizeof list);

    if (size >= 0)
        return fsetxattr(file, name, list, (size_t)size, 0) == 0;
    if (errno != ENODATA && errno != ENOTSUP)
        return false;
    return fremovexattr(file, name) == 0 || errno == ENODATA || errno == ENOTSUP;
}

/* Copy owner, group, mode and access control list of `from`, whose status is `old`. */
static bool keeps_access(int file, int from, const struct stat *old)
{
    struct stat now;

    if (fstat(file, &now) != 0)
        return false;
    if ((now.st_uid != old->st_uid || now.st_gid != old->st_gid) &&
        fchown(file, old->st_uid, old->st_gid) != 0)
        return false;
    return fchmod(file, old->st_mode & 07777) == 0 && keeps_access_list(file, from) &&
           fstat(file, &now) == 0 && now.st_mode == old->st_mode;
}

/*
 * Switch to a temporary file next to the old one if it can get the same access rights;
 * otherwise stay in place.  False and errno if creating it failed for a reason that
 * could also spoil writing in place, such as a full disk: the old file is kept.
 */
static bool replace(struct bli_save *save, const struct stat *old)
{
    const int file = open_beside(save, 0600);

    if (file < 0)
        return errno == EACCES || errno == EPERM || errno == EROFS;
    if (keeps_access(file, save->file, old)) {
        close(save->file);
        save->file = file;
        save->is_in_place = save->is_old = false;
    } else {
        close(file);
        unlink(save->beside);
    }
    return true;
}

/*
 * Write a regular file in place, or replace it.  False and errno on failure: ESTALE
 * where it was replaced since it was opened, which others may still be reading.
 */
static bool decide(struct bli_save *save, const struct stat *old)
{
    struct stat named;
    bool is_descriptor = false;

    if (!follow(save, &is_descriptor))
        return false;
    if (is_descriptor)
        return lseek(save->file, 0, SEEK_END) >= 0;
    save->is_old = true;
    if (old->st_nlink > 1)
        return true;
    if (lstat(save->target, &named) == 0 &&
        (named.st_dev != old->st_dev || named.st_ino != old->st_ino)) {
        errno = ESTALE;
        return fstat(save->file, &named) != 0 || named.st_nlink > 0;
    }
    return replace(save, old);
}

/* Open the file to write.  False and errno on failure, with no file left open. */
static bool begin(struct bli_save *save)
{
    struct stat old;
    bool is_descriptor = false;

    errno = save->path[0] == '\0' ? ENOENT : ENAMETOOLONG;
    if (save->path[0] == '\0' || strlen(save->path) >= BLI_SAVE_PATH)
        return false;
    save->file = open_for_writing(save->path, 0, 0);
    if (save->file < 0) {
        if (errno != ENOENT || !follow(save, &is_descriptor))
            return false;
        save->file = open_beside(save, 0666);
        return save->file >= 0;
    }
    save->is_in_place = true;
    if (fstat(save->file, &old) == 0 && (!S_ISREG(old.st_mode) || decide(save, &old)))
        return true;
    const int code = errno;
    close(save->file);
    errno = code;
    return false;
}

bl_status bli_save_open(struct bli_save *save, const char *path)
{
    int code = ESTALE;

    save->path = path;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &save->cancelling);
    for (int tries = 0; tries < 1000 && code == ESTALE; tries++) {
        save->is_in_place = save->is_old = false;
        if (begin(save))
            return BL_OK;
        code = errno;
    }
    pthread_setcancelstate(save->cancelling, NULL);
    return bli_file_error(path, "cannot be written", code);
}

/* ---- writing ---- */

/*
 * write(2) without SIGPIPE and SIGXFSZ.  A signal of a thread's own write is pending in
 * that thread: it is blocked, then consumed unless it was pending before.
 */
static ssize_t write_quietly(int file, const void *data, size_t size)
{
    static const int raised[] = {SIGPIPE, SIGXFSZ};
    static const struct timespec at_once;
    sigset_t before, blocked, ours;

    sigemptyset(&ours);
    sigpending(&before);
    for (size_t k = 0; k < sizeof raised / sizeof raised[0]; k++)
        if (!sigismember(&before, raised[k]))
            sigaddset(&ours, raised[k]);
    pthread_sigmask(SIG_BLOCK, &ours, &blocked);
    const ssize_t wrote = write(file, data, size);
    const int code = errno;
    /* A pipe's reader may close in the middle: a short write and the signal. */
    if (wrote < 0 || (size_t)wrote < size)
        while (sigtimedwait(&ours, NULL, &at_once) > 0 || errno == EINTR) {
        }
    pthread_sigmask(SIG_SETMASK, &blocked, NULL);
    errno = code;
    return wrote;
}

/* Truncate the old file before the first write; later calls do nothing. */
static bool cut(struct bli_save *save)
{
    const bool is_old = save->is_old;

    save->is_old = false;
    return !is_old || ftruncate(save->file, 0) == 0;
}

bl_status bli_save_write(struct bli_save *save, const void *data, size_t size)
{
    /* Linux moves at most 2 GiB less a page in one call, and POSIX at most SSIZE_MAX.
     */
    static const size_t most = (size_t)1 << 30;
    size_t done = 0;

    if (!cut(save))
        return bli_file_error(save->path, "cannot be written", errno);
    while (done < size) {
        const size_t wanted = size - done < most ? size - done : most;
        const ssize_t step =
            write_quietly(save->file, (const char *)data + done, wanted);
        if (step > 0)
            done += (size_t)step;
        else if (step == 0 || errno != EINTR)
            return bli_file_error(save->path, "cannot be written",
                                  step == 0 ? EIO : errno);
    }
    return BL_OK;
}

/* ---- finishing ---- */

static void finish(const struct bli_save *save, bool is_kept)
{
    if (!save->is_in_place && !is_kept)
        unlink(save->beside);
    pthread_setcancelstate(save->cancelling, NULL);
}

bl_status bli_save_commit(struct bli_save *save)
{
    bl_status status = BL_OK;

    if (!cut(save))
        status = bli_file_error(save->path, "cannot be written", errno);
    if (close(save->file) != 0 && errno != EINTR && status == BL_OK)
        status = bli_file_error(save->path, "cannot be written", errno);
    if (!save->is_in_place && status == BL_OK &&
        rename(save->beside, save->target) != 0)
        status = bli_file_error(save->path, "cannot be replaced", errno);
    finish(save, status == BL_OK);
    return status;
}

void bli_save_abandon(struct bli_save *save)
{
    close(save->file);
    finish(save, false);
}
