/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L

#include "outputs.h"

#include "dataset.h"
#include "output_place.h"
#include "variables.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bl_status outputs_read(const char *text, void *place)
{
    struct outputs *const outputs = place;

    if (outputs->count == BL_MAX_SLOTS)
        return bl_error_set(BL_ERR_UNSUPPORTED, "more than %d results", BL_MAX_SLOTS);
    outputs->file[outputs->count++] = text;
    return BL_OK;
}

/* Whether a path of `length` bytes has the ending of HDF5 files. */
static bool ends_as_hdf5(const char *path, size_t length)
{
    return (length >= 3 && memcmp(path + length - 3, ".h5", 3) == 0) ||
           (length >= 5 && memcmp(path + length - 5, ".hdf5", 5) == 0);
}

/*
 * Refuse the name of an HDF5 file, by its ending or a colon at its end, without a
 * dataset: it would be that of an NPY file.
 */
static bl_status check_name(const char *text)
{
    const size_t length = strlen(text);

    if (dataset_is_named(text))
        return BL_OK;
    if (ends_as_hdf5(text, length) || (length > 0 && text[length - 1] == ':'))
        return bl_error_set(BL_ERR_ARGUMENT,
                            "%.200s: no dataset is named, as in %.200s%s", text, text,
                            text[length - 1] == ':' ? "/x" : ":/x");
    for (const char *at = strchr(text, ':'); at; at = strchr(at + 1, ':'))
        if (ends_as_hdf5(text, (size_t)(at - text)) && access(text, F_OK) != 0)
            return bl_error_set(BL_ERR_ARGUMENT,
                                "%.200s: a dataset begins with /, as in %.*s:/%.200s",
                                text, (int)(at - text), text, at + 1);
    return BL_OK;
}

bl_status outputs_check_names(const struct outputs *outputs)
{
    for (int32_t k = 0; k < outputs->count; k++) {
        TRY(check_name(outputs->file[k]));
        for (int32_t i = 0; i < k; i++)
            if (output_is_same(outputs->file[i], outputs->file[k]))
                return bl_error_set(BL_ERR_ARGUMENT, "two results for %.200s",
                                    outputs->file[k]);
    }
    return BL_OK;
}

bl_status outputs_check(const struct outputs *outputs, int32_t results)
{
    if (outputs->count > 0 && outputs->count != results)
        return bl_error_set(
            BL_ERR_ARGUMENT,
            "the expression has %d result%s, and there %s %d -o: give one for each, in "
            "order",
            (int)results, results == 1 ? "" : "s", outputs->count == 1 ? "is" : "are",
            (int)outputs->count);
    return BL_OK;
}

/* Whether a file that does not exist can be made in its folder; else errno. */
static bool can_be_made(const char *path)
{
    const char *const slash = strrchr(path, '/');
    char *const folder = slash ? strndup(path, (size_t)(slash + 1 - path)) : NULL;
    const bool can =
        (!slash || folder) && access(slash ? folder : ".", W_OK | X_OK) == 0;
    const int code = errno;

    free(folder);
    errno = code;
    return can;
}

bl_status outputs_check_file(const char *path)
{
    struct stat about;
    bool can;

    if (stat(path, &about) == 0) {
        errno = EISDIR;
        can = !S_ISDIR(about.st_mode) && access(path, W_OK) == 0;
    } else {
        /* Saving finds out where a link leads, and that no name is none. */
        can = errno == ENOENT && (lstat(path, &about) == 0 || can_be_made(path));
    }
    return can ? BL_OK
               : bl_error_set(BL_ERR_IO, "%.400s: cannot be written: %s", path,
                              strerror(errno));
}

static bl_status check_file(const char *file, bool replace)
{
    if (dataset_is_named(file))
        return dataset_check(file, replace);
    if (variables_is_hdf5(file))
        return bl_error_set(BL_ERR_ARGUMENT,
                            "%.200s: an HDF5 file is not replaced by an NPY file: name "
                            "a dataset, as in %.200s:/x",
                            file, file);
    return outputs_check_file(file);
}

bl_status outputs_check_files(const struct outputs *outputs, bool replace)
{
    for (int32_t k = 0; k < outputs->count; k++)
        TRY(check_file(outputs->file[k], replace));
    return BL_OK;
}

bl_status outputs_save(const struct outputs *outputs, bl_context *ctx,
                       bl_tensor *const *result, bool replace)
{
    for (int32_t k = 0; k < outputs->count; k++) {
        const bl_array *const array = bl_tensor_array(result[k]);

        if (dataset_is_named(outputs->file[k]))
            TRY(dataset_save(ctx, outputs->file[k], array, replace));
        else
            TRY(bl_npy_save(ctx, outputs->file[k], array));
    }
    return BL_OK;
}
