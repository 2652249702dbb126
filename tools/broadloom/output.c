/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L

#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bl_status fail_writing(const char *path, int code)
{
    return bl_error_set(BL_ERR_IO, "cannot write %s: %s", path, strerror(code));
}

bl_status output_open(const char *path, struct output *output)
{
    *output = (struct output){.file = stdout, .path = path, .descriptor = -1};
    if (!path)
        return BL_OK;
    output->descriptor =
        open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY, (mode_t)0666);
    if (output->descriptor < 0)
        return fail_writing(path, errno);
    output->file = open_memstream(&output->text, &output->size);
    if (output->file)
        return BL_OK;
    close(output->descriptor);
    return fail_writing(path, ENOMEM);
}

/* Whether a file system has said that there is no space, not that it cannot tell. */
static bool is_full(int code)
{
    return code == ENOSPC || code == EDQUOT || code == EFBIG;
}

/* Replace what is in the file, if that is one; returns 0 or the first error. */
static int replace(const struct output *output)
{
    const int file = output->descriptor;
    const off_t size = (off_t)output->size;
    struct stat old;
    const bool is_file = fstat(file, &old) == 0 && S_ISREG(old.st_mode);

    if (is_file && size > 0) {
        const int code = posix_fallocate(file, 0, size);

        if (is_full(code))
            return ftruncate(file, old.st_size) == 0 ? code : errno;
    }
    for (size_t done = 0; done < output->size;) {
        const ssize_t wrote = write(file, output->text + done, output->size - done);

        if (wrote < 0 && errno != EINTR)
            return errno;
        done += wrote > 0 ? (size_t)wrote : 0;
    }
    return is_file && ftruncate(file, size) != 0 ? errno : 0;
}

bl_status output_close(struct output *output, bl_status status)
{
    int code;

    if (!output->path)
        return status;
    code = ferror(output->file) ? ENOMEM : 0;
    if (fclose(output->file) != 0)
        code = ENOMEM;
    if (code == 0 && status == BL_OK)
        code = replace(output);
    if (close(output->descriptor) != 0 && code == 0)
        code = errno;
    free(output->text);
    return status == BL_OK && code != 0 ? fail_writing(output->path, code) : status;
}

bool output_flush(void)
{
    static bool is_lost;

    if (is_lost)
        return false;
    errno = 0;
    is_lost = fflush(stdout) != 0 || ferror(stdout);
    if (is_lost)
        fail("cannot write the output%s%s", errno ? ": " : "",
             errno ? strerror(errno) : "");
    return !is_lost;
}
