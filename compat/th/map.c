/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files and objects of shared memory that are mapped.
 */
#include "map.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- contexts ---- */

THMapAllocatorContext *th_map_new_context(const char *filename, int fd, int flags)
{
    THMapAllocatorContext *context;

    if (!(flags & (SHARED | SHAREDMEM)))
        flags &= ~NOCREATE;
    if (flags == EXCLUSIVE) {
        THError("TH_ALLOCATOR_MAPPED_EXCLUSIVE of <%s> needs ..._SHARED or "
                "..._SHAREDMEM",
                filename ? filename : "");
        return NULL;
    }
    context = malloc(sizeof *context);
    filename = strdup(filename ? filename : "filename not specified");
    if (!context || !filename) {
        free(context);
        free((char *)filename);
        THError("no memory for the context of a mapped file");
        return NULL;
    }
    *context = (THMapAllocatorContext){(char *)filename, flags, fd, 0};
    return context;
}

THMapAllocatorContext *THMapAllocatorContext_new(const char *filename, int flags)
{
    return th_map_new_context(filename, -1, flags);
}

THMapAllocatorContext *THMapAllocatorContext_newWithFd(const char *filename, int fd,
                                                       int flags)
{
    return th_map_new_context(filename, fd, flags);
}

char *THMapAllocatorContext_filename(THMapAllocatorContext *ctx)
{
    return ctx->filename;
}

int THMapAllocatorContext_fd(THMapAllocatorContext *ctx)
{
    return ctx->fd;
}

ptrdiff_t THMapAllocatorContext_size(THMapAllocatorContext *ctx)
{
    return ctx->size;
}

void th_map_free_context(THMapAllocatorContext *context)
{
    free(context->filename);
    free(context);
}

void THMapAllocatorContext_free(THMapAllocatorContext *ctx)
{
    th_map_free_context(ctx);
}

/* ---- map ---- */

static th_failure open_file(const THMapAllocatorContext *context, int *fd)
{
    const int flags = context->flags;
    const int mode =
        O_CLOEXEC | (flags & (SHARED | SHAREDMEM) ? O_RDWR : O_RDONLY) |
        (flags & (SHARED | SHAREDMEM) && !(flags & NOCREATE) ? O_CREAT : 0) |
        (flags & EXCLUSIVE ? O_EXCL : 0);

    if (flags & FROMFD)
        *fd = context->fd;
    else if (th_map_is_object(flags))
        *fd = shm_open(context->filename, mode, 0600);
    else
        *fd = open(context->filename, mode, 0600);
    if (*fd >= 0)
        return NULL;
    return th_map_is_object(flags) ? "unable to open shared memory object"
           : flags & SHARED        ? "unable to open file in read-write mode"
                                   : "unable to open file in read-only mode";
}

/* The bytes to map, in *size, of a file that may have to grow. */
static th_failure fit_file(int fd, int flags, ptrdiff_t *size)
{
    struct stat status;

    if (fstat(fd, &status))
        return "unable to stat file";
    if (S_ISDIR(status.st_mode)) {
        errno = EISDIR;
        return "unable to map file";
    }
    if (*size <= 0)
        *size = status.st_size;
    if (*size <= status.st_size)
        return NULL;
    if (!flags) {
        errno = ENXIO;
        return "the mapping is larger than file";
    }
    return ftruncate(fd, *size) ? "unable to stretch file" : NULL;
}

int th_map_unlink(const THMapAllocatorContext *context)
{
    if (th_map_is_object(context->flags))
        return shm_unlink(context->filename);
    return unlink(context->filename);
}

static th_failure map_descriptor(THMapAllocatorContext *context, int fd, ptrdiff_t size,
                                 void **data)
{
    const int flags = context->flags;
    const th_failure failed = fit_file(fd, flags, &size);

    *data = NULL;
    if (failed)
        return failed;
    if (size > 0)
        *data = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE,
                     flags & (SHARED | SHAREDMEM) ? MAP_SHARED : MAP_PRIVATE, fd, 0);
    if (*data == MAP_FAILED)
        return "unable to map file";
    if (flags & UNLINK && th_map_unlink(context)) {
        const int reason = errno;

        if (size > 0)
            munmap(*data, (size_t)size);
        errno = reason;
        return "could not unlink file";
    }
    context->size = size;
    return NULL;
}

th_failure th_map_file(THMapAllocatorContext *context, ptrdiff_t size, void **data)
{
    int fd, reason;
    th_failure failed = open_file(context, &fd);

    if (failed)
        return failed;
    failed = map_descriptor(context, fd, size, data);
    reason = errno;
    if (failed ? !(context->flags & FROMFD) : !(context->flags & KEEPFD))
        close(fd);
    if (!failed)
        context->fd = context->flags & KEEPFD ? fd : -1;
    errno = reason;
    return failed;
}
