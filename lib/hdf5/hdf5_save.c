/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bl_hdf5_save: a dataset is written without a name first, and gets it when it is
 * complete; a new file is written beside its name likewise.
 */
#define _POSIX_C_SOURCE 200809L

#include "hdf5/hdf5.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

struct save {
    struct bli_hdf5 call;     /* first */
    const bl_array *array;    /* contiguous */
    struct bli_hdf5_new made; /* where there is no file */
};

/* ---- a part of a dataset that exists ---- */

static bl_status check_part(const struct save *save)
{
    const struct bli_hdf5 *const call = &save->call;
    const bl_array *const array = save->array;
    char has[BLI_HDF5_SHAPE_TEXT], wants[BLI_HDF5_SHAPE_TEXT];
    int64_t count[BL_HDF5_MAX_RANK];
    bool same = array->rank == call->rank;

    for (int32_t d = 0; d < call->rank; d++) {
        count[d] = (int64_t)call->count[d];
        same = same && count[d] == array->extent[d];
    }
    if (call->dtype != array->dtype)
        return bli_hdf5_error(
            call, BL_ERR_DTYPE, "the dataset is of %s, the array of %s",
            call->dtype == BL_DTYPE_NONE ? bli_hdf5_type_name(call->type)
                                         : bl_dtype_name(call->dtype),
            bl_dtype_name(array->dtype));
    if (!same)
        return bli_hdf5_error(call, BL_ERR_SHAPE,
                              "the part has the shape %s, the array %s",
                              bli_hdf5_shape(has, call->rank, count),
                              bli_hdf5_shape(wants, array->rank, array->extent));
    return BL_OK;
}

static bl_status write_part(struct save *save)
{
    struct bli_hdf5 *const call = &save->call;

    BL_TRY(bli_hdf5_open_file(call, H5F_ACC_RDWR));
    BL_TRY(bli_hdf5_open_dataset(call));
    BL_TRY(bli_hdf5_find_part(call));
    BL_TRY(check_part(save));
    return bli_hdf5_write(call, save->array->data, bl_dtype_size(call->dtype));
}

/* ---- a new dataset ---- */

/* Open the file, or create one beside the name that it will have. */
static bl_status open_or_create(struct save *save)
{
    struct bli_hdf5 *const call = &save->call;

    if (access(call->path, F_OK) == 0 || errno != ENOENT)
        return bli_hdf5_open_file(call, H5F_ACC_RDWR);
    return bli_hdf5_new_create(call, &save->made);
}

/* Look for a dataset that has the name; opened as `other`. */
static bl_status check_name(struct bli_hdf5 *call)
{
    call->other = H5Oopen(call->file, call->dataset, H5P_DEFAULT);
    if (call->other < 0)
        return BL_OK;
    if (H5Iget_type(call->other) != H5I_DATASET)
        return bli_hdf5_error(call, BL_ERR_ARGUMENT, "this is not a dataset");
    if (!(call->options.flags & BL_HDF5_REPLACE))
        return bli_hdf5_error(call, BL_ERR_ARGUMENT, "the dataset exists already");
    return BL_OK;
}

/* Create the dataset without a name, with all its space. */
static bl_status create_dataset(struct save *save)
{
    struct bli_hdf5 *const call = &save->call;
    const bl_array *const array = save->array;
    hsize_t extent[H5S_MAX_RANK];

    call->dtype = array->dtype;
    call->rank = array->rank;
    for (int32_t d = 0; d < array->rank; d++) {
        call->extent[d] = array->extent[d];
        extent[d] = (hsize_t)array->extent[d];
    }
    call->type = bli_hdf5_memory_type(array->dtype, -1);
    call->space = array->rank > 0 ? H5Screate_simple(array->rank, extent, NULL)
                                  : H5Screate(H5S_SCALAR);

    const hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_alloc_time(plist, H5D_ALLOC_TIME_EARLY);
    H5Pset_fill_time(plist, H5D_FILL_TIME_NEVER);
    call->object =
        H5Dcreate_anon(call->file, call->type, call->space, plist, H5P_DEFAULT);
    const bl_status status =
        call->object < 0
            ? bli_hdf5_failed(call, BL_ERR_IO, "the dataset cannot be created")
            : BL_OK;
    H5Pclose(plist);
    return status;
}

/* Give the dataset its name; on failure the old one has it. */
static bl_status link_dataset(struct bli_hdf5 *call)
{
    const hid_t plist = H5Pcreate(H5P_LINK_CREATE);
    bl_status status = BL_OK;

    H5Pset_create_intermediate_group(plist, 1);
    H5Pset_char_encoding(plist, H5T_CSET_UTF8);
    if (call->other >= 0 && H5Ldelete(call->file, call->dataset, H5P_DEFAULT) < 0) {
        status = bli_hdf5_failed(call, BL_ERR_IO, "the dataset cannot be replaced");
    } else if (H5Olink(call->object, call->file, call->dataset, plist, H5P_DEFAULT) <
               0) {
        status = bli_hdf5_failed(call, BL_ERR_ARGUMENT, "the dataset cannot be named");
        if (call->other >= 0)
            H5Olink(call->other, call->file, call->dataset, plist, H5P_DEFAULT);
    }
    H5Pclose(plist);
    return status;
}

static bl_status write_dataset(struct save *save)
{
    struct bli_hdf5 *const call = &save->call;

    BL_TRY(open_or_create(save));
    BL_TRY(check_name(call));
    BL_TRY(create_dataset(save));
    BL_TRY(bli_hdf5_find_part(call));
    BL_TRY(bli_hdf5_write(call, save->array->data, bl_dtype_size(call->dtype)));
    if (H5Fflush(call->file, H5F_SCOPE_LOCAL) < 0)
        return bli_hdf5_failed(call, BL_ERR_IO, "the dataset cannot be written");
    return link_dataset(call);
}

/* ---- both ---- */

/* Close the file, which writes what is still in memory. */
static bl_status finish(struct save *save)
{
    struct bli_hdf5 *const call = &save->call;
    const hid_t object = call->object, file = call->file;

    if (call->other >= 0)
        H5Oclose(call->other);
    call->object = call->file = call->other = -1;
    if (H5Dclose(object) < 0) {
        const bl_status status =
            bli_hdf5_failed(call, BL_ERR_IO, "the dataset cannot be written");

        call->file = file;
        return status;
    }
    if (H5Fclose(file) < 0)
        return bli_hdf5_failed(call, BL_ERR_IO, "the file cannot be written");
    return save->made.is_there ? bli_hdf5_new_name(call, &save->made) : BL_OK;
}

static bl_status run_save(struct bli_hdf5 *call)
{
    struct save *const save = (struct save *)call;

    BL_TRY(call->options.rank != 0 ? write_part(save) : write_dataset(save));
    return finish(save);
}

/* Have a file that grows beyond its size limit be an error, without SIGXFSZ. */
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
static void drop_signal(const sigset_t *ours, const sigset_t *blocked)
{
    static const struct timespec at_once;
    const int saved = errno;

    while (sigtimedwait(ours, NULL, &at_once) > 0 || errno == EINTR) {
    }
    pthread_sigmask(SIG_SETMASK, blocked, NULL);
    errno = saved;
}

/* Files that come and go while one is saved, before that is an error. */
#define MOST_TRIES 100

/* Save, again where another process has made the file meanwhile: it is added to. */
static bl_status save_contiguous(const char *path, const char *dataset,
                                 const bl_array *array, const bl_hdf5_options *options)
{
    struct save save = {.array = array};
    sigset_t ours, blocked;
    int tries = 0;
    bl_status status;

    hold_signal(&ours, &blocked);
    do {
        save.made.is_late = false;
        status = bli_hdf5_call(&save.call, path, dataset, options, run_save);
        bli_hdf5_new_end(&save.made);
    } while (save.made.is_late && ++tries < MOST_TRIES);
    drop_signal(&ours, &blocked);
    return status;
}

static bl_status save(bl_context *ctx, const char *path, const char *dataset,
                      const bl_array *array, const bl_hdf5_options *options)
{
    bl_layout layout;
    bl_tensor *copy;

    BL_TRY(bl_array_layout(array, &layout));
    if (layout.rank > BL_HDF5_MAX_RANK)
        return bl_error_set(BL_ERR_UNSUPPORTED,
                            "array: HDF5 has at most %d dimensions, not %" PRId32,
                            BL_HDF5_MAX_RANK, layout.rank);
    if (bl_layout_is_contiguous(&layout) && array->data)
        return save_contiguous(path, dataset, array, options);
    BL_TRY(bl_tensor_clone(ctx, array, &copy));
    const bl_status status =
        save_contiguous(path, dataset, bl_tensor_array(copy), options);
    bl_tensor_release(copy);
    return status;
}

bl_status bl_hdf5_save(bl_context *ctx, const char *path, const char *dataset,
                       const bl_array *array, const bl_hdf5_options *options)
{
    const bl_status status = save(ctx, path, dataset, array, options);

    if (status == BL_OK)
        bl_shadow_read(BL_SHADOW_SAVE, array, NULL, 0, __builtin_return_address(0));
    return status;
}
