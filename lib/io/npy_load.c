/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bl_npy_load and bl_npy_map.  A regular file's size is checked first, so nothing is
 * allocated for elements that it is too short to hold.
 */
#define _POSIX_C_SOURCE   200809L
#define _FILE_OFFSET_BITS 64

#include <broadloom/npy.h>

#include "core/error.h"
#include "io/npy_file.h"
#include "io/npy_header.h"

#include <errno.h>
#include <inttypes.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file that is being read, and its header. */
struct source {
    const char *path;
    int file;
    bool is_regular; /* `size` is known, and it can be mapped */
    int64_t size;
    int64_t at; /* bytes read so far */
    struct bli_npy_header header;
};

static bl_status too_short(const struct source *s, const char *what, int64_t wanted,
                           int64_t there)
{
    return bl_error_set(BL_ERR_FORMAT,
                        "%s: %s needs %" PRId64 " bytes from byte %" PRId64
                        " on, the file has %" PRId64,
                        s->path, what, wanted, s->at, there);
}

/*
 * Check that `wanted` more bytes can follow; the size of what is not a regular file is
 * unknown, and it passes.
 */
static bl_status check_size(const struct source *s, const char *what, int64_t wanted)
{
    const int64_t there = s->size > s->at ? s->size - s->at : 0;

    return s->is_regular && wanted > there ? too_short(s, what, wanted, there) : BL_OK;
}

static bl_status read_block(struct source *s, const char *what, void *buffer,
                            size_t size)
{
    size_t got;

    BL_TRY(bli_file_read(s->file, s->path, buffer, size, &got));
    if (got < size)
        return too_short(s, what, (int64_t)size, (int64_t)got);
    s->at += (int64_t)size;
    return BL_OK;
}

/*
 * Read the text of the header into memory from the context's allocator, and parse it.
 */
static bl_status read_text(struct source *s, bl_context *ctx, int64_t length)
{
    const size_t start = (size_t)s->at;
    bl_tensor *text;

    BL_TRY(check_size(s, "the header", length));
    if (length > BLI_NPY_TEXT_MAX)
        return bl_error_set(BL_ERR_FORMAT,
                            "%s: byte 8: a header of %" PRId64 " bytes, more than %d",
                            s->path, length, BLI_NPY_TEXT_MAX);
    BL_TRY(bl_tensor_empty(ctx, BL_DTYPE_U8, 1, &length, &text));
    void *const bytes = bl_tensor_array(text)->data;
    bl_status status = read_block(s, "the header", bytes, (size_t)length);
    if (status == BL_OK)
        status = bli_npy_header_read(s->path, start, (const char *)bytes,
                                     (size_t)length, &s->header);
    bl_tensor_release(text);
    return status;
}

static bl_status read_header(struct source *s, bl_context *ctx)
{
    unsigned char prefix[BLI_NPY_PREFIX_MAX];
    struct stat about;
    size_t size;

    if (fstat(s->file, &about) != 0)
        return bli_file_error(s->path, "cannot be read", errno);
    s->is_regular = S_ISREG(about.st_mode);
    s->size = about.st_size;
    BL_TRY(read_block(s, "the header", prefix, BLI_NPY_PREFIX_MIN));
    BL_TRY(bli_npy_prefix_size(s->path, prefix, &size));
    BL_TRY(read_block(s, "the header", prefix + BLI_NPY_PREFIX_MIN,
                      size - BLI_NPY_PREFIX_MIN));
    BL_TRY(read_text(s, ctx, bli_npy_text_size(prefix, size)));
    return check_size(s, "the array", s->header.bytes);
}

/* Reverse the bytes of each of `count` numbers of `size` bytes. */
static void swap_bytes(unsigned char *number, int64_t count, int32_t size)
{
    for (int64_t k = 0; k < count; k++, number += size)
        for (int32_t low = 0, high = size - 1; low < high; low++, high--) {
            const unsigned char byte = number[low];
            number[low] = number[high];
            number[high] = byte;
        }
}

/*
 * Read the elements into a new tensor.  Fortran order is read as C order of the
 * reversed shape, then permuted.
 */
static bl_status read_elements(struct source *s, bl_context *ctx, bl_tensor **out)
{
    const struct bli_npy_header *const header = &s->header;
    const int32_t unit = bli_dtypes[header->dtype].align;
    int64_t extent[BL_MAX_RANK];
    int32_t turned[BL_MAX_RANK];
    bl_tensor *read;

    for (int32_t d = 0; d < header->rank; d++) {
        turned[d] = header->rank - 1 - d;
        extent[d] = header->extent[header->is_fortran ? turned[d] : d];
    }
    BL_TRY(bl_tensor_empty(ctx, header->dtype, header->rank, extent, &read));
    void *const data = bl_tensor_array(read)->data;
    bl_status status = read_block(s, "the array", data, (size_t)header->bytes);
    if (status == BL_OK && header->is_swapped)
        swap_bytes(data, header->bytes / unit, unit);
    if (status == BL_OK && header->is_fortran) {
        status = bl_tensor_permute(read, turned, out);
    } else if (status == BL_OK) {
        *out = bl_tensor_retain(read);
    }
    bl_tensor_release(read);
    return status;
}

static size_t page_size(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

/*
 * The deleter of a mapping: `data` lies in its first page, `user` is its length in
 * bytes.
 */
static void unmap(void *user, void *data)
{
    const int saved = errno;
    const uintptr_t rest = (uintptr_t)data % page_size();

    munmap((char *)data - rest, (size_t)(uintptr_t)user);
    errno = saved;
}

/* Make a read-only tensor over `data`, with the file's shape and order. */
static bl_status wrap(const struct bli_npy_header *header, bl_context *ctx, void *data,
                      size_t length, bl_tensor **out)
{
    int64_t stride[BL_MAX_RANK];
    int64_t step = 1;

    for (int32_t d = 0; d < header->rank; d++) {
        stride[d] = step;
        step *= header->extent[d]; /* fits: checked by bli_npy_header_measure */
    }
    const bl_array array = {
        .data = data,
        .dtype = header->dtype,
        .rank = header->rank,
        .extent = header->extent,
        .stride = header->is_fortran ? stride : NULL,
        .flags = BL_ARRAY_READ_ONLY,
    };
    return bl_tensor_wrap(ctx, &array, data ? unmap : NULL, (void *)(uintptr_t)length,
                          out);
}

static bl_status map_elements(struct source *s, bl_context *ctx, bl_tensor **out)
{
    const int32_t unit = bli_dtypes[s->header.dtype].align;
    const int64_t rest = s->at % (int64_t)page_size();

    if (!s->is_regular)
        return bl_error_set(BL_ERR_UNSUPPORTED,
                            "%s: cannot be mapped: not a regular file", s->path);
    if (s->header.is_swapped)
        return bl_error_set(BL_ERR_UNSUPPORTED,
                            "%s: cannot be mapped: in the other byte order", s->path);
    if (s->at % unit != 0)
        return bl_error_set(BL_ERR_UNSUPPORTED,
                            "%s: cannot be mapped: the array starts at byte %" PRId64
                            ", not a multiple of %" PRId32,
                            s->path, s->at, unit);
    if (s->header.bytes == 0)
        return wrap(&s->header, ctx, NULL, 0, out);
    const size_t length = (size_t)(s->header.bytes + rest);
    if ((uint64_t)length != (uint64_t)(s->header.bytes + rest))
        return bli_fault_argument(
            bl_error_set(BL_ERR_MEMORY, "%s: cannot be mapped: too long", s->path),
            "path");

    char *const pages =
        mmap(NULL, length, PROT_READ, MAP_PRIVATE, s->file, (off_t)(s->at - rest));
    if (pages == MAP_FAILED)
        return bli_file_error(s->path, "cannot be mapped", errno);
    const bl_status status = wrap(&s->header, ctx, pages + rest, length, out);
    if (status != BL_OK)
        munmap(pages, length);
    return status;
}

/*
 * Open a file, read its header, let `finish` make the tensor, and close it.  Preserves
 * errno.
 */
static bl_status open_and(bl_status (*finish)(struct source *s, bl_context *ctx,
                                              bl_tensor **out),
                          bl_context *ctx, const char *path, bl_tensor **out)
{
    const int saved = errno;
    struct source source = {.path = path};
    bl_status status;

    if (!path || !out)
        return bli_error_null(path ? "out" : "path");
    source.file = bli_file_open(path);
    if (source.file < 0) {
        status = bli_file_error(path, "cannot be opened", errno);
    } else {
        status = read_header(&source, ctx);
        if (status == BL_OK)
            status = finish(&source, ctx, out);
        close(source.file);
    }
    errno = saved;
    return status;
}

bl_status bl_npy_load(bl_context *ctx, const char *path, bl_tensor **out)
{
    BLI_RETURN_CALL(open_and(read_elements, ctx, path, out), "path %s", path);
}

bl_status bl_npy_map(bl_context *ctx, const char *path, bl_tensor **out)
{
    BLI_RETURN_CALL(open_and(map_elements, ctx, path, out), "path %s", path);
}
