/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libbroadloom-hdf5: what its files share.  It stands on libbroadloom's public
 * functions and on HDF5, which no other folder knows.
 */
#ifndef BLI_HDF5_H
#define BLI_HDF5_H

#include <broadloom/error.h>
#include <broadloom/hdf5.h>
#include <broadloom/shadow.h>

#include <hdf5.h>

#include <limits.h>

/* Pass a failure on to the caller. */
#define BL_TRY(call)                                                                   \
    do {                                                                               \
        const bl_status try_ = (call);                                                 \
        if (try_ != BL_OK)                                                             \
            return try_;                                                               \
    } while (0)

/* Most bytes of a sized struct, as of all of libbroadloom's. */
#define BLI_HDF5_MOST_SIZE 4096

/* ---- one call (hdf5_file.c) ---- */

/* HDF5's objects of one call, closed at its end; -1 where there is none. */
struct bli_hdf5 {
    const char *path;    /* of the file, as in messages */
    const char *dataset; /* its name */
    bl_hdf5_options options;
    hid_t file;
    hid_t object; /* the dataset */
    hid_t type;   /* of its elements */
    hid_t space;
    hid_t other; /* a dataset that is replaced */
    /* The dataset's. */
    bl_dtype dtype;
    int32_t rank;
    int64_t extent[BL_HDF5_MAX_RANK];
    /* The part of it that is moved: all of it unless the options have a rank. */
    hsize_t offset[BL_HDF5_MAX_RANK];
    hsize_t stride[BL_HDF5_MAX_RANK];
    hsize_t count[BL_HDF5_MAX_RANK];
};

/*
 * Check names and options, and make the one call of `run` with HDF5's printing of
 * errors switched off; then close what is open.  errno is preserved.  Arguments that
 * `run` needs are in what contains the call.
 */
bl_status bli_hdf5_call(struct bli_hdf5 *call, const char *path, const char *dataset,
                        const bl_hdf5_options *options,
                        bl_status (*run)(struct bli_hdf5 *call));

/* Set the message "path:dataset: ..." and return `status`. */
bl_status bli_hdf5_error(const struct bli_hdf5 *call, bl_status status,
                         const char *format, ...) BL_PRINTF(3, 4);

/*
 * The same, followed by what HDF5 says was wrong in its last function.  BL_ERR_IO where
 * the system refused it, else `status`.
 */
bl_status bli_hdf5_failed(const struct bli_hdf5 *call, bl_status status,
                          const char *what);

/* Open the file, which exists, with H5F_ACC_RDONLY or H5F_ACC_RDWR. */
bl_status bli_hdf5_open_file(struct bli_hdf5 *call, unsigned access);

/* Open the dataset: object, type, space, and what follows them. */
bl_status bli_hdf5_open_dataset(struct bli_hdf5 *call);

/* Write extents as "(2,3)" to `text`, cut to its size; returns it. */
enum { BLI_HDF5_SHAPE_TEXT = 256 };
const char *bli_hdf5_shape(char text[BLI_HDF5_SHAPE_TEXT], int32_t rank,
                           const int64_t *extent);

/*
 * "; the file has /x, /y": the first datasets of the file that is open, by name. Writes
 * to `text` and returns it.
 */
enum { BLI_HDF5_NAMES_TEXT = 320 };
const char *bli_hdf5_names(const struct bli_hdf5 *call, char text[BLI_HDF5_NAMES_TEXT]);

/* ---- files that do not exist yet (hdf5_new.c) ---- */

struct bli_hdf5_new {
    bool is_there;         /* as `beside` */
    bool is_late;          /* another process has made the file meanwhile */
    char target[PATH_MAX]; /* the name that it gets */
    char beside[PATH_MAX]; /* and what it is written as */
};

/*
 * Create and open a file beside the name that it will have: what the path's symbolic
 * links lead to.
 */
bl_status bli_hdf5_new_create(struct bli_hdf5 *call, struct bli_hdf5_new *made);

/*
 * Give the file, which is closed, its name.  One that exists is not replaced where the
 * file system has links or RENAME_NOREPLACE.
 */
bl_status bli_hdf5_new_name(const struct bli_hdf5 *call, struct bli_hdf5_new *made);

/* Remove what it was written as, if there was any; errno is preserved. */
void bli_hdf5_new_end(struct bli_hdf5_new *made);

/* ---- types (hdf5_type.c) ---- */

/* The dtype of elements of a type in a file; BL_DTYPE_NONE if there is none. */
bl_dtype bli_hdf5_dtype(hid_t type);

/*
 * The type of elements of `dtype` in memory, to be closed, or negative.  `like` is the
 * type of a file whose members' names it takes, or negative.
 */
hid_t bli_hdf5_memory_type(bl_dtype dtype, hid_t like);

/* What kind of type it is, for messages, as "a string". */
const char *bli_hdf5_type_name(hid_t type);

/* ---- parts (hdf5_part.c) ---- */

/* Fill in the part of the dataset that the options say, and check it. */
bl_status bli_hdf5_find_part(struct bli_hdf5 *call);

/*
 * Read the part into `data`, or write it from there: compact memory of the part's shape
 * whose elements are `size` bytes long.  Reports progress.
 */
bl_status bli_hdf5_read(struct bli_hdf5 *call, void *data, size_t size);
bl_status bli_hdf5_write(struct bli_hdf5 *call, const void *data, size_t size);

#endif
