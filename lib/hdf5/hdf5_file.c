/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One call: its options, HDF5's objects that it opens and closes, and its messages.
 */
#define _POSIX_C_SOURCE   200809L
#define _FILE_OFFSET_BITS 64

#include "hdf5/hdf5.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { TEXT = 800 }; /* of a message less the names */

/* ---- messages ---- */

bl_status bli_hdf5_error(const struct bli_hdf5 *call, bl_status status,
                         const char *format, ...)
{
    char text[TEXT];
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return bl_error_set(status, "%.200s:%.200s: %s", call->path, call->dataset, text);
}

/* What HDF5 says of its innermost function that failed, in one line. */
struct quoted {
    char text[TEXT / 2];
    bool is_system; /* reading or writing failed */
};

static herr_t quote(unsigned number, const H5E_error2_t *error, void *user)
{
    struct quoted *const quoted = user;

    if (number > 0)
        return 0;
    quoted->is_system = error->maj_num == H5E_IO;
    (void)snprintf(quoted->text, sizeof quoted->text, ": %s",
                   error->desc ? error->desc : "");
    for (char *at = quoted->text; (at = strchr(at, '\n')); at++)
        *at = ' ';
    return 0;
}

bl_status bli_hdf5_failed(const struct bli_hdf5 *call, bl_status status,
                          const char *what)
{
    struct quoted quoted = {.text = ""};

    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, quote, &quoted);
    return bli_hdf5_error(call, quoted.is_system ? BL_ERR_IO : status, "%s%s", what,
                          quoted.text);
}

const char *bli_hdf5_shape(char text[BLI_HDF5_SHAPE_TEXT], int32_t rank,
                           const int64_t *extent)
{
    size_t length = 1;

    text[0] = '(';
    for (int32_t d = 0; d < rank && length < BLI_HDF5_SHAPE_TEXT - 24; d++)
        length += (size_t)snprintf(text + length, BLI_HDF5_SHAPE_TEXT - length,
                                   "%s%" PRId64, d ? "," : "", extent[d]);
    memcpy(text + length, ")", 2);
    return text;
}

/* ---- the call ---- */

/* Copy options of a program of this version, an older or a newer one. */
static bl_status read_options(struct bli_hdf5 *call, const bl_hdf5_options *given)
{
    bl_hdf5_options *const known = &call->options;
    const unsigned char *const bytes = (const unsigned char *)given;
    const size_t least = sizeof *known; /* of version 0.3 */

    *known = (bl_hdf5_options){.size = sizeof *known};
    if (!given)
        return BL_OK;
    if (given->size < least || given->size > BLI_HDF5_MOST_SIZE)
        return bli_hdf5_error(call, BL_ERR_ARGUMENT,
                              "options: size is %zu, not %zu to %d", given->size, least,
                              BLI_HDF5_MOST_SIZE);
    for (size_t k = sizeof *known; k < given->size; k++)
        if (bytes[k] != 0)
            return bli_hdf5_error(call, BL_ERR_UNSUPPORTED,
                                  "options: a member of a newer version is set");
    memcpy(known, given, sizeof *known);
    if (known->flags & ~BL_HDF5_REPLACE)
        return bli_hdf5_error(call, BL_ERR_ARGUMENT,
                              "options: unknown flags 0x%" PRIx32,
                              known->flags & ~BL_HDF5_REPLACE);
    if (known->rank < 0 || known->rank > BL_HDF5_MAX_RANK)
        return bli_hdf5_error(call, BL_ERR_ARGUMENT,
                              "options: rank %" PRId32 " is not within 0 to %d",
                              known->rank, BL_HDF5_MAX_RANK);
    return BL_OK;
}

static bl_status check(struct bli_hdf5 *call, const bl_hdf5_options *options)
{
    if (!call->path || !call->dataset)
        return bl_error_set(BL_ERR_ARGUMENT, "%s is null",
                            call->path ? "dataset" : "path");
    if (call->dataset[strspn(call->dataset, "/")] == '\0')
        return bli_hdf5_error(call, BL_ERR_ARGUMENT, "this names no dataset");
    return read_options(call, options);
}

/* Close what is open, in the order in which it depends on each other. */
static void close_all(struct bli_hdf5 *call)
{
    if (call->space >= 0)
        H5Sclose(call->space);
    if (call->type >= 0)
        H5Tclose(call->type);
    if (call->object >= 0)
        H5Dclose(call->object);
    if (call->other >= 0)
        H5Oclose(call->other);
    if (call->file >= 0)
        H5Fclose(call->file);
}

bl_status bli_hdf5_call(struct bli_hdf5 *call, const char *path, const char *dataset,
                        const bl_hdf5_options *options,
                        bl_status (*run)(struct bli_hdf5 *call))
{
    const int saved = errno;

    call->path = path;
    call->dataset = dataset;
    call->file = call->object = call->type = call->space = call->other = -1;
    BL_TRY(check(call, options));

    bl_status status = BL_OK;
    H5E_BEGIN_TRY
    {
        status = run(call);
        close_all(call);
    }
    H5E_END_TRY;
    errno = saved;
    return status;
}

/* ---- opening ---- */

bl_status bli_hdf5_open_file(struct bli_hdf5 *call, unsigned access)
{
    const int mode = access == H5F_ACC_RDWR ? O_RDWR : O_RDONLY;
    const int file = open(call->path, mode | O_CLOEXEC);

    /* The system says why a file cannot be opened, HDF5 does so at length. */
    if (file < 0)
        return bli_hdf5_error(call, BL_ERR_IO, "the file cannot be opened: %s",
                              strerror(errno));
    close(file);
    call->file = H5Fopen(call->path, access, H5P_DEFAULT);
    if (call->file < 0)
        return bli_hdf5_failed(call, BL_ERR_FORMAT, "the file cannot be opened");
    return BL_OK;
}

/* Add the file's datasets to the message of a failure; returns `status`. */
static bl_status append_names(const struct bli_hdf5 *call, bl_status status)
{
    char names[BLI_HDF5_NAMES_TEXT], text[TEXT + BLI_HDF5_NAMES_TEXT];

    (void)snprintf(text, sizeof text, "%s%s", bl_error_message(),
                   bli_hdf5_names(call, names));
    return status == BL_ERR_ARGUMENT ? bl_error_set(status, "%s", text) : status;
}

static bl_status open_object(struct bli_hdf5 *call)
{
    const hid_t object = H5Oopen(call->file, call->dataset, H5P_DEFAULT);
    char names[BLI_HDF5_NAMES_TEXT];

    if (object < 0)
        return append_names(
            call, bli_hdf5_failed(call, BL_ERR_ARGUMENT, "there is no such dataset"));
    if (H5Iget_type(object) != H5I_DATASET) {
        const bool is_group = H5Iget_type(object) == H5I_GROUP;

        H5Oclose(object);
        return bli_hdf5_error(call, BL_ERR_ARGUMENT, "this is a %s, not a dataset%s",
                              is_group ? "group" : "type", bli_hdf5_names(call, names));
    }
    call->object = object;
    return BL_OK;
}

bl_status bli_hdf5_open_dataset(struct bli_hdf5 *call)
{
    hsize_t extent[H5S_MAX_RANK];

    BL_TRY(open_object(call));
    call->type = H5Dget_type(call->object);
    call->space = H5Dget_space(call->object);
    if (call->type < 0 || call->space < 0)
        return bli_hdf5_failed(call, BL_ERR_FORMAT, "the dataset cannot be read");
    if (H5Sget_simple_extent_type(call->space) == H5S_NULL)
        return bli_hdf5_error(call, BL_ERR_UNSUPPORTED,
                              "the dataset has no dataspace (null)");
    call->dtype = bli_hdf5_dtype(call->type);
    call->rank = H5Sget_simple_extent_dims(call->space, extent, NULL);
    if (call->rank < 0)
        return bli_hdf5_failed(call, BL_ERR_FORMAT, "the dataset cannot be read");
    for (int32_t d = 0; d < call->rank; d++) {
        if (extent[d] > INT64_MAX)
            return bli_hdf5_error(call, BL_ERR_OVERFLOW,
                                  "extent %llu of dimension %d does not fit",
                                  (unsigned long long)extent[d], (int)d);
        call->extent[d] = (int64_t)extent[d];
    }
    return BL_OK;
}
