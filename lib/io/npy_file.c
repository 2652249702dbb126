/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Opening files for reading, and read(2) repeated until a block is complete.
 */
#define _POSIX_C_SOURCE   200809L
#define _FILE_OFFSET_BITS 64

#include "io/npy_file.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* Linux moves at most 2 GiB less a page in one call, and POSIX at most SSIZE_MAX. */
static const size_t most = (size_t)1 << 30;

int bli_file_open(const char *path)
{
    int file;

    do {
        file = open(path, O_RDONLY | O_CLOEXEC);
    } while (file < 0 && errno == EINTR);
    return file;
}

bl_status bli_file_read(int file, const char *path, void *buffer, size_t size,
                        size_t *got)
{
    size_t done = 0;

    while (done < size) {
        const size_t wanted = size - done < most ? size - done : most;
        const ssize_t step = read(file, (char *)buffer + done, wanted);
        if (step == 0)
            break;
        if (step > 0)
            done += (size_t)step;
        else if (errno != EINTR)
            return bli_file_error(path, "cannot be read", errno);
    }
    *got = done;
    return BL_OK;
}
