/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bl_npy_save: a file that is complete or absent.
 */
#define _POSIX_C_SOURCE   200809L
#define _FILE_OFFSET_BITS 64

#include <broadloom/npy.h>

#include "interop/npy_file.h"
#include "interop/npy_header.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Longest path that is written to, the terminator included: PATH_MAX of Linux. */
enum { PATH_SIZE = 4096 };

/* A file that is being written. */
struct sink {
    const char *path;
    int file;
    bool is_beside; /* written under the name `beside`, to be renamed */
    char beside[PATH_SIZE];
};

/* open(2) for writing, begun again where a signal interrupts it; -1 and errno. */
static int open_for_writing(const char *path, int flags)
{
    int file;

    do {
        file = open(path, O_WRONLY | O_CLOEXEC | flags, 0666);
    } while (file < 0 && errno == EINTR);
    return file;
}

/*
 * A new file in the directory of `path`: on its file system, so that rename(2) replaces
 * `path` at once, and with the mode that the umask leaves.  Its name does not contain
 * the one of `path`, which may be as long as names get.  A name that exists is of a
 * process with the same number on another machine, or left by one that was killed.
 */
static int open_beside(struct sink *sink)
{
    static atomic_uint serial;
    const char *const slash = strrchr(sink->path, '/');
    const int folder = slash ? (int)(slash + 1 - sink->path) : 0;

    for (int tries = 0; tries < 1000; tries++) {
        const int length =
            snprintf(sink->beside, PATH_SIZE, "%.*s.broadloom.%ld.%u", folder,
                     sink->path, (long)getpid(), atomic_fetch_add(&serial, 1u));
        if (length >= PATH_SIZE) {
            errno = ENAMETOOLONG;
            return -1;
        }
        const int file = open_for_writing(sink->beside, O_CREAT | O_EXCL);
        if (file >= 0 || errno != EEXIST)
            return file;
    }
    return -1;
}

/* Pipes and devices are written to as they are: there is nothing to replace. */
static bl_status open_sink(struct sink *sink, const char *path)
{
    struct stat about;

    sink->path = path;
    if (strlen(path) >= PATH_SIZE)
        return bli_file_error(path, "cannot be written", ENAMETOOLONG);
    sink->is_beside =
        stat(path, &about) != 0 || S_ISREG(about.st_mode) || S_ISDIR(about.st_mode);
    sink->file = sink->is_beside ? open_beside(sink) : open_for_writing(path, 0);
    return sink->file >= 0 ? BL_OK : bli_file_error(path, "cannot be written", errno);
}

/* Close and, after BL_OK, give the file its name; otherwise remove it. */
static bl_status close_sink(const struct sink *sink, bl_status status)
{
    if (close(sink->file) != 0 && errno != EINTR && status == BL_OK)
        status = bli_file_error(sink->path, "cannot be written", errno);
    if (!sink->is_beside)
        return status;
    if (status == BL_OK && rename(sink->beside, sink->path) != 0)
        status = bli_file_error(sink->path, "cannot be replaced", errno);
    if (status != BL_OK)
        unlink(sink->beside);
    return status;
}

/* Write elements that lie in the order that the header says. */
static bl_status write_file(const char *path, const struct bli_npy_header *header,
                            const void *data)
{
    char text[BLI_NPY_HEADER_MAX];
    const size_t length = bli_npy_header_write(header, text);
    struct sink sink;

    BL_TRY(open_sink(&sink, path));
    bl_status status = bli_file_write(sink.file, path, text, length);
    if (status == BL_OK)
        status = bli_file_write(sink.file, path, data, (size_t)header->bytes);
    return close_sink(&sink, status);
}

/* Whether the first dimension is the fastest, and nothing lies between the elements. */
static bool is_fortran_order(const bl_layout *layout)
{
    int32_t turned[BL_MAX_RANK];
    bl_layout reversed;

    for (int32_t d = 0; d < layout->rank; d++)
        turned[d] = layout->rank - 1 - d;
    return bl_layout_permute(layout, turned, &reversed) == BL_OK &&
           bl_layout_is_contiguous(&reversed);
}

static bl_status describe(struct bli_npy_header *header, const bl_array *array,
                          const bl_layout *layout)
{
    if (bli_dtypes[array->dtype].npy[0] == '\0')
        return bl_error_set(BL_ERR_UNSUPPORTED, "NumPy has no dtype %s",
                            bli_dtypes[array->dtype].name);
    header->dtype = array->dtype;
    header->is_swapped = false;
    header->is_fortran = false;
    header->rank = layout->rank;
    memcpy(header->extent, layout->extent, (size_t)layout->rank * sizeof(int64_t));
    if (!bli_npy_header_measure(header))
        return bl_error_set(BL_ERR_UNSUPPORTED,
                            "NumPy has no empty arrays of such long dimensions");
    return BL_OK;
}

static bl_status save(bl_context *ctx, const char *path, const bl_array *array)
{
    struct bli_npy_header header;
    bl_layout layout;
    bl_tensor *copy;

    if (!path || !array)
        return bl_error_set(BL_ERR_ARGUMENT, "%s is null", path ? "array" : "path");
    if (!bli_dtype_is_valid(array->dtype))
        return bl_error_set(BL_ERR_ARGUMENT, "array: %d is no dtype",
                            (int)array->dtype);
    BL_TRY(bl_array_layout(array, &layout));
    BL_TRY(describe(&header, array, &layout));
    if (header.bytes > 0 && !array->data)
        return bl_error_set(BL_ERR_ARGUMENT, "array: its data is null");

    const bool is_c_order = header.bytes == 0 || bl_layout_is_contiguous(&layout);
    header.is_fortran = !is_c_order && is_fortran_order(&layout);
    if (is_c_order || header.is_fortran)
        return write_file(path, &header, array->data);
    BL_TRY(bl_tensor_clone(ctx, array, &copy));
    const bl_status status = write_file(path, &header, bl_tensor_array(copy)->data);
    bl_tensor_release(copy);
    return status;
}

bl_status bl_npy_save(bl_context *ctx, const char *path, const bl_array *array)
{
    const int saved = errno;
    const bl_status status = save(ctx, path, array);

    errno = saved;
    return status;
}
