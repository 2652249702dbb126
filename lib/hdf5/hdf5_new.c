/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A file that does not exist yet: it is written under a name of its own, and gets the
 * one that it will have when it is complete.
 */
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64

#include "hdf5/hdf5.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bl_status fail(const struct bli_hdf5 *call, int code)
{
    return bli_hdf5_error(call, BL_ERR_IO, "the file cannot be written: %s",
                          strerror(code));
}

/* Put what a symbolic link has in the place of its name; false and errno. */
static bool replace_name(char target[PATH_MAX], const char *link, size_t length)
{
    const char *const slash = strrchr(target, '/');
    const size_t folder = slash && link[0] != '/' ? (size_t)(slash + 1 - target) : 0;

    errno = ENAMETOOLONG;
    if (folder + length >= PATH_MAX)
        return false;
    memcpy(target + folder, link, length);
    target[folder + length] = '\0';
    return true;
}

/*
 * Find the name that the symbolic links of a path lead to; false and errno.  Like
 * lib/core/save.c, of which this library sees nothing.
 */
static bool follow(const char *path, char target[PATH_MAX])
{
    char link[PATH_MAX];
    const size_t length = strlen(path);

    errno = ENAMETOOLONG;
    if (length >= PATH_MAX)
        return false;
    memcpy(target, path, length + 1);
    for (int links = 0; links < 40; links++) {
        const ssize_t read = readlink(target, link, sizeof link);

        if (read < 0)
            return errno == ENOENT || errno == EINVAL;
        if (!replace_name(target, link, (size_t)read))
            return false;
    }
    errno = ELOOP;
    return false;
}

bl_status bli_hdf5_new_create(struct bli_hdf5 *call, struct bli_hdf5_new *made)
{
    static atomic_uint serial;
    int file = -1;

    if (!follow(call->path, made->target))
        return fail(call, errno);
    const char *const slash = strrchr(made->target, '/');
    const int folder = slash ? (int)(slash + 1 - made->target) : 0;

    errno = EEXIST;
    for (int tries = 0; tries < 1000 && file < 0 && errno == EEXIST; tries++) {
        if (snprintf(made->beside, PATH_MAX, "%.*s.broadloom.%ld.hdf5.%u", folder,
                     made->target, (long)getpid(),
                     atomic_fetch_add(&serial, 1u)) >= PATH_MAX)
            return fail(call, ENAMETOOLONG);
        file = open(made->beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    }
    if (file < 0)
        return fail(call, errno);
    close(file);
    made->is_there = true;
    call->file = H5Fcreate(made->beside, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    return call->file < 0
               ? bli_hdf5_failed(call, BL_ERR_IO, "the file cannot be written")
               : BL_OK;
}

/* Whether a file system has no links. */
static bool lacks_links(int code)
{
    return code == EPERM || code == ENOTSUP || code == ENOSYS;
}

/* Rename a file to a name that is not there; to any where the system cannot tell. */
static int move(const char *from, const char *to)
{
    const int code = renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);

    return code == 0 || (errno != EINVAL && errno != ENOSYS) ? code : rename(from, to);
}

bl_status bli_hdf5_new_name(const struct bli_hdf5 *call, struct bli_hdf5_new *made)
{
    if (link(made->beside, made->target) == 0)
        return BL_OK;
    if (!lacks_links(errno) || move(made->beside, made->target) != 0) {
        made->is_late = errno == EEXIST;
        return fail(call, errno);
    }
    made->is_there = false;
    return BL_OK;
}

void bli_hdf5_new_end(struct bli_hdf5_new *made)
{
    const int saved = errno;

    if (made->is_there)
        (void)unlink(made->beside);
    made->is_there = false;
    errno = saved;
}
